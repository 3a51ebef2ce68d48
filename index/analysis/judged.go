package analysis

import (
	"math/bits"
	"slices"

	"kith"
	"kith/query"
)

// daysPerYear is how many days make a year where spans are measured.
const daysPerYear = 365

// judge fills the numbers that people can be ordered by. They depend on the
// record alone, not on the day, so that an index does not age; where a
// judgement is about a time that goes on, it is a number that grows with that
// time for everyone alike.
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

// climbed is how high a job stands, in steps from 0 to 8. The level without a
// name stands between entry and senior. To found a company is a step to the
// level of a vice president, because anyone can.
func climbed(j *job) int64 {
	if len(j.levels) == 0 {
		return 2
	}
	switch j.levels[0] {
	case LevelIntern:
		return 0
	case LevelEntry:
		return 1
	case LevelSenior:
		return 3
	case LevelLead:
		return 4
	case LevelManager:
		return 5
	case LevelDirector:
		return 6
	case LevelCXO:
		return 8
	}
	return 7 // vice presidents, partners, founders
}

// What makes somebody rise.
const (
	// riseYears is the shortest time that a climb is measured by: a lucky first
	// year says little.
	riseYears = 2
	// recentSince is the year from which on, and recentPoints how much, each
	// year counts that the present job began later. Who climbed fast long ago
	// is no longer rising: twenty years make up for climbing a third of a step a year
	// more.
	recentSince  = 2000
	recentPoints = 15
)

// rising is 1,000 for each step climbed a year between the beginning of the
// first job and that of the present one, and 15 for each year after 2000 in
// which that began. It is 0 for who has not climbed, and not known where one of
// the jobs is not or both are the same.
func rising(stays []*stay, primary *job) *int64 {
	if primary == nil || primary.start == nil || stays[0].jobs[0] == primary {
		return nil
	}
	first := stays[0].jobs[0]
	steps := climbed(primary) - climbed(first)
	if steps <= 0 {
		return new(int64(0))
	}
	days := max(*primary.start-first.begin(), riseYears*daysPerYear)
	recent := max(0, int64(yearOf(*primary.start))-recentSince)
	return new(steps*1000*daysPerYear/days + recentPoints*recent)
}

// loyal is the average length in days of the stays that have ended, less the
// day on which the present one began: so on any day people come in the order of
// what both lengths add up to. Jobs on the side do not count. It is not known
// without a present job whose beginning is.
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

// hops is 1,000 for each change of employer a year, from the beginning of the
// first stay to that of the last one; at least a year is counted. It is not
// known for who has had fewer than three employers, jobs on the side aside.
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

// founded counts the companies of which the person was a founder.
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
	return slices.ContainsFunc(s.jobs, func(j *job) bool { return slices.Contains(j.levels, LevelFounder) })
}

// How many people one meets.
const (
	// metYears is the most years at one employer that count, since later ones
	// bring few new people, and presentYears how many a stay counts that goes
	// on, so that the number does not depend on the day.
	metYears     = 5
	presentYears = 3
	// unknownStaff is the size of an employer of which it is not known.
	unknownStaff = 8
	// schoolPoints is what a school counts: five years among some 30 people.
	schoolPoints = 250
)

// connected adds up, for each employer, the years there (at most five, three
// where the stay goes on) times the doublings of its staff, and for each school
// as much as for five years at an employer of 30; tenfold.
func connected(p kith.Person, stays []*stay) int64 {
	points := int64(0)
	for i, s := range stays {
		if s.number > 1 && slices.ContainsFunc(stays[:i], func(t *stay) bool { return t.jobs[0].sameCompany(*s.jobs[0]) }) {
			continue // counted with the first stay
		}
		days := int64(0)
		for _, t := range stays[i:] {
			if t == s || t.number > 1 && t.jobs[0].sameCompany(*s.jobs[0]) {
				days += t.met()
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

// met is how many days of a stay count.
func (s *stay) met() int64 {
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
//   - 400 for the seniority of the job that stands for the person, 50 a step,
//   - 300 for the staff of the employer, 15 a doubling,
//   - 200 for the career before that job, 10 a year,
//   - 50 for an education, and 10 for each of up to five skills.
func standing(p kith.Person, c career, primary *job) int64 {
	points := 50 * climbed(primary)
	points += min(300, 15*int64(bits.Len64(uint64(max(primary.Company.EmployeeCount, 0)))))
	if first := c.firstDay(); first != nil && primary.start != nil {
		points += min(200, (*primary.start-*first)*10/daysPerYear)
	}
	return points + worth(50, len(p.EducationHistory) > 0) + 10*min(5, int64(len(p.Skills)))
}
