package analysis

import (
	"slices"

	"kith/index"
	"kith/query"
)

// spells is the career as a [query.Timeline] is asked of it.
func (c *career) spells(stays []*stay) index.Career {
	var out index.Career
	if len(stays) == 0 {
		return out
	}
	places := c.places()
	employers := employersOf(stays)
	out.Stays = make([]index.Spell, len(stays))
	for i, s := range stays {
		last := s.last()
		out.Stays[i] = index.Spell{
			Employer: employers[s], Before: slices.Index(stays, s.before),
			Begin: s.begin, Until: s.until, LatestBegin: s.latestBegin, EarliestUntil: s.earliestUntil,
			Dated: s.jobs[0].start != nil, Held: s.until == forever,
			From: s.jobs[0].fromMonth(), EarliestFrom: index.MonthOf(s.begin), To: last.toMonth(), LatestTo: last.latestMonth(),
		}
		for _, j := range s.jobs {
			out.Stays[i].Jobs = append(out.Stays[i].Jobs, places[j])
		}
	}
	all := c.inOrder()
	out.Jobs = make([]index.Spell, len(all))
	for i, j := range all {
		begin, until := j.begin(), j.until()
		out.Jobs[i] = index.Spell{
			Jobs: []index.JobPlace{places[j]}, Employer: employers[j.stay], Before: slices.Index(all, j.jobBefore()),
			Begin: begin, Until: until, LatestBegin: begin + vague(j.start, j.StartDate),
			EarliestUntil: until - vague(j.end, j.EndDate),
			Dated:         j.start != nil, Held: !j.ended,
			From: j.fromMonth(), EarliestFrom: index.MonthOf(begin), To: j.toMonth(), LatestTo: j.latestMonth(),
		}
	}
	return out
}

// places are those of the jobs among the sub-documents.
func (c *career) places() map[*job]index.JobPlace {
	places := make(map[*job]index.JobPlace, len(c.current)+len(c.past))
	for i := range c.current {
		places[&c.current[i]] = index.JobPlace{Path: query.Current, Place: i}
	}
	for i := range c.past {
		places[&c.past[i]] = index.JobPlace{Path: query.Past, Place: i}
	}
	return places
}

// employersOf numbers the employers of stays, from 1 on; one that is not named has
// no number.
func employersOf(stays []*stay) map[*stay]int {
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

// july is how many months of a year lie before the one that it stands for.
const july = 6

// fromMonth is the month that the length of a job is counted from; 0 where that is
// not known.
func (j *job) fromMonth() int64 {
	switch {
	case j.start == nil:
		return 0
	case vague(j.start, j.StartDate) == daysPerYear:
		return index.MonthOf(*j.start) + july
	}
	return index.MonthOf(*j.start)
}

// toMonth is the month that the length of a job is counted to; 0 for one that goes
// on.
func (j *job) toMonth() int64 {
	latest := j.latestMonth()
	if j.end != nil && vague(j.end, j.EndDate) == daysPerYear {
		return latest - latest%12 + july
	}
	return latest
}

// latestMonth is the last month that the end of a job may mean; 0 for one that goes
// on. A year as an end is read as the day after it.
func (j *job) latestMonth() int64 {
	switch {
	case j.end == nil:
		return 0
	case vague(j.end, j.EndDate) == daysPerYear:
		return index.MonthOf(j.until() - 1)
	}
	return index.MonthOf(j.until())
}

// career fills the numbers of a career.
func (f fields) career(c index.Career) {
	employers := 0
	longest, gap := int64(-1), int64(-1)
	for _, s := range c.Stays {
		employers = max(employers, s.Employer)
		if s.Dated && !s.Held {
			longest = max(longest, s.To-s.From+1, 1)
		}
	}
	for _, spells := range [][]index.Spell{c.Stays, c.Jobs} {
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
