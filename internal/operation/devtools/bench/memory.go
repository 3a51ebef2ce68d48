package bench

import (
	"bufio"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
)

// Memory is the memory use of this process, in bytes.
type Memory struct {
	// Resident is the current resident memory, Peak its maximum; 0 if the system does not report it.
	Resident uint64 `json:"resident"`
	Peak     uint64 `json:"peak"`
	// Heap is the part of the Go heap in use.
	Heap       uint64 `json:"heap"`
	Goroutines int    `json:"goroutines"`
}

// ReadMemory reads the memory of this process.
func ReadMemory() (Memory, error) {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	m := Memory{Heap: stats.HeapInuse, Goroutines: runtime.NumGoroutine()}
	f, err := os.Open("/proc/self/status")
	if os.IsNotExist(err) {
		return m, nil
	}
	if err != nil {
		return m, fmt.Errorf("bench: reading the memory of the process: %w", err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		name, value, _ := strings.Cut(lines.Text(), ":")
		kilobytes, err := strconv.ParseUint(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64)
		switch {
		case err != nil:
		case name == "VmRSS":
			m.Resident = kilobytes << 10
		case name == "VmHWM":
			m.Peak = kilobytes << 10
		}
	}
	return m, lines.Err()
}

// machine describes the machine of the measurement.
func machine() string {
	name := runtime.GOOS + "/" + runtime.GOARCH
	text, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.SplitSeq(string(text), "\n") {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == "model name" {
				name += ", " + strings.TrimSpace(value)
				break
			}
		}
	}
	return fmt.Sprintf("%s, %d processors, %s", name, runtime.GOMAXPROCS(0), runtime.Version())
}
