package analysis_test

import (
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

func now() time.Time { return time.Date(2025, 6, 15, 12, 0, 0, 0, time.UTC) }

func TestPartsOfFilters(t *testing.T) {
	c, problems := analysis.Compile(query.Filters{
		"pastCompany": `-Google, Apple`, "name": "Ann", "position": `"head of sales", -"CEO, interim", CTO`,
	}, now())
	if problems != nil {
		t.Fatal(problems)
	}
	var got []string
	for _, p := range c.Parts {
		got = append(got, string(p.Filter)+": "+p.Value)
		if p.Excluded != strings.HasPrefix(p.Value, "-") {
			t.Errorf("Excluded does not agree with the value: %+v", p)
		}
	}
	want := []string{
		"name: Ann", `position: "head of sales", CTO`, `position: -"CEO, interim"`, "pastCompany: Apple",
		"pastCompany: -Google",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
	for employer, want := range map[string]bool{"Google": false, "Apple": true} {
		p := kith.Person{FullName: "X", WorkHistory: []kith.Job{worked("Designer", employer, "2005", "2008")}}
		if got := indexed.Match(document(t, p), c.Parts[4].Query); got != want {
			t.Errorf("someone who was at %s was never at Google: %t", employer, got)
		}
	}
}

func TestProblemsOfFilters(t *testing.T) {
	for _, tt := range []struct {
		name          query.FilterName
		value         string
		code, message string
	}{
		{"name", "", "EMPTY_FILTER", "empty"},
		{"name", "  ", "EMPTY_FILTER", "empty"},
		{"name", strings.Repeat("x", query.MaxFilterLength+1), "FILTER_TOO_LONG", strconv.Itoa(query.MaxFilterLength)},
		{
			"name", strings.Repeat("x,", query.MaxAlternatives+1), "TOO_MANY_ALTERNATIVES",
			strconv.Itoa(query.MaxAlternatives),
		},
		{"name", `"Ann`, "INVALID_FILTER", "not closed"},
		{"name", "Ann,,Bob", "INVALID_FILTER", "empty"},
		{"name", "a\x00", "INVALID_FILTER", "control"},
		{"name", "!!!", "INVALID_FILTER", "letter or digit"},
		{"position", "...", "INVALID_FILTER", "letter or digit"},
		{"company", "&", "INVALID_FILTER", "letter or digit"},
		{"company", "Stripe, &", "INVALID_FILTER", "letter or digit"},
		{"company", "=&", "INVALID_FILTER", "letter or digit"},
		{"position", "=", "INVALID_FILTER", "empty"},
		{"school", "MIT, =Oxford", "INVALID_FILTER", "leave the equals sign out"},
		{"companySize", "=200", "INVALID_FILTER", "leave the equals sign out"},
		{"keywords", `-="a b"`, "INVALID_FILTER", `"=a b"`},
		{"country", "?", "INVALID_FILTER", "letter or digit"},
		{"city", "🙂", "INVALID_FILTER", "letter or digit"},
		{"socialUrl", "ann", "INVALID_URL", "host and path"},
		{"companyUrl", "not a url", "INVALID_URL", "host and path"},
		{"companySocialUrl", "stripe", "INVALID_URL", "host and path"},
		{"socialId", "two words", "INVALID_FILTER", "social identifier"},
		{"companySize", "big", "INVALID_RANGE", "50-200"},
		{"companySize", "10,001+", "", ""},
		{"companySize", "1,000-5,000", "", ""},
		{"companySize", "51-200,201-500", "", ""},
		{"companySize", "200, 500", "", ""},
		{"companySize", "1,500", "INVALID_RANGE", "one number or two; write 1500, or a space"},
		{"companySize", "-10,500+", "INVALID_RANGE", "one number or two"},
		{"companySize", "5, 000", "INVALID_RANGE", "a comma separates alternatives"},
		{"companySize", "10,many", "INVALID_RANGE", "50-200"},
		{"pastCompanySize", "<", "INVALID_RANGE", "50-200"},
		{"experienceYears", "long", "INVALID_RANGE", "3-7"},
		{"tenureYears", "999+", "INVALID_RANGE", "150"},
		{"companyFoundedYear", "old", "INVALID_RANGE", "2015"},
		{"seniority", "boss", "UNKNOWN_VALUE", "intern, entry, senior"},
		{"pastSeniority", "boss", "UNKNOWN_VALUE", "intern, entry, senior"},
		{"function", "magic", "UNKNOWN_VALUE", "engineering, product"},
		{"pposition", "x", "UNKNOWN_FIELD", `"position"`},
		{"companysize", "x", "UNKNOWN_FIELD", `"companySize"`},
		{"company_size", "x", "UNKNOWN_FIELD", `"companySize"`},
		{"", "x", "UNKNOWN_FIELD", "nearest"},
	} {
		_, problems := analysis.Compile(query.Filters{tt.name: tt.value}, now())
		if tt.code == "" {
			if problems != nil {
				t.Errorf("%s %q: %v", tt.name, tt.value, problems)
			}
			continue
		}
		if len(problems) != 1 || problems[0].Code != tt.code || problems[0].Field != "filters."+string(tt.name) ||
			!strings.Contains(problems[0].Message, tt.message) {
			t.Errorf("%s %.20q: %+v; want %s with %q", tt.name, tt.value, problems, tt.code, tt.message)
		}
	}
}

func TestEveryProblemIsReported(t *testing.T) {
	_, problems := analysis.Compile(query.Filters{
		"companySize": "big, -huge", "name": "", "seniority": "boss", "zzz": "x", "aaa": "y", "position": "CTO",
	}, now())
	var got []string
	for _, p := range problems {
		got = append(got, p.Field)
	}
	want := []string{
		"filters.name", "filters.companySize", "filters.companySize", "filters.seniority", "filters.aaa",
		"filters.zzz",
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q; want %q", got, want)
	}
}
