package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// readCampus makes a fact of a city that stands for the university in it, and reports
// whether it does: studied at Leeds; professors at Karolinska, Heidelberg or Oxford.
func (p *parser) readCampus(s segment.Span) bool {
	f := fact{values: []string{alternative(p.text(s))}}
	switch {
	case p.studiedAt(s):
		f.name = query.FilterSchool
	case p.employsThere(s):
		f.name = query.FilterCompany
	default:
		return false
	}
	p.add(f, s)
	p.endJob(s)
	p.endAlumni(s)
	return true
}

// kindOfSchool reports whether an industry says at what kind of school people have studied, which
// only the name of a school tells: graduates of business schools, an MBA from a good university.
func (p *parser) kindOfSchool(s segment.Span) bool {
	noun := strings.TrimSuffix(strings.Replace(p.tokens[s.To-1].Norm, "universities", "university", 1), "s")
	if noun != "school" && noun != "college" && noun != "university" || !p.studiedAtKind() {
		return false
	}
	if words := token.Norms(p.tokens[s.From : s.To-1]); noun == "school" && len(words) > 0 {
		p.add(fact{name: query.FilterSchool, values: []string{quoted(strings.Join(append(words, noun), " "))}}, s)
		p.notes = appendNew(p.notes, "of which kind a school is, is known from its name only")
		p.endAlumni(s)
		return true
	}
	p.ignored, p.notes = append(p.ignored, s), appendNew(p.notes, "of which kind a school is, is not on record; name the schools")
	p.endScope()
	return true
}

// ofTheState reports whether "public" says that a school or a hospital is run by the state, not that
// its shares are traded.
func (p *parser) ofTheState(s segment.Span) bool {
	next := p.peek(1)
	if p.words(s) != "public" || next.Type != lexicon.Industry || !p.adjoining(next) {
		return false
	}
	switch p.tokens[next.To-1].Norm {
	case "school", "schools", "college", "colleges", "university", "universities", "hospital", "hospitals", "clinic", "clinics", "library", "libraries", "museum", "museums":
		return true
	}
	return false
}

// studiedAtKind reports whether people are said to have studied at what the present reading
// and the words that describe it name.
func (p *parser) studiedAtKind() bool {
	at := p.at - 1
	for at > 0 && p.adjoining(p.spans[at+1]) && (p.spans[at].Type == lexicon.Judgement || p.spans[at].Type == lexicon.Filler || p.spans[at].Type == segment.Unknown || p.spans[at].Type == lexicon.Modifier || p.spans[at].Type == lexicon.FieldOfStudy) {
		at--
	}
	switch before := p.peekAt(at); {
	case p.isCue(before, cue.Alumni, cue.Studied):
		return true
	case p.isCue(before, cue.From) && p.when == current && p.peek(-1).Type == lexicon.Judgement: // engineers from good colleges
		return true
	case p.isCue(before, cue.At, cue.From, cue.Of):
		return p.peekAt(at-1).Type == lexicon.Degree
	}
	return false
}

// endAlumni ends the scope of an ended job behind the schools that people are alumni of:
// what else is said of them is of today.
func (p *parser) endAlumni(s segment.Span) {
	if p.when == past && p.verb && p.facts[p.last].name == query.FilterSchool && !p.goesOn(s) {
		p.endScope()
	}
}

// studiedAt reports whether what stands before a place says that people studied there,
// or have a degree from it, or it goes on with a list of schools.
func (p *parser) studiedAt(s segment.Span) bool {
	before := p.peek(-1)
	w := p.words(before)
	switch {
	case p.isCue(before, cue.Studied) && hasWord(w, "at"), p.isCue(before, cue.From) && p.verbs == cue.Studied:
		return true
	case !isTown(s):
		return false
	case p.isCue(before, cue.Studied) && hasWord(w, "from"), p.isCue(before, cue.Alumni):
		return true
	case p.isCue(before, cue.At, cue.From) && p.adjoining(before) && p.behindStudy():
		return true
	}
	return p.last >= 0 && p.facts[p.last].name == query.FilterSchool && p.goesOnWith(s)
}

