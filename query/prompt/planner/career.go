package planner

import (
	"strings"

	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt/quantity"
)

// careerForm builds a condition on the order of jobs from a rule's arguments: the jobs, and the
// number (in months, or a count).
type careerForm func(jobs []query.Filters, n *quantity.Quantity) (analysis.Career, bool)

// neededJobs is a form with the minimum number of jobs it needs.
type neededJobs struct {
	jobs int
	make careerForm
}

// careerForms returns the forms that rules can name.
func careerForms() map[string]neededJobs {
	forms := map[string]neededJobs{
		"break": {0, tookBreak},
		"count": {0, countEmployers},
		"out_of_work": {0, func([]query.Filters, *quantity.Quantity) (analysis.Career, bool) {
			return analysis.OutOfWork(), true
		}},
		"one_employer": {0, func([]query.Filters, *quantity.Quantity) (analysis.Career, bool) { return oneEmployer(), true }},
	}
	for name, f := range map[string]func(a query.Filters) analysis.Career{
		"first": analysis.FirstJobAt, "previous": analysis.PreviouslyAt, "started": analysis.StartedAs,
		"only": analysis.OnlyEver,
		"back": func(a query.Filters) analysis.Career { return analysis.CameBackTo(a, nil) },
	} {
		forms[name] = neededJobs{1, func(j []query.Filters, _ *quantity.Quantity) (analysis.Career, bool) {
			return f(j[0]),
				true
		}}
	}
	for name, f := range map[string]func(a, b query.Filters) analysis.Career{
		"promoted": analysis.PromotedFrom, "together": analysis.Together, "back_via": analysis.CameBackTo,
		"moved": func(a, b query.Filters) analysis.Career { return analysis.MovedFrom(a, b, 0) },
	} {
		forms[name] = neededJobs{2, func(j []query.Filters, _ *quantity.Quantity) (analysis.Career,
			bool,
		) {
			return f(j[0], j[1]), true
		}}
	}
	for name, now := range map[string]bool{"turn": false, "turn_now": true} {
		forms[name] = neededJobs{2, func(j []query.Filters, _ *quantity.Quantity) (analysis.Career, bool) {
			return analysis.InTurn(now, j...), true
		}}
	}
	for name, form := range lastingForms() {
		forms[name] = neededJobs{form.jobs, func(j []query.Filters, n *quantity.Quantity) (analysis.Career, bool) {
			if n == nil {
				return analysis.Career{}, false
			}
			return form.make(j, months(*n)), true
		}}
	}
	return forms
}

// lastingForm builds a condition from jobs and a number of months.
type lastingForm struct {
	jobs int
	make func(jobs []query.Filters, months int64) analysis.Career
}

func lastingForms() map[string]lastingForm {
	return map[string]lastingForm{
		"stayed":       {1, func(j []query.Filters, m int64) analysis.Career { return analysis.StayedFor(j[0], m) }},
		"before":       {2, func(j []query.Filters, m int64) analysis.Career { return analysis.StayedBefore(j[0], m, j[1]) }},
		"left_within":  {1, func(j []query.Filters, m int64) analysis.Career { return analysis.LeftWithin(j[0], m) }},
		"never_longer": {0, func(_ []query.Filters, m int64) analysis.Career { return analysis.NeverLongerThan(m) }},
	}
}

// tookBreak returns the condition on a gap of n months, or of [analysis.BreakMonths].
func tookBreak(_ []query.Filters, n *quantity.Quantity) (analysis.Career, bool) {
	m := int64(analysis.BreakMonths)
	if n != nil {
		m = months(*n)
	}
	return analysis.TookABreak(m), true
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

func oneEmployer() analysis.Career {
	one := int64(1)
	return analysis.EmployersOf(nil, &one, &one)
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
	form, ok := c.careers[args[0].word]
	if !ok {
		return nil, false
	}
	var jobs []query.Filters
	var number *quantity.Quantity
	for _, a := range args[1:] {
		if len(a.val) == 1 && a.val[0].number != nil && a.val[0].name == "" {
			number = a.val[0].number
			continue
		}
		if len(a.val) == 0 {
			continue
		}
		job, ok := c.job(a.val)
		if !ok {
			return nil, false
		}
		jobs = append(jobs, job)
	}
	if len(jobs) < form.jobs {
		return nil, false
	}
	career, ok := form.make(jobs, number)
	e := args[0].edge
	return value{{career: &career, spans: [][2]int{{e.from, e.to}}}}, ok
}

// requireSome requires jobs at a number of the companies in the second argument.
func requireSome(c *chart, args []arg) (value, bool) {
	if len(args[0].val) != 1 || args[0].val[0].number == nil {
		return nil, false
	}
	var jobs []query.Filters
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
		jobs = append(jobs, job)
	}
	n := int(args[0].val[0].number.A)
	if n < 1 || n > len(jobs) {
		return nil, false
	}
	career, e := analysis.AtLeastOf(n, jobs...), args[0].edge
	return value{{career: &career, spans: [][2]int{{e.from, args[1].edge.to}}}}, true
}

// leaves returns the leaves of given categories below an edge.
func (e *edge) leaves(names ...string) (out []*edge) {
	if e.leaf != nil {
		for _, n := range names {
			if e.leaf.name == n {
				return []*edge{e}
			}
		}
		return nil
	}
	for _, p := range e.parts {
		out = append(out, p.leaves(names...)...)
	}
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
