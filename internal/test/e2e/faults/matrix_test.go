package faults_test

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"
)

// matrix is what happened to all operations during all faults.
type matrix struct {
	began time.Time
	rows  []row
}

// row is what happened during a fault.
type row struct {
	fault         fault
	from, until   time.Time
	cells         []cell
	lost, doubled int
}

// cell is what happened to an operation during a fault.
type cell struct {
	name            string
	tries, answered int
	slowest, back   time.Duration
	refused         map[refused]int
	wrong           []error
}

// sum sums up the attempts that the fault may have touched.
func (r *row) sum(o *operation) cell {
	c := cell{name: o.name, refused: map[refused]int{}, back: -1}
	for _, a := range o.since(r.from) {
		if a.err == nil && c.back < 0 && !a.ended.Before(r.until) {
			c.back = a.ended.Sub(r.until)
		}
		refusal, expected := errors.AsType[refused](a.err)
		if a.err != nil && (!expected || refusal == broken && !r.fault.breaks) {
			c.wrong = append(c.wrong, a.err)
		}
		if a.began.After(r.until) {
			continue
		}
		if a.err == nil {
			c.answered++
		} else if expected {
			c.refused[refusal]++
		}
		c.tries++
		c.slowest = max(c.slowest, a.ended.Sub(a.began))
	}
	return c
}

// String is how many tries succeeded, of how many unless all did, the longest of them and, after a refusal, how long
// after the end of the fault the first one succeeded.
func (c cell) String() string {
	if c.tries == c.answered {
		return fmt.Sprintf("%d, %.1f s", c.answered, c.slowest.Seconds())
	}
	return fmt.Sprintf("%d of %d, %.1f s, +%.1f s", c.answered, c.tries, c.slowest.Seconds(), c.back.Seconds())
}

// String is the table.
func (m matrix) String() string {
	var text strings.Builder
	for i, r := range m.rows {
		if i == 0 {
			text.WriteString("| fault |")
			for _, c := range r.cells {
				fmt.Fprintf(&text, " %s |", c.name)
			}
			text.WriteString(" lost, twice | refused with |\n|" + strings.Repeat("---|", len(r.cells)+3) + "\n")
		}
		fmt.Fprintf(&text, "| %s |", r.fault.name)
		refusals := map[refused]int{}
		for _, c := range r.cells {
			fmt.Fprintf(&text, " %s |", c)
			for what, n := range c.refused {
				refusals[what] += n
			}
		}
		fmt.Fprintf(&text, " %d, %d |", r.lost, r.doubled)
		for i, what := range slices.Sorted(maps.Keys(refusals)) {
			fmt.Fprintf(&text, "%s %s × %d", ","[:min(i, 1)], what, refusals[what])
		}
		text.WriteString(" |\n")
	}
	return text.String()
}

// The lines of the document around the table.
const tableBegins, tableEnds = "<!-- written by scripts/faults/run -->\n", "<!-- end -->\n"

// write writes the table into the document in $KITH_FAULTS.
func (m matrix) write() error {
	path := os.Getenv("KITH_FAULTS")
	if path == "" {
		return nil
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	before, rest, begins := strings.Cut(string(text), tableBegins)
	_, after, ends := strings.Cut(rest, tableEnds)
	if !begins || !ends {
		return fmt.Errorf("%s lacks the lines %q and %q", path, tableBegins, tableEnds)
	}
	return os.WriteFile(path, fmt.Appendf(nil, "%s%s\nOn %s, in %.0f minutes.\n\n%s\n%s%s", before, tableBegins,
		m.began.Format(time.DateOnly), time.Since(m.began).Minutes(), m, tableEnds, after), 0o600)
}
