package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/indexed"
)

// career is a person with jobs written "title @ company start..end". Without an end a job is held;
// ? is an unknown start.
func career(t *testing.T, jobs ...string) kith.Person {
	t.Helper()
	p := kith.Person{ID: 1, FullName: "X Y", SocialURL: "https://social.example/in/x"}
	for _, text := range jobs {
		what, dates, ok := cutLast(text, " ")
		title, company, ok2 := strings.Cut(what, " @ ")
		start, end, ok3 := strings.Cut(dates, "..")
		if !ok || !ok2 || !ok3 {
			t.Fatalf("job %q", text)
		}
		p.WorkHistory = append(p.WorkHistory, worked(title, company, strings.Trim(start, "?"), end))
	}
	return p
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// moves lists each job that follows another company or belongs to the previous stay, such as "VP @
// Meta < Google". A * marks a job of the previous stay, # and a number a later stay.
func moves(d indexed.Document) string {
	var out []string
	for _, path := range []query.Path{query.Past, query.Current} {
		for _, f := range d.Nested[path] {
			text := strings.Join(f.Words[query.Title][0], " ")
			if from := f.Words[query.FromCompany]; from != nil {
				text += " < " + strings.Join(from[0], " ")
			}
			if n := f.Numbers[query.Stay]; n > 1 {
				text += " #" + string(rune('0'+n))
			}
			if f.Keywords[query.PreviousJob] != nil {
				text += " *"
			}
			out = append(out, text)
		}
	}
	slices.Sort(out)
	return strings.Join(out, ", ")
}

func TestStaysJoinJobsAtOneCompany(t *testing.T) {
	for _, tt := range []struct {
		name string
		jobs []string
		want string
	}{
		{
			"one after the other",
			[]string{"A @ Google 2010-01..2014-12", "B @ Meta 2015-01..2018-12", "C @ Stripe 2019-01.."},
			"a, b < google *, c < meta",
		},
		{"a promotion is no move", []string{
			"A @ Google 2010-01..2014-12", "B @ Google 2015-01..2018-12", "C @ Stripe 2019-01..",
		}, "a *, b *, c < google"},
		{"a gap of three months", []string{"A @ Google 2010-01..2014-12", "B @ Google 2015-04.."}, "a, b"},
		{"a longer gap", []string{"A @ Google 2010-01..2014-12", "B @ Google 2015-05.."}, "a *, b < google #2"},
		{
			"came back",
			[]string{"A @ Google 2010-01..2014-12", "B @ Meta 2015-01..2015-12", "C @ Google 2016-01.."},
			"a, b < google *, c < meta #2",
		},
		{"came back within three months", []string{
			"A @ Google 2010-01..2014-12", "B @ Meta 2015-01..2015-01", "C @ Google 2015-02..",
		}, "a, b < google *, c < meta #2"},
		{
			"years alone",
			[]string{"A @ Google 2010..2014", "B @ Meta 2014..2014", "C @ Stripe 2014.."},
			"a, b < google *, c < meta",
		},
		{"a job on the side ends no stay", []string{
			"A @ Google 2010-01..2013-12", "S @ Foo 2013-06..2014-06",
			"B @ Google 2014-01..2018-12", "C @ Stripe 2019-01..",
		}, "a *, b *, c < google, s"},
		{
			"a job on the side is not the one before",
			[]string{"A @ Google 2010-01..2018-12", "S @ Foo 2015-01..2019-02", "C @ Stripe 2019-01.."},
			"a *, c < google, s",
		},
		{"a side job that continues", []string{
			"Z @ Apple 2005-01..2009-12", "A @ Google 2010-01..", "S @ Foo 2015-01..",
		}, "a < apple, s, z *"},
		{
			"jobs that overlap",
			[]string{"A @ Google 2010-01..2015-12", "B @ Meta 2015-06..2018-12", "C @ Stripe 2018-10.."},
			"a, b < google *, c < meta",
		},
		{"no current job", []string{"A @ Google 2010-01..2014-12", "B @ Meta 2015-01..2018-12"}, "a, b < google"},
		{
			"an unknown start",
			[]string{"A @ Google 2010-01..2014-12", "B @ Meta ?..2018-12", "C @ Stripe ?.."},
			"a, b < google *, c < meta",
		},
		{"one job", []string{"A @ Google 2010-01.."}, "a"},
		{"the legal form does not matter", []string{
			"A @ Google LLC 2010-01..2014-12", "B @ google 2015-01..2018-12", "C @ Stripe 2019-01..",
		}, "a *, b *, c < google"},
		{"jobs without a company", []string{"A @  2010-01..2014-12", "B @ Meta 2015-01.."}, "a *, b"},
	} {
		if got := moves(document(t, career(t, tt.jobs...))); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// Identifiers and sites take precedence over names.
func TestStaysPreferIdentifiersToNames(t *testing.T) {
	p := career(t, "A @ Facebook 2010-01..2014-12", "B @ Meta 2015-01..2018-12", "C @ Meta 2019-01..")
	p.WorkHistory[0].Company.ID, p.WorkHistory[1].Company.ID, p.WorkHistory[2].Company.ID = 7, 7, 8
	p.WorkHistory[1].Company.Domain, p.WorkHistory[2].Company.Domain = "meta.example", "meta-materials.example"
	if got, want := moves(document(t, p)), "a *, b *, c < meta"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Records that know only the name of a company give each spelling its own identifier.
func TestStaysJoinSpellingsOfACompanyName(t *testing.T) {
	p := career(t, "A @ Acme 2010-01..2014-12", "B @ ACME Inc. 2015-01..2018-12", "C @ Acme, Ltd 2019-01..")
	for i := range p.WorkHistory {
		p.WorkHistory[i].Company.ID = int64(7 + i)
	}
	p.WorkHistory[1].Company.Domain, p.WorkHistory[2].Company.SocialURL = "acme.example",
		"https://social.example/company/acme"
	if got, want := moves(document(t, p)), "a, b, c"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	p.WorkHistory[2].Company.Domain = "www.acme.example/about"
	if got, want := moves(document(t, p)), "a, b, c"; got != want {
		t.Errorf("with the same site: got %q, want %q", got, want)
	}
	for i := range p.WorkHistory {
		p.WorkHistory[i].Company.Name = "🚀"
	}
	if got, want := moves(document(t, p)), "a, b *, c"; got != want {
		t.Errorf("without words in the name: got %q, want %q", got, want)
	}
}

func TestTenureCountsTheWholeStay(t *testing.T) {
	d := document(t, career(t, "A @ Google 2010-01..2014-12", "B @ Google 2015-03..2018-12", "C @ Google 2020-01.."))
	if got := d.Nested[query.Current][0].Numbers[query.Tenure]; got != day(t, "2020-01-01") {
		t.Errorf("the current stay began on day %d", got)
	}
	for _, f := range d.Nested[query.Past] {
		if got := f.Numbers[query.Tenure]; got != day(t, "2010-01-01") {
			t.Errorf("the first stay began on day %d", got)
		}
	}
}

func TestJobKnowsThePreviousOne(t *testing.T) {
	d := document(t, career(t, "Intern @ Foo 2009-01..2009-12", "Engineer @ Google 2010-01..2014-12",
		"Engineering Manager @ Google 2015-01.."))
	manager, engineer := d.Nested[query.Current][0], d.Nested[query.Past][1]
	for _, tt := range []struct {
		got  []string
		want string
	}{
		{manager.Words[query.FromTitle][0], "engineer"},
		{manager.Keywords[query.FromFunction], "engineering"},
		{engineer.Words[query.FromTitle][0], "intern"},
		{engineer.Keywords[query.FromSeniority], "intern"},
		{engineer.Keywords[query.FromCompanyExact], "foo"},
	} {
		if got := strings.Join(tt.got, " "); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
	if manager.Words[query.FromCompany] != nil {
		t.Errorf("a promotion has the former company %v", manager.Words[query.FromCompany])
	}
}

func TestStartupDependsOnStageAndSize(t *testing.T) {
	for _, tt := range []struct {
		stage string
		staff int
		want  bool
	}{
		{"Seed", 10, true},
		{"Pre-Seed", 3, true},
		{"pre_seed", 3, true},
		{"Preseed round", 3, true},
		{"Pre-Series A", 60, true},
		{"Pre-Series C", 60, false},
		{"Pre-IPO", 60, false},
		{"Angel", 3, true},
		{"Series A", 199, true},
		{"Series_B", 199, true},
		{"series b-2", 150, true},
		{"Series B", 200, false},
		{"Series C", 20, false},
		{"IPO", 20, false},
		{"Private Equity", 20, false},
		{"Seed", 0, false},
		{"", 49, true},
		{"", 50, false},
		{"", 0, false},
		{"Series Unknown", 49, true},
	} {
		c := kith.Company{
			ID: 1, Name: "X", Type: "Startup", EmployeeCount: tt.staff,
			Funding: &kith.Funding{LastRoundStage: tt.stage},
		}
		d, err := analysis.Company(c, 0, 1)
		expect.NoError(t, err)
		if got := indexed.Match(d, query.Term{Field: query.CompanyType, Value: query.Startup}); got != tt.want {
			t.Errorf("%q with %d: %t, want %t", tt.stage, tt.staff, got, tt.want)
		}
	}
}
