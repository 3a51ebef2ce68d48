package main

import (
	"strings"
	"testing"

	"kith/internal/jobs"
)

// Text from a source cannot break the line or control the terminal.
func TestJobLineIsSafeForTerminals(t *testing.T) {
	line := jobLine(jobs.Info{Key: "a\tb", Reason: jobs.Failure{Code: "REFUSED", Message: "one\ntwo \x1b[31mred\u202e"}})
	if columns := strings.Split(line, "\t"); len(columns) != 8 || columns[6] != "a b" ||
		columns[7] != "REFUSED: one two [31mred" {
		t.Errorf("line: %q", line)
	}
}
