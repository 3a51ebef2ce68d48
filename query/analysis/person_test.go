package analysis_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

func held(title, company, start string) kith.Job { return worked(title, company, start, "") }

func worked(title, company, start, end string) kith.Job {
	j := kith.Job{Title: title, Company: kith.Company{Name: company}}
	if start != "" {
		j.StartDate = &start
	}
	if end != "" {
		j.EndDate = &end
	}
	return j
}

func document(t *testing.T, p kith.Person) indexed.Document {
	t.Helper()
	d, err := analysis.Person(p, 7, 3)
	expect.NoError(t, err)
	return d
}

// jose is the example of the load format with every field set.
func jose() kith.Person {
	current := held("VP Eng", "Stripe, Inc.", "2021-03-01")
	current.Company = kith.Company{
		ID: 7, Name: "Stripe, Inc.", SocialURL: "https://social.example/company/stripe", Domain: "stripe.com",
		Industry: "Financial Services", EmployeeCount: 8000, Type: "Private Company", FoundedYear: 2010,
		Funding: &kith.Funding{LastRoundStage: "Series I"}, Keywords: []string{"Online Payments", "fintech"},
		Aliases: []string{"/dev/payments"},
	}
	return kith.Person{
		ID: 1, FirstName: "José", LastName: "Núñez", FullName: "José Núñez",
		SocialURL: "https://www.social.example/in/Jose-Nunez/",
		Headline:  "VP Eng at Stripe | C++", Location: kith.Location{City: "München", Country: "Germany"},
		WorkRelevant: &current,
		WorkHistory:  []kith.Job{current, worked("Senior Software Engineer", "Siemens AG", "2015-01", "2021-02")},
		EducationHistory: []kith.Education{
			{
				Institute: "TU Munich", Degree: "MSc", FieldOfStudy: "Computer Science", StartDate: "2012",
				EndDate: "2014",
			},
		},
		Email: "Jose@Example.com", Skills: []string{"Go", "Machine Learning"},
	}
}

func TestPersonHasEveryField(t *testing.T) {
	p := jose()
	p.WorkRelevant.Company.Location = kith.Location{
		City: "San Francisco", State: "California",
		Country: "United States",
	}
	p.WorkHistory[0].Company = p.WorkRelevant.Company
	siemens := &p.WorkHistory[1].Company
	*siemens = p.WorkRelevant.Company
	siemens.ID, siemens.Name = 8, "Siemens AG"
	founder := worked("Founder", "Tiny", "2012-01", "2014-12")
	founder.Company.Industry, founder.Company.Type = "Internet", "Privately Held"
	p.WorkHistory = append(p.WorkHistory, founder)
	d := document(t, p)
	analysis.SetOwner(&d, "user:1")
	firstJob := document(t, kith.Person{ID: 1, WorkHistory: p.WorkHistory[:1]}) // and no job before it
	for _, info := range query.PersonFields() {
		paths := info.Paths
		if paths == nil {
			paths = []query.Path{query.Person}
		}
		for _, path := range paths {
			if !hasField(d, path, info) && !hasField(firstJob, path, info) {
				t.Errorf("%s: the field is empty", info.Field.In(path))
			}
		}
	}
	if d.ID != 1 || d.Rank != 7 || d.Version != 3 {
		t.Errorf("id %d, rank %d, version %d", d.ID, d.Rank, d.Version)
	}
}

func hasField(d indexed.Document, path query.Path, info query.Info) bool {
	subs := d.Nested[path]
	if path == query.Person {
		subs = []indexed.Fields{d.Fields}
	}
	for _, f := range subs {
		_, number := f.Numbers[info.Field]
		if len(f.Keywords[info.Field]) > 0 || len(f.Words[info.Field]) > 0 || number {
			return true
		}
	}
	return false
}

