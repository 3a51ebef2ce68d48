package analysis

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// stayGap is how many days may lie between two jobs at one company for the stay
// to be unbroken, if no other job began meanwhile: three months.
const stayGap = 92

// forever is the end of a stay that goes on.
const forever = math.MaxInt64 / 2

// stay is a time at one company: its jobs there that follow one another or
// overlap.
type stay struct {
	// jobs are those of the stay, in the order in which they began.
	jobs []*job
	// begin and until are its first and last day; until is forever for one that
	// goes on. A stay of which only the end is known has begun then, and one of
	// which nothing is known after all others.
	begin, until int64
	// latestBegin and earliestUntil are the same days as far as the dates leave
	// them open: 2018 is any day of that year.
	latestBegin, earliestUntil int64
	// number says which stay at the company it is, from 1 on.
	number int64
	// side is true for a stay within another that began before and ended with it
	// or later: a job on the side.
	side bool
	// first is true where no other surely began earlier.
	first bool
	// before is the stay right before, or nil.
	before *stay
}

// stays cuts the jobs of a career into stays.
//
// Jobs at one company that overlap, or with at most three months between them
// in which no job elsewhere began, are one stay; a job elsewhere at the same time
// does not end it. The stay right before another is, of those that began no
// later and ended no later, the one that ended last, jobs on the side left
// out; a job on the side has none before it.
func (c *career) stays() []*stay {
	all := c.inOrder()
	stays := make([]*stay, 0, len(all))
	for _, j := range all {
		stays = settle(stays, all, j)
	}
	for _, s := range stays {
		s.side = slices.ContainsFunc(stays, s.within)
		s.first = !slices.ContainsFunc(stays, func(t *stay) bool { return t.latestBegin < s.begin })
	}
	for _, s := range stays {
		if !s.side {
			s.before = s.predecessor(stays)
		}
	}
	return stays
}

// inOrder are all jobs in the order in which they began.
func (c *career) inOrder() []*job {
	all := make([]*job, 0, len(c.past)+len(c.current))
	for i := range c.past {
		all = append(all, &c.past[i])
	}
	for i := range c.current {
		all = append(all, &c.current[i])
	}
	slices.SortStableFunc(all, func(a, b *job) int {
		return cmp.Or(cmp.Compare(a.begin(), b.begin()), cmp.Compare(a.until(), b.until()))
	})
	return all
}

// settle adds a job to the stay that it goes on with, or begins one with it.
func settle(stays []*stay, all []*job, j *job) []*stay {
	number := int64(1)
	for _, s := range slices.Backward(stays) {
		if !s.jobs[0].sameCompany(*j) {
			continue
		}
		if s.goesOn(all, j) {
			s.add(j)
			return stays
		}
		number = s.number + 1
		break
	}
	s := &stay{jobs: []*job{j}, begin: j.begin(), until: j.until(), number: number}
	s.latestBegin, s.earliestUntil = s.begin+vague(j.start, j.StartDate), s.until-vague(j.end, j.EndDate)
	j.stay = s
	return append(stays, s)
}

func (s *stay) add(j *job) {
	if until := j.until(); until > s.until {
		s.until, s.earliestUntil = until, until-vague(j.end, j.EndDate)
	}
	s.jobs = append(s.jobs, j)
	j.stay = s
}

// goesOn reports whether a job at the same company that began later belongs to
// the stay.
func (s *stay) goesOn(all []*job, j *job) bool {
	begin := j.begin()
	if begin <= s.until+1 {
		return true
	}
	if begin > s.until+stayGap {
		return false
	}
	// Who changes within a month may have both jobs in it.
	return !slices.ContainsFunc(all, func(k *job) bool {
		return k.begin() > s.until-promotionGap && k.begin() < begin && !k.sameCompany(*j)
	})
}

// within reports whether s lies within another stay. Of two that began in the
// same year, of which no more is known, neither does.
func (s *stay) within(t *stay) bool {
	earlier := t.begin < s.begin || t.begin == s.begin && t.until > s.until && t.latestBegin-t.begin <= promotionGap
	return s != t && earlier && t.until >= s.until-stayGap && t.earliestUntil > s.latestBegin
}

// predecessor is the stay right before s, whether s is on the side or not.
func (s *stay) predecessor(stays []*stay) *stay {
	var last *stay
	for _, t := range stays {
		if t == s || t.side || t.until == forever || t.begin > s.begin || t.until > s.until ||
			t.begin == s.begin && t.until == s.until {
			continue
		}
		if last == nil || t.until > last.until || t.until == last.until && t.begin >= last.begin {
			last = t
		}
	}
	return last
}

// stayBefore is the stay right before the one of the job that stands for a
// person, even where that is on the side of another; nil where there is none.
func stayBefore(primary *job, stays []*stay) *stay {
	if primary == nil {
		return nil
	}
	return primary.stay.predecessor(stays)
}

// jobBefore is the job before j in the same stay, else the last one of the stay
// right before, if that names its company; nil where there is none.
func (j *job) jobBefore() *job {
	if i := slices.Index(j.stay.jobs, j); i > 0 {
		return j.stay.jobs[i-1]
	}
	if j.stay.before == nil || !j.stay.before.jobs[0].atCompany() {
		return nil
	}
	return j.stay.before.last()
}

// atCompany reports whether the job names a company.
func (j *job) atCompany() bool { return j.company != "" || j.Company.ID > 0 }

// last is the job that ends a stay.
func (s *stay) last() *job {
	last := s.jobs[0]
	for _, j := range s.jobs {
		if j.until() >= last.until() {
			last = j
		}
	}
	return last
}

// begin is the first day of a job for the order of jobs.
func (j *job) begin() int64 {
	switch {
	case j.start != nil:
		return *j.start
	case j.end != nil:
		return *j.end
	}
	return forever
}

// until is the last day of a job for the order of jobs. One that ends before it
// begins is taken for a day.
func (j *job) until() int64 {
	if j.end == nil {
		return forever
	}
	return max(*j.end, j.begin())
}

// vague is how many days more a date may mean than the one it stands for.
func vague(day *int64, date *string) int64 {
	if day == nil || date == nil {
		return 0
	}
	switch len(strings.TrimSpace(*date)) {
	case len("2006"):
		return 365
	case len("2006-01"):
		return 30
	}
	return 0
}
