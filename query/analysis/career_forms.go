package analysis

import "kith/query"

// The common careers. Filters describe a job: see [Career]. Months are calendar months. Filters on a title, a level
// or a function make a career of single jobs, because one stay may have several; others make one of stays.

// unitOf returns the unit of a career with these filters.
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

// FirstJobAt matches people whose first job was such a job: "first job at Google", "started out in consulting".
func FirstJobAt(job query.Filters) Career {
	return Career{Of: unitOf(job), Steps: []CareerStep{{
		Filters: job,
		Step:    query.Step{Spell: query.Spell{First: true}},
	}}}
}

// InTurn matches people who had such jobs in this order, with or without others between: "in banking, then in
// consulting". With now they still have the last one: ", now in fintech".
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

// MovedFrom matches people who went from one job directly to the other: "moved from X to Y", "joined Y straight from
// X".
func MovedFrom(from, to query.Filters) Career {
	return Career{Of: unitOf(from, to), Steps: []CareerStep{
		{Filters: from},
		{Filters: to, Step: query.Step{Order: query.Next}},
	}}
}

// StayedBefore matches people who stayed for at least so many months before a later job: "at least 3 years at BMW
// before joining Tesla".
func StayedBefore(job query.Filters, months int64, then query.Filters) Career {
	stay := CareerStep{Filters: job, Step: query.Step{Spell: query.Spell{Months: query.Months{Min: &months}}}}
	return Career{Of: unitOf(job, then), Steps: []CareerStep{stay, {Filters: then}}}
}

// LeftWithin matches people who left within so many months of joining: "left Meta within a year of joining".
func LeftWithin(job query.Filters, months int64) Career {
	spell := query.Spell{Months: query.Months{Max: &months}, Status: query.Ended}
	return Career{Of: unitOf(job), Steps: []CareerStep{{Filters: job, Step: query.Step{Spell: spell}}}}
}

// StayedFor matches people with a stay of at least so many months: "longest stay at least 10 years", or in a certain
// job: "spent 5 years at Google".
func StayedFor(job query.Filters, months int64) Career {
	spell := query.Spell{Months: query.Months{Min: &months}}
	return Career{Of: unitOf(job), Steps: []CareerStep{{Filters: job, Step: query.Step{Spell: spell}}}}
}

// NeverLongerThan matches people whose stays all lasted at most so many months: "never stayed longer than 2 years
// anywhere". A stay of unknown length rules a person out.
func NeverLongerThan(months int64) Career {
	return Career{Every: &CareerSpell{Spell: query.Spell{Months: query.Months{Max: &months}}}}
}

// CameBackTo matches people who left such a company and later returned to it: "left Uber and later came back".
// between describes a stay in the meantime: "came back to X after Y"; nil is any or none.
func CameBackTo(company, between query.Filters) Career {
	again := CareerStep{Filters: company, Step: query.Step{Employer: query.SameEmployer}}
	if between == nil {
		return Career{Steps: []CareerStep{{Filters: company}, again}}
	}
	again.Employer = query.AnyEmployer // SameEmployer would compare with the stay in between
	return Career{Steps: []CareerStep{{Filters: company}, {Filters: between}, again}}
}

// PromotedFrom matches people who had one job and later the other at the same employer: "promoted from engineer to
// engineering manager at Siemens". Either set of filters may name the company.
func PromotedFrom(from, to query.Filters) Career {
	return Career{Of: query.Jobs, Steps: []CareerStep{
		{Filters: from},
		{Filters: to, Step: query.Step{Employer: query.SameEmployer}},
	}}
}

// OnlyEver matches people whose jobs are all such jobs, with at least one: "only ever worked in banking".
func OnlyEver(job query.Filters) Career {
	return Career{Of: query.Jobs, Every: &CareerSpell{Filters: job}}
}

// OutOfWork matches people with past jobs only: "between jobs".
func OutOfWork() Career {
	return Career{Of: query.Jobs, Every: &CareerSpell{Spell: query.Spell{Status: query.Ended}}}
}

// EmployersOf matches people who had such jobs at this many different employers: "founded at least two companies" for
// jobs with the seniority founder, "only ever worked for one company" for 1 to 1 without filters, "more than five
// employers". A nil bound is open.
func EmployersOf(job query.Filters, least, most *int64) Career {
	return Career{Employers: []EmployerCount{{Filters: job, SpellCount: query.SpellCount{Min: least, Max: most}}}}
}

// AtLeastOf matches people who had at least n of the jobs, each at another employer: "at least two of Google, Meta
// and Amazon".
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

// BreakMonths is the minimum length of a career break if the prompt gives none.
const BreakMonths = 12

// TookABreak matches people with a gap of at least so many months between two stays: "took a career break". See
// [BreakMonths].
func TookABreak(months int64) Career {
	return Career{Steps: []CareerStep{{}, {Step: query.Step{Order: query.Next, Gap: query.Months{Min: &months}}}}}
}
