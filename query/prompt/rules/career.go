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

// move reads "moved from X to Y" and "left X for Y".
func (p *parser) move() bool {
	if p.turns() {
		return true
	}
	to, ok := p.find(p.at+1, func(i int) bool {
		s := p.spans[i]
		return p.isCue(s, cue.MovedTo) || p.isCue(s, cue.For) && p.words(s) == "for"
	})
	if !ok || to == p.at+1 {
		return false
	}
	end := p.phraseEnd(to + 1)
	becomes := strings.HasSuffix(p.words(p.spans[to]), "become")
	if !p.consecutive([2]int{p.at + 1, to}, [2]int{to + 1, end}, end) {
		return false
	}
	if becomes { // nurses who left Acme to become consultants
		p.end(true, isTitle)
	}
	return true
}

// fromTo reads "from X to Y" of two companies.
func (p *parser) fromTo() bool {
	isCompany := func(s segment.Span) bool { return s.Group() == segment.GroupCompany && s.Type != segment.Named }
	return isCompany(p.peek(1)) && p.isCue(p.peek(2), cue.MovedTo) && isCompany(p.peek(3)) && p.move()
}

// moveBack reads "moved to Y from X", "joined Y from X" and "joined Y in 2024 from X".
func (p *parser) moveBack() bool {
	from, ok := p.find(p.at+1, func(i int) bool { return p.isCue(p.spans[i], cue.From, cue.Moved, cue.PreviousJob) })
	if !ok || from == p.at+1 {
		return false
	}
	var when []query.Query
	to := from
	if r, _, ok := p.began(from-1, query.StayStart); ok {
		when, to = []query.Query{r}, from-1
		if p.isCue(p.peekAt(to-1), cue.In) {
			to--
		}
	}
	end := p.phraseEnd(from + 1)
	return p.consecutive([2]int{from + 1, end}, [2]int{p.at + 1, to}, end, when...)
}

// find returns the first reading of the clause that is looked for.
func (p *parser) find(from int, wanted func(int) bool) (int, bool) {
	for i := from; i < len(p.spans); i++ {
		if wanted(i) {
			return i, true
		}
		inYear := p.isCue(p.spans[i], cue.In) && p.peekAt(i+1).Type == segment.Quantity
		if p.mark(i, from) && p.tokens[p.spans[i].From].Stop() || !isCareer(p.spans[i]) && !inYear && !p.isCue(p.spans[i], cue.And, cue.Or, cue.At, cue.Of, cue.As) {
			return 0, false
		}
	}
	return 0, false
}

// isCareer reports whether a reading can say what job was left or taken.
func isCareer(s segment.Span) bool {
	switch s.Group() {
	case segment.GroupCompany, segment.GroupRole, segment.GroupFunction, segment.GroupIndustry:
		return true
	}
	switch s.Type {
	case lexicon.Filler, lexicon.CompanyWord, lexicon.PersonWord, segment.Address, segment.Unknown, lexicon.Modifier, lexicon.Nationality, segment.Quantity:
		return true
	}
	return false
}

// phraseEnd is the reading behind a phrase that says what job was taken.
func (p *parser) phraseEnd(at int) int {
	end := at
	for end < len(p.spans) && !p.mark(end, at) {
		s := p.spans[end]
		if !isCareer(s) && !p.isCue(s, cue.And, cue.Or, cue.At, cue.Of, cue.As) || s.Type == segment.Quantity && s.Quantity.Kind != quantity.Size || unanswered(s) == oftenNote {
			break
		}
		end++
	}
	return end
}

// consecutive asks for a job whose predecessor is as the readings of from say,
// and that itself is as those of to say, and as more.
func (p *parser) consecutive(from, to [2]int, end int, more ...query.Query) bool {
	parts, ok := p.successive(from, to)
	if !ok {
		return false
	}
	parts = append(parts, more...)
	last := end
	if r, behind, ok := p.began(end, query.StayStart); ok {
		parts, last = append(parts, r), behind
	}
	p.condition(p.at, last, anyJob(query.And{Parts: parts}))
	return true
}

// successive are the conditions on a job and on the one before it.
func (p *parser) successive(from, to [2]int) ([]query.Query, bool) {
	before, beforeOK := p.job(from, true)
	after, afterOK := p.job(to, false)
	return []query.Query{after, before}, beforeOK && afterOK
}

// anyJob asks it of a job, held or ended.
func anyJob(q query.Query) query.Query {
	return query.Or{Parts: []query.Query{query.Nested{Path: query.Current, Part: q}, query.Nested{Path: query.Past, Part: q}}}
}

// condition keeps a condition on careers that the readings from up to end say.
func (p *parser) condition(from, end int, q query.Query) {
	whole := segment.Span{From: p.spans[from].From, To: p.spans[end-1].To}
	p.endScope()
	p.addPlain(fact{query: q, says: p.sourceText(whole)}, whole)
	p.career = true
	p.at = end
}

// began reads when a job or a stay began, if a time stands at the place, and the
// place behind it.
func (p *parser) began(at int, field query.Field) (query.Query, int, bool) {
	if p.isCue(p.peekAt(at), cue.In) {
		at++
	}
	s := p.peekAt(at)
	if s.Type != segment.Quantity || s.Quantity.Kind != quantity.Ago && s.Quantity.Kind != quantity.Date {
		return nil, 0, false
	}
	r, _ := p.dateRange(s.Quantity)
	r.Field = field
	return r, at + 1, r.Min != nil || r.Max != nil
}

