package embedded

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// The server's own memory is an eighth of the machine's, within bounds: kith and
// an engine may run beside it, and what it does not hold the system keeps for it.
// Documents that are in neither cost several times as much to look at.
const (
	leastBuffers   = 128 << 20
	mostBuffers    = 4 << 30
	usualBuffers   = 256 << 20
	shareOfBuffers = 8
)

// buffers is the server's own memory on a machine that has so much, in bytes; 0
// stands for not known.
func buffers(memory int64) int64 {
	if memory <= 0 {
		return usualBuffers
	}
	return min(max(memory/shareOfBuffers, leastBuffers), mostBuffers)
}

// megabytes writes a size as PostgreSQL reads it.
func megabytes(size int64) string { return fmt.Sprintf("%dMB", size>>20) }

// memory is how much the machine has, or the container that kith runs in, in
// bytes; 0 where the system does not tell, as Linux does.
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

// readText is "" for a file that cannot be read.
func readText(name string) string {
	text, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return string(text)
}
