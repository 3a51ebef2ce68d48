package main

import (
	"strings"
	"testing"

	"kith/internal/tasks"
)

// Text from a source cannot break the line or control the terminal.
func TestTaskLineIsSafeForTerminals(t *testing.T) {
	reason := tasks.Failure{Code: "REFUSED", Message: "one\ntwo \x1b[31mred\u202e"}
	line := taskLine(tasks.Info{Key: "a\tb", Reason: reason})
	if columns := strings.Split(line, "\t"); len(columns) != 8 || columns[6] != "a b" ||
		columns[7] != "REFUSED: one two [31mred" {
		t.Errorf("line: %q", line)
	}
}
