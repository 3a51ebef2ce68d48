//go:build unix

package embedded

import (
	"os"
	"slices"
	"strings"
)

// Breakdown returns what the server's log says about a breakdown since this process joined: a full disk, which it does
// not survive, or a kill from outside. Clients only see a lost connection. It is empty if the log has no such line.
func (s *Server) Breakdown() string {
	log := readText(s.cluster.logFile())
	if len(log) >= s.logStart {
		log = log[s.logStart:]
	}
	lines := strings.Split(strings.TrimSpace(log), "\n")
	for _, mark := range []string{"PANIC:", "No space left on device", "terminated by signal"} {
		for _, line := range slices.Backward(lines) {
			if strings.Contains(line, mark) {
				return line
			}
		}
	}
	return ""
}

// size returns the size of a file in bytes; 0 if it is missing.
func size(name string) int {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return int(info.Size())
}
