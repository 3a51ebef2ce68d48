package planner

import (
	"slices"

	"kith/index/analysis"
	"kith/index/taxonomy"
	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/quantity"
)

// events adds the events of the marks with a time to the people's own facts.
func (s *resolver) events(steps []bucket) {
	end := 0
	for _, m := range s.marks {
		if m.Optional && m.Kind == frame.When {
			s.ignored = append(s.ignored, [2]int{m.from, m.to})
		}
		if m.Kind != frame.When || m.Optional || m.from < end {
			continue
		}
		v := value{{nobody: true, soft: true, spans: [][2]int{{m.from, m.to}}}}
		if e := s.period(m); e != nil {
			end = e.to
			where := steps[m.Step].jobAt(m)
			kind := eventOf(m.Event, where)
			args := []arg{{word: kind}, {val: s.use(e)}}
			for _, w := range where {
				if kind != "became" {
					args = append(args, arg{val: w.value})
				}
			}
			if built, ok := buildEvent(s.chart, args); ok {
				v = built
			}
		}
		steps[0] = append(steps[0], element{m.Kind, "", m.Not, m.from, v})
	}
}

// eventOf returns the name of an event for buildEvent.
func eventOf(e frame.Event, where []element) string {
	switch {
	case e == "":
		return string(frame.Held)
	case e == frame.Joined && len(where) > 0 && where[0].time != "":
		return "hired"
	}
	return string(e)
}

// jobAt returns the job that a time is about: the company, industry or, if people held it then, title closest to it.
func (b bucket) jobAt(m marked) []element {
	distance := func(e element) int { return max(e.from-m.from, m.from-e.from) }
	var found []element
	for _, e := range b {
		isJob := e.kind == frame.Company || e.kind == frame.Industry || e.kind == frame.Title && m.Event == frame.Held
		if !isJob || e.not || m.Event == frame.Left && e.time == "" {
			continue
		}
		if len(found) == 0 || distance(e) < distance(found[0]) {
			found = []element{e}
		}
	}
	return found
}

// story returns the facts of the people themselves, with the careers and relations that the cues tell.
func (s *resolver) story(steps []bucket) value {
	said := map[frame.How][]marked{}
	var hows []frame.How
	for _, m := range s.marks {
		if m.Kind != frame.Cue {
			continue
		}
		if m.Optional {
			s.ignored = append(s.ignored, [2]int{m.from, m.to})
			continue
		}
		if said[m.How] == nil {
			hows = append(hows, m.How)
		}
		said[m.How] = append(said[m.How], m)
	}
	var out value
	main := steps[0]
	for i, how := range hows {
		t := teller{resolver: s, cues: said[how], how: how, main: &main}
		if i == len(hows)-1 || len(hows) == 1 || needsSteps(how) { // the steps belong to one cue
			for n := range t.steps {
				t.steps[n], steps[n+1] = steps[n+1], nil
			}
		}
		out = append(out, t.tell()...)
	}
	for _, b := range steps[1:] {
		main = append(main, b...)
	}
	return append(main.facts(), out...)
}

// needsSteps reports whether a cue says nothing without the people or jobs of its steps.
func needsSteps(how frame.How) bool { return how != frame.None && how != frame.Count && how != frame.Only }

// teller makes facts of the cues of one career or relation.
type teller struct {
	*resolver
	cues  []marked
	how   frame.How
	steps [frame.MaxStep]bucket
	main  *bucket
}

// tell returns the facts. What they cannot express is noted.
func (t *teller) tell() value {
	var v value
	switch {
	case t.how == frame.Intro:
		v = t.introduction()
	case t.isCareer():
		v = t.career()
	default:
		v = t.relation()
	}
	if v == nil {
		return t.told()
	}
	if t.cues[0].Not {
		if no, ok := negated(t.chart, []arg{{val: v}}); ok {
			return no
		}
	}
	return v
}

// told returns a note about the words of the cues. The jobs of a career may be any; nothing is asked about the people of
// a relation.
func (t *teller) told() value {
	var out value
	if t.isCareer() {
		out = t.single(anyTime)
	} else {
		for _, f := range t.everyone() {
			out = append(out, fact{nobody: true, soft: true, spans: value{f}.allSpans()})
		}
	}
	return append(out, fact{
		says: "no filter tells this part of a career or relation", nobody: true, soft: true, spans: t.spans(),
	})
}

// isCareer reports whether the cues are about jobs and not about other people.
func (t *teller) isCareer() bool {
	switch t.how {
	case frame.Intro, frame.Knows, frame.WorkedWith, frame.StudiedWith, frame.Other:
		return false
	}
	return true
}