// employsThere reports whether a place behind "at" is in a list of schools or companies.
func (p *parser) employsThere(s segment.Span) bool {
	if !isTown(s) || s.Type == lexicon.Metro { // at Acme, Bay Area, Stanford or MIT
		return false
	}
	if p.last >= 0 && p.facts[p.last].name == query.FilterCompany && p.prep == cue.At && p.goesOnWith(s) {
		span := p.facts[p.last].spans[0]
		ofSchool := slices.ContainsFunc(p.spans, func(o segment.Span) bool {
			return o.From == span[0] && o.InGroup(segment.GroupSchool, segment.GroupPlace)
		})
		return ofSchool || p.listEndsIn(segment.GroupSchool, segment.GroupCompany)
	}
	return p.isCue(p.peek(-1), cue.At) && p.listEndsIn(segment.GroupSchool)
}

// isTown reports whether a reading is a place that a university may be named after, not
// a country or a part of the world.
func isTown(s segment.Span) bool {
	return s.Is(lexicon.City, lexicon.State, lexicon.Metro)
}

// goesOnWith reports whether a conjunction, or a comma in a list with one, joins a
// reading with what was said last.
func (p *parser) goesOnWith(s segment.Span) bool {
	if p.cueBefore(s.From, cue.And, cue.Or) {
		return p.lastAt >= s.From-2 && p.listed(p.lastAt, s.From) && !p.cueBetween(p.lastAt, s.From)
	}
	return p.lastAt == s.From && p.tokens[s.From].Comma() && p.orBehind()
}

// cueBetween reports whether more than a conjunction stands between two tokens.
func (p *parser) cueBetween(from, to int) bool {
	for _, o := range p.between(from, to) {
		if !p.isCue(o, cue.And, cue.Or) {
			return true
		}
	}
	return false
}

// listEndsIn reports whether the list that the present reading is in goes on, with
// conjunctions and commas only, to an entry of one of some groups behind a conjunction.
func (p *parser) listEndsIn(groups ...segment.Group) bool {
	for i := p.at + 1; i < len(p.spans); i++ {
		s := p.spans[i]
		joined := p.isCue(p.spans[i-1], cue.And, cue.Or)
		switch {
		case p.isCue(s, cue.And, cue.Or):
		case !joined && !p.tokens[s.From].Comma():
			return false
		case joined:
			_, perhaps := p.otherwise(s, func(o segment.Span) bool { return o.Group() == segment.GroupSchool })
			return perhaps || slices.Contains(groups, s.Group())
		}
	}
	return false
}

// orHigher reports whether a degree is the least that is asked for: at least a master's, a
// bachelor's or higher.
func (p *parser) orHigher(s segment.Span) bool {
	at := s.From
	for at > 0 && p.tokens[at-1].Article() {
		at--
	}
	if at > 0 && (p.tokens[at-1].Norm == "least" || p.tokens[at-1].Norm == "minimum") {
		return true
	}
	to := segment.Span{From: s.From, To: s.To}
	for to.To < len(p.tokens) && (p.tokens[to.To].Norm == "degree" || p.tokens[to.To].Norm == "degrees") {
		to.To++
	}
	if !p.orAbove(to) {
		return false
	}
	for i, o := range p.spans {
		if o.From >= to.To && o.To <= to.To+2 && o.Type != lexicon.Cue { // or higher
			p.silence(i)
		}
	}
	return true
}

// higher is a degree with those above it.
func higher(degrees []string) []string {
	order := []string{"associate", "bachelor", "master", "PhD", "doctorate", "MD", "JD"}
	if i := slices.Index(order, degrees[0]); i >= 0 {
		return order[i:]
	}
	return degrees
}

// graduates reports whether a fact is of those who have graduated lately.
func (p *parser) graduates(f fact) bool {
	w := p.tokens[f.spans[0][1]-1].Norm
	return f.name == query.FilterSeniority && (w == "graduates" || w == "graduate" || w == "grads" || w == "grad")
}

// behindStudy reports whether what was studied, or when, stands right before "at": who
// completed a degree in 2022 at Leeds. Professors of history at Leeds work there.
func (p *parser) behindStudy() bool {
	if p.last < 0 || p.lastAt != p.spans[p.at-1].From {
		return false
	}
	last := p.facts[p.last]
	taught := last.name == query.FilterFieldOfStudy && slices.ContainsFunc(p.facts, func(f fact) bool {
		return f.name == query.FilterPosition && slices.ContainsFunc(f.values, segment.Teaches)
	})
	return last.group() == segment.GroupStudy && !taught || last.name == query.FilterGraduationYear
}
