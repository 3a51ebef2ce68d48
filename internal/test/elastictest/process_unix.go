//go:build unix && !linux

package elastictest

import (
	"os"
	"syscall"
)

// attributes puts the node into its own process group, as an unprivileged user. Only Linux
// can also end it with its starter.
func attributes(bool) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setsid: true}
	if os.Getuid() == 0 {
		a.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return a
}
