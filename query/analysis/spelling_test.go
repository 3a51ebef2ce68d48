package analysis_test

import (
	"testing"
	"time"

	"kith"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

// finds reports whether a filter finds a person.
func finds(t *testing.T, p kith.Person, name query.FilterName, value string) bool {
	t.Helper()
	c, problems := analysis.Compile(query.Filters{name: value}, time.Now())
	if problems != nil {
		t.Fatalf("%s: %s: %v", name, value, problems)
	}
	return indexed.Match(document(t, p), c.Query)
}

func TestUmlautsMatchTheirTranscriptions(t *testing.T) {
	for _, tt := range []struct {
		record, asked string
		want          bool
	}{
		{"Müller Bräu", "Mueller Braeu", true},
		{"Mueller Braeu", "Müller Bräu", true},
		{"Mu\u0308ller Bräu", "mueller", true},
		{"MUELLER", "mu\u0308ller", true},
		{"Müller Bräu", "Muller", true},
		{"Møller", "Moeller", true},
		{"Møller", "Moller", true},
		{"Aarhus", "Århus", true},
		{"Mueller Value Partners", "Müller Value Partners", true},
		{"Müller Value Partners", `"Mueller Value Partners"`, true},
		{"Mueller", "-Müller", false},
		{"Bauer", "Baur", false},
		{"Baur", "Bauer", false},
		{"Sas", "SaaS", false},
		{"Blu", "Blue", false},
	} {
		for name, p := range map[query.FilterName]kith.Person{
			query.FilterCompany:      {WorkHistory: []kith.Job{held("CEO", tt.record, "")}},
			query.FilterPosition:     {WorkHistory: []kith.Job{held(tt.record, "Acme", "")}},
			query.FilterSkills:       {Skills: []string{tt.record}},
			query.FilterKeywords:     {Headline: tt.record},
			query.FilterSchool:       {EducationHistory: []kith.Education{{Institute: tt.record}}},
			query.FilterFieldOfStudy: {EducationHistory: []kith.Education{{FieldOfStudy: tt.record}}},
			query.FilterCompanyIndustry: {WorkRelevant: &kith.Job{Company: kith.Company{
				Name:     "Acme",
				Industry: tt.record,
			}}}, query.FilterAnyCompanyKeywords: {WorkRelevant: &kith.Job{Company: kith.Company{
				Name:     "Acme",
				Keywords: []string{tt.record},
			}}},
		} {
			if got := finds(t, p, name, tt.asked); got != tt.want {
				t.Errorf("%s %q finds %q: %t; want %t", name, tt.asked, tt.record, got, tt.want)
			}
		}
	}
}

func TestSkillsMatchWithOrWithoutPunctuation(t *testing.T) {
	for _, record := range []string{"Node.js", "NodeJS", "Node JS", "node.js"} {
		for _, asked := range []string{"Node.js", "NodeJS", "nodejs", `"Node.js"`} {
			if !finds(t, kith.Person{Skills: []string{record}}, query.FilterSkills, asked) {
				t.Errorf("skills %s does not find %s", asked, record)
			}
			if !finds(t, kith.Person{WorkHistory: []kith.Job{held(record+" Developer", "Acme", "")}},
				query.FilterPosition, asked) {
				t.Errorf("position %s does not find %s Developer", asked, record)
			}
		}
	}
	if !finds(t, kith.Person{Skills: []string{"CICD"}}, query.FilterSkills, "CI/CD") {
		t.Error("CI/CD does not find CICD")
	}
	if finds(t, kith.Person{Skills: []string{"Node", "JS"}}, query.FilterSkills, "NodeJS") {
		t.Error("NodeJS finds two skills")
	}
}
