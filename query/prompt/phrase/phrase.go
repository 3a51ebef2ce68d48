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
		return []string{strings.Join(strings.Fields(pattern), " ")}
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
	var out []string
	for _, tail := range Expand(rest) {
		for _, choice := range choices {
			out = append(out, strings.Join(strings.Fields(pattern[:open]+" "+choice+" "+tail), " "))
		}
	}
	return out
}

// Table yields the phrases of a table, each with its heading. A heading is a line by itself.
// Indented lines below it hold patterns, separated by ";", for [Expand]. No phrase occurs twice
// under one heading. Empty lines and lines that begin with "#" are skipped.
func Table(text string) iter.Seq2[string, string] {
	return func(yield func(heading, phrase string) bool) {
		heading, seen := "", map[string]bool{}
		for line := range strings.Lines(text) {
			patterns, indented := strings.CutPrefix(line, "\t")
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			if !indented {
				heading, seen = line, map[string]bool{}
				continue
			}
			for pattern := range strings.SplitSeq(patterns, ";") {
				for _, phrase := range Expand(pattern) {
					if !seen[phrase] && !yield(heading, phrase) {
						return
					}
					seen[phrase] = true
				}
			}
		}
	}
}
