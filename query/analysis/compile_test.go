package analysis_test

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/index"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

func now() time.Time { return time.Date(2025, 6, 15, 12, 0, 0, 0, time.UTC) }

// people are the people of the filter tests, by a short name.
func people() map[string]kith.Person {
	company := func(j kith.Job, c kith.Company) kith.Job {
		c.Name = j.Company.Name
		j.Company = c
		return j
	}
	stripe := kith.Company{
		ID: 7, SocialURL: "https://social.example/company/stripe", Domain: "https://www.stripe.com/about",
		Industry:      "Financial Services",
		EmployeeCount: 8000, Type: "Private Company", FoundedYear: 2010, Funding: &kith.Funding{LastRoundStage: "Series I"},
		Keywords: []string{"online payments"},
	}
	startup := kith.Company{
		ID: 9, Domain: "tiny.io", Industry: "Computer Software", EmployeeCount: 12, FoundedYear: 2023,
		Funding: &kith.Funding{LastRoundStage: "Series_A"},
	}
	return map[string]kith.Person{
		"ann": {
			FullName: "Ann Lee", SocialURL: "https://social.example/in/ann-lee", Skills: []string{"Go", "C++"},
			WorkHistory: []kith.Job{
				company(held("VP Eng", "Stripe, Inc.", "2021-03"), stripe),
				worked("Senior Software Engineer", "Google LLC", "2015", "2021-02"),
			},
			EducationHistory: []kith.Education{
				{Institute: "MIT", Degree: "MSc", FieldOfStudy: "Physics"},
				{Institute: "Oxford", Degree: "BA", FieldOfStudy: "History"},
			},
		},
		"bob": {
			FullName: "Robert Smith", SocialURL: "https://social.example/in/bob",
			WorkHistory: []kith.Job{
				company(held("Engineer", "Tiny", "2024-01"), startup),
				company(held("Board Member", "Stripe", "2023-01"), stripe),
				worked("Designer", "Apple", "2018", "2020"),
			},
		},
		"cat": {
			FullName: "Cat Müller", SocialURL: "https://social.example/in/cat",
			WorkHistory: []kith.Job{
				held("Chief Technology Officer", "Acme GmbH", "2010"),
				worked("Product Manager", "Google", "2005", "2008"), worked("Designer", "Meta", "2008", "2009"),
			},
		},
		"dan": {
			FullName: "Dan Bobson", Headline: "Retired VP at large",
			WorkHistory: []kith.Job{worked("CTO", "Apple", "2000", "2010")},
		},
		"eve": {FullName: "Eve"},
	}
}

