package planner_test

import (
	"strings"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query/prompt"
)

// Each kind of question about the caller's network and the order of jobs has the expected lines in its plan.
func TestQuestionsAboutTheNetworkAndCareers(t *testing.T) {
	tests := []struct {
		text string
		want []string // lines of the plan
	}{
		{"who do I know at Stripe", []string{"company: Stripe", "network: degree 1"}},
		{"people I know in Berlin", []string{"city: Berlin", "network: degree 1"}},
		{"my contacts at Google", []string{"company: Google", "network: degree 1"}},
		{"engineers in my network", []string{"network: degrees 1, 2"}},
		{"who can I reach at Stripe", []string{"company: Stripe", "network: degrees 1, 2"}},
		{"friends of friends in Paris", []string{"city: Paris", "network: degree 2"}},
		{"my strongest connections in Berlin", []string{"city: Berlin", "network: degree 1; by strength"}},
		{"who can introduce me to the CFO of Stripe", []string{"network: introducers of step 1"}},
		{"a warm intro to the CTO of Google", []string{"network: introducers of step 1"}},
		{"who can introduce me to a CTO in Berlin", []string{"network: introducers of step 1"}},
		{"who haven't I talked to in a while", []string{"network: degree 1; last contact before"}},
		{"who haven't I talked to in six months", []string{"network: degree 1; last contact before 2025-11-01"}},
		{"people I e-mailed last month", []string{"network: degree 1; last contact from 2026-04-01 (email)"}},
		{"people I e-mailed last week", []string{"network: degree 1; last contact from 2026-04-24 (email)"}},
		{"who have I talked to in the last 30 days", []string{"network: degree 1; last contact from 2026-04-01"}},
		{"people I talked to in the last 10 days", []string{"network: degree 1; last contact from 2026-04-21"}},
		{
			"who haven't I talked to in the last two weeks",
			[]string{"network: degree 1; last contact before 2026-04-17"},
		},
		{"contacts I e-mailed since March", []string{"network: degree 1; last contact from 2026-03-01 (email)"}},
		{"who haven't I talked to since June", []string{"network: degree 1; last contact before 2025-06-01"}},
		{"who haven't I talked to in 60 years", []string{"network: degree 1; last contact before 1970-01-01"}},
		{
			"contacts I e-mailed more than a year ago",
			[]string{"network: degree 1; last contact from 1970-01-01 before 2025-05-02 (email)"},
		},
		{
			"people I talked to before 2023",
			[]string{"network: degree 1; last contact from 1970-01-01 before 2023-01-01"},
		},
		{
			"people I emailed before 1950",
			[]string{"network: degree 1; last contact from 1970-01-01 before 1970-01-01 (email)"},
		},
		{"companies founded since March", []string{"companyFoundedYear: 2026+"}},
		{"nurses who graduated since May", []string{"graduationYear: 2026+"}},
		{
			"people I know in Berlin that I haven't talked to for two years",
			[]string{"city: Berlin", "network: degree 1; last contact before 2024-05-01"},
		},
		{"people who know Jane Doe", []string{"relation: knows step 1"}},
		{"who knows both Jane Doe and Ann Lee", []string{"relation: knows step 1", "relation: knows step 2"}},
		{"people whose first job was at Google", []string{"condition: "}},
		{"people who only ever worked for one company", []string{"condition: "}},
		{"left Google and later came back", []string{"condition: "}},
		{"engineers who took a career break", []string{"condition: "}},
		{"Suche Krankenschwestern in Berlin, die Polnisch sprechen", []string{"city: Berlin", "skills: Polish"}},
		{"enfermeras en Madrid que trabajen en hospitales", []string{"city: Madrid"}},
		{"wen kenne ich bei Siemens", []string{"company: Siemens", "network: degree 1"}},
	}
	grammar := newPlanner(t)
	for _, tt := range tests {
		plan, err := grammar.Plan(t.Context(), kith.Operator(), tt.text, prompt.Auto)
		expect.NoError(t, err)
		text := plan.String()
		for _, line := range tt.want {
			if !strings.Contains("\n"+text, "\n"+line) {
				t.Errorf("%q: no line %q in\n%s", tt.text, line, text)
			}
		}
	}
}
