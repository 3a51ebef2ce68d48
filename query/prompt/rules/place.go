package rules

import (
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// readPlace makes a fact of a place, of the person or of the company. A place
// that the next contains is one with it: "Paris, Texas".
func (p *parser) readPlace(s segment.Span) {
	if next := p.peek(1); p.isCue(next, cue.Alumnus, cue.Graduate) && p.adjoining(next) && s.Type != lexicon.Nationality {
		p.add(fact{name: query.FilterSchool, values: []string{alternative(p.text(s))}}, s) // Edinburgh alumni
		return
	}
	if next := p.peek(1); s.Type == lexicon.Nationality && p.adjoining(next) && isCulture(p.words(next)) { // Thai cuisine
		whole := segment.Span{From: s.From, To: next.To}
		p.add(fact{name: query.FilterKeywords, values: []string{alternative(p.text(whole))}}, whole)
		p.at += 2
		return
	}
	if p.ofFormerJob(s) {
		p.ignore(onceWhereNote, s)
		return
	}
	if s.Sense.Filter != query.FilterCountry && p.when != current && p.ofKind(p.at) {
		p.ofFormerKind()
		return
	}
	if p.isSpecialty(s) {
		p.add(fact{name: query.FilterKeywords, values: []string{alternative(p.text(s))}}, s)
		return
	}
	if p.workedThere() {
		if s.Sense.Filter == query.FilterCountry {
			before := p.scope
			if p.when == current {
				p.when, p.gone = any, false
			}
			p.add(fact{name: query.FilterCompanyCountry, values: s.Sense.Values}, s)
			p.when, p.gone = before.when, before.gone
			return
		}
		p.ignore(onceWhereNote, s)
		return
	}
	f := fact{name: s.Sense.Filter, values: s.Sense.Values}
	if name, values, last := p.onePlace(p.at); last > p.at {
		f.name, f.values = name, values
		if end := p.spans[last]; p.seat(end, last) {
			f.name = seatFilter(f.name)
		}
		p.add(f, segment.Span{From: s.From, To: p.spans[last].To})
		p.at = last + 1
		return
	}
	if p.seat(s, p.at) || p.companiesIn() {
		f.name = seatFilter(f.name)
	}
	p.add(f, s)
}

// ofKind reports whether kinds of companies stand right behind the place at a reading, and are
// all that it says more of: London law firms, a Berlin startup.
func (p *parser) ofKind(at int) bool {
	_, _, last := p.onePlace(at)
	at = max(at, last)
	first := at + 1
	for at++; at < len(p.spans) && p.adjoining(p.spans[at]) && (p.spans[at].Group() == segment.GroupIndustry || p.spans[at].Type == lexicon.CompanyWord && p.tokens[p.spans[at].From].Norm != "at"); at++ {
	}
	return at > first && !p.roleFollows(at-1)
}

// ofFormerKind leaves out the seat of companies where people once worked: who left Berlin
// startups. Where such companies are left out, no others are.
func (p *parser) ofFormerKind() {
	_, _, last := p.onePlace(p.at)
	last = max(p.at, last)
	if p.not {
		for last+1 < len(p.spans) && p.spans[last+1].Group() == segment.GroupIndustry {
			last++
		}
		p.endNot()
		p.endScope()
	}
	p.ignore(onceWhereNote, p.spans[p.at:last+1]...)
	p.at = last + 1
}

// isCulture lists what is of a people and no place where somebody lives.
func isCulture(w string) bool {
	switch w {
	case "cuisine", "cooking", "food", "dishes", "wine", "wines", "literature", "poetry", "antiques":
		return true
	}
	return false
}

// isSpecialty reports whether a place or a function is what people specialise in, not where they
// are or what they do: travel agents who specialise in South Africa, recruiters focused on finance.
func (p *parser) isSpecialty(s segment.Span) bool {
	if s.From < 2 || !p.adjoining(s) || !p.isTitled() || p.not {
		return false
	}
	on, verb := p.tokens[s.From-1].Norm, p.tokens[s.From-2].Norm
	return (on == "in" || on == "on") && (strings.HasPrefix(verb, "focus") || strings.HasPrefix(verb, "speciali") && !strings.HasPrefix(verb, "specialist"))
}

// companiesIn reports whether a place stands behind "companies in" of a prompt
// that says elsewhere where the people live.
func (p *parser) companiesIn() bool {
	lives := func(f fact) bool { return f.group() == segment.GroupPlace && f.kind() == kindOfGroup }
	return p.prep == cue.In && p.prepAt == p.at && p.peek(-2).Type == lexicon.CompanyWord && slices.ContainsFunc(p.facts, lives)
}

// companiesOfPlace makes the place before "companies from" theirs, and reports
// whether what follows is where the people live: at US companies from Lisbon.
func (p *parser) companiesOfPlace(s segment.Span) bool {
	before := p.peek(-1)
	if w := p.words(s); strings.HasPrefix(w, "whose ") || strings.HasPrefix(w, "where ") { // in Rome, whose company is based in Oslo
		return false
	}
	if p.last < 0 || before.Group() != segment.GroupPlace || p.lastAt != s.From || p.facts[p.last].kind() != kindOfGroup {
		return false
	}
	p.facts[p.last].name = seatFilter(p.facts[p.last].name)
	return strings.HasSuffix(p.words(s), " from")
}

// placing is the preposition that one is as good as: "companies from" may say where people live,
// and "startups from" where these are.
func (p *parser) placing(s segment.Span, c cue.Cue) cue.Cue {
	switch {
	case c == cue.Seat && p.companiesOfPlace(s):
		return cue.Lives
	case (c == cue.From || c == cue.Lives) && p.kindFrom(s):
		return cue.Seat
	}
	return c
}

// kindFrom reports whether "from", or "based in", stands between a kind of companies and their
// seat: startups from Berlin; but US startups from Lisbon have theirs.
func (p *parser) kindFrom(s segment.Span) bool {
	kind := p.peek(-1)
	if w := p.words(kind); w == "that" || w == "which" {
		kind = p.peek(-2)
	}
	w := p.words(s)
	based := strings.Contains(w, "based") || strings.Contains(w, "located")
	if !based {
		seated := func(f fact) bool { return f.kind() == kindOfSeat }
		if p.tokens[s.To-1].Norm != "from" || slices.ContainsFunc(p.facts, seated) {
			return false
		}
	}
	ofKind := kind.Type == lexicon.CompanyKind || based && kind.Type == lexicon.Industry && p.areMany(kind)
	return ofKind && p.adjoining(s) && p.placeFollows()
}

// commutes reports whether a place is where people work, and the prompt says
// where they live: "live in Berlin and work in Munich".
func (p *parser) commutes(at int) bool {
	if !p.isCue(p.peekAt(at-1), cue.In) || !p.isCue(p.peekAt(at-2), cue.Work) || p.isCue(p.peekAt(at-3), cue.Or) {
		return false
	}
	for i := range p.spans {
		if i != at && p.spans[i].Group() == segment.GroupPlace && p.isCue(p.peekAt(i-1), cue.Lives) {
			return true
		}
	}
	return false
}

// seat reports whether a place is where companies sit: "Swedish companies",
// "Berlin-based startups", "headquartered in Paris".
func (p *parser) seat(s segment.Span, at int) bool {
	if p.prep == cue.Seat && p.prepAt == at || p.commutes(at) {
		return true
	}
	if p.last >= 0 && isSeat(p.facts[p.last].name) && p.listed(p.lastAt, s.From) || p.companiesNot(at) {
		return true
	}
	based := false
	for i := at + 1; i < len(p.spans); i++ {
		next := p.spans[i]
		if t := p.tokens[next.From]; t.Stop() {
			return false
		}
		switch {
		case p.words(next) == "based" || p.words(next) == "headquartered":
			based = true
		case next.Type == lexicon.CompanyKind && p.isCue(p.peekAt(at-1), cue.For) && !strings.HasSuffix(p.words(next), "s"): // designers for Toulouse nonprofit
			return false
		case next.Is(lexicon.CompanyWord, lexicon.CompanyKind):
			return !p.roleFollows(i) && (based || s.Type == lexicon.Nationality || p.ofCompany(at) || p.not && p.ofKind(at) || p.areMany(next) && p.livesElsewhere(i+1))
		case next.Type == lexicon.Industry:
			if p.lastOfPhrase(i) {
				return based || p.not && p.areMany(next) && p.ofKind(at) || p.areMany(next) && p.livesElsewhere(i+1) || s.Type == lexicon.Nationality && (p.ofCompany(at) || p.areMany(next))
			}
		case next.Type == lexicon.SizeWord, next.Type == lexicon.FundingStage, next.Type == lexicon.Filler:
		case next.Group() == segment.GroupPlace || p.isCue(next, cue.And, cue.Or):
		default:
			return false
		}
	}
	return false
}

// areMany reports whether a reading is a noun for many companies: who joined German banks.
func (p *parser) areMany(s segment.Span) bool {
	w := p.tokens[s.To-1].Norm
	return strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "ics")
}

