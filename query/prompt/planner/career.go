package planner

import (
	"cmp"
	"slices"
	"strings"

	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt/frame"
	"kith/query/prompt/quantity"
)

// careerForm is a condition on the order, number or length of jobs that rules and cues name.
type careerForm struct {
	how   frame.How // what it is in marks
	jobs  int       // the minimum number of jobs
	lasts bool      // needs a length
	make  func(jobs []query.Filters, months int64) analysis.Career
}

// careerForms returns the forms by name. That of count is made of a number alone.
func careerForms() map[string]careerForm {
	type jobs = []query.Filters
	type made = analysis.Career
	return map[string]careerForm{
		"first":    {frame.First, 1, false, func(j jobs, _ int64) made { return analysis.FirstJobAt(j[0]) }},
		"only":     {frame.Only, 1, false, func(j jobs, _ int64) made { return analysis.OnlyEver(j[0]) }},
		"back":     {frame.Returned, 1, false, func(j jobs, _ int64) made { return analysis.CameBackTo(j[0], nil) }},
		"back_via": {frame.Returned, 2, false, func(j jobs, _ int64) made { return analysis.CameBackTo(j[0], j[1]) }},
		"promoted": {frame.Promoted, 2, false, func(j jobs, _ int64) made { return analysis.PromotedFrom(j[0], j[1]) }},
		"moved":    {frame.Moved, 2, false, func(j jobs, _ int64) made { return analysis.MovedFrom(j[0], j[1]) }},
		"turn":     {frame.Then, 2, false, func(j jobs, _ int64) made { return analysis.InTurn(false, j...) }},
		"turn_now": {frame.Then, 2, false, func(j jobs, _ int64) made { return analysis.InTurn(true, j...) }},
		"stayed":   {frame.Stay, 1, true, func(j jobs, n int64) made { return analysis.StayedFor(j[0], n) }},
		"before":   {frame.Stay, 2, true, func(j jobs, n int64) made { return analysis.StayedBefore(j[0], n, j[1]) }},

		"left_within":  {frame.Stay, 1, true, func(j jobs, n int64) made { return analysis.LeftWithin(j[0], n) }},
		"never_longer": {frame.Stay, 0, true, func(_ jobs, n int64) made { return analysis.NeverLongerThan(n) }},
		"out_of_work":  {frame.None, 0, false, func(jobs, int64) made { return analysis.OutOfWork() }},
		"one_employer": {frame.Only, 0, false, func(jobs, int64) made {
			one := int64(1)
			return analysis.EmployersOf(nil, &one, &one)
		}},
		"count": {how: frame.Count},
		"break": {frame.Other, 0, false, func(_ jobs, n int64) made {
			return analysis.TookABreak(cmp.Or(n, analysis.BreakMonths))
		}},
	}
}

// makeCareer returns the career of a form. It returns false if that needs more jobs or a number.
func (p *Planner) makeCareer(form string, jobs []query.Filters, n *quantity.Quantity) (analysis.Career, bool) {
	f, ok := p.careers[form]
	switch {
	case form == "count":
		return countEmployers(jobs, n)
	case !ok || len(jobs) < f.jobs || f.lasts && n == nil:
		return analysis.Career{}, false
	case n == nil:
		return f.make(jobs, 0), true
	}
	return f.make(jobs, months(*n)), true
}

// countEmployers returns the condition on the number of employers. A plain number means at least that many.
func countEmployers(jobs []query.Filters, n *quantity.Quantity) (analysis.Career, bool) {
	if n == nil {
		return analysis.Career{}, false
	}
	low, high := n.Bounds()
	if n.Op == quantity.Equal && n.A > 1 {
		high = nil
	}
	job := query.Filters{}
	if len(jobs) > 0 {
		job = jobs[0]
	}
	return analysis.EmployersOf(job, low, high), true
}

// months converts a duration to months, using the lower bound of a range.
func months(q quantity.Quantity) int64 {
	n := q.A
	if !q.Months {
		n *= 12
	}
	return n
}

// buildCareer builds a condition on the order of jobs. The first argument names the form, the others
// are jobs and a number.
func buildCareer(c *chart, args []arg) (value, bool) {
	form := args[0].word
	var jobs []query.Filters
	var number *quantity.Quantity
	f := fact{how: c.careers[form].how, spans: [][2]int{{args[0].edge.from, args[0].edge.to}}}
	for _, a := range args[1:] {
		if isNumber := len(a.val) == 1 && a.val[0].number != nil && a.val[0].name == ""; isNumber {
			if number = a.val[0].number; form != "count" {
				f.steps = append(f.steps, a.val)
			}
			continue
		}
		if len(a.val) == 0 {
			continue
		}
		job, ok := c.job(a.val)
		if !ok {
			return nil, false
		}
		jobs, f.steps = append(jobs, job), append(f.steps, a.val)
	}
	career, ok := c.makeCareer(form, jobs, number)
	f.career = &career
	return value{f}, ok
}

// requireSome requires jobs at a number of the companies in the second argument.
func requireSome(c *chart, args []arg) (value, bool) {
	if len(args[0].val) != 1 || args[0].val[0].number == nil {
		return nil, false
	}
	var jobs []query.Filters
	var steps []value
	for _, e := range args[1].edge.leaves("Company", "UnknownName", "Industry", "Kind") {
		if _, ok := c.evaluate(e); !ok {
			return nil, false
		}
		v := e.val
		if len(v) == 1 && v[0].name == "" {
			v = v.each(func(f *fact) { f.name = query.FilterCompany })
		}
		job, ok := c.job(v)
		if !ok {
			return nil, false
		}
		jobs, steps = append(jobs, job), append(steps, v)
	}
	n := int(args[0].val[0].number.A)
	if n < 1 || n > len(jobs) {
		return nil, false
	}
	career, e := analysis.AtLeastOf(n, jobs...), args[0].edge
	return value{{
		career: &career, how: frame.AtLeast, steps: steps, spans: [][2]int{{e.from, args[1].edge.to}},
	}}, true
}

// leaves returns the leaves of given categories below an edge.
func (e *edge) leaves(names ...string) (out []*edge) {
	e.each(func(l *edge) {
		if slices.Contains(names, l.leaf.name) {
			out = append(out, l)
		}
	})
	return out
}

// job converts a value to filters on one job. It returns false if the value is about more than a job.
func (c *chart) job(v value) (query.Filters, bool) {
	job := query.Filters{}
	for _, f := range v {
		f = c.reader.adaptIndustry(f)
		if !ofJob(f.name) || f.not || len(f.choice) > 0 || len(f.values) == 0 {
			return nil, false
		}
		all := strings.Join(f.values, ", ")
		for _, x := range f.excluded {
			all += ", -" + x
		}
		if job[f.name] != "" {
			all = job[f.name] + ", " + all
		}
		job[f.name] = all
	}
	return job, len(job) > 0
}

// matchLeavers matches people who have left one of several companies and are not there now.
func (b *builder) matchLeavers(f fact) {
	var either []query.Query
	for _, c := range f.companies {
		was, is := c, c
		was.when, is.not = past, true
		q, _ := b.conjunction(value{was, is})
		either = append(either, q)
	}
	b.condition(f, "left one of them and is not there now", query.Or{Parts: either})
}
