// Package phrase reads patterns of phrases, for the tables of the planner.
package phrase

import (
	"iter"
	"slices"
	"strings"
)

// Pattern is a sequence of choices, each between texts with single spaces. An empty text stands for nothing.
type Pattern [][]string

// Parse reads a pattern. (a|b) is a choice, and [a|b] an optional choice. Brackets do not nest. An unmatched bracket is
// text.
func Parse(text string) Pattern {
	open := strings.IndexAny(text, "([")
	if open < 0 {
		return literal(text)
	}
	end, optional := ")", text[open] == '['
	if optional {
		end = "]"
	}
	inside, rest, found := strings.Cut(text[open+1:], end)
	if !found {
		return literal(text)
	}
	choices := strings.Split(inside, "|")
	for i, choice := range choices {
		choices[i] = spaced(choice)
	}
	if optional {
		choices = append(choices, "")
	}
	return slices.Concat(literal(text[:open]), Pattern{choices}, Parse(rest))
}

// literal returns the pattern of a text without choices.
func literal(text string) Pattern {
	if text = spaced(text); text != "" {
		return Pattern{{text}}
	}
	return nil
}

// spaced puts single spaces between words.
func spaced(text string) string { return strings.Join(strings.Fields(text), " ") }

// Phrases yields the phrases of a pattern, with single spaces: those of "[who] (led|ran) it" are "who led it",
// "led it", "who ran it" and "ran it". There may be very many.
func (p Pattern) Phrases() iter.Seq[string] {
	return func(yield func(string) bool) {
		if len(p) == 0 {
			yield("")
			return
		}
		for rest := range p[1:].Phrases() {
			for _, choice := range p[0] {
				if !yield(Join(choice, rest)) {
					return
				}
			}
		}
	}
}

// Join joins two texts, either of which may be empty, with a space.
func Join(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// Matches reports whether a text with single spaces is one of the phrases.
func (p Pattern) Matches(text string) bool {
	if len(p) == 0 {
		return text == ""
	}
	for _, choice := range p[0] {
		rest, found := strings.CutPrefix(text, choice)
		if found && choice != "" && rest != "" {
			rest, found = strings.CutPrefix(rest, " ")
			found = found && rest != ""
		}
		if found && p[1:].Matches(rest) {
			return true
		}
	}
	return false
}

// Patterns yields the patterns of a table, each with its heading. A heading is a line by itself. Indented lines below
// it hold patterns for [Parse], separated by ";". Empty lines and lines that begin with "#" are skipped.
func Patterns(text string) iter.Seq2[string, Pattern] {
	return func(yield func(string, Pattern) bool) {
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
				if !yield(heading, Parse(pattern)) {
					return
				}
			}
		}
	}
}

// Table yields the phrases of a table for [Patterns], each once under a heading.
func Table(text string) iter.Seq2[string, string] {
	return func(yield func(heading, phrase string) bool) {
		under, seen := "", map[string]bool{}
		for heading, pattern := range Patterns(text) {
			if heading != under {
				under, seen = heading, map[string]bool{}
			}
			for phrase := range pattern.Phrases() {
				if !seen[phrase] && !yield(heading, phrase) {
					return
				}
				seen[phrase] = true
			}
		}
	}
}
