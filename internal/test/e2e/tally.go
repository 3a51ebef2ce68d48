package e2e

import (
	"regexp"
	"strconv"
	"testing"
)

// Tally is the summary that a load prints for a file.
type Tally struct{ Read, Stored, Created, Changed, Unchanged, Repeated, Rejected int }

var summary = regexp.MustCompile(`: (\d+) lines? read: (\d+) stored ` +
	`\((\d+) new, (\d+) changed, (\d+) unchanged, (\d+) repeated\), (\d+) rejected`)

// Summarised reads the summary and checks that it adds up.
func Summarised(t *testing.T, out string) Tally {
	t.Helper()
	m := summary.FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("not the summary of a load: %q", out)
	}
	var n [7]int
	for i := range n {
		n[i], _ = strconv.Atoi(m[i+1]) // the pattern lets only digits through
	}
	s := Tally{n[0], n[1], n[2], n[3], n[4], n[5], n[6]}
	if s.Read != s.Stored+s.Rejected || s.Stored != s.Created+s.Changed+s.Unchanged+s.Repeated {
		t.Errorf("the summary does not add up: %s", out)
	}
	return s
}
