package rules

import (
	"fmt"
	"strings"
)

// shownReadings is how many readings of a span a trace prints; shownValues how
// many values of a reading.
const (
	shownReadings = 6
	shownValues   = 3
)

// String writes the trace on several lines, for people: the tokens, what each
// span can mean, and the readings that were chosen.
func (t Trace) String() string {
	var b strings.Builder
	b.WriteString("tokens\n")
	for _, token := range t.Tokens {
		fmt.Fprintf(&b, "  %s %s", place(token.Span), token.Text)
		if token.Reads != strings.ToLower(token.Text) {
			fmt.Fprintf(&b, " reads %s", token.Reads)
		}
		b.WriteString("\n")
	}
	b.WriteString("candidates\n")
	for _, s := range t.Spans {
		fmt.Fprintf(&b, "  %s %s\n", place(s.Span), s.Text)
		for _, r := range s.Readings[:min(len(s.Readings), shownReadings)] {
			fmt.Fprintf(&b, "    %s\n", r)
		}
		if n := len(s.Readings) - shownReadings; n > 0 {
			fmt.Fprintf(&b, "    and %d less likely\n", n)
		}
	}
	fmt.Fprintf(&b, "chosen (%.1f)\n", t.Score)
	for _, r := range t.Chosen {
		fmt.Fprintf(&b, "  %s %s: %s\n", place(r.Span), r.Text, r)
	}
	return b.String()
}

func place(span [2]int) string { return fmt.Sprintf("%d-%d", span[0], span[1]) }

// String says what the reading is, where it comes from and how good it is:
// "company stripe (directory, 900 people) 6.9".
func (r Reading) String() string {
	text := string(r.Type)
	if r.Name != "" {
		text += " " + r.Name
	}
	if n := len(r.Values); n > 0 {
		text += ": " + strings.Join(r.Values[:min(n, shownValues)], ", ")
		if n > shownValues {
			text += fmt.Sprintf(" and %d more", n-shownValues)
		}
	}
	origin := string(r.Origin)
	if r.People > 0 {
		origin += fmt.Sprintf(", %d people", r.People)
	}
	switch r.Distance {
	case 0:
	case 1:
		origin += ", 1 edit away"
	default:
		origin += fmt.Sprintf(", %d edits away", r.Distance)
	}
	return fmt.Sprintf("%s (%s) %.1f", text, origin, r.Score)
}
