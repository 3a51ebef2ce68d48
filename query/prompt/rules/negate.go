package rules

import (
	"slices"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/rules/token"
)

// minus reports whether a minus stands right before a reading, as in search
// boxes: -google.
func (p *parser) minus(s segment.Span) bool {
	at := p.tokens[s.From].From
	if at > 0 && (p.runes[at-1] == '"' || p.runes[at-1] == '“') {
		at--
	}
	return at > 1 && p.runes[at-1] == '-' && p.runes[at-2] == ' '
}

// negates reports whether a negation covers the fact, and ends it where it does
// not.
func (p *parser) negates(f fact, s segment.Span) bool {
	switch {
	case !p.not:
		return false
	case p.notGroup == "", p.notGroup == f.group() && !p.listEnds(f, s), p.joinsLeftOut(s):
		p.notGroup = f.group()
		return true
	}
	p.not, p.notGroup = false, ""
	return false
}

// listEnds reports whether the list of what is left out ended before a fact of the
// same group: "no consultants or agencies, chemicals", "not MSPs, 50-200", and right
// behind the word that "non" belongs to, "non-luxury fashion brands".
func (p *parser) listEnds(f fact, s segment.Span) bool {
	if p.last < 0 || !p.facts[p.last].not {
		return false
	}
	before := p.facts[p.last]
	if p.tokens[s.From].Comma() {
		ended := p.last > 0 && p.facts[p.last-1].not && p.cueBefore(before.spans[0][0], cue.Or)
		return ended || before.kind() != f.kind()
	}
	negation := p.peek(-2)
	return p.lastAt == s.From && p.adjoining(s) && negation.Type == lexicon.Cue && p.words(negation) == "non"
}

// joinsLeftOut reports whether "or" or a slash joins a reading with what was left
// out last: not in staffing or recruiting.
func (p *parser) joinsLeftOut(s segment.Span) bool {
	if p.last < 0 || !p.facts[p.last].not {
		return false
	}
	return p.lastAt == s.From-1 && p.cueBefore(s.From, cue.Or) || p.lastAt == s.From && p.tokens[s.From].Slash()
}

// asLeftOut is what a reading means in a list of what is left out, where "or" joins
// it with something of another kind that it can be, too: not in staffing or
// recruiting.
func (p *parser) asLeftOut(s segment.Span) segment.Span {
	if !p.not || p.notGroup == "" || p.notGroup == s.Group() || !p.cueBefore(s.From, cue.Or) {
		return s
	}
	if other, ok := p.otherwise(s, func(o segment.Span) bool { return o.Group() == p.notGroup }); ok {
		return other
	}
	return s
}

// portuguese reports whether "no" is that of gerentes de produto no Nubank.
func (p *parser) portuguese(s segment.Span) bool {
	if p.words(s) != "no" || s.To == len(p.tokens) || !p.tokens[s.To].Capital() || p.tokens[s.From].Comma() || p.tokens[s.From].Stop() {
		return false
	}
	return slices.ContainsFunc(p.tokens[:s.From], func(t token.Token) bool {
		switch t.Norm {
		case "de", "do", "da", "dos", "das", "em", "com", "engenheiro", "engenheiros", "engenheira", "civis", "medico", "medicos", "medicas", "gerente", "gerentes", "diretor", "diretores",
			"desenvolvedor", "desenvolvedores", "advogado", "advogados", "enfermeiros", "analistas", "vendedores", "fundadores", "funcionarios", "trabalham":
			return true
		}
		return false
	})
}
