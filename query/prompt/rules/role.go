package rules

import (
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// readRole makes a fact of a title, a level or a rank.
func (p *parser) readRole(s segment.Span) {
	if s.Type == lexicon.Leader && (p.ranProject(s) || p.noLeads(s)) || p.certified(s) {
		return
	}
	if s.Type == lexicon.Role && p.isSpecialty(s) { // recruiters specialised in nurses
		p.add(fact{name: query.FilterKeywords, values: []string{alternative(p.text(s))}}, s)
		return
	}
	if s.Is(lexicon.Seniority, lexicon.Leader) {
		if s.Sense.Values = p.bounded(s); len(s.Sense.Values) == 0 { // above C-level
			p.add(fact{query: query.None{}, says: p.words(p.peek(-1)) + " " + p.text(s), nobody: true}, s)
			return
		}
	}
	if next, _ := p.next(p.at + 1); s.Type == lexicon.Leader && len(s.Sense.Values) > 1 && next.Type == lexicon.CompanyKind { // running startups
		s.Sense.Values = append(slices.Clone(s.Sense.Values), "founder")
	}
	f := fact{name: query.FilterPosition, values: s.Sense.Values, excluded: s.Sense.Excluded, level: s.Sense.Level}
	switch s.Type {
	case lexicon.Seniority, lexicon.Founder, lexicon.Leader:
		p.ofWhichFounders(s)
		f.name, f.bare = query.FilterSeniority, s.Type == lexicon.Seniority
	case segment.KnownTitle:
		f.values = []string{quoted(s.Known.Term)}
		f.level = analysis.Seniority(s.Known.Term)
	}
	if p.headOf(s) || p.titleOrAbove(s) || p.served(s) {
		return
	}
	if w := p.words(s); s.Type == lexicon.Seniority && w != "juniors" && w != "seniors" && p.ofTitle() {
		if p.notThatLevel() {
			p.add(f, s)
			p.not = false
			return
		}
		p.levels, p.levelSpans = p.ranks(s)
		return
	}
	f.narrow, f.narrowSpans = p.levels, p.levelSpans
	p.levels, p.levelSpans = nil, nil
	if p.ofOneTitle(s) {
		f.both, p.facts[p.last].both = true, true
	}
	if grade := p.grade(s); grade != "" && len(f.narrow) == 0 {
		f.narrow, f.narrowSpans = []string{grade}, [][2]int{{s.To, s.To + 1}}
		defer func() { p.at += 2 }()
	}
	p.noLonger(f)
	if p.asExperience(s) {
		p.when, p.verb = any, false
	}
	p.add(f, s)
	if p.when != current && !p.verb && s.Type != lexicon.Seniority {
		p.endJob(s)
	}
}

// ofWhichFounders notes what is said of founders that no record tells: technical founders.
func (p *parser) ofWhichFounders(s segment.Span) {
	if s.Type != lexicon.Founder {
		return
	}
	for _, t := range p.tokens[s.From:s.To] {
		switch t.Norm {
		case "technical", "nontechnical", "tech", "business", "technique":
			p.note("which founders are technical is not on record")
		case "women", "woman":
			p.note(genderNote)
		case "solo":
			p.note("who has founded a company alone is not on record")
		case "time": // first time founders
			p.note("how many companies somebody has founded is not asked for")
		}
	}
}

// noLonger takes back the title that was asked for before, where people are to have it no
// longer: founders who are no longer founders.
func (p *parser) noLonger(f fact) {
	if p.when != past || !p.gone || !p.isCue(p.peek(-1), cue.Past) || !hasWord(p.words(p.peek(-1)), "longer") {
		return
	}
	p.facts = slices.DeleteFunc(p.facts, func(o fact) bool {
		return o.name == f.name && o.when == current && !o.not && slices.Equal(o.values, f.values)
	})
	p.last = min(p.last, len(p.facts)-1)
}

// ofOneTitle reports whether a reading and the one before are a founder and a
// chief of one title: Founder & CTO. In the plural they are two.
func (p *parser) ofOneTitle(s segment.Span) bool {
	before := p.peek(-1)
	if p.isCue(before, cue.And) {
		before = p.peek(-2)
	} else if !p.tokens[s.From].Slash() {
		return false
	}
	one := func(s segment.Span) bool {
		return s.Is(lexicon.Founder, lexicon.CRole) && !strings.HasSuffix(p.tokens[s.To-1].Norm, "s")
	}
	return p.last >= 0 && before.Type != s.Type && one(before) && one(s)
}

// headOf reads "head of marketing" as "runs marketing": whoever is in charge in
// that function, whatever the title. In a list of titles it stays one.
func (p *parser) headOf(s segment.Span) bool {
	field, ok := strings.CutPrefix(s.Sense.Name, "head_of_")
	next := p.peek(1)
	listed := next.Group() == segment.GroupRole && !p.adjoining(next) || p.isCue(next, cue.And, cue.Or) && isJob(p.peek(2))
	alone := !listed && (p.last < 0 || !p.listed(p.lastAt, s.From)) && len(p.levels) == 0 && p.depth == 0
	if field == "people" || field == "hr" {
		field = "people_hr"
	}
	if !ok || !alone || p.not || s.Sense.Function != field {
		return false
	}
	p.add(fact{name: query.FilterSeniority, values: []string{"director", "vp", "cxo"}, level: "director"}, s)
	p.add(fact{name: query.FilterFunction, values: []string{s.Sense.Function}}, s)
	if p.when != current && !p.verb {
		p.endJob(s)
	}
	return true
}

// titleOrAbove reads "director of engineering or above": that level and those above
// it, in the function.
func (p *parser) titleOrAbove(s segment.Span) bool {
	order := ladder()
	i := slices.Index(order, s.Sense.Level)
	if s.Type != lexicon.Role || s.Sense.Function == "" || i < 0 || p.not || !p.orAbove(s) {
		return false
	}
	p.add(fact{name: query.FilterSeniority, values: order[i:], level: s.Sense.Level}, s)
	p.add(fact{name: query.FilterFunction, values: []string{s.Sense.Function}}, s)
	return true
}

// ofTitle reports whether a title stands behind the level, or other levels and
// then a title: "senior and staff engineers".
func (p *parser) ofTitle() bool {
	for i := p.at + 1; i < len(p.spans); i++ {
		next := p.spans[i]
		t := p.tokens[next.From]
		switch {
		case t.Stop():
			return false
		case next.Type == lexicon.Seniority, lexicon.IsRankWord(p.words(next)), p.isCue(next, cue.And, cue.Or), next.Type == lexicon.Filler && !t.Comma(), p.isCue(next, cue.But, cue.Not) && p.levelAt(i+1):
		case next.Type == lexicon.Judgement, next.Group() == segment.GroupSkill, next.Type == lexicon.Nationality, next.Group() == segment.GroupCompany, next.Group() == segment.GroupIndustry:
			if t.Comma() {
				return false
			}
		default:
			return next.Group() == segment.GroupRole && next.Type != lexicon.Founder
		}
	}
	return false
}

// levelAt reports whether a level, or a rank, stands at a place, or behind the "not" there.
func (p *parser) levelAt(at int) bool {
	s := p.peekAt(at)
	return s.Type == lexicon.Seniority || lexicon.IsRankWord(p.words(s)) || p.isCue(s, cue.Not) && p.levelAt(at+1)
}

// notThatRank leaves out a level or a rank between another one and the title of both: senior
// but not staff engineers.
func (p *parser) notThatRank() bool {
	mid := strings.HasPrefix(p.peek(-1).Sense.Name, "mid")
	if len(p.levels) == 0 && !mid || !p.levelAt(p.at+1) {
		return false
	}
	for p.at++; p.levelAt(p.at) || p.isCue(p.peek(0), cue.Or) && p.levelAt(p.at+1); p.at++ {
		s := p.peek(0)
		f := fact{name: query.FilterSeniority, values: s.Sense.Values}
		if w := p.words(s); lexicon.IsRankWord(w) {
			f = fact{name: query.FilterPosition, values: []string{w}}
		}
		if s.Type == lexicon.Cue {
			continue
		}
		p.beginNot()
		p.add(f, s)
	}
	p.endNot()
	return true
}

// bounded are the values of a level, with those above or below it where the words
// beside it say so: VP+, at least director, below manager.
func (p *parser) bounded(s segment.Span) []string {
	levels, order := s.Sense.Values, ladder()
	i := slices.Index(order, levels[0])
	if len(levels) != 1 || i < 0 {
		return levels
	}
	switch w := p.words(p.peek(-1)); {
	case strings.HasSuffix(p.tokens[s.To-1].Text, "+"), w == "least", w == "minimum", p.orAbove(s):
		return order[i:]
	case w == "below", w == "under":
		return order[:i]
	case w == "above" && p.noneAbove():
		return order[:i+1]
	case w == "above":
		return order[i+1:]
	}
	return levels
}

// noneAbove reports whether nobody above a level is wanted, which is not that nobody of
// it is.
func (p *parser) noneAbove() bool {
	switch p.words(p.peek(-2)) {
	case "not", "noone", "nobody", "none", "no", "nothing":
	case "anyone", "anybody": // we don't want anyone above director
		if !p.not {
			return false
		}
	default:
		return false
	}
	p.endNot()
	return true
}

// ladder are the levels that are above each other, the lowest first.
func ladder() []string {
	all := analysis.Seniorities()
	return all[:slices.Index(all, analysis.LevelCXO)+1]
}

// orAbove reports whether "or above" or the like stands behind a level.
func (p *parser) orAbove(s segment.Span) bool {
	behind := token.Norms(p.tokens[s.To:min(s.To+2, len(p.tokens))])
	if len(behind) < 2 || behind[0] != "or" && behind[0] != "and" {
		return false
	}
	switch behind[1] {
	case "above", "higher", "up", "upwards", "beyond":
		return true
	case "more":
		return s.To+2 < len(p.tokens) && p.tokens[s.To+2].Norm == "senior"
	}
	return false
}

// ranks adds a level to those before it where a conjunction joins them; else the
// level that stands nearer to the title counts.
func (p *parser) ranks(s segment.Span) ([]string, [][2]int) {
	spans := append(slices.Clone(p.levelSpans), [2]int{s.From, s.To})
	levels := s.Sense.Values
	if w := p.words(s); lexicon.IsRankWord(w) {
		levels = []string{wordMark + w}
	}
	if len(p.levels) == 0 || !p.listed(p.levelSpans[len(p.levelSpans)-1][1], s.From) {
		return levels, spans
	}
	return appendNew(slices.Clone(p.levels), levels...), spans
}

// wordMark stands before a rank that is asked for as a word of the title, not
// as a level: the levels of a staff and of a principal engineer are the same.
const wordMark = "+"

// notThatLevel reports whether a level is left out before the title that is looked
// for: not junior frontend developers.
func (p *parser) notThatLevel() bool {
	titled := func(f fact) bool { return f.group() == segment.GroupRole || f.group() == segment.GroupFunction }
	return p.not && p.isCue(p.peek(-1), cue.Not) && !slices.ContainsFunc(p.facts, titled)
}

// midLevel leaves out who is below the middle, and where "mid" alone is said who is
// above: a title without a level says nothing of one.
func (p *parser) midLevel(s segment.Span) {
	if p.not {
		p.ignored = append(p.ignored, s)
		return
	}
	levels := []string{"intern", "entry"}
	switch s.Sense.Name {
	case "mid":
		levels = append(levels, "senior", "lead", "director", "vp", "cxo")
	case "midlow":
		levels = []string{"senior", "lead", "manager", "director", "vp", "cxo"}
	case "ic": // individual contributors
		levels = []string{"manager", "director", "vp", "cxo"}
	}
	f := fact{name: query.FilterSeniority, spans: p.levelSpans}
	also := p.levels // junior or mid-level
	p.at++
	for ; p.isCue(p.peek(0), cue.Or, cue.And) && p.peek(1).Type == lexicon.Seniority; p.at += 2 {
		other := p.peek(1)
		also, f.spans = append(also, other.Sense.Values...), append(f.spans, [2]int{other.From, other.To})
	}
	f.values = slices.DeleteFunc(levels, func(l string) bool { return slices.Contains(also, l) })
	p.levels, p.levelSpans = nil, nil
	p.beginNot()
	p.add(f, s)
	p.not = false
}
