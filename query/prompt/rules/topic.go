package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// topics are the words that are not understood and say all the same what those who
// are looked for do or know, beside a title or a skill, or before a word such as licence:
// "buyers, womenswear, London" are not all buyers there. They are alternatives where "or" joins them; else all of
// them are one.
func (p *parser) topics(plan *prompt.Plan) [][]segment.Span {
	named := func(names ...query.FilterName) bool {
		return slices.ContainsFunc(plan.Filters, func(f prompt.Filter) bool { return slices.Contains(names, f.Name) && !f.Excluded })
	}
	if len(plan.Filters) == 0 || named(query.FilterKeywords) {
		return nil
	}
	var runs [][2]int
	beside := named(query.FilterPosition, query.FilterSkills, query.FilterDegree, query.FilterExperienceYears)
	levelled := beside || named(query.FilterSeniority, query.FilterFunction)
	there := named(query.FilterCompany, query.FilterAnyCompany, query.FilterPastCompany)
	terse := p.terse()
	for from := 0; from < len(p.spans); from++ {
		to := from
		for to < len(p.spans) && (p.perhapsTopic(p.spans[to]) || p.shortBefore(to)) && (to == from || p.adjoining(p.spans[to])) {
			to++
		}
		if slices.ContainsFunc(p.spans[from:to], p.topic) && (p.whereabouts(from, to) || p.talkedAbout(from) || beside && terse && !p.counted(from, to) || there && p.worksOn(from) || (levelled || p.inExperience(from, to)) && p.isTopic(from, to) && !p.onlyAmount(from, to)) {
			runs = append(runs, [2]int{p.behindAmount(from, to), to})
		}
		from = max(from, to-1)
	}
	return p.joinedTopics(runs)
}

// joinedTopics are the runs of readings as alternatives, where "or" joins them, each with
// those that it does not join.
func (p *parser) joinedTopics(runs [][2]int) [][]segment.Span {
	var each []segment.Span
	var either [][]segment.Span
	for i, r := range runs {
		behind := i > 0 && (p.isOr(runs[i-1][1], r[0]) || p.ofOneBracket(runs[i-1], r))
		before := i+1 < len(runs) && (p.isOr(r[1], runs[i+1][0]) || p.ofOneBracket(r, runs[i+1]))
		if words := p.spans[r[0]:r[1]]; behind || before {
			either = append(either, words)
		} else {
			each = append(each, words...)
		}
	}
	if len(either) == 0 && len(each) > 0 {
		return [][]segment.Span{each}
	}
	for i := range either {
		either[i] = slices.Concat(either[i], each)
	}
	return either
}

// isOr reports whether nothing but "or" stands between two readings.
func (p *parser) isOr(from, to int) bool { return to == from+1 && p.isCue(p.spans[from], cue.Or) }

// isTopic reports whether what stands around a run of words says that they are
// asked for.
func (p *parser) isTopic(from, to int) bool {
	first := p.tokens[p.spans[from].From]
	before := p.peekAt(from - 1)
	ends := to == len(p.spans) || p.tokens[p.spans[to].From].Comma() || p.tokens[p.spans[to].From].Stop()
	switch {
	case first.Comma() && (ends || p.experienceOf(to)), (p.havingAt(from-1) || p.alsoHaving(from)) && p.experienceOf(to), p.inExperience(from, to):
		return true
	case ends && first.Capital() && p.hasLower() && strings.HasSuffix(p.words(before), "must have"): // welders, must have TIG
		return true
	case p.amongHeld(from, to): // teachers with QTS, nurses with XYZ or QRS in Leeds
		return true
	case p.inSearchBox(from), p.worksOn(from) && (ends || !p.hasWorked(p.peekAt(from-2))), p.explains(from, to), ends && p.isCue(before, cue.With) && p.isCue(p.peekAt(from-2), cue.Work): // who work with children
		return true
	}
	return false
}

// isHaving reports whether words end in a verb for having something: must have.
func isHaving(w string) bool {
	switch w[strings.LastIndexByte(w, ' ')+1:] {
	case "have", "has", "having", "need", "needs", "bring":
		return true
	}
	return false
}

// ofOneBracket reports whether a comma in a bracket joins two runs of readings: (FIA, FSA).
func (p *parser) ofOneBracket(a, b [2]int) bool {
	return a[1] == b[0] && p.bracketOf(a[0]) >= 0 && p.bracketOf(a[0]) == p.bracketOf(b[0])
}

// explains reports whether a run of words is all of a bracket behind a title, or an entry
// of a list in it: underwriters (marine or cargo).
func (p *parser) explains(from, to int) bool {
	open := p.bracketOf(from)
	if before := p.peekAt(open - 1); open < 1 || before.Group() != segment.GroupRole && !isQualified(p.words(before)) {
		return false
	}
	if to < len(p.spans) && p.bracketOf(to) == open && p.adjoining(p.spans[to]) && !p.isCue(p.spans[to], cue.Or) {
		return false
	}
	for i := open; i < from; i++ {
		if !p.isCue(p.spans[i], cue.Or) && !p.perhapsTopic(p.spans[i]) {
			return false
		}
	}
	return true
}

