package network

import "math"

// The strength of a relationship derived from two records is
//
//	10 × length × closeness × freshness
//
// with each factor between 0 and 1:
//
//   - length: months/(months+12) of the time together. It rises with every
//     month and never reaches 1. One year already gives half, because most
//     people know their colleagues after some months.
//   - closeness, of a company: 1/(1+log10(employees/10)), 1 up to ten
//     employees: ten people all know each other, but most colleagues among
//     10,000 are strangers. Of a school: 0.4, like a company of some 300,
//     because class sizes are unknown.
//   - freshness: halves every eight years since the time together ended.
//
// For several shared companies or schools, the strongest counts.
const (
	halfMonths      = 12
	smallCompany    = 10
	unknownSize     = 200
	schoolCloseness = 0.4
	halfLifeYears   = 8
	daysPerMonth    = 365.25 / 12
	daysPerYear     = 365.25
)

// WorkedScore is the strength of a relationship from days worked at the same company with so many employees (0 if
// unknown: 200 are assumed), ended daysAgo days ago (0 or less: still going on). It is 0 to 10, rises with the days,
// and falls with size and age.
func WorkedScore(days, employees, daysAgo int) float64 {
	return MaxScore * length(days) * companyCloseness(employees) * freshness(daysAgo)
}

// StudiedScore is the same for days at the same school.
func StudiedScore(days, daysAgo int) float64 {
	return MaxScore * length(days) * schoolCloseness * freshness(daysAgo)
}

// PathScore is the strength of the path through an introducer: at most that of its weaker half.
func PathScore(toIntroducer, toTarget float64) float64 {
	return toIntroducer * toTarget / MaxScore
}

func length(days int) float64 {
	months := float64(max(days, 0)) / daysPerMonth
	return months / (months + halfMonths)
}

func companyCloseness(employees int) float64 {
	if employees <= 0 {
		employees = unknownSize
	}
	return 1 / (1 + math.Log10(max(1, float64(employees)/smallCompany)))
}

func freshness(daysAgo int) float64 {
	return math.Exp2(-float64(max(daysAgo, 0)) / daysPerYear / halfLifeYears)
}

// The strength of a relationship derived from contacts is
//
//		10 × (each(outgoing) + each(incoming)) / 2 × recency
//
//	  - each is n/(n+5) of the contacts in one direction: five give half. As each
//	    direction gives half at most, contact in both directions is worth more
//	    than as many contacts in one.
//	  - recency halves every two years since the last contact.
//
// It rises with the contacts in each direction and falls with age. The day on which people connected counts as one
// contact in both directions.
const (
	halfContacts    = 5
	contactHalfLife = 2
)

// ContactScore is the strength of a relationship from contacts, the last of them daysAgo days ago: 0 to 10.
func ContactScore(outgoing, incoming int64, daysAgo int) float64 {
	recency := math.Exp2(-float64(max(daysAgo, 0)) / daysPerYear / contactHalfLife)
	return MaxScore * (saturate(outgoing) + saturate(incoming)) / 2 * recency
}

func saturate(n int64) float64 {
	contacts := float64(max(n, 0))
	return contacts / (contacts + halfContacts)
}

// MixedScore combines a given score with others: each of the others closes its share, in tenths, of the remaining gap
// to 10. The result is never below the given score, and rises with each of the others.
func MixedScore(given float64, others ...float64) float64 {
	left := 1.0
	for _, s := range others {
		left *= 1 - s/MaxScore
	}
	return given + (MaxScore-given)*(1-left)
}