// job is the condition on a job that some readings say; on the job before it
// where before is true.
func (p *parser) job(part [2]int, before bool) (query.Query, bool) {
	inner := p.sub(part[0], part[1])
	var parts []query.Query
	lists := map[int][]query.Query{}
	var order []int
	for _, f := range inner.facts {
		f = inner.settle(f)
		f.when = current
		if f.query != nil || !f.ofJob() {
			return nil, false
		}
		q, ok := jobPart(inner.compile(f))
		if ok && before {
			q, ok = earlier(q)
		}
		if !ok {
			return nil, false
		}
		if lists[f.list] == nil {
			order = append(order, f.list)
		}
		lists[f.list] = append(lists[f.list], q)
	}
	for _, list := range order {
		parts = append(parts, query.Or{Parts: lists[list]})
	}
	return query.And{Parts: parts}, len(parts) > 0
}

// jobPart is the condition on a current job within a query; ok is false where that asks
// for something else, too.
func jobPart(q query.Query) (out query.Query, ok bool) {
	ok = true
	var part func(query.Query) query.Query
	part = func(q query.Query) query.Query {
		switch q := q.(type) {
		case query.Nested:
			ok = ok && q.Path == query.Current
			return q.Part
		case query.And, query.Or, query.Not:
			return query.MapParts(q, part)
		case query.All, query.AllWords, query.Exists, query.IDs, query.None, query.Phrase, query.Range, query.Term, query.Terms, query.Timeline:
			ok = false
		}
		return q
	}
	return part(q), ok
}

// earlier asks of the job before what q asks of a job; ok is false where a job does not
// tell.
func earlier(q query.Query) (out query.Query, ok bool) {
	ok = true
	var before func(query.Query) query.Query
	before = func(q query.Query) query.Query {
		field, asks := query.FieldOf(q)
		switch {
		case !asks:
			return query.MapParts(q, before)
		case field == query.TitleExact: // of the job before only the words of the title are known
			return query.None{}
		}
		from, known := earlierField(field)
		ok = ok && known
		return query.WithField(q, from)
	}
	return before(q), ok
}

// earlierField is the field that holds of a job what f was of the one before.
func earlierField(f query.Field) (query.Field, bool) {
	switch f {
	case query.Company:
		return query.FromCompany, true
	case query.CompanyExact:
		return query.FromCompanyExact, true
	case query.CompanyIndustry:
		return query.FromIndustry, true
	case query.CompanyType:
		return query.FromType, true
	case query.Title:
		return query.FromTitle, true
	case query.Seniority:
		return query.FromSeniority, true
	case query.Function:
		return query.FromFunction, true
	}
	return "", false
}

// cameBack reads "came back to X": two stays there.
func (p *parser) cameBack() bool {
	if p.placeFollows() {
		p.elsewhere(p.spans[p.at])
		return true
	}
	at := p.at + 1
	for at < len(p.spans) && (p.isCue(p.spans[at], cue.At, cue.For, cue.Of, cue.In) || p.spans[at].Is(lexicon.Filler, lexicon.PersonWord)) {
		at++
	}
	end := p.companyEnd(at)
	if end == at && at < len(p.spans) && strings.HasSuffix(p.words(p.spans[p.at]), " to") { // returning to work, to accounting
		p.ignore("who is out of work is not on record", p.spans[p.at])
		p.at++
		return true
	}
	two := query.Range{Field: query.Stay, Min: new(int64(2))}
	if end == at {
		p.condition(p.at, p.at+1, anyJob(two))
		return true
	}
	job, ok := p.job([2]int{at, end}, false)
	if !ok {
		return false
	}
	p.condition(p.at, end, anyJob(query.And{Parts: []query.Query{job, two}}))
	return true
}

// newTitle reads "who became director in 2023": a job that began then.
func (p *parser) newTitle() bool {
	w := p.words(p.spans[p.at])
	if !slices.ContainsFunc([]string{"became", "become", "made", "named"}, func(end string) bool { return strings.HasSuffix(w, end) }) {
		return false
	}
	end := p.phraseEnd(p.at + 1)
	when, last, ok := p.began(end, query.Start)
	from := p.at
	if !ok && p.isRecent(p.peek(-1)) { // who recently became CTO
		when, last, from = query.Range{Field: query.Start, Min: new(p.daysAgo(1, false))}, end, p.at-1
	} else if !ok {
		return false
	}
	job, ok := p.job([2]int{p.at + 1, end}, false)
	if !ok {
		return false
	}
	if n := len(p.ignored); from < p.at && n > 0 && p.ignored[n-1].To == p.spans[p.at].From { // it is not left out
		p.ignored = p.ignored[:n-1]
	}
	p.over(query.FilterPosition)
	p.condition(from, last, anyJob(query.And{Parts: []query.Query{job, when}}))
	return true
}

// startedOwn makes founders of those who left a job to start a company: what is said of
// them before is over.
func (p *parser) startedOwn(s segment.Span) bool {
	if w := p.words(s); s.Sense.Name != "call" || p.verbs != cue.Left || !strings.HasPrefix(w, "to start ") && !strings.HasPrefix(w, "to found ") && !strings.HasPrefix(w, "to launch ") && !strings.HasPrefix(w, "to build ") {
		return false
	}
	for i := range p.facts {
		switch f := &p.facts[i]; f.group() {
		case segment.GroupCompany, segment.GroupIndustry:
			f.when, f.gone = past, true
		case segment.GroupRole, segment.GroupFunction:
			f.when = any
		}
	}
	p.endScope()
	p.add(fact{name: query.FilterSeniority, values: []string{"founder"}, level: "founder"}, s)
	return true
}