func TestPersonHasNormalisedValues(t *testing.T) {
	d := document(t, jose())
	current, past, school := d.Nested[query.Current][0], d.Nested[query.Past][0], d.Nested[query.Education][0]
	for _, tt := range []struct {
		name      string
		got, want any
	}{
		{"name", d.Fields.Words[query.Name], [][]string{{"jose", "nunez"}}},
		{"exact name", d.Fields.Keywords[query.NameExact], []string{"jose nunez"}},
		{"social id", d.Fields.Keywords[query.SocialID], []string{"jose-nunez"}},
		{"social url", d.Fields.Keywords[query.SocialURL], []string{"social.example/in/jose-nunez"}},
		{"email", d.Fields.Keywords[query.Email], []string{"jose@example.com"}},
		{"country", d.Fields.Keywords[query.Country], []string{"de"}},
		{"city", d.Fields.Keywords[query.City], []string{"munchen", "munich"}},
		{"skills", d.Fields.Words[query.Skill], [][]string{{"go"}, {"machine", "learning"}}},
		{"jobs", d.Fields.Keywords[query.JobCount], []string{"1"}},
		{"title", current.Words[query.Title], [][]string{{"vice", "president", "engineering"}}},
		{"exact title", current.Keywords[query.TitleExact], []string{"vice president engineering"}},
		{"seniority", current.Keywords[query.Seniority], []string{"vp"}},
		{"function", current.Keywords[query.Function], []string{"engineering"}},
		{
			"company", current.Words[query.Company],
			[][]string{{"stripe"}, {"stripe", "inc"}, {"dev", "payments"}, {"devpayments"}},
		},
		{"exact company", current.Keywords[query.CompanyExact], []string{"stripe", "dev payments"}},
		{"company id", current.Keywords[query.CompanyID], []string{"7"}},
		{"company url", current.Keywords[query.CompanyURL], []string{"stripe.com"}},
		{"company social", current.Keywords[query.CompanySocialID], []string{"stripe"}},
		{"stage", current.Words[query.CompanyFundingStage], [][]string{{"series", "i"}}},
		{"size", current.Numbers[query.CompanySize], int64(8000)},
		{"tenure", current.Numbers[query.Tenure], day(t, "2021-03-01")},
		{"experience", d.Fields.Numbers[query.Experience], day(t, "2015-01-01")},
		{"past company", past.Words[query.Company], [][]string{{"siemens"}, {"siemens", "ag"}}},
		{"past end", past.Numbers[query.End], day(t, "2021-02-28")},
		{"degree", school.Words[query.Degree], [][]string{{"msc"}, {"master", "science"}}},
		{"exact school", school.Keywords[query.SchoolExact], []string{"tu munich"}},
		{"from", current.Words[query.FromCompany], [][]string{{"siemens"}, {"siemens", "ag"}}},
		{"previous", past.Keywords[query.PreviousJob], []string{query.Yes}},
		{"school end", school.Numbers[query.End], day(t, "2014-12-31")},
		{"facets", d.Facets, map[indexed.Facet]string{
			indexed.FacetCountry: "Germany", indexed.FacetCity: "Munich", indexed.FacetCompany: "Stripe, Inc.",
			indexed.FacetIndustry: "Financial Services",
			indexed.FacetSize:     "5001-10000", indexed.FacetSeniority: "vp", indexed.FacetFunction: "engineering",
		}},
	} {
		if !reflect.DeepEqual(tt.got, tt.want) {
			t.Errorf("%s: %v; want %v", tt.name, tt.got, tt.want)
		}
	}
}

func day(t *testing.T, date string) int64 {
	t.Helper()
	d, err := analysis.ParseDay(date, false)
	expect.NoError(t, err)
	return d
}

func TestRecordEqualsTheResult(t *testing.T) {
	p := jose()
	want, err := json.Marshal(p.Result())
	expect.NoError(t, err)
	if got := document(t, p).Record; string(got) != string(want) {
		t.Errorf("%s; want %s", got, want)
	}
}

