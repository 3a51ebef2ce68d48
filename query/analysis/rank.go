package analysis

import (
	"hash/fnv"
	"math/bits"

	"kith"
)

// MaxRank is the highest rank of a person or a company; the lowest is 0.
const MaxRank = 1_000_000

// rankStep is the weight of one point; the remainder breaks ties.
const rankStep = 1000

// Rank returns the static rank of a person, which orders people who match equally well. It depends only on the
// record, not on the time, so it can be recomputed anywhere. Of 1,000 points
//
//   - 400 are for a complete record, because a result is only as useful as its data: place (60), headline (40), about
//     (30), image (30), a current job (60) with title (30) and company (30), two past jobs (20 each), education (30),
//     skills (30), e-mail (20);
//   - 250 are for recency: the year in which the latest job began, from 1995 (0) to 2025 (250), because old records
//     are often stale;
//   - 250 are for seniority, from intern (0) to founder (250), because people search for decision-makers most;
//   - 100 are for the size of the company, in powers of two.
//
// The profile URL and the name break ties within a point.
func Rank(p kith.Person) int64 {
	c, err := readCareer(p)
	if err != nil {
		c = career{} // a record whose dates cannot be read is never indexed
	}
	current := c.primary(p.WorkRelevant)
	points := completeness(p, c, current) + currency(c) + seniorityPoints(current)
	if current != nil {
		points += companyPoints(current.Company.EmployeeCount)
	}
	return breakTies(points, socialKey(p.SocialURL)+p.FullName)
}

func completeness(p kith.Person, c career, current *job) int64 {
	return pointsIf(60, !p.Location.IsZero()) + pointsIf(40, p.Headline != "") + pointsIf(30, p.AboutMe != "") +
		pointsIf(30, p.ImageURL != "") + pointsIf(60, current != nil) +
		pointsIf(30, current != nil && current.titleKey != "") + pointsIf(30, current != nil && current.company != "") +
		pointsIf(20, len(c.past) > 0) + pointsIf(20, len(c.past) > 1) + pointsIf(30, len(p.EducationHistory) > 0) +
		pointsIf(30, len(p.Skills) > 0) + pointsIf(20, p.Email != "")
}

func pointsIf(points int64, has bool) int64 {
	if has {
		return points
	}
	return 0
}

func currency(c career) int64 {
	latest := int64(-1 << 62)
	for _, list := range [][]job{c.current, c.past} {
		for _, j := range list {
			latest = max(latest, startOf(j))
		}
	}
	if latest < 0 {
		return 0
	}
	years := min(max(int64(yearOf(latest))-1995, 0), 30)
	return years * 250 / 30
}

func seniorityPoints(current *job) int64 {
	if current == nil {
		return 0
	}
	level := current.level()
	if level < 0 {
		return 60
	}
	return [...]int64{0, 30, 100, 120, 150, 190, 220, 250, 250, 230}[level] // from intern to partner
}

// companyPoints is five points for each doubling of the staff.
func companyPoints(employees int) int64 {
	return min(100, 5*int64(bits.Len64(uint64(max(employees, 0)))))
}

// CompanyRank returns the static rank of a company: 600 points for its size, 35 for each doubling of the staff, the
// rest for a complete record.
func CompanyRank(c kith.Company) int64 {
	points := min(600, 35*int64(bits.Len64(uint64(max(c.EmployeeCount, 0)))))
	points += pointsIf(80, c.Domain != "") + pointsIf(80, c.SocialURL != "") + pointsIf(60, c.Industry != "") +
		pointsIf(60, !c.Location.IsZero()) + pointsIf(40, c.FoundedYear > 0) + pointsIf(40, c.Funding != nil) +
		pointsIf(40, c.Description != "")
	return breakTies(points, socialKey(c.SocialURL)+c.Name)
}

// breakTies multiplies the points by rankStep and adds a hash of the identity.
func breakTies(points int64, identity string) int64 {
	h := fnv.New32a()
	_, _ = h.Write([]byte(identity)) // a hash takes everything
	return min(points*rankStep+int64(h.Sum32()%rankStep), MaxRank)
}

func socialKey(raw string) string {
	key, _ := URLKey(raw)
	return key
}
