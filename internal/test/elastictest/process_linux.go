package elastictest

import (
	"os"
	"syscall"
)

// attributes puts the node into its own process group, as an unprivileged user. Unless
// detached, it ends when its starter does.
func attributes(detach bool) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setsid: true}
	if !detach {
		a.Pdeathsig = syscall.SIGTERM
	}
	if os.Getuid() == 0 {
		a.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return a
}
