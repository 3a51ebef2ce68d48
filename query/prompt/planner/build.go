package planner

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
	"kith/query/prompt/quantity"
)

// builder turns facts into a plan.
type builder struct {
	*reader
	plan    prompt.Plan
	filters map[query.FilterName]*filter
	// wished are the optional facts.
	wished value
	// isCareer is true for a plan with a condition on the order of jobs.
	isCareer bool
}

// build returns the plan of a derivation's value.
func (r *reader) build(v value, mode prompt.Mode) prompt.Plan {
	b := r.facts(demanded(compounds(r, v)))
	b.finish()
	b.prefer()
	b.setMode(mode)
	return b.plan
}

func (b *builder) fact(f fact) {
	f = b.adaptIndustry(f)
	switch {
	case f.relate != nil:
		b.relate(f)
	case f.judge != "":
		b.judge(f)
	case f.network != nil:
		b.network(f)
	case f.soft && f.says == "":
		f.soft = false
		b.wished = append(b.wished, f)
	case f.event != nil:
		b.event(f)
	case f.career != nil:
		b.career(f)
	case f.name == "" && len(f.choice) == 0:
		b.note(f)
	case len(f.choice) > 0:
		b.choice(f)
	case f.not:
		b.exclude(f)
	default:
		b.want(f)
	}
}

func (b *builder) filter(name query.FilterName) *filter {
	f := b.filters[name]
	if f == nil {
		f = &filter{}
		b.filters[name] = f
	}
	return f
}

// want adds a requirement. If a person has only one current value of a filter, further phrases are
// alternatives; otherwise they are additional requirements.
func (b *builder) want(f fact) {
	name := counterpart(f.name, f.when)
	to := b.filter(name)
	to.add(f, name)
	for _, x := range f.excluded {
		if !slices.ContainsFunc(to.lists[0], func(v string) bool { return strings.Contains(v, strings.Trim(x, `"`)) }) {
			to.excluded = appendNew(to.excluded, x)
		}
	}
	to.spans = append(to.spans, f.spans...)
	if f.gone && f.when == past && len(f.companies) > 1 {
		b.matchLeavers(f)
		return
	}
	if f.gone && f.when == past && (f.name == query.FilterCompany || f.name == query.FilterPosition) {
		gone := b.filter(f.name)
		gone.excluded = appendNew(gone.excluded, f.values...)
		gone.notSpans = append(gone.notSpans, f.spans...)
	}
}

// add adds the values of a fact to a filter.
func (to *filter) add(f fact, name query.FilterName) {
	if f.both || len(to.lists) == 0 {
		to.lists = append(to.lists, f.values)
		return
	}
	if f.name == query.FilterCompanyFundingStage {
		if shared := common(to.lists[0], f.values); len(shared) > 0 { // from Series A to Series C
			to.lists[0] = shared
			return
		}
	}
	if single(name) {
		to.lists[0] = appendNew(to.lists[0], f.values...)
		return
	}
	to.lists = append(to.lists, f.values)
}

// common returns what two lists have in common, in the order of the first.
func common(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(v string) bool { return !slices.Contains(b, v) })
}

// single reports whether a person has only one value of a filter.
func single(name query.FilterName) bool {
	return isPlace(name) || name == query.FilterPosition || name == query.FilterCompany ||
		name == query.FilterSeniority ||
		name == query.FilterFunction || name == query.FilterPersonName || name == query.FilterCompanyIndustry
}

func (b *builder) exclude(f fact) {
	to := b.filter(counterpart(f.name, f.when))
	to.excluded = appendNew(to.excluded, f.values...)
	to.notSpans = append(to.notSpans, f.spans...)
}

// choice adds a condition that any of several conjunctions satisfies.
func (b *builder) choice(f fact) {
	var parts []query.Query
	var says []string
	for _, c := range f.choice {
		q, text := b.conjunction(c)
		parts, says = append(parts, q), append(says, text)
	}
	b.condition(f, strings.Join(says, ", or "), query.Or{Parts: parts})
}

// condition adds a condition that no filter can express.
func (b *builder) condition(f fact, says string, q query.Query) {
	if f.not {
		q, says = query.Not{Part: q}, "not "+says
	}
	b.plan.Conditions = append(b.plan.Conditions,
		prompt.Condition{Source: b.source(value{f}.allSpans()), Says: says, Query: query.JSON{Query: q}})
}

// career adds a condition on the order of jobs.
func (b *builder) career(f fact) {
	t, problems := f.career.Compile(b.today)
	if len(problems) > 0 {
		b.note(f)
		return
	}
	b.isCareer = true
	b.condition(f, f.career.Describe(), t)
}

// inner returns a nested plan of facts.
func (b *builder) inner(v value) *builder {
	in := b.facts(v)
	in.finish()
	return in
}

// facts starts a plan of facts, without writing the filters.
func (r *reader) facts(v value) *builder {
	b := &builder{reader: r, filters: map[query.FilterName]*filter{}}
	for _, f := range (specifier{r, v}).specified() {
		b.fact(f)
	}
	return b
}

