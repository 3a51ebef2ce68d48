//go:build unix

package embedded

import (
	"os"
	"slices"
	"strings"
)

// Broke is what the server said of breaking down since this process joined it:
// for want of room on the disk, which it does not survive, or killed from outside.
// Whoever is connected then hears no more than that the connection is gone. It is
// empty where the server said nothing of the kind.
func (s *Server) Broke() string {
	said := readText(s.cluster.logFile())
	if len(said) >= s.said {
		said = said[s.said:]
	}
	lines := strings.Split(strings.TrimSpace(said), "\n")
	for _, mark := range []string{"PANIC:", "No space left on device", "terminated by signal"} {
		for _, line := range slices.Backward(lines) {
			if strings.Contains(line, mark) {
				return line
			}
		}
	}
	return ""
}

// size is that of a file in bytes; 0 where there is none.
func size(name string) int {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	return int(info.Size())
}