// spans returns the words of the cues.
func (t *teller) spans() (out [][2]int) {
	for _, m := range t.cues {
		out = append(out, [2]int{m.from, m.to})
	}
	return out
}

// edge returns the phrase of the first cue.
func (t *teller) edge() *edge { return t.cues[0].edge() }

// introduction asks for people who can introduce the asker to those of the first step.
func (t *teller) introduction() value {
	to := t.everyone()
	if len(to) == 0 {
		return nil
	}
	return value{{network: &networkAsk{degrees: []int{1}, strength: true, to: to}, spans: t.spans()}}
}

// everyone returns the facts of all steps.
func (t *teller) everyone() (out value) {
	for _, b := range t.steps {
		out = append(out, b.facts()...)
	}
	return out
}

// relation requires a relation to the people of the steps.
func (t *teller) relation() value {
	who, jobs := t.everyone(), value{}
	if t.says("CAREER_BREAK") {
		return t.make("break", nil, nil)
	}
	if len(who) == 0 {
		return nil
	}
	kind, ok := t.relationKind()
	if !ok {
		return nil
	}
	named := slices.ContainsFunc(who, func(f fact) bool { return f.name == query.FilterPersonName })
	if named && kind != prompt.SameSchool && kind != prompt.Like {
		for i, f := range who {
			if f.name == query.FilterCompany && f.when == unsaid && !f.not {
				who[i].when = anyTime
				if kind != prompt.Knows {
					jobs = append(jobs, f)
				}
			}
		}
	}
	span := who.allSpans()
	r := &relation{kind: kind, who: who, jobs: jobs, span: [2]int{span[0][0], span[len(span)-1][1]}}
	out := value{{relate: r, spans: t.spans()}}
	if kind == prompt.Knows && t.says("MUTUAL") {
		out = append(out, fact{network: &networkAsk{degrees: []int{1}}, spans: t.spans()})
	}
	return out
}

// relationKind returns the relation that the cues say.
func (t *teller) relationKind() (prompt.RelationKind, bool) {
	switch t.how {
	case frame.Knows:
		return prompt.Knows, true
	case frame.StudiedWith:
		return prompt.SameSchool, true
	case frame.WorkedWith:
		switch {
		case t.says("EXCOLLEAGUE", "EXCOLLEAGUES"):
			return prompt.FormerColleague, true
		case t.says("SAMECOMPANY"):
			return prompt.AtTheirCompany, true
		}
		return prompt.WorkedWith, true
	}
	switch {
	case t.says("FOUNDED_BY", "FOUNDED_IT", "COFOUNDERS"):
		return prompt.AtCompanyFounded, true
	case t.says("ALIKE"):
		return prompt.Like, true
	case t.says("SAMECOMPANY", "THEIR_NOW", "WHOSE"):
		return prompt.AtTheirCompany, true
	case t.says("THEIR_PAST"):
		return prompt.AtTheirPastCompany, true
	}
	return "", false
}

// says reports whether some words of the cues have one of the word classes.
func (t *teller) says(classes ...string) bool {
	return slices.ContainsFunc(t.cues, func(m marked) bool { return t.hasClass(m, classes...) })
}

// career returns the condition on the order, number or length of jobs, nil if the marks do not suffice.
func (t *teller) career() value {
	jobs, rest := t.jobs()
	var v value
	switch t.how {
	case frame.None:
		v = t.make("out_of_work", nil, nil)
		t.anyJob()
	case frame.Count:
		v = t.count(jobs)
	case frame.Only:
		if v = t.make("only", jobs, nil); v == nil {
			v = t.make("one_employer", nil, nil)
		}
	case frame.First:
		if v = t.make("turn", jobs, nil); v == nil {
			v = t.make("first", jobs, nil)
		}
	case frame.AtLeast:
		v = t.atLeast(jobs)
	case frame.Stay:
		v = t.stay(jobs)
	case frame.Returned:
		if len(jobs) == 0 {
			jobs = t.take(frame.Company)
		}
		if v = t.make("back_via", jobs, nil); v == nil {
			v = t.make("back", jobs, nil)
		}
	case frame.Promoted:
		v = t.promoted(jobs)
	case frame.Moved:
		if v = t.make("moved", jobs, nil); v == nil {
			v = t.single(past)
		}
	case frame.Then:
		if v = t.make("turn", jobs, nil); v == nil {
			v = t.single(anyTime)
		}
	case frame.Before:
		v = t.single(previous)
	case frame.Become:
		v = t.became(jobs)
	}
	if v == nil {
		return nil
	}
	for _, f := range rest {
		v = append(v, fact{nobody: true, soft: true, spans: value{f}.allSpans()})
	}
	return v
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
	f := t.careers[form]
	if len(jobs) < f.jobs {
		return nil
	}
	career, ok := f.make(jobs, n)
	if !ok {
		return nil
	}
	return value{{career: &career, spans: append(t.spans(), t.everyone().allSpans()...)}}
}

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
			return n, true
		}
	}
	return q, false
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
	return value{{career: &career, spans: append(t.spans(), t.everyone().allSpans()...)}}
}

