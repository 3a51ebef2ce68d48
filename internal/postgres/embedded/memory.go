package embedded

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// shared_buffers is an eighth of the machine's memory, within bounds: kith and an engine may run on the same machine,
// and the system caches what the server does not. Documents in neither cache are several times slower to read.
const (
	leastBuffers   = 128 << 20
	mostBuffers    = 4 << 30
	usualBuffers   = 256 << 20
	shareOfBuffers = 8
)

// buffers returns shared_buffers for a machine with so much memory, in bytes; 0 means unknown.
func buffers(memory int64) int64 {
	if memory <= 0 {
		return usualBuffers
	}
	return min(max(memory/shareOfBuffers, leastBuffers), mostBuffers)
}

// megabytes formats a size for PostgreSQL.
func megabytes(size int64) string { return fmt.Sprintf("%dMB", size>>20) }

// memory is the memory of the machine, or of the container, in bytes; 0 if the system does not provide it the way Linux
// does.
func memory() int64 {
	all := machineMemory(readText("/proc/meminfo"))
	if limit, err := strconv.ParseInt(strings.TrimSpace(readText("/sys/fs/cgroup/memory.max")), 10, 64); err == nil &&
		all > 0 {
		return min(all, limit)
	}
	return all
}

// machineMemory reads the line "MemTotal: 123 kB" of /proc/meminfo.
func machineMemory(meminfo string) int64 {
	for line := range strings.Lines(meminfo) {
		fields := strings.Fields(line)
		if len(fields) == 3 && fields[0] == "MemTotal:" && fields[2] == "kB" {
			if n, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				return n << 10
			}
		}
	}
	return 0
}

// readText returns "" for a file that cannot be read.
func readText(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(text)
}
