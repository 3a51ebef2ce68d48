package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// alsoWanted is the list of titles that a title joins which begins a sentence of its own
// and is of further people: nurses in Leeds. I also need the porters. One that says more of
// the same people joins none: engineers at Acme. Staff engineers.
func (p *parser) alsoWanted(f fact, s segment.Span) (list int, joins bool) {
	if f.name != query.FilterPosition || f.not || f.when != current || p.last < 0 || !p.severalOf(s) && !p.behindArticle(s) ||
		!p.opensSentence(s.From) || p.beginsPair(p.facts[p.last], f) || p.judgedBehind(s.To) {
		return 0, false
	}
	for _, o := range slices.Backward(p.facts) {
		if o.name == query.FilterPosition && !o.not && o.query == nil && o.when == current {
			return o.list, p.lastNoun(o.spans[0][1]) != p.lastNoun(s.To)
		}
	}
	return 0, false
}

// judgedBehind reports whether the sentence goes on behind a token to say that somebody is
// not wanted, or only preferred: engineers need not apply.
func (p *parser) judgedBehind(at int) bool {
	for _, s := range p.spans {
		switch {
		case s.From < at:
		case p.beginsStatement(s):
			return false
		case p.isCue(s, cue.Soft), isNotWanted(s):
			return true
		}
	}
	return false
}

// lastNoun is the word before a token, in the singular.
func (p *parser) lastNoun(to int) string { return strings.TrimSuffix(p.tokens[to-1].Norm, "s") }

// opensSentence reports whether a sentence but the first begins at a token, or with words
// that ask for those who are named there: also, I need; not with what they must be.
func (p *parser) opensSentence(at int) bool {
	for i, s := range slices.Backward(p.spans) {
		switch {
		case s.From > at:
			continue
		case s.From < at && s.Type != lexicon.Filler && !p.isCue(s, cue.And) && !isOrdinal(p.words(s)) && s.Type != segment.Quantity, isDemand(p.tokens[s.From].Norm):
			return false
		case i > 0 && p.beginsStatement(s):
			return true
		}
	}
	return false
}

// isOrdinal lists the words with which a sentence goes on to somebody else.
func isOrdinal(w string) bool {
	switch w {
	case "first", "second", "third", "firstly", "secondly", "thirdly", "then", "finally", "lastly", "next":
		return true
	}
	return false
}

// isDemand lists the words with which a sentence says what those before must be.
func isDemand(w string) bool {
	switch w {
	case "they", "he", "she", "must", "should", "be", "who", "these", "those", "all", "only":
		return true
	}
	return false
}
