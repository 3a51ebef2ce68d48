package planner

import (
	"slices"

	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt/frame"
	"kith/query/prompt/quantity"
	"kith/query/prompt/token"
	"kith/query/taxonomy"
)

// career returns the condition on the order, number or length of jobs, nil if the marks do not suffice.
func (t *teller) career() value {
	jobs, rest := t.jobs()
	v := t.ordered(jobs)
	if len(v) != 1 || v[0].career == nil { // the facts of the steps are among those of v
		return v
	}
	for _, f := range rest {
		v = append(v, noteOf("", value{f}.allSpans()))
	}
	return v
}

// ordered returns the condition on jobs that the cues tell, without the other facts of the steps.
func (t *teller) ordered(jobs []query.Filters) value {
	switch t.how {
	case frame.None:
		t.anyJob()
	case frame.Returned:
		if len(jobs) == 0 {
			jobs = t.take(frame.Company)
		}
	case frame.Count:
		return t.count(jobs)
	case frame.AtLeast:
		return t.atLeast(jobs)
	case frame.Stay:
		return t.stay(jobs)
	case frame.Promoted:
		return t.promoted(jobs)
	case frame.Before:
		return t.single(previous)
	case frame.Become:
		return t.became(jobs)
	}
	for _, form := range formsOf(t.how) {
		if v := t.make(form, jobs, nil); v != nil {
			return v
		}
	}
	switch t.how {
	case frame.Moved:
		return t.single(past)
	case frame.Then:
		return t.single(anyTime)
	}
	return nil
}

// formsOf returns the forms of careers that a cue may tell; the first that has enough jobs counts.
func formsOf(how frame.How) []string {
	return map[frame.How][]string{
		frame.None: {"out_of_work"}, frame.Only: {"only", "one_employer"}, frame.First: {"turn", "first"},
		frame.Returned: {"back_via", "back"}, frame.Moved: {"moved"}, frame.Then: {"turn"},
	}[how]
}

// jobs returns the filters of each step that is about a job, and the other facts of the steps.
func (t *teller) jobs() (jobs []query.Filters, rest value) {
	for _, b := range t.steps {
		var job value
		for _, f := range b.facts() {
			if ofJob(f.name) && !f.not && len(f.choice) == 0 && len(f.values) > 0 {
				job = append(job, f)
			} else {
				rest = append(rest, f)
			}
		}
		if filters, ok := t.job(job); ok {
			jobs = append(jobs, filters)
		}
	}
	return jobs, rest
}

// make returns the career of a form, nil if it needs more jobs or a number.
func (t *teller) make(form string, jobs []query.Filters, n *quantity.Quantity) value {
	career, ok := t.makeCareer(form, jobs, n)
	if !ok {
		return nil
	}
	return value{{career: &career, spans: t.allSpans()}}
}

// allSpans returns the words of the cues and of the steps.
func (t *teller) allSpans() [][2]int { return append(t.spans(), t.everyone().allSpans()...) }

// take returns the jobs of the people's own marks of a kind, one for each value.
func (t *teller) take(kind frame.Kind) (jobs []query.Filters) {
	for _, e := range *t.main {
		if e.kind != kind || e.not {
			continue
		}
		if job, ok := t.job(e.value); ok {
			jobs = append(jobs, job)
		}
	}
	return jobs
}

// anyJob makes the people's own titles those of any job: somebody without a job has none now.
func (t *teller) anyJob() {
	for i, e := range *t.main {
		if e.time == "" && (e.kind == frame.Title || e.kind == frame.Function || e.kind == frame.Level) {
			(*t.main)[i].value, _ = timed(anyTime, false)(t.chart, []arg{{val: e.value}})
		}
	}
}

// single returns the facts of the steps for other jobs than the present one; the last of several is the present one.
func (t *teller) single(when when) (out value) {
	last := len(t.steps) - 1
	for last > 0 && len(t.steps[last]) == 0 {
		last--
	}
	for i, b := range t.steps {
		v := b.facts()
		if len(v) == 0 {
			continue
		}
		if i == 0 || i < last {
			v, _ = timed(when, when == past)(t.chart, []arg{{val: v}})
		}
		out = append(out, v...)
	}
	return out
}

// count returns the condition on the number of employers, or of companies founded. Without a number it is a judgement,
// or more than one company founded.
func (t *teller) count(jobs []query.Filters) value {
	for _, m := range t.cues {
		if v := t.judgementAt(m); v != nil {
			return v
		}
	}
	owns := slices.ContainsFunc(*t.main, func(e element) bool { return e.kind == frame.Owner })
	if len(jobs) == 0 && (owns || t.says("FOUNDED_COUNT", "OWNER")) {
		jobs = []query.Filters{{query.FilterSeniority: taxonomy.LevelFounder}}
	}
	for _, m := range t.cues {
		if q, ok := t.numberIn(m); ok {
			return t.make("count", jobs, &q)
		}
	}
	if len(jobs) == 0 {
		return nil
	}
	return t.make("count", jobs, &quantity.Quantity{Op: quantity.AtLeast, A: 2})
}

