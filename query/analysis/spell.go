package analysis

import (
	"slices"

	"kith/query"
	"kith/query/indexed"
)

// spells converts the career to the form that [query.Timeline] is evaluated on.
func (c *career) spells(stays []*stay) indexed.Career {
	var out indexed.Career
	if len(stays) == 0 {
		return out
	}
	positions := c.positions()
	employers := numberEmployers(stays)
	out.Stays = make([]indexed.Spell, len(stays))
	for i, s := range stays {
		last := s.last()
		out.Stays[i] = indexed.Spell{
			Employer: employers[s], Before: slices.Index(stays, s.before),
			Begin: s.begin, Until: s.until, LatestBegin: s.latestBegin, EarliestUntil: s.earliestUntil,
			Dated: s.jobs[0].start != nil, Held: s.until == forever,
			From: s.jobs[0].fromMonth(), EarliestFrom: indexed.MonthOf(s.begin),
			To: last.toMonth(), LatestTo: last.latestMonth(),
		}
		for _, j := range s.jobs {
			out.Stays[i].Jobs = append(out.Stays[i].Jobs, positions[j])
		}
	}
	all := c.inOrder()
	out.Jobs = make([]indexed.Spell, len(all))
	for i, j := range all {
		begin, until := j.begin(), j.until()
		out.Jobs[i] = indexed.Spell{
			Jobs: []indexed.JobPosition{
				positions[j],
			}, Employer: employers[j.stay], Before: slices.Index(all, j.jobBefore()),
			Begin: begin, Until: until, LatestBegin: begin + vague(j.start, j.StartDate),
			EarliestUntil: until - vague(j.end, j.EndDate),
			Dated:         j.start != nil, Held: !j.ended,
			From: j.fromMonth(), EarliestFrom: indexed.MonthOf(begin), To: j.toMonth(), LatestTo: j.latestMonth(),
		}
	}
	return out
}

// positions maps each job to its position among the sub-documents.
func (c *career) positions() map[*job]indexed.JobPosition {
	positions := make(map[*job]indexed.JobPosition, len(c.current)+len(c.past))
	for i := range c.current {
		positions[&c.current[i]] = indexed.JobPosition{Path: query.Current, Index: i}
	}
	for i := range c.past {
		positions[&c.past[i]] = indexed.JobPosition{Path: query.Past, Index: i}
	}
	return positions
}

// numberEmployers numbers the employers of stays from 1; stays without a company have no number.
func numberEmployers(stays []*stay) map[*stay]int {
	numbers := make(map[*stay]int, len(stays))
	var firsts []*job
	for _, s := range stays {
		j := s.jobs[0]
		if !j.atCompany() {
			continue
		}
		at := slices.IndexFunc(firsts, func(f *job) bool { return f.sameCompany(*j) })
		if at < 0 {
			at = len(firsts)
			firsts = append(firsts, j)
		}
		numbers[s] = at + 1
	}
	return numbers
}

// july is the number of months before July, which represents a bare year.
const july = 6

// fromMonth is the first month of a job's length; 0 if unknown.
func (j *job) fromMonth() int64 {
	switch {
	case j.start == nil:
		return 0
	case vague(j.start, j.StartDate) == daysPerYear:
		return indexed.MonthOf(*j.start) + july
	}
	return indexed.MonthOf(*j.start)
}

// toMonth is the last month of a job's length; 0 for an ongoing job.
func (j *job) toMonth() int64 {
	latest := j.latestMonth()
	if j.end != nil && vague(j.end, j.EndDate) == daysPerYear {
		return latest - latest%12 + july
	}
	return latest
}

// latestMonth is the latest month that a job's end may mean; 0 for an ongoing job.
func (j *job) latestMonth() int64 {
	if j.end == nil {
		return 0
	}
	return indexed.MonthOf(j.until())
}

// career fills the numbers of a career.
func (f fields) career(c indexed.Career) {
	employers := 0
	longest, gap := int64(-1), int64(-1)
	for _, s := range c.Stays {
		employers = max(employers, s.Employer)
		if s.Dated && !s.Held {
			longest = max(longest, s.To-s.From+1, 1)
		}
	}
	for _, spells := range [][]indexed.Spell{c.Stays, c.Jobs} {
		for _, s := range spells {
			if s.Before >= 0 && s.Dated && !spells[s.Before].Held {
				gap = max(gap, s.EarliestFrom-spells[s.Before].LatestTo, 0)
			}
		}
	}
	f.Numbers[query.Employers] = int64(employers)
	if longest >= 0 {
		f.Numbers[query.LongestStay] = longest
	}
	if gap >= 0 {
		f.Numbers[query.LongestGap] = gap
	}
}
