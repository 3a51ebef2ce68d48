package rules

import (
	"slices"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/rules/token"
)

// modifiedTitles makes one title of a title and the words right before it that
// may stand there: a fraud data scientist is a data scientist, but asked for are
// those with all these words in the title.
func (p *parser) modifiedTitles() {
	for from := 0; from < len(p.spans); from++ {
		at := from
		for at+1 < len(p.spans) && p.modifies(p.spans[at]) && p.adjoining(p.spans[at+1]) {
			at++
		}
		title := p.spans[at]
		if at == from || !p.isTitle(title) {
			continue
		}
		s := segment.Span{From: p.spans[from].From, To: title.To, Type: lexicon.Role}
		s.Sense = lexicon.Title(token.Norms(p.tokens[s.From:s.To]))
		s.Sense.Values = []string{alternative(p.text(s))}
		p.spans = slices.Replace(p.spans, from, at+1, s)
	}
}

// modifies reports whether a reading may be a word of the title behind it: one that
// is listed, or one without a meaning, as no list has all.
func (p *parser) modifies(s segment.Span) bool {
	t := p.tokens[s.From]
	return s.Type == lexicon.Modifier || s.Type == segment.Unknown && t.Kind == token.Word && !t.Possessive && len(t.Norm) > 2 && !lexicon.Describes(t.Norm)
}

// isTitle reports whether a reading is a title, or the noun of titles: also
// those that alone are read as a level.
func (p *parser) isTitle(s segment.Span) bool {
	switch s.Type {
	case lexicon.Role, lexicon.CRole, lexicon.Head, segment.KnownTitle:
		return true
	case lexicon.Leader:
		switch p.words(s) {
		case "manager", "managers", "lead", "leads":
			return true
		}
	}
	return false
}
