package rules

import (
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
)

// natives leaves out which country people come from where the prompt says that they live
// in another: Italian chefs in New York, of whom no record says that they are Italian.
func (p *parser) natives() {
	abroad := func(f fact) bool {
		if f.name != query.FilterCountry || f.not || !p.ofNation(f) {
			return false
		}
		home := analysis.PlacesNamed(analysis.PlaceKey(strings.Trim(f.values[0], `"`)))
		left := func(o fact) bool { return o.not && o.name == f.name && slices.Equal(o.values, f.values) } // German engineers not in Germany
		return len(home) > 0 && (p.livesOutside(home[0]) || slices.ContainsFunc(p.facts, left))
	}
	left := slices.IndexFunc(p.facts, abroad)
	more := func(f fact) bool { return f.group() != segment.GroupPlace && !f.not } // Americans in Berlin: not everyone there
	if left < 0 || !slices.ContainsFunc(p.facts, more) {
		return
	}
	list := p.facts[left].list
	for _, f := range p.facts {
		if f.list == list && !abroad(f) { // Germans or people in Austria
			return
		}
	}
	p.facts = slices.DeleteFunc(p.facts, func(f fact) bool {
		if f.list == list {
			p.ignored = append(p.ignored, segment.Span{From: f.spans[0][0], To: f.spans[0][1]})
		}
		return f.list == list
	})
	p.last = len(p.facts) - 1
	p.note(originNote)
}

// beginsJob reports whether a title stands at a token.
func (p *parser) beginsJob(at int) bool {
	return slices.ContainsFunc(p.spans, func(s segment.Span) bool { return s.From == at && isJob(s) })
}

// ofNation reports whether a fact was said by the name of a people, not of a country.
func (p *parser) ofNation(f fact) bool {
	return slices.ContainsFunc(p.spans, func(s segment.Span) bool {
		code := s.Type == lexicon.Country && s.Len() == 1 && p.tokens[s.From].Shout() && s.To < len(p.tokens) && p.adjoins(s.To) && p.beginsJob(s.To) // US founders in Poland
		return (s.Type == lexicon.Nationality || code) && s.From == f.spans[0][0] && s.To == f.spans[0][1]
	})
}

// livesOutside reports whether all places where the people are to live lie outside a
// country, and there is one.
func (p *parser) livesOutside(home analysis.NamedPlace) bool {
	outside := false
	for _, f := range p.facts {
		if f.group() != segment.GroupPlace || f.kind() != kindOfGroup || f.not || p.ofNation(f) {
			continue
		}
		if f.query != nil || p.mayLieIn(f, home) {
			return false
		}
		outside = true
	}
	return outside
}

// mayLieIn reports whether a place that was said may lie in a country, or hold it.
func (p *parser) mayLieIn(f fact, home analysis.NamedPlace) bool {
	for _, at := range f.spans {
		for _, s := range p.spans {
			if s.From != at[0] || s.Sense.Place == nil {
				continue
			}
			if slices.ContainsFunc(p.placesOf(s), func(o analysis.NamedPlace) bool { return o.Code == home.Code || home.LiesIn(o) }) {
				return true
			}
		}
	}
	return false
}
