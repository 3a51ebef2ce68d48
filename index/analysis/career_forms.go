package analysis

import "kith/query"

// The usual careers. Filters are on a job: see [Career]. Months are calendar months. A
// career is one of single jobs where a filter asks for a title, a level or a function,
// as one stay may have several, else one of stays.

// unitOf is the unit of a career with such filters.
func unitOf(filters ...query.Filters) query.Unit {
	for _, f := range filters {
		for _, name := range []query.FilterName{query.FilterPosition, query.FilterSeniority, query.FilterFunction} {
			if f[name] != "" {
				return query.Jobs
			}
		}
	}
	return query.Stays
}

// FirstJobAt is who began their career so: "first job at Google", "started out in
// consulting".
func FirstJobAt(job query.Filters) Career {
	return Career{Of: unitOf(job), Steps: []CareerStep{{Filters: job, Step: query.Step{Spell: query.Spell{First: true}}}}}
}

// InTurn is who had such jobs one after the other, whatever lay between: "in
// banking, then in consulting". With now the last of them is still held: ", now in
// fintech".
func InTurn(now bool, jobs ...query.Filters) Career {
	c := Career{Of: unitOf(jobs...), Steps: make([]CareerStep, len(jobs))}
	for i, f := range jobs {
		c.Steps[i].Filters = f
	}
	if now && len(jobs) > 0 {
		c.Steps[len(jobs)-1].Status = query.Held
	}
	return c
}

// MovedFrom is who went from one to the other with nothing between: "moved from X to
// Y", "joined Y straight from X". With months other than 0 the new one began at most so
// many after the other had ended.
func MovedFrom(from, to query.Filters, months int64) Career {
	step := CareerStep{Filters: to, Step: query.Step{Order: query.Next}}
	if months > 0 {
		step.Gap.Max = &months
	}
	return Career{Of: unitOf(from, to), Steps: []CareerStep{{Filters: from}, step}}
}

// PreviouslyAt is whose stay right before the present one was so: "previous job at
// X".
func PreviouslyAt(job query.Filters) Career {
	return Career{Steps: []CareerStep{
		{Filters: job},
		{Step: query.Step{Spell: query.Spell{Status: query.Held}, Order: query.Next}},
	}}
}

// StayedBefore is who stayed for at least so many months before taking something
// else: "at least 3 years at BMW before joining Tesla".
func StayedBefore(job query.Filters, months int64, then query.Filters) Career {
	stay := CareerStep{Filters: job, Step: query.Step{Spell: query.Spell{Months: query.Months{Min: &months}}}}
	return Career{Of: unitOf(job, then), Steps: []CareerStep{stay, {Filters: then}}}
}

// LeftWithin is who left within so many months of joining: "left Meta within a year
// of joining".
func LeftWithin(job query.Filters, months int64) Career {
	spell := query.Spell{Months: query.Months{Max: &months}, Status: query.Ended}
	return Career{Of: unitOf(job), Steps: []CareerStep{{Filters: job, Step: query.Step{Spell: spell}}}}
}

// StayedFor is who once stayed for at least so many months: "longest stay at least 10
// years", and of a job "spent 5 years at Google".
func StayedFor(job query.Filters, months int64) Career {
	spell := query.Spell{Months: query.Months{Min: &months}}
	return Career{Of: unitOf(job), Steps: []CareerStep{{Filters: job, Step: query.Step{Spell: spell}}}}
}

// NeverLongerThan is whose stays have all lasted for at most so many months: "never
// stayed longer than 2 years anywhere". Who has a stay of which the length is not
// known is not found.
func NeverLongerThan(months int64) Career {
	return Career{Every: &CareerSpell{Spell: query.Spell{Months: query.Months{Max: &months}}}}
}

// CameBackTo is who left such a company and later came back to the same one: "left Uber
// and later came back". Filters in between are of a stay that lay between: "came
// back to X after Y"; nil for any.
func CameBackTo(company, between query.Filters) Career {
	again := CareerStep{Filters: company, Step: query.Step{Employer: query.SameEmployer}}
	if between == nil {
		return Career{Steps: []CareerStep{{Filters: company}, again}}
	}
	again.Employer = query.AnyEmployer // that of the stay before the one between
	return Career{Steps: []CareerStep{{Filters: company}, {Filters: between}, again}}
}

// PromotedFrom is who had one job and later the other at the same employer: "promoted
// from engineer to engineering manager at Siemens". Filters on the company may
// stand in either.
func PromotedFrom(from, to query.Filters) Career {
	return Career{Of: query.Jobs, Steps: []CareerStep{
		{Filters: from},
		{Filters: to, Step: query.Step{Employer: query.SameEmployer}},
	}}
}

// StartedAs is who took such a job and later had another at the same employer, which
// they still hold: "started as interns at Google and still there".
func StartedAs(job query.Filters) Career {
	still := query.Step{Spell: query.Spell{Status: query.Held}, Employer: query.SameEmployer}
	return Career{Of: query.Jobs, Steps: []CareerStep{{Filters: job}, {Step: still}}}
}

// OnlyEver is whose jobs are all so, of which there is one at least: "only ever
// worked in banking".
func OnlyEver(job query.Filters) Career {
	return Career{Of: query.Jobs, Every: &CareerSpell{Filters: job}}
}

// OutOfWork is who had jobs, of which none goes on: "between jobs".
func OutOfWork() Career {
	return Career{Of: query.Jobs, Every: &CareerSpell{Spell: query.Spell{Status: query.Ended}}}
}

// EmployersOf is who had such jobs at so many different employers: "founded at least
// two companies" of jobs with the seniority founder, "only ever worked for one
// company" from 1 to 1 without filters, "more than five employers". A bound of nil is
// open.
func EmployersOf(job query.Filters, least, most *int64) Career {
	return Career{Employers: []EmployerCount{{Filters: job, SpellCount: query.SpellCount{Min: least, Max: most}}}}
}

// AtLeastOf is who had so many of some jobs, each at another employer: "at least two
// of Google, Meta and Amazon".
func AtLeastOf(n int, jobs ...query.Filters) Career {
	c := Career{AtLeast: n}
	for _, f := range jobs {
		c.Steps = append(c.Steps, CareerStep{
			Filters: f,
			Step:    query.Step{Order: query.Anytime, Employer: query.OtherEmployer},
		})
	}
	return c
}

// Together is who had both at the same time, for more than a month: "worked at A and B
// at the same time".
func Together(one, other query.Filters) Career {
	return Career{Steps: []CareerStep{{Filters: one}, {Filters: other, Step: query.Step{Order: query.Meanwhile}}}}
}

// BreakMonths is how long a break is at least where nobody says.
const BreakMonths = 12

// TookABreak is who had no job for at least so many months between two stays: "took a
// career break". See [BreakMonths].
func TookABreak(months int64) Career {
	return Career{Steps: []CareerStep{{}, {Step: query.Step{Order: query.Next, Gap: query.Months{Min: &months}}}}}
}
