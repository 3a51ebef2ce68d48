package suggest

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"kith/index/analysis"
)

// Match is how a term matches what is typed, the best first.
type Match int

// The matches.
const (
	Whole  Match = iota // the term is just that
	Begins              // the term, or a word inside it, begins so
	Typo                // the term begins so but for one edit
	None
)

const (
	// minInside is from how many letters on a word inside a term counts: with fewer too many begin so.
	minInside = 3
	// minTypo is from how many letters on one may be mistyped, and maxTypo up to how many this is tried.
	minTypo = 4
	maxTypo = 24
)

// MatchOf tells how a term matches a typed text, both in folded words joined by single spaces; the text may end in
// a space, where its last word is whole. What comes after a bar in the term of a place is its country and not compared.
// A typo is a letter too many, too few, another, or two transposed, but never at the first letter, and not a last one
// that is another or too many: too much begins as what is left.
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

// Inside reports whether words inside a term are compared with a typed text, too.
func Inside(typed string) bool { return utf8.RuneCountInString(typed) >= minInside }

// mistyped reports whether a text may have a typo.
func mistyped(typed string) bool {
	n := utf8.RuneCountInString(typed)
	return n >= minTypo && n <= maxTypo
}

// beginsNearly reports whether one edit after the first letter makes the text a beginning of the term.
func beginsNearly(term, typed []rune) bool {
	same := 0
	for same < len(term) && same < len(typed) && term[same] == typed[same] {
		same++
	}
	// Where letters repeat, an earlier edit says the same as the one at the first difference.
	if same == 0 || same == len(typed) {
		return false
	}
	rest, left := term[same:], typed[same:]
	switch {
	case len(rest) == 0:
		return false
	case begins(rest[1:], left): // one too few
		return true
	case len(left) == 1:
		return false
	case begins(rest, left[1:]), begins(rest[1:], left[1:]): // one too many, another
		return true
	}
	return len(rest) > 1 && left[0] == rest[1] && left[1] == rest[0] && begins(rest[2:], left[2:])
}

func begins(text, with []rune) bool {
	return len(text) >= len(with) && slices.Equal(text[:len(with)], with)
}

// TypoPatterns are patterns of SQL's like that together match each term that [MatchOf] takes for a typo of a text, and
// few others; none where a text may have no typo.
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

// Asked is a look-up of terms.
type Asked struct {
	// Texts are the typed texts, as [MatchOf] takes them; a term need match only one.
	Texts []string
	Kinds []analysis.TermKind
	// Typos says that terms which match by a typo are wanted, and else those which match better.
	Typos bool
	// Limit is for how many terms of each text are wanted.
	Limit int
}

// Term is a term that was found.
type Term struct {
	analysis.Term
	// Written is how a record writes it; empty where that is not known.
	Written string
	// People is about how many people have it; 0 for a company without people.
	People int
	// For is the typed text that it matches.
	For   string
	Match Match
}

// Choose keeps of what was found for a look-up the terms that match, and of those the first of each text, and sorts:
// by the text, how they match, most people first, and the term. The slice is changed in place.
func Choose(asked Asked, found []Term) []Term {
	kept := found[:0]
	for _, t := range found {
		t.Match = MatchOf(t.Text, t.For)
		if t.Match != None && asked.Typos == (t.Match == Typo) {
			kept = append(kept, t)
		}
	}
	slices.SortFunc(kept, func(a, b Term) int {
		return cmp.Or(
			cmp.Compare(a.For, b.For), cmp.Compare(a.Match, b.Match), cmp.Compare(b.People, a.People), a.Compare(b.Term),
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
