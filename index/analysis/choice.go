package analysis

import (
	"fmt"
	"slices"
	"strings"

	"kith/query"
)

// choice reads a value of a closed list.
func choice(f query.Field, text string, named func(string) (string, bool), all []string) (query.Query, error) {
	value, ok := named(strings.Join(Tokens(text), "_"))
	if !ok {
		return nil, fmt.Errorf("%q %w; the values are %s", text, errUnknownValue, strings.Join(all, ", "))
	}
	return query.Term{Field: f, Value: value}, nil
}

// seniorityNamed reads the name of a level, spelled in words joined by "_".
func seniorityNamed(name string) (string, bool) {
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

// functionNamed reads the name of a function, spelled in words joined by "_".
func functionNamed(name string) (string, bool) {
	if slices.Contains(Functions(), name) {
		return name, true
	}
	return functionAlias(name)
}

// functionAlias reads what functions are called beside their names.
func functionAlias(name string) (string, bool) {
	switch name {
	case "people", "hr", "human_resources", "talent", "recruiting", "recruitment", "people_and_hr", "people_human_resources":
		return "people_hr", true
	case "customer", "cs", "customersuccess", "client_success":
		return "customer_success", true
	case "trust_and_safety", "t_s", "ts", "trust", "safety", "trustandsafety":
		return "trust_safety", true
	case "eng", "software", "software_engineering", "development", "tech", "technology":
		return "engineering", true
	case "product_management":
		return "product", true
	case "ux", "ui", "creative":
		return "design", true
	case "analytics", "data_analytics", "data_science", "data_and_analytics":
		return "data", true
	case "growth", "brand":
		return "marketing", true
	case "business_development", "bd", "biz_dev", "bizdev", "revenue":
		return "sales", true
	case "ops", "business_operations", "strategy":
		return "operations", true
	case "accounting":
		return "finance", true
	case "compliance", "law":
		return "legal", true
	case "cybersecurity", "infosec", "information_security", "cyber_security":
		return "security", true
	case "science", "r_d", "r&d", "research_and_development":
		return "research", true
	case "customer_support", "customer_service", "technical_support":
		return "support", true
	case "information_technology":
		return "it", true
	case "pr", "public_relations", "comms":
		return "communications", true
	case "logistics", "procurement", "purchasing", "supplychain":
		return "supply_chain", true
	case "program_management", "projects", "pmo":
		return "project_management", true
	case "production", "construction":
		return "manufacturing", true
	case "qa", "quality_assurance":
		return "quality", true
	case "medical", "health", "health_care":
		return "healthcare", true
	case "teaching", "academia":
		return "education", true
	case "admin", "administrative":
		return "administration", true
	case "management", "executive", "leadership", "generalmanagement":
		return "general_management", true
	case "realestate":
		return "real_estate", true
	case "public_policy", "government":
		return "policy", true
	}
	return "", false
}
