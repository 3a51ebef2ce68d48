package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/quantity"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// lately makes a fact of "recently left", "new at" and the like: within the
// last year.
func (p *parser) lately(s segment.Span, name query.FilterName) {
	w := p.words(s)
	behind := p.isRecent(p.peek(1)) || p.isRecent(p.peek(2)) // "joined Stripe recently"
	if strings.Contains(w, "recent") || strings.HasPrefix(w, "new") || strings.Contains(w, "just ") || behind {
		p.add(lastYear(name), s)
	}
}

func (p *parser) isRecent(s segment.Span) bool {
	w := p.words(s)
	return w == "recently" || w == "lately"
}

// newcomers reports whether "new" says of those who follow that they came lately.
// Who looks for a new one wants to hire one.
func (p *parser) newcomers(s segment.Span) bool {
	if s.Type != lexicon.Filler || s.Sense.Name != "new" || p.behindArticle(s) {
		return false
	}
	wanted := slices.ContainsFunc(p.spans[:p.at], func(s segment.Span) bool { return s.Type == lexicon.Filler && s.Sense.Name == "want" })
	next := p.peek(1)
	holders := next.InGroup(segment.GroupRole, segment.GroupFunction) || next.Type == lexicon.PersonWord
	return !wanted && holders && p.adjoining(next)
}

// cameLately makes a fact of "new": within the last year, or since the time that
// the prompt gives.
func (p *parser) cameLately(s segment.Span) {
	for i := p.at; i < len(p.spans); i++ {
		o := p.spans[i]
		isTime := o.Type == segment.Quantity && (o.Quantity.Kind == quantity.Ago || o.Quantity.Kind == quantity.Date)
		if isTime && !p.isCue(p.peekAt(i-1), cue.Founded) {
			p.ignored, p.came = append(p.ignored, s), true
			return
		}
	}
	p.add(lastYear(query.FilterTenureYears), s)
}

// lastMonths gives months without a year, as in "since March", that of the last
// one which has begun.
func (p *parser) lastMonths() {
	for i := range p.spans {
		q := &p.spans[i].Quantity
		if q.Kind != quantity.Date || q.A != 0 || q.First == 0 {
			continue
		}
		now := p.now.UTC()
		q.A = int64(now.Year())
		if q.First > now.Month() {
			q.A--
		}
	}
}
