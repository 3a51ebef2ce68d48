package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/quantity"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// furthestFounding is how many words may stand between the verb of founding and a time.
const furthestFounding = 5

// foundedBefore reports whether the words right before a time say that a company began
// then, whatever else the prompt tells the time of (a degree, a job); these words are
// understood then: who did a PhD and started their own company after 2020, whose startup
// was launched in 2021.
func (p *parser) foundedBefore(s segment.Span) bool {
	from := p.founding(s.From)
	if from < 0 {
		return false
	}
	of := func(o segment.Span) bool { return o.From >= from && o.To <= s.From }
	p.unknown, p.ignored = slices.DeleteFunc(p.unknown, of), slices.DeleteFunc(p.ignored, of)
	p.endScope()
	if !p.asksFounder() && !isFirm(p.tokens[from].Norm) { // dentists who opened their own practice
		p.when = any
		p.add(fact{name: query.FilterSeniority, values: []string{"founder"}, level: "founder"}, segment.Span{From: from, To: s.From})
		p.endScope()
	}
	return true
}

// asksFounder reports whether founders are asked for already.
func (p *parser) asksFounder() bool {
	return slices.ContainsFunc(p.facts, func(f fact) bool { return f.level == "founder" || slices.Contains(f.values, "founder") })
}

// founding is the token at which a phrase begins that ends right before a token and says
// that a company began; -1 where none does.
func (p *parser) founding(at int) int {
	end := at
	for end > 0 && p.adjoins(end) && slices.Contains([]string{"in", "back", "only", "just"}, p.tokens[end-1].Norm) {
		end--
	}
	for i := end - 1; i >= max(0, end-furthestFounding) && (i+1 == at || p.adjoins(i+1)); i-- {
		if isFoundingVerb(p.tokens[i].Norm) || p.tokens[i].Norm == "up" && i > 0 && isSetting(p.tokens[i-1].Norm) {
			return p.foundsFirm(i, end)
		}
		if w := p.tokens[i].Norm; w == "at" || w == "with" || w == "for" || w == "who" || w == "that" {
			return -1
		}
	}
	return -1
}

// foundsFirm is where the phrase of a verb of founding begins, if a company is what it
// founds: it stands between verb and end, or before the verb.
func (p *parser) foundsFirm(verb, end int) int {
	behind := p.tokens[verb+1 : end]
	if p.tokens[verb].Norm == "up" {
		verb--
	}
	if slices.ContainsFunc(behind, func(t token.Token) bool { return t.Norm == "own" || isFirm(t.Norm) }) {
		return verb
	}
	small := func(t token.Token) bool { return !t.Capital() }
	if w := p.tokens[verb].Norm; (w == "founded" || w == "cofounded") && len(behind) > 0 && p.hasLower() && !slices.ContainsFunc(behind, small) { // founded Acme
		return verb
	}
	subject := verb
	for subject > 0 && slices.Contains([]string{"was", "were", "is", "been", "has", "have", "that", "which", "only", "first"}, p.tokens[subject-1].Norm) {
		subject--
	}
	if len(behind) > 0 || subject == 0 || !isFirm(p.tokens[subject-1].Norm) {
		return -1
	}
	return subject - 1
}

// isFoundingVerb lists the verbs for beginning a company.
func isFoundingVerb(w string) bool {
	switch w {
	case "founded", "cofounded", "started", "launched", "created", "opened", "built", "incorporated", "established", "registered", "founding", "starting", "launching", "opening", "began", "begun", "formed":
		return true
	}
	return false
}

// isSetting reports whether a word with "up" behind it is a verb for beginning a company.
func isSetting(w string) bool { return w == "set" || w == "setting" || w == "started" }

// isFirm reports whether a word, as one has it oneself, is a company.
func isFirm(w string) bool {
	switch w {
	case "start-up", "venture", "ventures", "employer", "nonprofit":
		return true
	}
	return areFirms(w) || isBusiness(w)
}

// joinedNotFounded reports whether who started at a time took a job then: engineers who
// started after 2020, but not founders.
func (p *parser) joinedNotFounded() bool {
	return !p.asksFounder() && !p.isCue(p.peek(-1), cue.Company)
}

// startedJob reports whether people, not a company, started at some time: VPs at
// startups, who started within the last 6 months.
func (p *parser) startedJob() bool {
	s := p.spans[p.at]
	next, at := p.next(p.at + 1)
	if p.isCue(next, cue.In) {
		next, _ = p.next(at + 1)
	}
	w := p.words(s)
	ofPeople := p.tokens[s.From].Comma() || strings.HasPrefix(w, "who ") || p.words(p.peek(-1)) == "who"
	return ofPeople && strings.HasSuffix(strings.TrimSuffix(w, " in"), "started") && next.Type == segment.Quantity &&
		(next.Quantity.Kind == quantity.Ago || next.Quantity.Kind == quantity.Date && p.joinedNotFounded()) && slices.ContainsFunc(p.facts, func(f fact) bool { return f.group() == segment.GroupRole })
}

// founded is about the year of companies, else about who has founded one.
func (p *parser) founded() {
	next, at := p.next(p.at + 1)
	s := p.spans[p.at]
	if p.isCue(next, cue.In) && (hasWord(p.words(s), "their") || isFirm(p.tokens[s.To-1].Norm)) { // started their own company in Bern
		next, _ = p.next(at + 1)
	}
	if next.Type == segment.Quantity || p.isCue(next, cue.In) || p.isCue(p.peek(-1), cue.Company) {
		return
	}
	if next.InGroup(segment.GroupCompany, segment.GroupIndustry) || next.Is(lexicon.CompanyWord, lexicon.CompanyKind) || p.isCue(next, cue.Seat) || len(p.words(s)) > 9 && !strings.HasSuffix(p.words(s), "started") && !strings.HasSuffix(p.words(s), "launched") && !strings.HasSuffix(p.words(s), "opened") {
		p.becameFounders()
		p.beginPhrase(any)
		if hasWord(p.words(s), "run") || hasWord(p.words(s), "runs") || hasWord(p.words(s), "running") {
			p.endScope()
		}
		p.add(fact{name: query.FilterSeniority, values: []string{"founder"}, level: "founder"}, s)
		p.verbs = cue.None
	}
}

// foundedJob is the fact that says who founded or opened something, to which a time
// belongs that nothing else has: chefs who opened a restaurant before 2010; -1 where there
// is none.
func (p *parser) foundedJob() int {
	for i := len(p.facts) - 1; i >= 0; i-- {
		switch f := p.facts[i]; {
		case f.name == query.FilterSeniority && f.level == "founder" && f.when == any && !f.not && f.query == nil:
			return i
		case f.group() != segment.GroupPlace && f.group() != segment.GroupIndustry:
			return -1
		}
	}
	return -1
}

// foundedThen asks for a job as founder that began then.
func (p *parser) foundedThen(at int, s segment.Span, q quantity.Quantity) {
	r, says := p.dateRange(q)
	r.Field = query.Start
	founder := query.Term{Field: query.Seniority, Value: "founder"}
	p.last = at
	p.addPlain(fact{query: anyJob(query.And{Parts: []query.Query{founder, r}}), says: "founded " + says}, s)
}
