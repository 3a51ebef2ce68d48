package main

import (
	"strings"
	"testing"

	"kith/internal/test/expect"
)

// Text from a source cannot break the line or control the terminal.
func TestJobsAreSafeForTerminals(t *testing.T) {
	var out strings.Builder
	row := jobRow{Job: 1, Kind: "refresh", About: "a\tb", Reason: "REFUSED: one\ntwo \x1b[31mred\u202e"}
	expect.NoError(t, printList(&output{w: &out}, listFlags{}, []jobRow{row}, func(r jobRow) jobRow { return r }))
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 3 || !strings.HasSuffix(lines[1], "  a b    REFUSED: one two [31mred") {
		t.Errorf("printed %q", lines)
	}
}
