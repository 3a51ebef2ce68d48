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

// experienceBehind makes what was said last be of any job where "experience" or
// "background" stands right behind it: "with startup experience". A title is so only behind
// "with" and the like: product manager experience is that of who is one.
func (p *parser) experienceBehind(s segment.Span) bool {
	if w, _, _ := strings.Cut(p.words(s), " "); !lexicon.IsExperience(w) {
		return false
	}
	if p.last < 0 || !p.adjoining(s) || p.lastAt != s.From && !p.unknownBetween(p.lastAt, s.From) {
		return false
	}
	list, begins := p.facts[p.last].list, s.From
	for i := p.last; i >= 0; i-- { // also of what stands right before: retail operations experience
		f := &p.facts[i]
		end := f.spans[len(f.spans)-1][1]
		if f.list != list && (end != begins || !p.adjoins(begins) || !p.saysField(*f)) {
			break
		}
		list, begins = f.list, min(begins, f.spans[0][0])
	}
	held := p.isHeld(begins)
	for i := p.last; i >= 0 && p.facts[i].spans[0][0] >= begins; i-- {
		f := &p.facts[i]
		if f.when == current && f.ofJob() && (f.name != query.FilterPosition || held) {
			f.when = any
		}
	}
	return true
}

// amountFollows reports whether "experience" stands before how much of it there is, and so is
// of no job: experience over 10 years.
func (p *parser) amountFollows(s segment.Span) bool {
	next := p.peek(1)
	if p.isCue(next, cue.Of) {
		next = p.peek(2)
	}
	return lexicon.IsExperience(p.words(s)) && next.Type == segment.Quantity && next.Quantity.Kind == quantity.Years
}

// without asks for who has not worked yet, where "no experience" is said of nothing: not of a
// field or a company. Where none is needed, nothing is asked for.
func (p *parser) without(s segment.Span) bool {
	negation := p.at - 1
	for negation > 0 && isAmount(p.words(p.spans[negation])) {
		negation--
	}
	said, in := strings.CutSuffix(p.words(s), " in")
	if !p.not || p.notGroup != "" || !lexicon.IsExperience(said[strings.LastIndexByte(said, ' ')+1:]) || !p.isCue(p.peekAt(negation), cue.Not) {
		return false
	}
	next := p.peek(1)
	switch p.words(next) {
	case "needed", "required", "necessary", "mandatory":
		p.not = false
		p.ignored = append(p.ignored, s, next)
		p.at += 2
		return true
	}
	if in && (!p.placeFollows() || p.saysWhere()) || !in && next.Type != "" && p.adjoining(next) && !p.isCue(next, cue.Lives, cue.Near, cue.Now, cue.And, cue.But) {
		return false
	}
	p.not = false
	p.addPlain(fact{name: query.FilterExperienceYears, values: []string{"<1"}}, s)
	return true
}

// saysField reports whether a fact says of which field what was said last is: an industry
// of anything, a function of an industry or a function, but not of a skill: heads of
// security, web design experience.
func (p *parser) saysField(f fact) bool {
	if f.name == query.FilterFunction {
		last := p.facts[p.last]
		return last.name == query.FilterFunction || last.group() == segment.GroupIndustry
	}
	return f.group() == segment.GroupIndustry
}

// trainedThere makes a company one of any job where "trained" or the like stands right behind
// it: Big Four trained accountants, with a Google pedigree.
func (p *parser) trainedThere(s segment.Span) bool {
	switch p.words(s) {
	case "trained", "training", "pedigree", "pedigrees", "heritage", "groomed", "schooled":
	default:
		return false
	}
	if p.last < 0 || p.lastAt != s.From || p.facts[p.last].name != query.FilterCompany || p.facts[p.last].not {
		return false
	}
	for f := range p.lastList() {
		if f.when == current {
			f.when = any
		}
	}
	p.ignored = append(p.ignored, s)
	return true
}

// unknownBetween reports whether only words that are not understood or say nothing stand
// between two tokens, and no mark: fashion buying experience, agency and in-house experience.
func (p *parser) unknownBetween(from, to int) bool {
	for _, s := range p.between(from, to) {
		between := s.Is(segment.Unknown, lexicon.Modifier, lexicon.Filler) || p.isCue(s, cue.And, cue.Or)
		if !between || !p.adjoining(s) {
			return false
		}
	}
	return p.isHeld(p.facts[p.last].spans[0][0])
}

// isHeld reports whether "with" or the like stands before a token, but for articles and
// words that say how much: with some board experience.
func (p *parser) isHeld(at int) bool {
	i := slices.IndexFunc(p.spans, func(s segment.Span) bool { return s.From >= at })
	for i > 0 {
		i--
		switch s := p.spans[i]; {
		case p.isCue(s, cue.With, cue.From, cue.Know):
			return true
		case s.Type == lexicon.Filler, s.Type == lexicon.Judgement, p.isCue(s, cue.Both), s.Type == segment.Unknown && isAmount(p.words(s)), s.Type == segment.Quantity:
		default:
			return false
		}
	}
	return false
}