// stay returns the condition on the length of a stay. At the present company it is the tenure, which is among the
// people's own facts already.
func (t *teller) stay(jobs []query.Filters) value {
	for _, m := range t.marks {
		if m.Kind != frame.Years || m.Optional {
			continue
		}
		q, _, ok := t.number(m, m)
		if !ok {
			return nil
		}
		t.drop(frame.Years)
		switch {
		case len(jobs) > 1:
			return t.make("before", jobs, &q)
		case t.cues[0].Not && m.Bound == frame.Max:
			return t.make("left_within", []query.Filters{{}}, &q)
		case m.Bound == frame.Max:
			return t.make("never_longer", nil, &q)
		case len(jobs) == 0:
			jobs = append(t.take(frame.Company), query.Filters{})
		}
		return t.make("stayed", jobs, &q)
	}
	for _, m := range t.cues {
		if q, ok := t.numberIn(m); ok {
			return t.make("stayed", append(jobs, query.Filters{}), &q)
		}
	}
	return nil
}

// drop removes the people's own elements of a kind.
func (t *teller) drop(kind frame.Kind) {
	*t.main = slices.DeleteFunc(*t.main, func(e element) bool { return e.kind == kind })
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
	v, _ := promotedTo(t.chart, []arg{{edge: t.edge()}, {val: t.everyone(), edge: t.edge()}})
	return v
}

// became requires jobs in turn: the people's own title, then that of the step.
func (t *teller) became(jobs []query.Filters) value {
	if v := t.make("turn", jobs, nil); v != nil {
		return v
	}
	if titles := t.take(frame.Title); len(jobs) == 1 && len(titles) > 0 {
		if v := t.make("turn", append(titles[:1], jobs...), nil); v != nil {
			t.drop(frame.Title)
			return v
		}
	}
	return t.everyone()
}

// network returns the facts of the asker's network.
func (s *resolver) network() (out value) {
	ask := &networkAsk{}
	var spans [][2]int
	for _, m := range s.marks {
		switch {
		case m.Kind != frame.Network:
			continue
		case m.Optional:
			s.ignored = append(s.ignored, [2]int{m.from, m.to})
			continue
		case m.Not:
			out = append(out, fact{
				says: "no search leaves out the people of your network", nobody: true, soft: true,
				spans: [][2]int{{m.from, m.to}},
			})
			continue
		}
		for _, d := range degreesOf(m.Reach) {
			if !slices.Contains(ask.degrees, d) {
				ask.degrees = append(ask.degrees, d)
			}
		}
		spans = append(spans, [2]int{m.from, m.to})
	}
	if len(spans) == 0 {
		return out
	}
	slices.Sort(ask.degrees)
	s.networkWords(ask)
	return append(out, fact{network: ask, spans: spans})
}

// degreesOf returns the degrees of a part of the network.
func degreesOf(r frame.Reach) []int {
	switch r {
	case frame.FriendsOf:
		return []int{2}
	case frame.WholeNetwork:
		return []int{1, 2}
	}
	return []int{1}
}

// networkWords adds what phrases about the network say besides the degree: the order by strength, and the last contact.
func (s *resolver) networkWords(ask *networkAsk) {
	for from := range s.words {
		for to := from + 1; to <= s.words; to++ {
			for _, e := range s.cells[cell{s.networkSym, from, to}] {
				if len(e.val) != 1 || e.val[0].network == nil || e.val[0].network.to != nil || !s.isOfNetwork(from, to) {
					continue
				}
				n := e.val[0].network
				ask.strength = ask.strength || n.strength
				if n.since != nil && ask.since == nil {
					ask.since, ask.recent, ask.email = n.since, n.recent, n.email
				}
				s.use(e)
			}
		}
	}
}

// isOfNetwork reports whether a span has words of no mark other than of the network.
func (s *resolver) isOfNetwork(from, to int) bool {
	for i := from; i < to; i++ {
		if s.owner[i] >= 0 && s.marks[s.owner[i]].Kind != frame.Network && s.marks[s.owner[i]].Kind != frame.When {
			return false
		}
	}
	return true
}
