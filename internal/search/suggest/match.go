package suggest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"kith/query/analysis"
)

// Match is how well a term matches a typed text, the best first.
type Match int

// The matches.
const (
	Whole  Match = iota // the term equals the text
	Begins              // the term, or a later word of it, begins with the text
	Typo                // the term begins with the text after one edit
	None
)

const (
	// minInside is the length in letters from which on later words of a term count: shorter texts match too many.
	minInside = 3
	// minTypo and maxTypo are the shortest and longest text, in letters, that may contain a typo.
	minTypo = 4
	maxTypo = 24
)

// MatchOf returns how a term matches a typed text. Both are folded words joined by single spaces; a trailing space in
// the text means that its last word is complete. The text after a bar in a place term is its country and is ignored. A
// typo is one letter too many, too few or wrong, or two transposed. The first letter must be right, and a last letter
// that is wrong or too many is not a typo: almost any term beginning with the rest would match.
func MatchOf(term, typed string) Match {
	term, _, _ = strings.Cut(term, "|")
	switch {
	case typed == "":
		return None
	case term == strings.TrimSuffix(typed, " "):
		return Whole
	case strings.HasPrefix(term, typed), Inside(typed) && strings.Contains(term, " "+typed):
		return Begins
	case mistyped(typed) && beginsNearly([]rune(term), []rune(typed)):
		return Typo
	}
	return None
}

// Inside reports whether a typed text is also compared with later words of a term.
func Inside(typed string) bool { return utf8.RuneCountInString(typed) >= minInside }

// mistyped reports whether a text may have a typo.
func mistyped(typed string) bool {
	n := utf8.RuneCountInString(typed)
	return n >= minTypo && n <= maxTypo
}

// beginsNearly reports whether one edit after the first letter turns the text into a prefix of the term.
func beginsNearly(term, typed []rune) bool {
	same := 0
	for same < len(term) && same < len(typed) && term[same] == typed[same] {
		same++
	}
	// With repeated letters, an earlier edit is equivalent to one at the first difference.
	if same == 0 || same == len(typed) {
		return false
	}
	rest, left := term[same:], typed[same:]
	switch {
	case len(rest) == 0:
		return false
	case hasPrefix(rest[1:], left): // one letter too few
		return true
	case len(left) == 1:
		return false
	case hasPrefix(rest, left[1:]), hasPrefix(rest[1:], left[1:]): // one letter too many, or wrong
		return true
	}
	return len(rest) > 1 && left[0] == rest[1] && left[1] == rest[0] && hasPrefix(rest[2:], left[2:])
}

func hasPrefix(text, with []rune) bool {
	return len(text) >= len(with) && slices.Equal(text[:len(with)], with)
}

// TypoPatterns returns SQL like-patterns that match every term that [MatchOf] considers a typo of a text, and few
// others; none if the text may have no typo.
func TypoPatterns(typed string) []string {
	if !mistyped(typed) {
		return nil
	}
	letters := []rune(typed)
	seen := map[string]bool{}
	var out []string
	add := func(before []rune, between string, after []rune) {
		p := likeLiteral(before) + between + likeLiteral(after) + "%"
		if !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	for i := 1; i < len(letters); i++ {
		before := letters[:i]
		add(before, "_", letters[i:])
		if i+1 < len(letters) {
			add(before, "", letters[i+1:])
			add(before, "_", letters[i+1:])
			add(before, likeLiteral([]rune{letters[i+1], letters[i]}), letters[i+2:])
		}
	}
	return out
}

func likeLiteral(letters []rune) string {
	return strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(string(letters))
}

// Lookup is a look-up of terms.
type Lookup struct {
	// Texts are the typed texts, in the form of [MatchOf]; a term need match only one.
	Texts []string
	Kinds []analysis.TermKind
	// Typos selects terms that match by a typo, instead of those that match better.
	Typos bool
	// Limit is the most terms for each text.
	Limit int
}

// Term is a matching term.
type Term struct {
	analysis.Term
	// Written is its spelling in a record; empty if unknown.
	Written string
	// People is the approximate number of people with the term; 0 for a company without people.
	People int
	// For is the typed text that it matches.
	For   string
	Match Match
}

// Choose filters a look-up's results to matching terms, sorts them by text, match, most people and term, and keeps the
// first Limit of each text. It changes the slice in place.
func Choose(asked Lookup, found []Term) []Term {
	kept := found[:0]
	for _, t := range found {
		t.Match = MatchOf(t.Text, t.For)
		if t.Match != None && asked.Typos == (t.Match == Typo) {
			kept = append(kept, t)
		}
	}
	slices.SortFunc(kept, func(a, b Term) int {
		return cmp.Or(
			cmp.Compare(a.For, b.For), cmp.Compare(a.Match, b.Match), cmp.Compare(b.People, a.People),
			a.Compare(b.Term),
		)
	})
	kept = slices.CompactFunc(kept, func(a, b Term) bool { return a.For == b.For && a.Term == b.Term })
	out, n := kept[:0], 0
	for i, t := range kept {
		if i == 0 || t.For != kept[i-1].For {
			n = 0
		}
		if n++; n <= asked.Limit {
			out = append(out, t)
		}
	}
	return out
}
