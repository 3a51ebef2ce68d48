package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

const (
	originNote    = "where somebody comes from, once lived, is licensed or would move to is not on record"
	residenceNote = "how long somebody has lived in a place is not on record"
	onceWhereNote = "in which city or region somebody once worked is not on record"
)

// elsewhere leaves out where somebody is not now.
func (p *parser) elsewhere(s segment.Span) {
	if p.stillThere(s) {
		p.preposition(cue.Lives)
		return
	}
	if w := p.words(s); strings.Contains(w, "residency") || strings.Contains(w, "fellowship") {
		p.passOver(s, segment.GroupPlace, segment.GroupCompany, segment.GroupSchool)
		p.note("where somebody trained is not on record")
		return
	}
	p.passOver(s, segment.GroupPlace)
	p.passOverWhen()
	p.note(originNote)
}

// passOverWhen leaves out when somebody was elsewhere: who lived in Berlin before, who left
// London in 2021.
func (p *parser) passOverWhen() {
	next := p.peek(0)
	switch {
	case p.isCue(next, cue.Past) && (p.at+1 == len(p.spans) || p.mark(p.at+1, p.at)):
		p.ignored = append(p.ignored, next)
		p.at++
	case p.isCue(next, cue.In) && p.peek(1).Type == segment.Quantity:
		p.ignored = append(p.ignored, next, p.peek(1))
		p.at += 2
	}
}

// stillThere reports whether who "have lived" in a place do so now: for ten years, since 2010.
func (p *parser) stillThere(s segment.Span) bool {
	place, _ := p.next(p.at + 1)
	if w := p.words(s); !strings.HasSuffix(w, "ve lived in") && !strings.HasSuffix(w, "has lived in") || !isPlace(place) || place.To == len(p.tokens) {
		return false
	}
	switch p.tokens[place.To].Norm {
	case "for", "since", "all":
		return true
	}
	return false
}

// ofResidence reports whether a time is how long somebody has lived in the place before it.
func (p *parser) ofResidence(s segment.Span) bool {
	if p.last < 0 || p.facts[p.last].group() != segment.GroupPlace || s.From-p.lastAt > 1 {
		return false
	}
	before := p.facts[p.last].spans[0][0]
	if before < 2 || p.tokens[before-1].Norm != "in" {
		return false
	}
	switch p.tokens[before-2].Norm {
	case "live", "lives", "lived", "living":
		return true
	}
	return false
}

// movedAway reports whether "from" stands between two places of which somebody
// moved to the first.
func (p *parser) movedAway() bool {
	next, _ := p.next(p.at + 1)
	to := p.peek(-2)
	return next.Group() == segment.GroupPlace && p.peek(-1).Group() == segment.GroupPlace &&
		p.isCue(to, cue.MovedTo, cue.Lives) && strings.HasSuffix(p.words(to), " to")
}

// movedFrom reports whether a city stands behind "from" and another one, where the people
// live, behind it: engineers from Berlin in Toronto.
func (p *parser) movedFrom(s segment.Span) bool {
	next := p.peek(2)
	if s.Group() != segment.GroupPlace || s.Type == lexicon.Nationality || !p.isCue(p.peek(-1), cue.From) || !p.isCue(p.peek(1), cue.In, cue.Lives) {
		return false
	}
	if s.Type != lexicon.City { // from Tuscany in Florence
		return next.Group() == segment.GroupPlace && next.Type != lexicon.Nationality && next.Sense.Place != nil && s.Sense.Place != nil && !p.isWithin(next, s)
	}
	_, _, last := p.onePlace(p.at)
	return next.Is(lexicon.City, lexicon.Metro) && last == p.at
}

// workedThere reports whether "worked in" stands before a place, in a prompt that says
// where the people live: engineers in Spain who have worked, or have experience, in
// France; who worked in France and now live in Spain.
func (p *parser) workedThere() bool {
	before := p.peek(-1)
	if p.isCue(before, cue.Know) && strings.HasSuffix(p.words(before), "experience in") {
		return p.saysWhere() || p.livesBehind()
	}
	if before.From == 0 || !p.isCue(before, cue.In) {
		return false
	}
	switch verb := p.tokens[before.From-1].Norm; {
	case verb == "worked" && p.when != current && p.spans[p.at].Type == lexicon.Country: // who have worked in Spain
		return true
	case verb == "practised", verb == "practiced", verb == "worked" && p.when != current, verb == "work" && p.when == past:
		return p.saysWhere() || p.livesBehind()
	}
	return p.when != current && p.livesBehind() // once at Acme in Oslo, now in Rome
}

// onlyThere reports whether "in" and a place at some place is all that is said of former times:
// formerly in Paris; previously in Paris, now in Berlin.
func (p *parser) onlyThere(in segment.Span, at int) bool {
	return p.isCue(in, cue.In) && isPlace(p.peekAt(at+1)) && (at+2 >= len(p.spans) || p.mark(at+2, at+1) || p.livesBehind())
}

// livesBehind reports whether a place behind the one that is read is said to be where the
// people are now: and now live in Spain, before moving to London.
func (p *parser) livesBehind() bool {
	now := false
	for _, s := range p.spans[p.at+1:] {
		switch {
		case p.tokens[s.From].Stop():
			return false
		case p.isCue(s, cue.Now, cue.Lives, cue.Work), p.isCue(s, cue.MovedTo) && strings.HasSuffix(p.words(s), " to"):
			now = true
		case isPlace(s) && now:
			return true
		case !p.isCue(s, cue.In) && s.Type != lexicon.Filler:
			now = false
		}
	}
	return false
}

// saysWhere reports whether a fact says where the people live.
func (p *parser) saysWhere() bool {
	return slices.ContainsFunc(p.facts, func(f fact) bool { return f.group() == segment.GroupPlace && f.kind() == kindOfGroup && !f.not })
}