func TestJobsAreCurrentOrPast(t *testing.T) {
	relevant := func(j kith.Job) *kith.Job { return &j }
	withID := func(j kith.Job, id int64) kith.Job { j.Company.ID = id; return j }
	for _, tt := range []struct {
		name          string
		person        kith.Person
		current, past int
		jobs          string
	}{
		{"nobody", kith.Person{}, 0, 0, "0"},
		{"relevant only", kith.Person{WorkRelevant: relevant(held("CEO", "A", ""))}, 1, 0, "1"},
		{"repeated in the history", kith.Person{
			WorkRelevant: relevant(held("CEO", "A", "2020")),
			WorkHistory:  []kith.Job{held("CEO", "A", "2020")},
		}, 1, 0, "1"},
		{"repeated in other words", kith.Person{
			WorkRelevant: relevant(held("CEO", "A Inc.", "2020")),
			WorkHistory:  []kith.Job{held("Chief Executive Officer", "a", "2020-01")},
		}, 1, 0, "1"},
		{"repeated with the id", kith.Person{
			WorkRelevant: relevant(held("CEO", "A", "2020")),
			WorkHistory:  []kith.Job{withID(held("CEO", "A", "2020"), 5)},
		}, 1, 0, "1"},
		{"two companies of one name", kith.Person{
			WorkRelevant: relevant(withID(held("CEO", "A", ""), 4)),
			WorkHistory:  []kith.Job{withID(held("CEO", "A", ""), 5)},
		}, 2, 0, "many"},
		{"two jobs", kith.Person{
			WorkRelevant: relevant(held("CEO", "A", "")),
			WorkHistory:  []kith.Job{held("Advisor", "B", "")},
		}, 2, 0, "many"},
		{
			"two roles at one company",
			kith.Person{WorkHistory: []kith.Job{held("CEO", "A", ""), held("CFO", "A", "")}},
			2, 0, "many",
		},
		{"relevant job has ended", kith.Person{WorkRelevant: relevant(worked("CEO", "A", "2019", "2020"))}, 0, 1, "0"},
		{"ended and repeated", kith.Person{
			WorkRelevant: relevant(worked("CEO", "A", "2019", "2020")),
			WorkHistory:  []kith.Job{worked("CEO", "A", "2019", "2020")},
		}, 0, 1, "0"},
		{"two stays", kith.Person{WorkHistory: []kith.Job{
			worked("CEO", "A", "2010", "2012"),
			worked("CEO", "A", "2015", "2017"),
		}}, 0, 2, "0"},
		{"left and came back", kith.Person{
			WorkRelevant: relevant(held("CEO", "A", "2015")),
			WorkHistory:  []kith.Job{worked("CEO", "A", "2010", "2012")},
		}, 1, 1, "1"},
	} {
		tt.person.FullName = "X"
		d := document(t, tt.person)
		if c, p := len(d.Nested[query.Current]), len(d.Nested[query.Past]); c != tt.current || p != tt.past {
			t.Errorf("%s: %d current and %d past jobs; want %d and %d", tt.name, c, p, tt.current, tt.past)
		}
		if got := d.Fields.Keywords[query.JobCount][0]; got != tt.jobs {
			t.Errorf("%s: jobs %q; want %q", tt.name, got, tt.jobs)
		}
	}
}

func TestTenureAndExperience(t *testing.T) {
	for _, tt := range []struct {
		name               string
		jobs               []kith.Job
		tenure, experience string
	}{
		{"one job", []kith.Job{held("A", "X", "2020-05")}, "2020-05-01", "2020-05-01"},
		{
			"promotion",
			[]kith.Job{held("B", "X", "2020-05"), worked("A", "X", "2018-01", "2020-04")},
			"2018-01-01",
			"2018-01-01",
		},
		{"two promotions", []kith.Job{
			held("C", "X", "2020-05"), worked("A", "X", "2016", "2017"), worked("B", "X", "2018-01", "2020-04"),
		}, "2016-01-01", "2016-01-01"},
		{
			"overlap",
			[]kith.Job{held("B", "X", "2020-05"), worked("A", "X", "2018-01", "2021-04")},
			"2018-01-01",
			"2018-01-01",
		},
		{
			"a gap of a month",
			[]kith.Job{held("B", "X", "2020-05"), worked("A", "X", "2018-01", "2020-03-31")},
			"2018-01-01",
			"2018-01-01",
		},
		{
			"left and came back",
			[]kith.Job{held("B", "X", "2020-05"), worked("A", "X", "2016", "2017")},
			"2020-05-01",
			"2016-01-01",
		},
		{
			"elsewhere before",
			[]kith.Job{held("B", "X", "2020-05"), worked("A", "Y", "2016", "2020-04")},
			"2020-05-01",
			"2016-01-01",
		},
		{
			"two current roles",
			[]kith.Job{held("B", "X", "2020-05"), held("A", "X", "2018-05")},
			"2018-05-01",
			"2018-05-01",
		},
		{"no start", []kith.Job{held("B", "X", ""), worked("A", "Y", "2016", "2020")}, "", "2016-01-01"},
		{"no dates", []kith.Job{held("B", "X", "")}, "", ""},
	} {
		d := document(t, kith.Person{FullName: "X", WorkHistory: tt.jobs})
		check := func(what string, f indexed.Fields, field query.Field, want string) {
			got, has := f.Numbers[field]
			if has != (want != "") || has && got != day(t, want) {
				t.Errorf("%s: %s %d, %v; want %q", tt.name, what, got, has, want)
			}
		}
		check("tenure", d.Nested[query.Current][0], query.Tenure, tt.tenure)
		check("experience", d.Fields, query.Experience, tt.experience)
	}
}

