package rules

import (
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// readName makes a fact of a person's name. "Doe, Jane" is one name.
func (p *parser) readName(s segment.Span) {
	text := p.text(s)
	words := token.Norms(p.tokens[s.From:s.To])
	behind := p.at + 1
	if next := p.peek(1); p.turned(s, next) {
		text = p.text(next) + " " + text
		words = append(token.Norms(p.tokens[next.From:next.To]), words...)
		s.To = next.To
		behind++
		p.at = behind
	}
	p.names = append(p.names, s)
	values := []string{alternative(text)}
	for _, other := range p.spellings(words) {
		values = appendNew(values, alternative(other))
	}
	p.add(fact{name: query.FilterPersonName, values: values, nobody: s.Sense.NeedsCue}, s)
	if next := p.peekAt(behind); p.tokens[s.To-1].Possessive && next.Is(lexicon.Seniority, lexicon.Leader) { // Jane Doe's boss
		p.ignore(reportsNote, next)
		p.at = behind + 1
	}
}

// turned reports whether a comma stands between a last and a first name.
func (p *parser) turned(s, next segment.Span) bool {
	if next.Type != segment.Name || !p.tokens[next.From].Comma() || p.parts(next) != 1 {
		return false
	}
	first := p.tokens[next.From].Norm
	last := p.tokens[s.To-1].Norm
	return p.parts(s) == 1 && p.known.knows(prompt.LastName, last) && !p.known.knows(prompt.LastName, first) ||
		p.parts(s) == 1 && p.known.knows(prompt.FirstName, first) && !p.known.knows(prompt.FirstName, last)
}

// parts counts the names of a name; hyphens join.
func (p *parser) parts(s segment.Span) int {
	n := 0
	for i := s.From; i < s.To; i++ {
		if i == s.From || !p.tokens[i].Tight() {
			n++
		}
	}
	return n
}

// Limits of what a misspelt name may stand for.
const (
	maxSpellings = 6
	maxPerWord   = 3
)

// spellings are the names of the directory that a name may be a misspelling of.
func (p *parser) spellings(words []string) []string {
	all := [][]string{{}}
	changed := false
	for _, w := range words {
		options := []string{w}
		if near := p.near[w]; len(near) > 0 && !p.known.knows(prompt.FirstName, w) && !p.known.knows(prompt.LastName, w) {
			options, changed = near[:min(len(near), maxPerWord)], true
		}
		var longer [][]string
		for _, before := range all {
			for _, o := range options {
				if len(longer) < maxSpellings {
					longer = append(longer, append(slices.Clone(before), o))
				}
			}
		}
		all = longer
	}
	if !changed {
		return nil
	}
	var out []string
	for _, words := range all {
		out = append(out, strings.Join(words, " "))
	}
	return out
}

// placedNames makes a name of two words that stand side by side, of which the
// first is known as a first and the second as a last name, where at least one
// would else be a place: Paris Jackson. "Paris, Texas" stays a place, and so does
// a place behind another preposition than that of a second place.
func (p *parser) placedNames() {
	p.leadingName()
	p.tradeName()
	p.initialedName()
	for i := 0; i+1 < len(p.spans); i++ {
		s, next := p.spans[i], p.spans[i+1]
		switch {
		case p.canBeName(s, prompt.FirstName) && p.canBeName(next, prompt.LastName) && p.adjacent(s, next) && !within(s, next) && !p.placeCue(i):
			p.spans[i] = segment.Span{From: s.From, To: next.To, Type: segment.Name}
			p.spans = slices.Delete(p.spans, i+1, i+2)
		case i == 0 && p.besideUnknown(s, next):
			p.spans = slices.Replace(p.spans, 0, 2, segment.Span{From: s.From, To: next.To, Type: segment.Name})
		case i > 0 || i+3 > len(p.spans):
		case s.Group() == segment.GroupPlace && i+3 == len(p.spans) && p.namedAt(s, next, p.spans[i+2]),
			p.canBeName(s, prompt.FirstName) && p.isCue(next, cue.At, cue.From) && p.spans[i+2].Group() == segment.GroupCompany && p.livesElsewhere(i+3):
			p.spans[i].Type = segment.Name
		}
	}
}

// besideUnknown reports whether a prompt begins with a city, or a first name that is a place too,
// and a word with a capital that nothing knows, and both are all that it says of who is looked
// for: Paris Hilton, Jordan Peterson at Google. Not everyone in Paris is.
func (p *parser) besideUnknown(s, next segment.Span) bool {
	t := p.tokens[next.From]
	if s.Len() != 1 || s.Group() != segment.GroupPlace || s.Type == lexicon.Nationality || next.Type != segment.Unknown || next.Len() > 1 || !p.adjoining(next) {
		return false
	}
	if !p.tokens[s.From].Capital() || !t.Capital() || t.Shout() || segment.IsDoers(t.Norm) || lexicon.Describes(t.Norm) {
		return false
	}
	behind := p.peekAt(2)
	return len(p.spans) == 2 || p.canBeName(s, prompt.FirstName) && p.isCue(behind, cue.At, cue.From)
}

// leadingName makes a name of the words with a capital that a prompt begins with,
// where nothing else knows them and what follows says who they are: O'Brien at
// Acme, Elena Petrova (data scientist, Amsterdam), Peter, the CFO of Acme.
func (p *parser) leadingName() {
	n := 0
	for n < len(p.spans) && n < 3 && p.unknownName(p.spans[n]) && (n == 0 || p.adjoining(p.spans[n]) || len(p.tokens[p.spans[n].From].Norm) == 1) {
		n++
	}
	if n == 0 || n == len(p.spans) {
		return
	}
	next, at := p.next(n)
	behind := p.tokens[p.spans[n].From]
	switch {
	case p.isCue(p.spans[n], cue.At, cue.From) && p.peekAt(n+1).Group() == segment.GroupCompany:
	case strings.Contains(behind.Gap, "("):
	case behind.Comma() && at == n+1 && p.words(p.spans[n]) == "the" && next.Group() == segment.GroupRole:
	default:
		return
	}
	name := segment.Span{From: p.spans[0].From, To: p.spans[n-1].To, Type: segment.Name}
	p.spans = slices.Replace(p.spans, 0, n, name)
}

// tradeName makes a name of a known first name and a trade that is a last name as well,
// both with capitals, that a prompt begins with: Tim Cook, Apple.
func (p *parser) tradeName() {
	if len(p.spans) < 2 || p.spans[0].Len() != 1 || p.spans[1].Len() != 1 || p.spans[1].Group() != segment.GroupRole {
		return
	}
	s, next := p.spans[0], p.spans[1]
	first, last := p.tokens[s.From], p.tokens[next.From]
	if first.Capital() && last.Capital() && !first.Shout() && last.Gap == "" && p.known.knows(prompt.FirstName, first.Norm) && isTradeName(last.Norm) {
		p.spans = slices.Replace(p.spans, 0, 2, segment.Span{From: s.From, To: next.To, Type: segment.Name})
	}
}

// initialedName makes a name of a degree that stands for initials where a prompt begins
// with it and with a last name: JD Salinger.
func (p *parser) initialedName() {
	if len(p.spans) < 2 || p.spans[0].Type != lexicon.Degree || !isInitials(p.words(p.spans[0])) {
		return
	}
	s, last := p.spans[0], p.spans[1]
	t := p.tokens[last.From]
	named := last.Group() == segment.GroupName || last.Type == segment.Unknown && (t.Capital() && !t.Shout() || len(p.spans) == 2)
	if named && p.adjoining(last) && !segment.IsDoers(t.Norm) {
		p.spans = slices.Replace(p.spans, 0, 2, segment.Span{From: s.From, To: last.To, Type: segment.Name})
	}
}

// isInitials lists the degrees that a filter for names takes for initials before a last name.
func isInitials(w string) bool { return w == "jd" || w == "j.d" || w == "j d" }

// isTradeName lists trades that are frequent last names.
func isTradeName(w string) bool {
	switch w {
	case "cook", "baker", "carpenter", "farmer", "gardener", "mason", "potter", "judge", "bishop", "priest", "singer", "painter", "driver", "brewer", "dean", "rector", "steward",
		"clerk", "head", "dancer", "chancellor":
		return true
	}
	return false
}

// unknownName reports whether a word with a capital, or a name that nobody bears,
// means nothing else.
func (p *parser) unknownName(s segment.Span) bool {
	t := p.tokens[s.From]
	unknown := s.Type == segment.Unknown || s.Type == segment.Name && s.Sense.NeedsCue
	return unknown && t.Capital() && !lexicon.Describes(t.Norm) && !strings.HasSuffix(t.Norm, "ers") && !strings.HasSuffix(t.Norm, "ists")
}

// livesElsewhere reports whether a place where somebody lives stands behind a
// reading, so that what stands before is none.
func (p *parser) livesElsewhere(from int) bool {
	for i := from; i+1 < len(p.spans); i++ {
		if p.isCue(p.spans[i], cue.In, cue.Lives) && p.spans[i+1].Group() == segment.GroupPlace {
			return true
		}
	}
	return false
}

// namedAt reports whether a name of a place is that of somebody, who is said to
// live in a place or to work for a company: Charlotte in Charlotte.
func (p *parser) namedAt(s, preposition, after segment.Span) bool {
	switch {
	case p.isCue(preposition, cue.In, cue.Lives):
		return p.canBeName(s, prompt.FirstName) && after.Group() == segment.GroupPlace && !within(s, after)
	case p.isCue(preposition, cue.At, cue.From):
		bearers := max(p.known[prompt.FirstName][p.words(s)], p.known[prompt.LastName][p.words(s)])
		return s.Len() == 1 && s.Sense.Place != nil && after.Group() == segment.GroupCompany && bearers > p.known[prompt.Place][s.Sense.Place.Term()]
	}
	return false
}

// placeCue reports whether a word before the reading says that a place follows.
func (p *parser) placeCue(i int) bool {
	return i > 0 && p.isCue(p.spans[i-1], cue.In, cue.Lives, cue.Near, cue.Seat, cue.And, cue.Or, cue.Not)
}

// canBeName reports whether a reading is one word that the directory knows as a
// first or last name.
func (p *parser) canBeName(s segment.Span, kind prompt.Kind) bool {
	if g := s.Group(); s.Len() != 1 || s.Type == lexicon.Nationality || g != segment.GroupPlace && g != segment.GroupName {
		return false
	}
	return p.known.knows(kind, p.words(s))
}

// adjacent reports whether no mark stands between two readings.
func (p *parser) adjacent(s, next segment.Span) bool {
	t := p.tokens[next.From]
	return (s.Group() == segment.GroupPlace || next.Group() == segment.GroupPlace) && !t.Comma() && !t.Stop() && !t.Slash()
}

// within reports whether the second place contains the first.
func within(inner, outer segment.Span) bool {
	return inner.Sense.Place != nil && outer.Sense.Place != nil && outer.Sense.Place.Kind != analysis.PlaceCity && inner.Sense.Place.LiesIn(*outer.Sense.Place)
}

// weakNames makes names that nobody bears words again where the prompt asks for
// something else than a person.
func (p *parser) weakNames() {
	others := slices.ContainsFunc(p.spans, func(s segment.Span) bool {
		switch s.Group() {
		case segment.GroupRole, segment.GroupFunction, segment.GroupIndustry, segment.GroupSkill, segment.GroupStudy, segment.GroupNumber:
			return true
		}
		return s.Type == lexicon.PersonWord
	})
	if !others {
		return
	}
	for i, s := range p.spans {
		if s.Type == segment.Name && s.Sense.NeedsCue {
			p.spans[i].Type = segment.Unknown
		}
	}
}

// nameOf is the name of a company or school as it is written, with its possessive where
// nothing stands behind that could be the company's: at Macy's, but Macy's engineers.
func (p *parser) nameOf(s segment.Span) string {
	last := p.tokens[s.To-1]
	next := p.peek(1)
	if !last.Possessive || s.To < len(p.tokens) && p.adjoins(s.To) && next.Type != lexicon.Cue {
		return p.text(s)
	}
	return strings.TrimSpace(p.text(segment.Span{From: s.From, To: s.To - 1}) + " " + last.Text)
}
