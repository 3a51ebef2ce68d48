package analysis

import (
	"errors"
	"fmt"
	"time"

	"kith"
	"kith/query"
)

// Career is a [query.Timeline] written as filters. Filters on current jobs (position, company, companyIndustry,
// seniority, …) describe the job of a spell, even of one that has ended. [Career.Compile] turns them into the Where
// of the embedded nodes.
//
//	// in banking, then in consulting, now in fintech
//	Career{Steps: []CareerStep{
//		{Filters: query.Filters{query.FilterCompanyIndustry: "Banking"}},
//		{Filters: query.Filters{query.FilterCompanyIndustry: "Consulting"}},
//		{
//			Filters: query.Filters{query.FilterCompanyIndustry: "Fintech"},
//			Step:    query.Step{Spell: query.Spell{Status: query.Held}},
//		},
//	}}
//
// Functions of this package build the common careers, for example [FirstJobAt].
type Career struct {
	Of        query.Unit
	Steps     []CareerStep
	AtLeast   int
	Every     *CareerSpell
	Employers []EmployerCount
}

// CareerStep is a [query.Step] in terms of filters.
type CareerStep struct {
	Filters query.Filters
	query.Step
}

// CareerSpell is a [query.Spell] in terms of filters.
type CareerSpell struct {
	Filters query.Filters
	query.Spell
}

// EmployerCount is a [query.SpellCount] in terms of filters.
type EmployerCount struct {
	Filters query.Filters
	query.SpellCount
}

// Compile builds the condition and reports all problems of the filters at once. It measures ongoing spells up to now.
func (c Career) Compile(now time.Time) (query.Timeline, []kith.FieldError) {
	t := query.Timeline{Of: c.Of, AtLeast: c.AtLeast, Today: DayOf(now)}
	var problems []kith.FieldError
	where := func(filters query.Filters, s query.Spell) query.Spell {
		if len(filters) == 0 {
			return s
		}
		q, wrong := JobCondition(filters, now)
		s.Where, problems = q, append(problems, wrong...)
		return s
	}
	if len(c.Steps) > query.MaxSteps {
		problems = append(problems, kith.FieldError{Field: "steps", Code: CodeTooMany, Message: fmt.Sprintf(
			"a career has %d steps and may have at most %d", len(c.Steps), query.MaxSteps)})
	}
	for _, s := range c.Steps {
		step := s.Step
		step.Spell = where(s.Filters, step.Spell)
		t.Steps = append(t.Steps, step)
	}
	if c.Every != nil {
		every := where(c.Every.Filters, c.Every.Spell)
		t.Every = &every
	}
	for _, e := range c.Employers {
		count := e.SpellCount
		count.Spell = where(e.Filters, count.Spell)
		t.Counts = append(t.Counts, count)
	}
	return t, problems
}

// errNotOfJob rejects a filter that does not describe a job.
var errNotOfJob = errors.New("it does not describe a job; give filters on the current job")

// JobCondition turns filters on the current job into a condition on a single job, ongoing or ended: for the Where of
// a [query.Spell] or the Part of a [query.Nested]. Exclusions and requirements apply to that job. A filter on
// anything else is a problem. An ended job keeps neither city nor metro area of its company, so companyCity and
// companyMetro match only ongoing jobs.
func JobCondition(filters query.Filters, now time.Time) (query.Query, []kith.FieldError) {
	c := compiler{now: now}
	c.each(filters, func(info query.FilterInfo, value string) {
		if info.Path == query.Current {
			c.filter(info, value)
		} else {
			c.problem(info.Name, CodeUnknownField, errNotOfJob)
		}
	})
	if len(c.problems) > 0 {
		return nil, c.problems
	}
	var parts []query.Query
	for _, cond := range c.wanted {
		parts = append(parts, cond.close)
	}
	for _, q := range c.excluded {
		parts = append(parts, query.MapParts(q, ofTheJob))
	}
	return query.Simplify(query.AllOf(parts...)), nil
}

// ofTheJob unwraps the part of a condition that describes the job.
func ofTheJob(q query.Query) query.Query {
	if n, is := q.(query.Nested); is {
		return n.Part
	}
	return q
}