func TestFacetsUseThePrimaryJob(t *testing.T) {
	d := document(t, kith.Person{
		FullName:    "X",
		WorkHistory: []kith.Job{held("Advisor", "Old", "2010"), held("CTO", "New", "2020")},
	})
	if got := d.Facets[indexed.FacetCompany]; got != "New" {
		t.Errorf("the company is %q", got)
	}
	side := held("Advisor", "Old", "2010")
	d = document(t, kith.Person{FullName: "X", WorkRelevant: &side, WorkHistory: []kith.Job{held("CTO", "New",
		"2020")}})
	if got := d.Facets[indexed.FacetCompany]; got != "Old" {
		t.Errorf("the relevant job's company is %q", got)
	}
}

func TestErrorsNameInvalidDates(t *testing.T) {
	bad := worked("A", "X", "soon", "")
	for _, tt := range []struct {
		person kith.Person
		want   string
	}{
		{kith.Person{ID: 5, WorkRelevant: &bad}, "person 5: work_relevant.start_date"},
		{
			kith.Person{ID: 5, WorkHistory: []kith.Job{held("A", "X", ""), worked("A", "X", "", "2020-13")}},
			"work_history[1].end_date",
		},
		{kith.Person{ID: 5, EducationHistory: []kith.Education{{StartDate: "20"}}}, "education_history[0].start_date"},
	} {
		if _, err := analysis.Person(tt.person, 0, 0); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v; want it to name %s", err, tt.want)
		}
	}
}

func TestCompanyDocumentHasEveryField(t *testing.T) {
	c := jose().WorkRelevant.Company
	c.Location = kith.Location{City: "SF", Country: "USA"}
	d, err := analysis.Company(c, analysis.CompanyRank(c), 2)
	expect.NoError(t, err)
	analysis.SetOwner(&d, "user:1")
	for _, info := range query.CompanyFields() {
		_, number := d.Fields.Numbers[info.Field]
		if len(d.Fields.Keywords[info.Field]) == 0 && len(d.Fields.Words[info.Field]) == 0 && !number {
			t.Errorf("%s: the field is empty", info.Field)
		}
	}
	if got := d.Fields.Keywords[query.CompanySocial]; !reflect.DeepEqual(got,
		[]string{"stripe", "social.example/company/stripe"}) {
		t.Errorf("social %q", got)
	}
	if strings.Contains(string(d.Record), "fintech") {
		t.Errorf("the record shows fields that are for search only: %s", d.Record)
	}
}

func TestRankGrowsWithTheRecord(t *testing.T) {
	full, poor := jose(), kith.Person{FullName: "X", SocialURL: "https://social.example/in/x"}
	if a, b := analysis.Rank(full), analysis.Rank(poor); a <= b || b < 0 || a > analysis.MaxRank {
		t.Errorf("the full record has %d, the poor one %d", a, b)
	}
	intern := jose()
	job := *intern.WorkRelevant
	job.Title = "Intern"
	intern.WorkRelevant, intern.WorkHistory = &job, nil
	if a, b := analysis.Rank(full), analysis.Rank(intern); a <= b {
		t.Errorf("the vice president has %d, the intern %d", a, b)
	}
	if analysis.Rank(full) != analysis.Rank(jose()) {
		t.Error("the same record has two ranks")
	}
	big, small := kith.Company{Name: "A", EmployeeCount: 100000}, kith.Company{Name: "A", EmployeeCount: 10}
	if a, b := analysis.CompanyRank(big), analysis.CompanyRank(small); a <= b || a > analysis.MaxRank {
		t.Errorf("the big company has %d, the small one %d", a, b)
	}
	huge := kith.Company{
		Name: "A", EmployeeCount: 1 << 40, Domain: "a.b", SocialURL: "https://a.b/c", Industry: "x",
		Location: kith.Location{City: "x"}, FoundedYear: 1, Funding: &kith.Funding{}, Description: "x",
	}
	if r := analysis.CompanyRank(huge); r > analysis.MaxRank {
		t.Errorf("rank %d exceeds the maximum", r)
	}
}
