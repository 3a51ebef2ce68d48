package semantic

import "kith/query/analysis"

// Threshold is the similarity from which terms of a kind are interchangeable, fitted to judged pairs: see
// docs/semantic.md. For kinds of names it cannot be reached.
func Threshold(kind analysis.TermKind) float64 {
	switch kind {
	case analysis.TermTitle:
		return titleThreshold
	case analysis.TermSkill, analysis.TermKeyword:
		return skillThreshold
	case analysis.TermIndustry:
		return industryThreshold
	case analysis.TermFirstName, analysis.TermLastName, analysis.TermCompany, analysis.TermSchool, analysis.TermPlace:
	}
	return unreached
}

// The thresholds, as TestThresholds fits them.
const (
	titleThreshold    = 0.58
	skillThreshold    = 0.61
	industryThreshold = 0.57
	unreached         = 2
)
