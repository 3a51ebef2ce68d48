//go:build unix && !linux

package embedded

import (
	"errors"
	"syscall"
)

func allowSearch(*syscall.SysProcAttr) error {
	return errors.New("choose a --data directory that everyone may enter, or do not run kith as root")
}
