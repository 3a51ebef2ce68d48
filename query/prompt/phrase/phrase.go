// Package phrase expands patterns into phrases, for the tables of the planner.
package phrase

import (
	"iter"
	"strings"
)

// Expand returns the phrases of a pattern, in order, with single spaces. (a|b) is a choice, and
// [a|b] an optional choice: "[who] (led|ran) it" gives "who led it", "who ran it", "led it" and
// "ran it". Brackets do not nest. An unmatched bracket stays as it is.
func Expand(pattern string) []string {
	open := strings.IndexAny(pattern, "([")
	if open < 0 {
		return []string{spaced(pattern)}
	}
	end, optional := ")", pattern[open] == '['
	if optional {
		end = "]"
	}
	inside, rest, found := strings.Cut(pattern[open+1:], end)
	if !found {
		return []string{pattern}
	}
	choices := strings.Split(inside, "|")
	if optional {
		choices = append(choices, "")
	}
	for i, choice := range choices {
		choices[i] = join(spaced(pattern[:open]), spaced(choice))
	}
	tails := Expand(rest)
	tails[0] = spaced(tails[0]) // an unmatched bracket left it as it was
	out := make([]string, 0, len(tails)*len(choices))
	for _, tail := range tails {
		for _, choice := range choices {
			out = append(out, join(choice, tail))
		}
	}
	return out
}

// spaced puts single spaces between words.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// join joins two texts, either of which may be empty, with a space.
func join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// All yields the phrases of a table, each with its heading. A heading is a line by itself.
// Indented lines below it hold patterns, separated by ";", for [Expand]. Empty lines and lines that
// begin with "#" are skipped.
func All(text string) iter.Seq2[string, string] {
	return func(yield func(heading, phrase string) bool) {
		heading := ""
		for line := range strings.Lines(text) {
			patterns, indented := strings.CutPrefix(line, "\t")
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			if !indented {
				heading = line
				continue
			}
			for pattern := range strings.SplitSeq(patterns, ";") {
				for _, phrase := range Expand(pattern) {
					if !yield(heading, phrase) {
						return
					}
				}
			}
		}
	}
}

// Table is [All] with each phrase once under a heading.
func Table(text string) iter.Seq2[string, string] {
	return func(yield func(heading, phrase string) bool) {
		under, seen := "", map[string]bool{}
		for heading, phrase := range All(text) {
			if heading != under {
				under, seen = heading, map[string]bool{}
			}
			if !seen[phrase] && !yield(heading, phrase) {
				return
			}
			seen[phrase] = true
		}
	}
}
