package taxonomy

import (
	"slices"
)

// SeniorityNamed reads the name of a level: its words, joined by "_".
func SeniorityNamed(name string) (string, bool) {
	if slices.Contains(Seniorities(), name) {
		return name, true
	}
	switch name {
	case "interns", "internship", "student", "trainee":
		return LevelIntern, true
	case "junior", "jr", "entry_level", "graduate", "associate", "entrylevel":
		return LevelEntry, true
	case "sr", "seniors", "senior_level":
		return LevelSenior, true
	case "principal", "staff", "team_lead", "tech_lead", "leads":
		return LevelLead, true
	case "managers", "mgr", "manager_level":
		return LevelManager, true
	case "directors", "head", "head_of", "director_level":
		return LevelDirector, true
	case "vice_president", "vice_presidents", "vps", "svp", "evp", "vp_level":
		return LevelVP, true
	case "c_level", "clevel", "c_suite", "csuite", "c_x_o", "cxos", "chief", "executive", "c", "chief_officer":
		return LevelCXO, true
	case "founders", "co_founder", "cofounder", "co_founders":
		return LevelFounder, true
	case "partners", "owner", "owners":
		return LevelPartner, true
	}
	return "", false
}

// FunctionNamed reads the name of a function: its words, joined by "_".
func FunctionNamed(name string) (string, bool) {
	if slices.Contains(Functions(), name) {
		return name, true
	}
	f, ok := wordForms().functionNames[name]
	return f, ok
}
