package analysis

import (
	"math/bits"
	"slices"

	"kith"
	"kith/query"
	"kith/query/taxonomy"
)

// daysPerYear converts days to years in measured spans.
const daysPerYear = 365

// judge fills the numbers that people can be ordered by. They depend only on the record, not on the day, so an index
// does not age: for an ongoing time, judge stores a number whose order stays the same as time passes.
func (f fields) judge(p kith.Person, c career, primary *job, stays []*stay) {
	f.number(query.Rising, rising(stays, primary))
	if first := c.firstDay(); first != nil {
		f.Numbers[query.Experienced] = -*first
	}
	f.number(query.Loyal, loyal(stays, primary))
	f.number(query.Hops, hops(stays))
	if n := founded(stays); n > 0 {
		f.Numbers[query.Founded] = n
	}
	if len(stays)+len(p.EducationHistory) > 0 {
		f.Numbers[query.Connected] = connected(p, stays)
	}
	if primary != nil {
		f.Numbers[query.Standing] = standing(p, c, primary)
	}
}

// seniorityStep is the seniority of a job, in steps from 0 to 8. Jobs without a level rank between entry and senior.
// Founders rank with vice presidents, because anyone can found a company.
func seniorityStep(j *job) int64 {
	level := j.level()
	if level < 0 {
		return 2
	}
	return [...]int64{0, 1, 3, 4, 5, 6, 7, 8, 7, 7}[level] // from intern to partner
}

// Parameters of rising.
const (
	// riseYears is the shortest time that a climb is measured over: a lucky first year says little.
	riseYears = 2
	// Each year after recentSince in which the present job began adds recentPoints, because a fast climb long ago is
	// no longer a rise. Twenty years later outweigh a third of a step a year.
	recentSince  = 2000
	recentPoints = 15
)

// rising is 1,000 points for each step a year climbed between the starts of the first and the present job, plus 15
// points for each year after 2000 in which the present one began. It is 0 without a climb. It is unknown if one of
// the jobs is unknown or both are the same.
func rising(stays []*stay, primary *job) *int64 {
	if primary == nil || primary.start == nil || stays[0].jobs[0] == primary {
		return nil
	}
	first := stays[0].jobs[0]
	steps := seniorityStep(primary) - seniorityStep(first)
	if steps <= 0 {
		return new(int64(0))
	}
	days := max(*primary.start-first.begin(), riseYears*daysPerYear)
	recent := max(0, int64(yearOf(*primary.start))-recentSince)
	return new(steps*1000*daysPerYear/days + recentPoints*recent)
}

// loyal is the average length in days of the ended stays, minus the first day of the present one. So on any day it
// orders people by the sum of both lengths. It ignores side jobs. It is unknown without a present job with a known
// start.
func loyal(stays []*stay, primary *job) *int64 {
	if primary == nil || primary.start == nil {
		return nil
	}
	ended, days := int64(0), int64(0)
	for _, s := range stays {
		if !s.side && s.until != forever && s != primary.stay {
			ended, days = ended+1, days+s.until-s.begin+1
		}
	}
	return new(days/max(ended, 1) - primary.stay.begin)
}

// hops is 1,000 for each change of employer a year, from the start of the first stay to that of the last, over at
// least one year. It ignores side jobs. It is unknown for people with fewer than three stays.
func hops(stays []*stay) *int64 {
	const least = 3
	var main []*stay
	for _, s := range stays {
		if !s.side && s.begin != forever {
			main = append(main, s)
		}
	}
	if len(main) < least {
		return nil
	}
	days := max(main[len(main)-1].begin-main[0].begin, daysPerYear)
	return new(int64(len(main)-1) * 1000 * daysPerYear / days)
}

// founded counts the companies that the person founded.
func founded(stays []*stay) int64 {
	n := int64(0)
	for i, s := range stays {
		if s.founder() && !slices.ContainsFunc(stays[:i],
			func(t *stay) bool { return t.founder() && t.jobs[0].sameCompany(*s.jobs[0]) }) {
			n++
		}
	}
	return n
}

func (s *stay) founder() bool {
	return slices.ContainsFunc(s.jobs, func(j *job) bool { return slices.Contains(j.levels, taxonomy.LevelFounder) })
}

// Parameters of connected.
const (
	// metYears is the most years at one employer that count: later years bring few new people. presentYears is the
	// length of an ongoing stay, so the number does not depend on the day.
	metYears     = 5
	presentYears = 3
	// unknownStaff is the assumed staff of an employer of unknown size.
	unknownStaff = 8
	// schoolPoints is the value of a school: five years among some 30 people.
	schoolPoints = 250
)

// connected adds, for each employer, the years there (at most five; three for an ongoing stay) times the doublings of
// its staff, and for each school as much as for five years at an employer of 30 people; all times ten.
func connected(p kith.Person, stays []*stay) int64 {
	points := int64(0)
	for i, s := range stays {
		if s.number > 1 && slices.ContainsFunc(stays[:i],
			func(t *stay) bool { return t.jobs[0].sameCompany(*s.jobs[0]) }) {
			continue // counted with the first stay
		}
		days := int64(0)
		for _, t := range stays[i:] {
			if t == s || t.number > 1 && t.jobs[0].sameCompany(*s.jobs[0]) {
				days += t.countedDays()
			}
		}
		points += doublings(s.jobs[0].Company.EmployeeCount) * min(days, metYears*daysPerYear) * 10 / daysPerYear
	}
	for i, e := range p.EducationHistory {
		if e.Institute != "" && !slices.ContainsFunc(p.EducationHistory[:i],
			func(o kith.Education) bool { return o.Institute == e.Institute }) {
			points += schoolPoints
		}
	}
	return points
}

// countedDays is the number of days of a stay that count.
func (s *stay) countedDays() int64 {
	if s.until == forever {
		return presentYears * daysPerYear
	}
	return s.until - s.begin + 1
}

func doublings(staff int) int64 {
	if staff <= 0 {
		staff = unknownStaff
	}
	return int64(bits.Len64(uint64(staff)))
}

// standing is, of 1,000 points,
//
//   - 400 for the seniority of the primary job, 50 a step,
//   - 300 for the staff of the employer, 15 a doubling,
//   - 200 for the career before that job, 10 a year,
//   - 50 for an education, and 10 for each of up to five skills.
func standing(p kith.Person, c career, primary *job) int64 {
	points := 50 * seniorityStep(primary)
	points += min(300, 15*int64(bits.Len64(uint64(max(primary.Company.EmployeeCount, 0)))))
	if first := c.firstDay(); first != nil && primary.start != nil {
		points += min(200, (*primary.start-*first)*10/daysPerYear)
	}
	return points + pointsIf(50, len(p.EducationHistory) > 0) + 10*min(5, int64(len(p.Skills)))
}
