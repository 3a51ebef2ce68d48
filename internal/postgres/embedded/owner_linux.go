package embedded

import "syscall"

// capDacReadSearch lets a process pass through directories closed to its user.
const capDacReadSearch = 2

// allowSearch lets the server of a root user reach a data directory below a closed home directory. Only kith can reach
// the server, so no one else gains access by it.
func allowSearch(attr *syscall.SysProcAttr) error {
	attr.AmbientCaps = []uintptr{capDacReadSearch}
	return nil
}
