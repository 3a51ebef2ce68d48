package leash

import (
	"os"
	"syscall"
)

const (
	// memory is Linux's file system in memory. room is the free space there that the servers
	// of several test processes need.
	memory = "/dev/shm"
	room   = 4 << 30
	// noExec is the flag of file systems from which programs cannot be started.
	noExec = 8
)

// TempRoot returns where tests create temporary directories: in memory if there is enough
// space. A database has 300 to 700 files. For most tests, a disk takes longer to create
// and remove them than everything else. Empty is the default, which TMPDIR sets.
func TempRoot() string {
	var fs syscall.Statfs_t
	if os.Getenv("TMPDIR") != "" || syscall.Statfs(memory, &fs) != nil {
		return ""
	}
	if fs.Flags&noExec != 0 || fs.Bavail*uint64(fs.Bsize) < room {
		return ""
	}
	return memory
}
