package analysis

import (
	"slices"
	"time"

	"kith/query"
)

// Judgement is a way to say that somebody is good at something, made from one
// number of the document. It orders people and never leaves anyone out.
type Judgement struct {
	// Name is the judgement in one word: "rising".
	Name string
	// Formula says how people are judged, for who sees the result.
	Formula string
	// Field is the number that orders people, highest first. People without it
	// come last.
	Field query.Field

	atLeast int64
	// years says that the bound is the day so many years ago instead of atLeast.
	years int
}

// AtLeast is the lowest value of the field of which the judgement holds.
func (j Judgement) AtLeast(now time.Time) int64 {
	if j.years == 0 {
		return j.atLeast
	}
	return -yearsBefore(now, j.years)
}

// Judgements returns the judgements that there are. The slice is the caller's.
func Judgements() []Judgement {
	return []Judgement{
		{
			Name: "rising", Field: query.Rising, atLeast: 700,
			Formula: "levels of seniority climbed a year from the first job to the beginning of the present one, and the " +
				"more, the later that was",
		},
		{
			Name: "experienced", Field: query.Experienced, years: 10,
			Formula: "years since the first job; ten or more satisfy",
		},
		{
			Name: "loyal", Field: query.Loyal, years: 10,
			Formula: "years of the unbroken stay at the present employer, plus the average stay at earlier ones; ten or more " +
				"satisfy",
		},
		{
			Name: "connected", Field: query.Connected, atLeast: 2000,
			Formula: "for each employer the years there (at most five; three for the present one) times the doublings of its " +
				"staff, and schools",
		},
		{
			Name: "founded", Field: query.Founded, atLeast: 2,
			Formula: "companies of which the person was a founder; two or more satisfy",
		},
		{
			Name: "hops", Field: query.Hops, atLeast: 333,
			Formula: "changes of employer a year, of who had at least three; one in three years or more satisfies",
		},
		{
			Name: "standing", Field: query.Standing, atLeast: 600,
			Formula: "seniority of the present job, staff of the employer, years of career before it, education and skills " +
				"on record",
		},
	}
}

// JudgementNamed returns the judgement of a name; ok is false where there is none.
func JudgementNamed(name string) (j Judgement, ok bool) {
	all := Judgements()
	i := slices.IndexFunc(all, func(j Judgement) bool { return j.Name == name })
	if i < 0 {
		return Judgement{}, false
	}
	return all[i], true
}
