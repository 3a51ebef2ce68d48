package rules

import (
	"slices"

	"kith/query"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// ownFormer keeps the company that the asker has left, where those are looked for who were
// there, too: I used to work at Acme. Which old colleagues are at Globex now?
func (p *parser) ownFormer() {
	if !slices.ContainsFunc(p.spans, func(s segment.Span) bool { return p.isCue(s, cue.ExColleagues) }) {
		return
	}
	for i := range p.spans {
		if p.spans[i].Group() == segment.GroupCompany && p.askerLeft(i) {
			p.left = append(p.left, p.spans[i])
		}
	}
}

// askerLeft reports whether a sentence says of the asker that they were at a company: I
// worked at Acme, after ten years at Acme I.
func (p *parser) askerLeft(at int) bool {
	from := at
	for from > 0 && !p.beginsStatement(p.spans[from]) {
		from--
	}
	first, past := false, false
	for _, t := range p.tokens[p.spans[from].From:p.spans[at].From] {
		switch t.Norm {
		case "i", "ive", "we":
			first = true
		case "used", "worked", "left", "spent", "was", "were", "been", "quit", "years", "laid":
			past = true
		}
	}
	return first && past && p.isCue(p.peekAt(at-1), cue.At, cue.Left, cue.Past, cue.Any, cue.From, cue.With, cue.For, cue.Of)
}

// ofFormerJob reports whether a place is where the asker once worked with those who are asked for,
// which says nothing of where they are now: I worked at Acme in Leeds.
func (p *parser) ofFormerJob(s segment.Span) bool {
	there := func(t token.Token) bool { return t.Norm == "there" || t.Norm == "here" } // who is still there
	if s.From == 0 || p.tokens[s.From-1].Norm != "in" || slices.ContainsFunc(p.tokens[s.To:], there) {
		return false
	}
	if slices.ContainsFunc(p.left, func(o segment.Span) bool { return o.To == s.From-1 }) {
		return true
	}
	at := slices.IndexFunc(p.spans, func(o segment.Span) bool { return o.To == s.From-1 })
	return at > 0 && p.spans[at].Group() == segment.GroupCompany && p.askerLeft(at)
}

// addFormer asks for those who were at the companies that the asker has left.
func (p *parser) addFormer() {
	for _, s := range p.left {
		span := [2]int{s.From, s.To}
		if slices.ContainsFunc(p.facts, func(f fact) bool { return f.spans[0] == span }) {
			continue
		}
		p.ignored = slices.DeleteFunc(p.ignored, func(o segment.Span) bool { return o.From == s.From })
		p.lists++
		p.facts = append(p.facts, fact{name: query.FilterCompany, values: p.named(s), when: past, gone: true, list: p.lists, spans: [][2]int{span}})
	}
}