// isQualified reports whether a word says that somebody has what the bracket behind names.
func isQualified(w string) bool {
	switch w {
	case "qualified", "certified", "accredited", "chartered", "licensed", "registered":
		return true
	}
	return false
}

// bracketOf is the first reading of the bracket that a reading is in; -1 outside of any.
func (p *parser) bracketOf(at int) int {
	for i := at; i > 0; i-- {
		switch gap := p.tokens[p.spans[i].From].Gap; {
		case strings.HasSuffix(gap, "("):
			return i
		case strings.Contains(gap, ")"):
			return -1
		}
	}
	return -1
}

// inExperience reports whether a run of words is in a list of what somebody has experience
// of: with Klaviyo or Mailerlite experience; SMSTS and CSCS mandatory.
func (p *parser) inExperience(from, to int) bool {
	inList := func(s segment.Span) bool {
		return p.isCue(s, cue.And, cue.Or) || p.perhapsTopic(s) || s.Type == lexicon.Skill
	}
	for from > 0 && inList(p.spans[from-1]) {
		from--
	}
	for to < len(p.spans) && inList(p.spans[to]) {
		to++
	}
	if !p.experienceOf(to) && p.experienceOf(to-1) { // a hazmat endorsement
		to--
	}
	first := p.tokens[p.spans[from].From]
	if from > 0 && p.tokens[p.spans[from-1].From].Article() {
		from--
	}
	return (p.isCue(p.peekAt(from-1), cue.With) || from > 0 && (first.Stop() || first.Comma())) && p.experienceOf(to)
}

// whereabouts reports whether a run of words stands behind "in" or "at", and is
// neither a place nor a company.
func (p *parser) whereabouts(from, to int) bool {
	before := p.peekAt(from - 1)
	ofTitle := p.isCue(before, cue.Of) && p.peekAt(from-2).Group() == segment.GroupRole // directors of summer camps
	if !p.isCue(before, cue.In, cue.At) && !ofTitle || p.isCue(before, cue.In) && p.words(before) != "in" {
		return false
	}
	return to == len(p.spans) || p.tokens[p.spans[to].From].Comma() || p.tokens[p.spans[to].From].Stop() || p.spans[to].Type == lexicon.Cue
}

// counted reports whether a run of words belongs to a number before it, or to the
// companies behind it: 5 star, at international law firms.
func (p *parser) counted(from, to int) bool {
	before := p.peekAt(from - 1)
	return before.Type == segment.Quantity || p.isCue(before, cue.At) && p.peekAt(to).Group() == segment.GroupIndustry
}

// inSearchBox reports whether a reading is part of an expression of a search box:
// in quotation marks or brackets, or behind an AND or OR in capitals.
func (p *parser) inSearchBox(at int) bool {
	t := p.tokens[p.spans[at].From]
	before := p.peekAt(at - 1)
	joined := p.isCue(before, cue.And, cue.Or) && p.tokens[before.From].Shout() && p.hasLower()
	return joined || t.Quote != 0 && p.isCue(before, cue.And) || strings.Contains(t.Gap, "(") && p.isCue(before, cue.And)
}

// worksOn reports whether what is read at a place says what people work on.
func (p *parser) worksOn(at int) bool {
	verb := p.peekAt(at - 2)
	if p.words(p.peekAt(at-1)) != "on" {
		return false
	}
	switch p.words(verb) {
	case "focus", "focuses", "focusing", "focused":
		return true
	}
	return p.isCue(verb, cue.Work) || p.hasWorked(verb)
}

// talkedAbout reports whether what is read at a place is what people are to talk about, and
// nothing else says what they do: to speak at our event about AI ethics, speakers on space law.
func (p *parser) talkedAbout(from int) bool {
	if slices.ContainsFunc(p.facts, saysWhat) {
		return false
	}
	before := p.peekAt(from - 1)
	w := p.words(before)
	if strings.HasSuffix(w, " about") || strings.HasSuffix(w, " on") {
		return before.Type == lexicon.Filler && before.Sense.Name == "call"
	}
	return (w == "about" || w == "on") && p.speaksOf(p.peekAt(from-2))
}

// speaksOf reports whether a reading is of who speaks or of where: speakers, for a panel, to give
// a talk.
func (p *parser) speaksOf(s segment.Span) bool {
	if s.To == 0 {
		return false
	}
	last := p.tokens[s.To-1]
	return s.Type == lexicon.Filler && s.Sense.Name == "call" || isOccasional(last.Norm) || isOccasion(last.Norm)
}

