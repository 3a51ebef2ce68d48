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
	f, ok := functionAliases[name]
	return f, ok
}

// functionAliases maps other names of functions to their own.
//
//nolint:gochecknoglobals // a constant table
var functionAliases = map[string]string{
	"people": "people_hr", "hr": "people_hr", "human_resources": "people_hr", "talent": "people_hr",
	"recruiting": "people_hr", "recruitment": "people_hr", "people_and_hr": "people_hr",
	"people_human_resources": "people_hr",
	"customer":               "customer_success", "cs": "customer_success", "customersuccess": "customer_success",
	"client_success":   "customer_success",
	"trust_and_safety": "trust_safety", "t_s": "trust_safety", "ts": "trust_safety", "trust": "trust_safety",
	"safety": "trust_safety", "trustandsafety": "trust_safety",
	"eng": "engineering", "software": "engineering", "software_engineering": "engineering", "development": "engineering",
	"tech": "engineering", "technology": "engineering",
	"product_management": "product",
	"ux":                 "design", "ui": "design", "creative": "design",
	"analytics": "data", "data_analytics": "data", "data_science": "data", "data_and_analytics": "data",
	"growth": "marketing", "brand": "marketing",
	"business_development": "sales", "bd": "sales", "biz_dev": "sales", "bizdev": "sales", "revenue": "sales",
	"ops": "operations", "business_operations": "operations", "strategy": "operations",
	"accounting": "finance",
	"compliance": "legal", "law": "legal",
	"cybersecurity": "security", "infosec": "security", "information_security": "security", "cyber_security": "security",
	"science": "research", "r_d": "research", "r&d": "research", "research_and_development": "research",
	"customer_support": "support", "customer_service": "support", "technical_support": "support",
	"information_technology": "it",
	"pr":                     "communications", "public_relations": "communications", "comms": "communications",
	"logistics": "supply_chain", "procurement": "supply_chain", "purchasing": "supply_chain",
	"supplychain":        "supply_chain",
	"program_management": "project_management", "projects": "project_management", "pmo": "project_management",
	"production": "manufacturing", "construction": "manufacturing",
	"qa": "quality", "quality_assurance": "quality",
	"medical": "healthcare", "health": "healthcare", "health_care": "healthcare",
	"teaching": "education", "academia": "education",
	"admin": "administration", "administrative": "administration",
	"management": "general_management", "executive": "general_management", "leadership": "general_management",
	"generalmanagement": "general_management",
	"realestate":        "real_estate",
	"public_policy":     "policy", "government": "policy",
}