// narrowedExperience makes one subject of a skill or a field of work and the words before it
// that are not understood, of which somebody has experience: with tunnel design experience.
func (p *parser) narrowedExperience() {
	for last := 2; last+1 < len(p.spans); last++ {
		s := p.spans[last]
		if g := s.Group(); s.Len() > 1 || g != segment.GroupSkill && g != segment.GroupFunction && g != segment.GroupStudy || !p.adjoining(s) || !p.experienceOf(last+1) {
			continue
		}
		from := last
		for from > 1 && p.mayNarrowSkill(p.spans[from-1]) && p.adjoining(p.spans[from]) {
			from--
		}
		article := p.spans[from-1].Type == lexicon.Filler
		if from == last || !p.havingAt(from-1) && (!article || !p.isHeld(p.spans[from].From)) && !p.alsoHaving(from) {
			continue
		}
		first := p.spans[from]
		p.spans = slices.Replace(p.spans, from, last+1, segment.Span{From: first.From, To: s.To, Type: segment.Unknown})
		last = from
	}
}

// havingAt reports whether a reading says that somebody has what stands behind: with, or the
// "of" of years of.
func (p *parser) havingAt(at int) bool {
	s := p.peekAt(at)
	return p.isCue(s, cue.With, cue.Know) || isHaving(p.words(s)) || p.isCue(s, cue.Of) && p.peekAt(at-1).Type == segment.Quantity
}

// alsoHaving reports whether a reading is the last of a list of skills and degrees that
// somebody has: with P.Eng and bridge design experience.
func (p *parser) alsoHaving(at int) bool {
	i := at - 1
	for i > 0 && (p.isCue(p.spans[i], cue.And, cue.Or) || p.spans[i].InGroup(segment.GroupSkill, segment.GroupStudy) || p.spans[i].Type == lexicon.Filler) {
		i--
	}
	return i < at-1 && p.isCue(p.peekAt(at-1), cue.And, cue.Or) && p.isCue(p.peekAt(i), cue.With, cue.Know)
}

// mayNarrowSkill reports whether a word that is not understood may say which part of a skill
// is meant: no word for how much or how good.
func (p *parser) mayNarrowSkill(s segment.Span) bool {
	w := p.words(s)
	return s.Is(segment.Unknown, lexicon.Modifier) && len(w) >= shortestHead && !lexicon.Describes(w) && !isAmount(w) && !isPartOfAmount(w)
}

// onlyAmount reports whether a run of words before "experience" says only how much of it
// somebody has: with international experience.
func (p *parser) onlyAmount(from, to int) bool {
	other := func(s segment.Span) bool { return !isAmount(p.words(s)) }
	return p.experienceOf(to) && !slices.ContainsFunc(p.spans[from:to], other)
}

// behindAmount is the first reading of a run of words before "experience" that says of what
// it is, not how much: deep avionics experience.
func (p *parser) behindAmount(from, to int) int {
	for p.experienceOf(to) && from+1 < to && isAmount(p.words(p.spans[from])) {
		from++
	}
	return from
}

// isAmount lists the words that say how much experience somebody has, or how good it is.
func isAmount(w string) bool {
	switch w {
	case "extensive", "relevant", "prior", "previous", "deep", "broad", "wide", "solid", "significant", "substantial", "considerable", "strong", "proven", "direct", "practical",
		"professional", "international", "global", "good", "great", "ample", "sufficient", "minimum", "some", "any", "more", "much", "little", "enough", "meaningful", "similar", "equivalent",
		"formal", "basic", "recent", "further", "other", "their", "several", "various", "multiple", "certain", "lots", "tons", "plenty", "years", "year", "past", "work", "working":
		return true
	}
	return false
}

// isPartOfAmount lists the words that may be part of one, but of a subject as well: large
// animals.
func isPartOfAmount(w string) bool {
	switch w {
	case "hands", "depth", "hand", "first", "advanced", "current", "full", "time", "heavy", "world", "post", "major", "minor", "long", "life", "commercial", "general", "both", "core", "prime",
		"specific", "particular", "key", "large", "scale", "high", "level", "complex":
		return true
	}
	return false
}

// used reports whether a company is named for what it makes, which people use: at firms using
// Salesforce and Hubspot.
func (p *parser) used(s segment.Span) bool {
	from := s.From
	if p.last >= 0 && p.facts[p.last].name == query.FilterSkills && p.listed(p.lastAt, s.From) {
		from = p.facts[p.last].spans[0][0]
	}
	if from == 0 || !p.cueBefore(from, cue.Know) {
		return false
	}
	switch p.tokens[from-1].Norm {
	case "using", "use", "uses":
		return true
	}
	return false
}
