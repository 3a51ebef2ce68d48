package leash

import (
	"os"
	"syscall"
)

const (
	// memory is where Linux has a file system in memory, and room what must be free
	// there for the servers of several test processes.
	memory = "/dev/shm"
	room   = 4 << 30
	// noExec is the flag of a file system that programs cannot be started from.
	noExec = 8
)

// Place is where tests make temporary directories: in memory where there is room. A
// database is 300 to 700 files, and for most tests it takes a disk longer to make and
// remove them than everything else takes. Empty is the usual place, which TMPDIR names.
func Place() string {
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(memory, &fs) != nil {
		return ""
	}
	if fs.Flags&noExec != 0 || fs.Bavail*uint64(fs.Bsize) < room {
		return ""
	}
	return memory
}
