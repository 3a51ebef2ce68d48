package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// longestWording is how many words may be asked for in a title.
const longestWording = 6

// worded reads which words somebody's title or profile is said to have: with "fraud" in
// their title, whose job title contains growth or product, with Kafka in the profile.
func (p *parser) worded() {
	for at := range p.tokens {
		if !isWrittenText(p.tokens[at].Norm) {
			continue
		}
		if w, ok := p.wordedBefore(at); ok {
			p.asWording(w, at)
		} else if w, ok := p.wordedBehind(at); ok {
			p.asWording(w, at)
		}
	}
}

// wording is where words stand that a text is said to have, and the whole phrase about
// them.
type wording struct{ from, to, begins, ends int }

// wordedBefore finds words before the text that has them: with fraud in their title.
func (p *parser) wordedBefore(text int) (wording, bool) {
	in := text - 1
	for in >= 0 && isWhoseText(p.tokens[in].Norm) {
		in--
	}
	if in < 1 || p.tokens[in].Norm != "in" {
		return wording{}, false
	}
	for at := in - 1; at >= max(0, in-longestWording-1) && !p.tokens[at+1].Apart(); at-- {
		switch w := p.tokens[at].Norm; {
		case isWrittenText(w):
			return wording{}, false
		case w == "without" || w == "no": // the negation stays
			return wording{at + 1, in, at + 1, text + 1}, at+1 < in
		case !saysHaving(w):
			continue
		}
		begins := at
		for begins > 0 && (saysHaving(p.tokens[begins-1].Norm) || isWhoseText(p.tokens[begins-1].Norm)) {
			begins--
		}
		return wording{at + 1, in, begins, text + 1}, at+1 < in
	}
	return wording{}, false
}

// wordedBehind finds words behind the text that has them: whose title contains fraud.
func (p *parser) wordedBehind(text int) (wording, bool) {
	from := text + 1
	if from >= len(p.tokens) || !isContaining(p.tokens[from].Norm) || p.tokens[from].Apart() {
		return wording{}, false
	}
	for from++; from < len(p.tokens) && (saysHaving(p.tokens[from].Norm) || p.tokens[from].Norm == "the"); {
		from++
	}
	to := from
	for to < len(p.tokens) && to < from+longestWording && (to == from || !p.tokens[to].Apart() && p.tokens[to].Quote == p.tokens[from].Quote && !p.cueAt(to, cue.At, cue.In, cue.Lives)) {
		to++
	}
	begins := text
	for begins > 0 && isWhoseText(p.tokens[begins-1].Norm) {
		begins--
	}
	return wording{from, to, begins, to}, to > from
}

// cueAt reports whether one of some cues begins at a token.
func (p *parser) cueAt(at int, cues ...cue.Cue) bool {
	return slices.ContainsFunc(p.spans, func(s segment.Span) bool { return s.From == at && p.isCue(s, cues...) })
}

// asWording makes titles, or words of the profile, of the words that a text has, and words
// that say nothing of what says so.
func (p *parser) asWording(w wording, text int) {
	first := slices.IndexFunc(p.spans, func(s segment.Span) bool { return s.From == w.begins })
	last := slices.IndexFunc(p.spans, func(s segment.Span) bool { return s.To == w.ends })
	if first < 0 || last < first {
		return
	}
	var spans []segment.Span
	filler := func(from, to int) {
		if from < to {
			spans = append(spans, segment.Span{From: from, To: to, Type: lexicon.Filler, Sense: lexicon.Sense{Type: lexicon.Filler}})
		}
	}
	filler(w.begins, w.from)
	for from := w.from; from < w.to; {
		to := from + 1
		for to < w.to && p.tokens[to].Norm != "or" {
			to++
		}
		spans = append(spans, p.wordingSpan(from, to, text))
		if to < w.to {
			spans = append(spans, segment.Span{From: to, To: to + 1, Type: lexicon.Cue, Sense: lexicon.Sense{Type: lexicon.Cue, Name: string(cue.Or)}})
		}
		from = to + 1
	}
	filler(w.to, w.ends)
	p.spans = slices.Replace(p.spans, first, last+1, spans...)
}

// wordingSpan is the reading of words that a title, or the profile, has.
func (p *parser) wordingSpan(from, to, text int) segment.Span {
	s := profileWords(from, to)
	if strings.HasPrefix(p.tokens[text].Norm, "title") {
		s.Type, s.Sense = lexicon.Role, lexicon.Title(token.Norms(p.tokens[from:to]))
		s.Sense.Values = []string{alternative(p.text(s))}
		if p.tokens[from].Quote > 0 && s.Len() > 1 {
			s.Sense.Values[0] = `"` + strings.Trim(s.Sense.Values[0], `"`) + `"`
		}
	}
	return s
}

// isWrittenText lists the nouns for texts of a person that words may stand in.
func isWrittenText(w string) bool {
	switch w {
	case "title", "titles", "headline", "headlines", "profile", "profiles", "bio", "bios":
		return true
	}
	return false
}

// isWhoseText lists the words that may stand before such a noun.
func isWhoseText(w string) bool {
	switch w {
	case "their", "the", "his", "her", "a", "own", "job", "current", "present", "linkedin", "whose", "your", "its":
		return true
	}
	return false
}

// saysHaving lists the words before what a text has.
func saysHaving(w string) bool {
	switch w {
	case "with", "w", "has", "have", "having", "containing", "mention", "mentions", "mentioning", "word", "words", "term", "terms", "keyword", "keywords":
		return true
	}
	return false
}

// isContaining lists the verbs behind a text that has words.
func isContaining(w string) bool {
	switch w {
	case "contains", "contain", "containing", "includes", "include", "including", "mentions", "mention", "mentioning", "has", "have":
		return true
	}
	return false
}