func found(t *testing.T, q query.Query) string {
	t.Helper()
	var names []string
	id := int64(0)
	for name, p := range people() {
		id++
		p.ID = id
		d, err := analysis.Person(p, 0, 1)
		expect.NoError(t, err)
		if indexed.Match(d, q) {
			names = append(names, name)
		}
		// Lowering a query for engines must keep its meaning.
		if lowered := query.Simplify(index.Lower(q)); indexed.Match(d, query.Simplify(q)) != indexed.Match(d, q) {
			t.Errorf("lowering changes the meaning of %v: %v", q, lowered)
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

func TestFiltersFindTheirPeople(t *testing.T) {
	type f = query.Filters
	for _, tt := range []struct {
		filters f
		want    string
	}{
		{f{}, "ann bob cat dan eve"},
		// Names: all words, nicknames, umlauts; a phrase in order.
		{f{"name": "Ann"}, "ann"},
		{f{"name": "lee ANN"}, "ann"},
		{f{"name": `"lee ann"`}, ""},
		{f{"name": `"Ann Lee"`}, "ann"},
		{f{"name": "Bob Smith"}, "bob"},
		{f{"name": "R Smith"}, "bob"},
		{f{"name": "Bob"}, "bob"},
		{f{"name": `"Bob Smith"`}, ""},
		{f{"name": "Mueller"}, "cat"},
		{f{"name": "Müller"}, "cat"},
		{f{"name": "Ann, Eve"}, "ann eve"},
		{f{"name": "-Ann"}, "bob cat dan eve"},
		{f{"name": "Smithers"}, ""},
		// Identifiers and URLs.
		{f{"socialId": "ann-lee"}, "ann"},
		{f{"socialId": "https://social.example/in/Ann-Lee/"}, "ann"},
		{f{"socialUrl": "http://www.social.example/in/ann-lee?x=y"}, "ann"},
		{f{"socialUrl": "social.example/in/bob, social.example/in/cat"}, "bob cat"},
		// Titles: normal form, any order, phrases.
		{f{"position": "VP"}, "ann"},
		{f{"position": "vice president"}, "ann"},
		{f{"position": "engineering vice president"}, "ann"},
		{f{"position": `"vice president engineering"`}, "ann"},
		{f{"position": `"VP of Engineering"`}, "ann"},
		{f{"position": `"engineering VP"`}, ""},
		{f{"position": "engineer"}, "bob"},
		{f{"position": "engineers"}, "bob"},
		{f{"position": "CTO"}, "cat"},
		{f{"position": "Chief Technology Officer"}, "cat"},
		{f{"position": "CTO, VP"}, "ann cat"},
		{f{"position": "=VP"}, ""},
		{f{"position": "=VP of Engineering"}, "ann"},
		{f{"position": `="VP, Engineering", =CTO`}, "ann cat"},
		{f{"position": "=VP, CTO"}, "cat"},
		{f{"position": "-=engineer"}, "ann cat dan eve"},
		{f{"position": "-=board"}, "ann bob cat dan eve"},
		{f{"pastPosition": "=designer", "pastCompany": "=Meta"}, "cat"},
		{f{"anyCompany": "+=Google LLC, +Stripe"}, "ann"},
		{f{"name": "=Ann"}, ""},
		{f{"name": "=Lee Ann"}, "ann"},
		{f{"company": "=Stripe Inc", "position": "=engineer"}, ""},
		{f{"position": "CTO, -chief"}, ""},
		{f{"position": "-engineer"}, "ann cat dan eve"},
		{f{"position": "-CTO, -engineer"}, "ann dan eve"},
		{f{"position": "-\"board member\", engineer"}, ""},
		// Companies.
		{f{"company": "Stripe"}, "ann bob"},
		{f{"company": "Stripe Inc."}, "ann bob"},
		{f{"company": "Stripe, Inc."}, "ann bob"},
		{f{"company": "Stripe, SAS"}, "ann bob"},
		{f{"company": "acme ag"}, "cat"},
		{f{"company": "Google"}, ""},
		{f{"companyUrl": "stripe.com"}, "ann bob"},
		{f{"companyUrl": "https://stripe.com/about"}, "ann bob"},
		{f{"companyUrl": "https://stripe.com/jobs"}, ""},
		{f{"companySocial": "stripe"}, "ann bob"},
		{f{"companySocialUrl": "https://social.example/company/stripe/"}, "ann bob"},
		{f{"companyIndustry": "services financial"}, "ann bob"},
		{f{"companyIndustry": `"financial services"`}, "ann bob"},
		{f{"companyIndustry": `"services financial"`}, ""},
		{f{"companySize": "<50"}, "bob"},
		{f{"companySize": "enterprise"}, "ann bob"},
		{f{"companySize": "small, large"}, "bob"},
		{f{"companySize": "-small"}, "ann cat dan eve"},
		{f{"companySize": "5000-100"}, ""},
		{f{"companySize": `"5,001-10,000"`}, "ann bob"},
		{f{"companyKeywords": "payments"}, "ann bob"},
		{f{"companyType": "private"}, "ann bob"},
		{f{"companyFoundedYear": ">2020"}, "bob"},
		{f{"companyFundingStage": "Series A"}, "bob"},
		{f{"companyFundingStage": "series"}, "ann bob"},
		// The same current job.
		{f{"position": "engineer", "company": "Stripe"}, ""},
		{f{"position": "engineer", "company": "Tiny"}, "bob"},
		{f{"position": "engineer", "companySize": ">1000"}, ""},
		{f{"position": "member", "companySize": ">1000"}, "bob"},
		{f{"company": "Stripe", "position": "-member"}, "ann"},
		// Past jobs, and the same past job.
		{f{"pastCompany": "Google"}, "ann cat"},
		{f{"pastCompany": "-Google"}, "bob dan eve"},
		{f{"pastPosition": "designer"}, "bob cat"},
		{f{"pastPosition": "designer", "pastCompany": "Google"}, ""},
		{f{"pastPosition": "designer", "pastCompany": "Apple"}, "bob"},
		{f{"pastCompany": "Google, Apple"}, "ann bob cat dan"},
		{f{"pastCompany": "Google", "position": "CTO"}, "cat"},
		{f{"pastSeniority": "cxo"}, "dan"},
		{f{"pastFunction": "design"}, "bob cat"},
		// Seniority and function.
		{f{"seniority": "vp"}, "ann"},
		{f{"seniority": "Vice President"}, "ann"},
		{f{"seniority": "c-level"}, "cat"},
		{f{"seniority": "-cxo"}, "ann bob dan eve"},
		{f{"function": "engineering"}, "ann bob cat"},
		{f{"function": "Engineering", "seniority": "vp, cxo"}, "ann cat"},
		// Education, in one entry.
		{f{"school": "MIT"}, "ann"},
		{f{"school": "MIT", "degree": "MSc"}, "ann"},
		{f{"school": "MIT", "degree": "BA"}, ""},
		{f{"degree": "Master of Science"}, "ann"},
		{f{"degree": "master"}, "ann"},
		{f{"fieldOfStudy": "history", "school": "Oxford"}, "ann"},
		// Time.
		{f{"experienceYears": "10+"}, "ann cat dan"},
		{f{"experienceYears": "<8"}, "bob"},
		{f{"experienceYears": "20+"}, "cat dan"},
		{f{"tenureYears": "10+"}, "cat"},
		{f{"tenureYears": "<2"}, "bob"},
		{f{"tenureYears": "4"}, "ann"},
		// Text.
		{f{"skills": "C++"}, "ann"},
		{f{"keywords": "VP"}, "ann dan"},
		{f{"keywords": "vice president"}, "ann"},
		{f{"keywords": "stripe"}, "ann bob"},
		{f{"keywords": "retired large"}, "dan"},
		{f{"keywords": `"VP at large"`}, "dan"},
	} {
		c, problems := analysis.Compile(tt.filters, now())
		if problems != nil {
			t.Errorf("%v: %v", tt.filters, problems)
			continue
		}
		if got := found(t, c.Query); got != tt.want {
			t.Errorf("%v finds %q; want %q", tt.filters, got, tt.want)
		}
	}
}

func TestExactTier(t *testing.T) {
	type f = query.Filters
	for _, tt := range []struct {
		filters f
		want    string // "none" without an exact tier
	}{
		{f{"country": "Germany"}, "none"},
		{f{"position": "-CTO"}, "none"},
		{f{"name": "Lee Ann"}, "ann"},
		{f{"name": "Ann"}, ""},
		{f{"name": "Ann, Eve"}, "eve"},
		{f{"position": "engineer"}, "bob"},
		{f{"position": "VP"}, ""},
		{f{"position": "VP Engineering"}, "ann"},
		{f{"position": "VP, CTO"}, "cat"},
		{f{"company": "Stripe"}, "ann bob"},
		{f{"company": "Stripe", "position": "VP"}, ""},
		{f{"company": "Stripe", "position": "VP of Engineering"}, "ann"},
		{f{"company": "Stripe", "position": "VP of Engineering", "pastCompany": "-Google"}, ""},
		{f{"company": "Stripe", "seniority": "vp"}, "ann"},
		{f{"pastCompany": "Google LLC"}, "ann cat"},
		{f{"position": "=VP of Engineering, CTO"}, "ann cat"},
	} {
		c, problems := analysis.Compile(tt.filters, now())
		if problems != nil {
			t.Fatal(problems)
		}
		got := "none"
		if c.Exact != nil {
			got = found(t, c.Exact)
		}
		if got != tt.want {
			t.Errorf("%v finds exactly %q; want %q", tt.filters, got, tt.want)
		}
	}
}

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
	if s := found(t, c.Parts[4].Query); s != "bob dan eve" {
		t.Errorf("people who were never at Google: %q", s)
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
		{"name", strings.Repeat("x,", query.MaxAlternatives+1), "TOO_MANY_ALTERNATIVES", strconv.Itoa(query.MaxAlternatives)},
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
