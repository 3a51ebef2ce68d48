package quantity

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kith/query/prompt/phrase"
	"kith/query/tokenizer"
)

//go:embed lists.txt
var text string

// list is the name of a list of phrases: the first word of its headings in lists.txt.
type list string

// meaning is the rest of a heading, after the name of its list.
type meaning struct {
	word string
	a, b float64 // 0 if absent
	// abroad is true for foreign words that mean something else in English.
	abroad bool
}

// entry is a phrase of a list.
type entry struct {
	meaning
	list list
	rest []string // its words after the first
}

// entries returns the phrases by their first words, longest first. It reads them once.
var entries = sync.OnceValue(func() map[string][]entry {
	out := map[string][]entry{}
	for heading, wording := range phrase.Table(text) {
		words := tokenizer.Tokens(wording)
		e := parseHeading(strings.Fields(heading))
		e.rest = words[1:]
		out[words[0]] = append(out[words[0]], e)
	}
	for _, of := range out {
		slices.SortStableFunc(of, func(a, b entry) int { return len(b.rest) - len(a.rest) })
	}
	return out
})

// parseHeading parses a heading.
func parseHeading(heading []string) entry {
	e := entry{list: list(heading[0])}
	for _, field := range heading[1:] {
		n, err := strconv.ParseFloat(field, 64)
		switch {
		case err == nil && e.a != 0:
			e.b = n
		case err == nil:
			e.a = n
		case field == "abroad":
			e.abroad = true
		default:
			e.word = field
		}
	}
	return e
}

// phrase skips the longest phrase of a list at this position.
func (r *reader) phrase(of list) (meaning, bool) {
	if r.at >= len(r.tokens) {
		return meaning{}, false
	}
	for _, e := range entries()[r.tokens[r.at].Norm] {
		if e.list == of && r.follows(e.rest) {
			r.at += 1 + len(e.rest)
			return e.meaning, true
		}
	}
	return meaning{}, false
}

// follows reports whether words follow the current one. A mark that ends a phrase ends the match.
func (r *reader) follows(words []string) bool {
	if r.at+len(words) >= len(r.tokens) {
		return false
	}
	for i, w := range words {
		if t := r.tokens[r.at+1+i]; t.Norm != w || t.Comma() || t.Stop() {
			return false
		}
	}
	return true
}

// has skips a phrase of a list, if present.
func (r *reader) has(of list) bool {
	_, ok := r.phrase(of)
	return ok
}
