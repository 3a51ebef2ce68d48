package analysis

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// stayGap is the most days between two jobs of one unbroken stay, unless another job began meanwhile: three months.
const stayGap = 92

// forever is the end of an ongoing stay.
const forever = math.MaxInt64 / 2

// stay is a time at one company: consecutive or overlapping jobs there.
type stay struct {
	// jobs are ordered by start.
	jobs []*job
	// begin and until are the first and last day; until is forever for an ongoing stay. A stay with only an end
	// begins on that day; a stay without dates begins after all others.
	begin, until int64
	// latestBegin and earliestUntil are the other ends of imprecise dates: 2018 is any day of that year.
	latestBegin, earliestUntil int64
	// number counts the stays at this company, from 1.
	number int64
	// side is true for a side job: a stay within another that began earlier and ended with it or later.
	side bool
	// first is true if no other stay certainly began earlier.
	first bool
	// before is the stay right before, or nil.
	before *stay
}

// stays cuts the jobs of a career into stays.
//
// Jobs at one company form a stay if they overlap, or if at most three months lie between them in which no job
// elsewhere began. A simultaneous job elsewhere does not end the stay. The stay right before another is the last to
// end of those that began and ended no later; side jobs are never one, and have none before them.
func (c *career) stays() []*stay {
	all := c.inOrder()
	stays := make([]*stay, 0, len(all))
	for _, j := range all {
		stays = addToStay(stays, all, j)
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

// inOrder returns all jobs, ordered by start.
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

// addToStay adds a job to the stay that it continues, or starts a new one.
func addToStay(stays []*stay, all []*job, j *job) []*stay {
	number := int64(1)
	for _, s := range slices.Backward(stays) {
		if !s.jobs[0].sameCompany(*j) {
			continue
		}
		if s.continues(all, j) {
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

// continues reports whether a later job at the same company continues the stay.
func (s *stay) continues(all []*job, j *job) bool {
	begin := j.begin()
	if begin <= s.until+1 {
		return true
	}
	if begin > s.until+stayGap {
		return false
	}
	// A change within a month may put both jobs in it.
	return !slices.ContainsFunc(all, func(k *job) bool {
		return k.begin() > s.until-promotionGap && k.begin() < begin && !k.sameCompany(*j)
	})
}

// within reports whether s lies within another stay. Two stays that began in the same year, with nothing more known,
// do not contain each other.
func (s *stay) within(t *stay) bool {
	earlier := t.begin < s.begin || t.begin == s.begin && t.until > s.until && t.latestBegin-t.begin <= promotionGap
	return s != t && earlier && t.until >= s.until-stayGap && t.earliestUntil > s.latestBegin
}

// predecessor returns the stay right before s, also for a side job s.
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

// stayBefore returns the stay right before that of the primary job, even a side job; nil if there is none.
func stayBefore(primary *job, stays []*stay) *stay {
	if primary == nil {
		return nil
	}
	return primary.stay.predecessor(stays)
}

// jobBefore returns the previous job of the same stay, otherwise the last job of the stay right before, if that has a
// company; nil if there is none.
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

// last returns the job that ends a stay.
func (s *stay) last() *job {
	last := s.jobs[0]
	for _, j := range s.jobs {
		if j.until() >= last.until() {
			last = j
		}
	}
	return last
}

// begin is the first day of a job, for sorting.
func (j *job) begin() int64 {
	switch {
	case j.start != nil:
		return *j.start
	case j.end != nil:
		return *j.end
	}
	return forever
}

// until is the last day of a job, for sorting. A job that ends before it begins lasts one day.
func (j *job) until() int64 {
	if j.end == nil {
		return forever
	}
	return max(*j.end, j.begin())
}

// vague is the imprecision of a date in days.
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