// judgementAt returns the judgement that begins within a cue, nil if there is none.
func (t *teller) judgementAt(m marked) value {
	for from := m.from; from < m.to; from++ {
		for to := from + 1; to <= min(t.words, m.to+1); to++ {
			if e := t.best(from, to, "Judgement"); e != nil {
				return t.use(e)
			}
		}
	}
	return nil
}

// numberIn returns the number within the words of a cue, with a bound right before it.
func (t *teller) numberIn(m marked) (q quantity.Quantity, ok bool) {
	for from := max(0, m.from-mostBound); from < m.to; from++ {
		tokens, last := t.reader.translateNumbers(from)
		n, count := quantity.Read(tokens)
		if count > 0 && n.Kind != quantity.Date && last[count-1] >= m.from && t.isFree(from, last[count-1], m) {
			return boundAfterNoun(tokens, n, count), true
		}
	}
	return q, false
}

// boundAfterNoun returns a number with the bound after what it counts: three employers at most.
func boundAfterNoun(tokens []token.Token, n quantity.Quantity, count int) quantity.Quantity {
	if n.Op != quantity.Equal || count+1 >= len(tokens) {
		return n
	}
	if q, read := quantity.Read(slices.Concat(tokens[:count], tokens[count+1:])); read > count && q.A == n.A {
		return q
	}
	return n
}

// mostBound is the maximum number of words of the bound before a number.
const mostBound = 2

// atLeast requires jobs at a number of the companies of the steps.
func (t *teller) atLeast(jobs []query.Filters) value {
	for _, f := range t.everyone() {
		for _, company := range f.each() {
			if job, ok := t.job(value{company}); ok && len(f.companies) > 1 {
				jobs = append(jobs, job)
			}
		}
		if len(f.companies) > 1 {
			jobs = jobs[1:] // all of them as one
		}
	}
	n := 2
	for _, m := range t.cues {
		if q, ok := t.numberIn(m); ok {
			n = int(q.A)
		}
	}
	if n < 1 || n > len(jobs) {
		return nil
	}
	career := analysis.AtLeastOf(n, jobs...)
	return value{{career: &career, spans: t.allSpans()}}
}

// stay returns the condition on the length of a stay.
func (t *teller) stay(jobs []query.Filters) value {
	for _, m := range t.marks {
		if m.Kind != frame.Years || m.Optional {
			continue
		}
		q, span, ok := t.number(m, m)
		if !ok {
			return nil
		}
		t.drop(frame.Years)
		v := t.stayed(jobs, &q, t.cues[0].Not, m.Bound == frame.Max)
		for i := range v {
			v[i].spans = append(v[i].spans, span)
		}
		return v
	}
	for _, m := range t.cues {
		if q, ok := t.numberIn(m); ok {
			return t.stayed(jobs, &q, false, false)
		}
	}
	return nil
}

// stayed returns the condition that a stay lasted so long; isMost is true for an upper bound. Without jobs it may be
// anywhere, unless the people's own companies say where.
func (t *teller) stayed(jobs []query.Filters, q *quantity.Quantity, isLeft, isMost bool) value {
	switch {
	case len(jobs) > 1:
		return t.make("before", jobs, q)
	case isLeft && isMost:
		return t.make("left_within", []query.Filters{{}}, q)
	case isMost:
		return t.make("never_longer", nil, q)
	}
	return t.make("stayed", slices.Concat(jobs, t.take(frame.Company), []query.Filters{{}}), q)
}

// drop removes the people's own elements of a kind, and returns their words.
func (t *teller) drop(kind frame.Kind) (spans [][2]int) {
	*t.main = slices.DeleteFunc(*t.main, func(e element) bool {
		if e.kind == kind {
			spans = append(spans, e.value.allSpans()...)
		}
		return e.kind == kind
	})
	return spans
}

// promoted requires a promotion: from one step to the next, or to the people's own title, or at all.
func (t *teller) promoted(jobs []query.Filters) value {
	if v := t.make("promoted", jobs, nil); v != nil {
		return v
	}
	if len(jobs) == 1 && jobs[0][query.FilterPosition] != "" {
		for _, title := range t.take(frame.Title) {
			return t.make("promoted", []query.Filters{jobs[0], title}, nil)
		}
		return t.single(past)
	}
	return value{{event: &event{kind: "promoted", where: t.everyone()}, spans: t.allSpans()}}
}

// became requires jobs in turn: the people's own title, then that of the step.
func (t *teller) became(jobs []query.Filters) value {
	if v := t.make("turn", jobs, nil); v != nil {
		return v
	}
	if titles := t.take(frame.Title); len(jobs) == 1 && len(titles) > 0 {
		if v := t.make("turn", append(titles[:1], jobs...), nil); v != nil {
			v[0].spans = append(v[0].spans, t.drop(frame.Title)...)
			return v
		}
	}
	return t.everyone()
}
