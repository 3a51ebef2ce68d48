package elastictest

import (
	"os"
	"syscall"
)

// attributes makes the node a process group of its own, run by an
// unprivileged user, that ends when its starter does unless it is detached.
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
