//go:build unix && !linux

package elastictest

import (
	"os"
	"syscall"
)

// attributes makes the node a process group of its own, run by an
// unprivileged user. Only Linux can also tie it to the life of its starter.
func attributes(bool) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setsid: true}
	if os.Getuid() == 0 {
		a.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return a
}
