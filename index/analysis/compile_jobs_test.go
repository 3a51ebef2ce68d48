package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/index"
	"kith/index/analysis"
	"kith/index/memindex"
	"kith/query"
)

// workers are people by the jobs that they have had.
func workers(t *testing.T) map[string]kith.Person {
	google := kith.Company{ID: 1, Name: "Google", Industry: "Internet", EmployeeCount: 100000, Type: "Public Company", Location: kith.Location{City: "Mountain View", State: "California", Country: "United States"}}
	meta := kith.Company{ID: 2, Name: "Meta", Industry: "Internet", EmployeeCount: 50000, Type: "Public Company", Location: kith.Location{City: "Menlo Park", State: "California", Country: "United States"}}
	seed := kith.Company{ID: 3, Name: "Tiny", Industry: "Computer Software", EmployeeCount: 12, FoundedYear: 2019, Type: "Privately Held", Headquarters: "Berlin, Germany", Funding: &kith.Funding{LastRoundStage: "Seed"}}
	shell := kith.Company{ID: 4, Name: "Shell", Industry: "Oil", EmployeeCount: 90000, Type: "Public Company", Headquarters: "United Kingdom"}
	ikea := kith.Company{ID: 5, Name: "IKEA", Industry: "Retail", FoundedYear: 1943, Location: kith.Location{City: "Älmhult", Country: "Sweden"}}
	all := map[string]kith.Company{"Google": google, "Meta": meta, "Tiny": seed, "Shell": shell, "IKEA": ikea}
	people := map[string]kith.Person{
		"ann":  career(t, "Engineer @ Google 2010-01..2014-12", "Senior Engineer @ Meta 2015-01..2019-12", "CTO @ Tiny 2020-01.."),
		"bob":  career(t, "Engineer @ Meta 2012-01..2017-12", "Engineering Manager @ Google 2018-01.."),
		"cat":  career(t, "Designer @ Tiny 2020-01..2024-08", "Designer @ IKEA 2024-09.."),
		"dan":  career(t, "Geologist @ Shell 2000-01.."),
		"eve":  career(t, "Engineer @ Google 2010-01..2012-12", "Engineer @ IKEA 2013-01..2014-12", "Staff Engineer @ Google 2015-01.."),
		"fred": career(t, "Engineer @ Shell 2001-01..2011-12"),
		"gus":  {ID: 1, FullName: "Gus", EducationHistory: []kith.Education{{Institute: "MIT", EndDate: "2015-06"}, {Institute: "Oxford", EndDate: "2010"}}},
	}
	for _, p := range people {
		for i := range p.WorkHistory {
			p.WorkHistory[i].Company = all[p.WorkHistory[i].Company.Name]
		}
	}
	return people
}

