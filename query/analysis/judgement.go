package analysis

import (
	"slices"
	"time"

	"kith/query"
)

// Judgement rates people by one number of the document. It orders people and never excludes anyone.
type Judgement struct {
	// Name is the judgement as one word: "rising".
	Name string
	// Formula explains the rating to people who see the result.
	Formula string
	// Field is the number that orders people, highest first. People without it come last.
	Field query.Field

	atLeast int64
	// years, if not 0, replaces atLeast by the day so many years ago.
	years int
}

// AtLeast is the lowest value of the field that satisfies the judgement.
func (j Judgement) AtLeast(now time.Time) int64 {
	if j.years == 0 {
		return j.atLeast
	}
	return -yearsBefore(now, j.years)
}

// Judgements returns all judgements. The caller may modify the slice.
func Judgements() []Judgement {
	return []Judgement{
		{
			Name: "rising", Field: query.Rising, atLeast: 700,
			Formula: "levels of seniority climbed per year from the first job to the start of the present one; a " +
				"later start counts more",
		},
		{
			Name: "experienced", Field: query.Experienced, years: 10,
			Formula: "years since the first job; ten or more satisfy",
		},
		{
			Name: "loyal", Field: query.Loyal, years: 10,
			Formula: "years of the unbroken stay at the present employer, plus the average stay at earlier ones; ten " +
				"or more satisfy",
		},
		{
			Name: "connected", Field: query.Connected, atLeast: 2000,
			Formula: "for each employer the years there (at most five; three for the present one) times the " +
				"doublings of its staff, and schools",
		},
		{
			Name: "founded", Field: query.Founded, atLeast: 2,
			Formula: "companies of which the person was a founder; two or more satisfy",
		},
		{
			Name: "hops", Field: query.Hops, atLeast: 333,
			Formula: "changes of employer per year, for people with at least three; one every three years or more " +
				"satisfies",
		},
		{
			Name: "standing", Field: query.Standing, atLeast: 600,
			Formula: "seniority of the present job, staff of the employer, years of career before it, education and " +
				"skills on record",
		},
	}
}

// JudgementNamed returns a judgement by name; ok is false if there is none.
func JudgementNamed(name string) (j Judgement, ok bool) {
	all := Judgements()
	i := slices.IndexFunc(all, func(j Judgement) bool { return j.Name == name })
	if i < 0 {
		return Judgement{}, false
	}
	return all[i], true
}