// companiesNot reports whether "companies outside", "companies not in" and the
// like stand before a place.
func (p *parser) companiesNot(at int) bool {
	i := at - 1
	for i > 0 && (p.isCue(p.spans[i], cue.In, cue.Lives, cue.Seat) || p.spans[i].Type == lexicon.Filler) {
		i--
	}
	return i > 0 && p.isCue(p.spans[i], cue.Not) && p.spans[i-1].Type == lexicon.CompanyWord
}

// roleFollows reports whether a title stands right behind a reading: "German
// startup founders" live in Germany.
func (p *parser) roleFollows(at int) bool {
	if at+1 >= len(p.spans) {
		return false
	}
	next := p.spans[at+1]
	return next.Group() == segment.GroupRole && !p.tokens[next.From].Comma()
}

// lastOfPhrase reports whether a reading ends a noun phrase.
func (p *parser) lastOfPhrase(at int) bool {
	if at+1 >= len(p.spans) {
		return true
	}
	next := p.spans[at+1]
	return next.Type == lexicon.Cue || p.mark(at+1, at)
}

// ofCompany reports whether a preposition before the place speaks of an
// employer.
func (p *parser) ofCompany(at int) bool {
	before := p.peekAt(at - 1)
	if before.Type == lexicon.Filler {
		before = p.peekAt(at - 2)
	}
	if p.isCue(before, cue.Joined, cue.Left) {
		return true
	}
	if p.prepAt > at || p.prepAt < at-2 {
		return false
	}
	switch p.prep {
	case cue.At, cue.For, cue.From, cue.Of, cue.Joined, cue.Left, cue.PreviousJob, cue.MovedTo, cue.Moved:
		return true
	}
	return false
}

func placeFilter(kind analysis.PlaceKind) query.FilterName {
	switch kind {
	case analysis.PlaceCountry:
		return query.FilterCountry
	case analysis.PlaceState:
		return query.FilterState
	case analysis.PlaceMetro:
		return query.FilterMetro
	case analysis.PlaceRegion:
		return query.FilterRegion
	case analysis.PlaceCity:
	}
	return query.FilterCity
}

// seatFilter is the filter for the company's seat.
func seatFilter(name query.FilterName) query.FilterName {
	switch name {
	case query.FilterCountry:
		return query.FilterCompanyCountry
	case query.FilterState:
		return query.FilterCompanyState
	case query.FilterMetro:
		return query.FilterCompanyMetro
	case query.FilterRegion:
		return query.FilterCompanyRegion
	case query.FilterCity:
		return query.FilterCompanyCity
	}
	return name
}

func isSeat(name query.FilterName) bool {
	switch name {
	case query.FilterCompanyCountry, query.FilterCompanyState, query.FilterCompanyMetro, query.FilterCompanyRegion, query.FilterCompanyCity:
		return true
	}
	return false
}