// working returns the workers that filters find, as the condition is written,
// simplified and as an engine runs it.
func working(t *testing.T, filters query.Filters) string {
	t.Helper()
	c, problems := analysis.Compile(filters, now())
	if problems != nil {
		t.Fatalf("%v: %v", filters, problems)
	}
	flat := memindex.New()
	versions, err := flat.Versions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	byID := map[int64]string{}
	for name, p := range workers(t) {
		p.ID = int64(len(byID) + 1)
		byID[p.ID] = name
		d := document(t, p)
		if memindex.Match(d, c.Query) {
			names = append(names, name)
		}
		if err := flat.Write(t.Context(), index.People, []string{versions[0].Name}, []index.Flat{index.Flatten(d)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	hits, err := flat.Find(t.Context(), index.People, index.FindRequest{Query: query.Simplify(index.Lower(c.Query)), Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	var run []string
	for _, h := range hits {
		run = append(run, byID[h.ID])
	}
	slices.Sort(names)
	slices.Sort(run)
	if !slices.Equal(names, run) {
		t.Errorf("%v: %v are meant, an engine finds %v", filters, names, run)
	}
	return strings.Join(names, " ")
}

func TestCompileJobs(t *testing.T) {
	type filters = query.Filters
	for _, tt := range []struct {
		filters filters
		want    string
	}{
		{filters{"anyCompany": "Google"}, "ann bob eve"},
		{filters{"anyCompany": "+Google, +Meta"}, "ann bob"},
		{filters{"anyCompany": "Google, Meta, -Tiny"}, "bob eve"},
		{filters{"anyCompany": "-Google"}, "cat dan fred gus"},
		{filters{"anyCompany": "+Google, Tiny"}, "ann"},
		{filters{"anyCompany": "+Google, +Meta", "anyPosition": "manager"}, "bob"},
		{filters{"anyCompany": "Google", "anyPosition": "manager"}, "bob"},
		{filters{"anyCompany": "Meta", "anyPosition": "manager"}, ""},
		{filters{"anyCompany": "Google", "anySeniority": "lead"}, "eve"},
		{filters{"anyFunction": "design"}, "cat"},
		{filters{"anyCompanyIndustry": "Internet", "anyCompanySize": "<60000"}, "ann bob"},
		{filters{"anyCompanyType": "startup"}, "ann cat"},
		{filters{"anyCompanyType": "-startup"}, "bob dan eve fred gus"},
		{filters{"anyCompanyCountry": "UK"}, "dan fred"},
		{filters{"anyCompanyCountry": "Europe", "anyCompany": "-Shell"}, "ann cat eve"},

		{filters{"company": "+Google"}, "bob eve"},
		{filters{"company": "+Google", "position": "designer"}, ""},
		{filters{"pastCompany": "+Google, +Meta"}, "ann"},
		{filters{"pastCompany": "+Google, +IKEA"}, "eve"},
		{filters{"pastCompany": "+Google, -Meta"}, "eve"},

		{filters{"previousCompany": "Meta"}, "ann bob"},
		{filters{"previousCompany": "Google"}, ""},
		{filters{"previousCompany": "IKEA"}, "eve"},
		{filters{"previousCompany": "-Meta"}, "cat dan eve fred gus"},
		{filters{"previousCompany": "Meta", "company": "Tiny"}, "ann"},
		{filters{"previousCompany": "+Meta, +Google"}, ""},
		{filters{"previousPosition": "engineer", "previousCompanyIndustry": "internet"}, "ann bob"},
		{filters{"previousSeniority": "senior"}, "ann"},
		{filters{"previousFunction": "design"}, "cat"},
		{filters{"previousCompanyType": "startup", "previousCompanySize": "<50"}, "cat"},

		{filters{"companyCountry": "Germany"}, "ann"},
		{filters{"companyCountry": "-Germany"}, "bob cat dan eve fred gus"},
		{filters{"companyCountry": "Germany, Sweden"}, "ann cat"},
		{filters{"companyCountry": "Nowhere"}, ""},
		{filters{"companyCountry": "+Germany, +Sweden"}, ""},
		{filters{"companyRegion": "Nordics"}, "cat"},
		{filters{"companyRegion": "West Coast"}, "bob eve"},
		{filters{"companyRegion": "Atlantis"}, ""},
		{filters{"companyRegion": "-Nordics"}, "ann bob dan eve fred gus"},
		{filters{"companyState": "CA"}, "bob eve"},
		{filters{"companyState": "-California", "company": "Google, Tiny"}, "ann"},
		{filters{"companyState": "Texas"}, ""},
		{filters{"companyCity": "Mountain View"}, "bob eve"},
		{filters{"companyCity": `"Mountain View, California"`, "company": "Google"}, "bob eve"},
		{filters{"companyCity": `"Mountain View, Texas"`}, ""},
		{filters{"companyCity": "Bay Area"}, "bob eve"},
		{filters{"companyCity": "-Berlin", "seniority": "cxo"}, ""},
		{filters{"companyMetro": "Bay Area"}, "bob eve"},
		{filters{"companyMetro": "-Bay Area"}, "ann cat dan fred gus"},
		{filters{"companyMetro": "London"}, ""},
		{filters{"pastCompanyCountry": "DE"}, "cat"},
		{filters{"pastCompanyCountry": "Sweden, -United States"}, ""},
		{filters{"pastCompanyCountry": "-US"}, "cat dan fred gus"},

		{filters{"companyType": "startup"}, "ann"},
		{filters{"companyType": "public"}, "bob dan eve"},
		{filters{"companyType": "-startup"}, "bob cat dan eve fred gus"},
		{filters{"pastCompanyType": "startup"}, "cat"},
		{filters{"pastCompanyType": "-public"}, "cat dan gus"},
		{filters{"pastCompanyType": "+startup, +public"}, ""},
		{filters{"pastCompanyFundingStage": "seed"}, "cat"},
		{filters{"pastCompanyFundingStage": "-seed", "anyCompany": "Tiny"}, "ann"},
		{filters{"pastCompanyFundingStage": "series a"}, ""},
		{filters{"pastCompanyFoundedYear": "2015+"}, "cat"},
		{filters{"pastCompanyFoundedYear": "<1950"}, "eve"},
		{filters{"pastCompanyFoundedYear": "-<2015"}, "ann bob cat dan fred gus"},

		{filters{"pastEndYears": "<1"}, "cat"},
		{filters{"pastEndYears": "5-8"}, "ann bob"},
		{filters{"pastEndYears": "-10+"}, "bob cat dan gus"},
		{filters{"graduationYear": "2015"}, "gus"},
		{filters{"graduationYear": "2011-2014"}, ""},
		{filters{"graduationYear": "2015+", "school": "Oxford"}, ""},
		{filters{"graduationYear": "<=2010", "school": "Oxford"}, "gus"},
		{filters{"school": "+MIT, +Oxford"}, "gus"},
	} {
		if got := working(t, tt.filters); got != tt.want {
			t.Errorf("%v finds %q, want %q", tt.filters, got, tt.want)
		}
	}
}

func TestPartsOfRequired(t *testing.T) {
	c, problems := analysis.Compile(query.Filters{"company": "Meta, +Google, -Shell"}, now())
	if problems != nil {
		t.Fatal(problems)
	}
	var got []string
	for _, p := range c.Parts {
		got = append(got, p.Value)
	}
	if want := "Meta|+Google|-Shell"; strings.Join(got, "|") != want {
		t.Errorf("parts %q, want %q", got, want)
	}
}

func TestExactRequired(t *testing.T) {
	c, problems := analysis.Compile(query.Filters{"anyPosition": "+engineer"}, now())
	if problems != nil {
		t.Fatal(problems)
	}
	for jobs, want := range map[string]bool{"Engineer @ X 2010..": true, "Senior Engineer @ X 2010..": false} {
		if got := memindex.Match(document(t, career(t, jobs)), c.Exact); got != want {
			t.Errorf("%s is exact: %t", jobs, got)
		}
	}
}