// hasWorked reports whether a reading is "worked": architects who have worked on museums.
func (p *parser) hasWorked(verb segment.Span) bool {
	return p.isCue(verb, cue.Any) && p.tokens[verb.To-1].Norm == "worked"
}

// terse reports whether a prompt is no sentence but a list of words, each of which
// narrows the search: nurse manager ICU boston.
func (p *parser) terse() bool {
	unknown := 0
	for i, s := range p.spans {
		switch {
		case p.topic(s):
			if unknown++; i == 0 {
				return false
			}
		case s.Type == lexicon.Cue && !p.isCue(s, cue.In, cue.At, cue.And, cue.Or, cue.Near, cue.Lives), s.Group() == segment.GroupOther && !s.Is(lexicon.Cue, segment.Quantity):
			return false
		}
	}
	return unknown <= mostTopics
}

// mostTopics is how many words of a terse prompt may be unknown; of more, it is
// likelier that the prompt is something else.
const mostTopics = 3

// experienceOf reports whether the reading at a place says that what stands before
// is what somebody has experience of, or must have: data center experience, forklift
// certification.
func (p *parser) experienceOf(at int) bool {
	if at >= len(p.spans) || !p.adjoining(p.spans[at]) {
		return false
	}
	switch w, _, _ := strings.Cut(p.words(p.spans[at]), " "); w {
	case "experience", "background", "expertise", "knowledge", "skills", "certification", "certificate", "certified", "licence", "license", "endorsement", "endorsements", "ticket", "tickets", "rating", "clearance", "accreditation", "membership", "mandatory", "obligatory", "required":
		return true
	}
	return false
}

// topic reports whether a word that is not understood may say what somebody works
// on: one that does not describe people.
func (p *parser) topic(s segment.Span) bool {
	t := p.tokens[s.From]
	return p.perhapsTopic(s) && (s.Type == lexicon.Modifier || s.Len() > 1 || t.Shout() && p.hasLower() || !lexicon.Describes(t.Norm))
}

// perhapsTopic reports whether a word that is not understood may be part of what
// says so: it has some letters, or is an abbreviation.
func (p *parser) perhapsTopic(s segment.Span) bool {
	t := p.tokens[s.From]
	switch {
	case !s.Is(segment.Unknown, lexicon.Modifier), t.Kind != token.Word, p.isLeftOut(s):
		return false
	case s.Len() == 1 && len(t.Norm) < shortestHead:
		return t.Shout() && p.hasLower() && t.Norm != "or" && t.Norm != "and" && t.Norm != "not"
	}
	return true
}

// shortBefore reports whether a word of three letters that is not understood stands right
// before another one: dog parks.
func (p *parser) shortBefore(at int) bool {
	s, next := p.spans[at], p.peekAt(at+1)
	t := p.tokens[s.From]
	return s.Is(segment.Unknown, lexicon.Modifier) && t.Kind == token.Word && len(t.Norm) == shortestHead-1 && !p.isLeftOut(s) &&
		at+1 < len(p.spans) && p.adjoining(next) && p.perhapsTopic(next)
}

// isLeftOut reports whether something else has been made of a reading.
func (p *parser) isLeftOut(s segment.Span) bool {
	return !slices.ContainsFunc(p.unknown, func(u segment.Span) bool { return u.From == s.From })
}

// specialities are what stands as an entry of a list, ends in a field of study and is
// none of its own: paralegals, immigration law, Miami. It is a subject of those who are
// looked for, not what they have studied.
func (p *parser) specialities() {
	studied := func(s segment.Span) bool {
		return s.Type == lexicon.Degree || s.Group() == segment.GroupSchool || p.isCue(s, cue.Studied, cue.Majored, cue.Alumnus, cue.With)
	}
	if !slices.ContainsFunc(p.spans, p.isTitle) || slices.ContainsFunc(p.spans, studied) {
		return
	}
	for last := 1; last < len(p.spans); last++ {
		from := last
		for from > 0 && p.adjoining(p.spans[from]) && (from == last || p.mayNarrow(p.spans[from])) {
			from--
		}
		first, s := p.spans[from], p.spans[last]
		ends := last+1 == len(p.spans) || !p.adjoining(p.spans[last+1])
		if s.Type != lexicon.FieldOfStudy || s.Len() > 1 || from == 0 || from == last || !ends || !p.mayNarrow(first) || !p.tokens[first.From].Comma() {
			continue
		}
		p.spans = slices.Replace(p.spans, from, last+1, segment.Span{From: first.From, To: s.To, Type: segment.Unknown})
	}
}

// mayNarrow reports whether a reading before a field of study may say which part of it.
func (p *parser) mayNarrow(s segment.Span) bool {
	return s.Is(segment.Unknown, lexicon.Modifier, lexicon.Industry, lexicon.Nationality, lexicon.Skill)
}