// conjunction returns the query and the description for all facts of a value.
func (b *builder) conjunction(v value) (query.Query, string) {
	inner := b.inner(v)
	b.plan.Notes = append(b.plan.Notes, inner.plan.Notes...)
	values := inner.plan.Values()
	parts := []query.Query{}
	if compiled, problems := analysis.Compile(values, b.today); len(values) > 0 && len(problems) == 0 {
		parts = append(parts, compiled.Query)
	}
	for _, c := range inner.plan.Conditions {
		parts = append(parts, c.Query.Query)
	}
	return query.And{Parts: parts}, b.wholeText(v.allSpans())
}

// note adds a note about words that no record can answer.
func (b *builder) note(f fact) {
	if f.says != "" {
		words := b.source(f.spans).Text
		b.remark(strings.ReplaceAll(f.says, "_", " ") + ": " + words)
	}
	b.ignore(f.spans)
}

func (b *builder) remark(note string) { b.plan.Notes = appendNew(b.plan.Notes, note) }

func (b *builder) ignore(spans [][2]int) {
	for _, s := range spans {
		if words := b.text.wording(s[0], s[1]); words != "" {
			b.plan.Ignored = appendNew(b.plan.Ignored, words)
		}
	}
}

// judge adds a judgement to order people by.
func (b *builder) judge(f fact) {
	j, ok := analysis.JudgementNamed(f.judge)
	if !ok {
		b.remark("no record says who is " + b.source(f.spans).Text)
		b.ignore(f.spans)
		return
	}
	if !slices.ContainsFunc(b.plan.Criteria, func(c prompt.Criterion) bool { return c.Name == j.Name }) {
		b.plan.Criteria = append(b.plan.Criteria, prompt.Criterion{
			Source: b.source(f.spans), Name: j.Name, Formula: j.Formula, Field: j.Field, AtLeast: j.AtLeast(b.today),
		})
	}
}

// network adds the condition on the caller's network.
func (b *builder) network(f fact) {
	ask := &prompt.Network{Source: b.source(f.spans), Degrees: f.network.degrees}
	if f.network.strength {
		ask.Order = prompt.ByStrength
	}
	if f.network.to != nil {
		step, ok := b.step(f.network.to)
		if !ok {
			b.remark("only people who can be found by name or by filters can be introduced: " + b.source(f.spans).Text)
			b.ignore(f.spans)
			return
		}
		b.plan.Steps[step].Limit = 0 // people within reach first
		ask.IntroducersOf, ask.Order = &step, ""
	}
	ask.LastContact = b.lastContact(f.network)
	switch known := b.plan.Network; {
	case known == nil:
		b.plan.Network = ask
	case ask.IntroducersOf != nil: // only people the caller knows can introduce
		ask.Source = joined(known.Source, ask.Source)
		b.plan.Network = ask
	case known.IntroducersOf != nil:
		known.Source = joined(known.Source, ask.Source)
	case known.LastContact == nil && ask.LastContact != nil:
		// "people I know … that I haven't talked to": both are about one network.
		known.LastContact, known.Degrees = ask.LastContact, ask.Degrees
		known.Source = joined(known.Source, ask.Source)
	}
}

// lastContact returns the condition on the last contact with the asker, nil if there is none.
func (b *builder) lastContact(ask *networkAsk) *prompt.LastContact {
	if ask.since == nil {
		return nil
	}
	since := *ask.since
	if since.Kind == quantity.Years { // "in six months" means as long ago
		since.Kind = quantity.Ago
	}
	r, _ := b.days(since)
	if since.Since > 0 { // use the exact number of days
		r = query.Range{Min: new(analysis.DayOf(b.reader.today.UTC().AddDate(0, 0, -int(min(since.Since, mostDays)))))}
	}
	day := func(n *int64) string {
		if n == nil {
			return ""
		}
		return time.Unix(max(*n, 0)*secondsOfDay, 0).UTC().Format(time.DateOnly) // no contact is earlier
	}
	at := &prompt.LastContact{}
	if ask.email {
		at.Channel = "email"
	}
	switch from := cmp.Or(r.Min, r.Max); {
	case !ask.recent:
		at.Before = day(from)
	case r.Max != nil && r.Min != nil:
		at.After, at.Before = day(r.Min), day(new(*r.Max+1))
	case r.Min == nil: // with a first day, people without any contact do not match
		at.After, at.Before = day(new(int64(0))), day(new(*r.Max+1))
	default:
		at.After = day(from)
	}
	return at
}

const secondsOfDay = 24 * 60 * 60

// mostDays is the maximum number of days before now.
const mostDays = 365 * longAgo / 12

// setMode sets the mode, and handles a plan without any condition.
func (b *builder) setMode(asked prompt.Mode) {
	p := &b.plan
	found := prompt.Simple
	switch {
	case len(p.Steps)+len(p.Relations)+len(p.Criteria) > 0 || b.isCareer:
		found = prompt.Complex
	case slices.ContainsFunc(p.Filters, namesPerson):
		found = prompt.Lookup
	}
	if found != prompt.Complex && (asked == prompt.Lookup || asked == prompt.Simple) {
		found = asked
	}
	p.Mode = found
}

func namesPerson(f prompt.Filter) bool {
	switch f.Name {
	case query.FilterPersonName, query.FilterEmail, query.FilterSocialURL, query.FilterSocialID:
		return !f.Excluded
	}
	return false
}
