package demo_test

import (
	"math"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"

	"kith"
	"kith/internal/demo"
	"kith/internal/test/expect"
)

func dataset(t testing.TB, cfg demo.Config) *demo.Dataset {
	t.Helper()
	d, err := demo.New(cfg)
	expect.NoError(t, err)
	return d
}

func TestInvalidConfigIsRefused(t *testing.T) {
	for name, cfg := range map[string]demo.Config{
		"people":    {People: -1},
		"many":      {People: demo.MaxPeople + 1},
		"companies": {Companies: -1},
		"year":      {Now: time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC)},
	} {
		if _, err := demo.New(cfg); err == nil || !strings.Contains(err.Error(), "give") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := dataset(t, demo.Config{People: 25}).Config(); got.Companies != 5 || got.Now.Year() != 2026 {
		t.Errorf("defaults are %+v", got)
	}
}

// A record is the same in a small and a large dataset.
func TestRecordsDoNotDependOnTheSize(t *testing.T) {
	one := dataset(t, demo.Config{Seed: 5, People: 10, Companies: 50})
	more := dataset(t, demo.Config{Seed: 5, People: 5000, Companies: 50})
	id := int64(1)
	for p := range one.People() {
		if want := more.Person(id); !reflect.DeepEqual(p, want) {
			t.Fatalf("person %d is %+v and %+v", id, p, want)
		}
		id++
	}
	other := dataset(t, demo.Config{Seed: 6, People: 10, Companies: 50})
	if other.Person(1).FullName == one.Person(1).FullName && other.Company(1).Name == one.Company(1).Name {
		t.Error("another seed gives the same dataset")
	}
}

// Datasets of any size and seed are coherent, even with a single company.
func TestAnyDatasetIsCoherent(t *testing.T) {
	cities := knownCities(t)
	rapid.Check(t, func(rt *rapid.T) {
		cfg := demo.Config{
			Seed: rapid.Uint64().Draw(rt, "seed"), People: rapid.IntRange(0, 60).Draw(rt, "people"),
			Companies: rapid.IntRange(0, 40).Draw(rt, "companies"),
			Now: time.Date(rapid.IntRange(2015, 2035).Draw(rt, "year"),
				time.Month(rapid.IntRange(1, 12).Draw(rt, "month")), 14, 9, 0, 0, 0, time.UTC),
		}
		d, err := demo.New(cfg)
		if err != nil {
			rt.Fatal(err)
		}
		check(rt, d, cities)
	})
}

func TestDefaultDatasetIsCoherent(t *testing.T) {
	d := dataset(t, demo.Default())
	if got := d.Config(); got.People != 80_000 || got.Companies != 13_000 {
		t.Fatalf("the default is %+v", got)
	}
	check(t, d, knownCities(t))
}

// failer is the part of a test that check needs.
type failer interface {
	Helper()
	Fatalf(format string, args ...any)
}

var (
	maskedEmail = regexp.MustCompile(`^[a-z]•••@[a-z0-9.-]+\.(example|com|org|net)$`)
	personURL   = regexp.MustCompile(`^https://social\.example/in/[a-z0-9-]+$`)
	companyURL  = regexp.MustCompile(`^https://social\.example/company/[a-z0-9-]+$`)
	domainName  = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*\.example$`) // of invented companies
)

func check(t failer, d *demo.Dataset, cities map[kith.Location]bool) {
	t.Helper()
	companies := checkCompanies(t, d, cities)
	seen := map[string]bool{}
	next := int64(1)
	for p := range d.People() {
		if p.ID != next {
			t.Fatalf("person %d is number %d", p.ID, next)
		}
		next++
		if seen[p.SocialURL] || !personURL.MatchString(p.SocialURL) {
			t.Fatalf("person %d has the address %q", p.ID, p.SocialURL)
		}
		seen[p.SocialURL] = true
		checkPerson(t, p, cities)
		checkJobs(t, p, companies, d.Config().Now)
		checkEducation(t, p, d.Config().Now)
	}
	if int(next-1) != d.Config().People {
		t.Fatalf("%d people of %d", next-1, d.Config().People)
	}
}

func checkCompanies(t failer, d *demo.Dataset, cities map[kith.Location]bool) map[int64]kith.Company {
	t.Helper()
	byID := map[int64]kith.Company{}
	names, urls := map[string]bool{}, map[string]bool{}
	now := d.Config().Now
	for c := range d.Companies() {
		name := strings.ToLower(c.Name)
		if c.Name == "" || names[name] || urls[c.SocialURL] || !companyURL.MatchString(c.SocialURL) {
			t.Fatalf("company %d is not unique: %q, %q", c.ID, c.Name, c.SocialURL)
		}
		names[name], urls[c.SocialURL] = true, true
		if real := c.ID <= int64(d.Config().Companies*40/100); c.Domain != "" && !real &&
			!domainName.MatchString(c.Domain) {
			t.Fatalf("company %d has the domain %q", c.ID, c.Domain)
		}
		if !c.Location.IsZero() && !cities[c.Location] {
			t.Fatalf("company %d is in %+v", c.ID, c.Location)
		}
		if text := strings.Join(append(c.Aliases, c.Name, c.Description), ""); !utf8.ValidString(text) {
			t.Fatalf("company %d has the invalid text %q", c.ID, text)
		}
		checkAge(t, c, now)
		byID[c.ID] = c
	}
	if len(byID) != d.Config().Companies {
		t.Fatalf("%d companies of %d", len(byID), d.Config().Companies)
	}
	return byID
}

// checkAge checks the size of a company, and the times of its foundation and funding.
func checkAge(t failer, c kith.Company, now time.Time) {
	t.Helper()
	if c.EmployeeCount < 0 || c.EmployeeCount > 3_000_000 || c.FoundedYear > now.Year() ||
		c.FoundedYear != 0 && c.FoundedYear < 600 {
		t.Fatalf("company %+v", c)
	}
	if f := c.Funding; f != nil && f.LastRoundDate != "" && (f.LastRoundDate > now.Format(time.DateOnly) ||
		f.LastRoundDate < date(c.FoundedYear) || f.NumberOfRounds < 1) {
		t.Fatalf("company %d, founded %d, has the funding %+v", c.ID, c.FoundedYear, *f)
	}
}

func date(year int) string { return time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC).Format(time.DateOnly) }

func checkPerson(t failer, p kith.Person, cities map[kith.Location]bool) {
	t.Helper()
	if p.FirstName == "" || p.LastName == "" || !strings.Contains(p.FullName, p.FirstName) ||
		!strings.Contains(p.FullName, p.LastName) || !utf8.ValidString(p.FullName) {
		t.Fatalf("person %d is called %q, %q, %q", p.ID, p.FirstName, p.LastName, p.FullName)
	}
	if p.Email != "" && !maskedEmail.MatchString(p.Email) {
		t.Fatalf("person %d has the address %q", p.ID, p.Email)
	}
	l := p.Location
	if !l.IsZero() && !cities[l] {
		t.Fatalf("person %d is in %+v", p.ID, l)
	}
}

func checkJobs(t failer, p kith.Person, companies map[int64]kith.Company, now time.Time) {
	t.Helper()
	current := 0
	for i, j := range p.WorkHistory {
		c, known := companies[j.Company.ID]
		start, end := firstDay(t, *j.StartDate), now
		if j.EndDate == nil {
			current++
		} else {
			end = firstDay(t, *j.EndDate)
		}
		if !known || j.Title == "" || end.Before(start) || start.After(now) || end.After(now) {
			t.Fatalf("person %d has the job %+v", p.ID, j)
		}
		if c.FoundedYear > start.Year() {
			t.Fatalf("person %d worked since %s at company %d, founded %d", p.ID, *j.StartDate, c.ID, c.FoundedYear)
		}
		if i > 0 {
			checkOrder(t, p, i)
		}
	}
	if (p.WorkRelevant != nil) != (current > 0) || current > 2 {
		t.Fatalf("person %d has %d current jobs and the relevant one %v", p.ID, current, p.WorkRelevant)
	}
	if p.WorkRelevant != nil && (p.WorkRelevant.EndDate != nil || !reflect.DeepEqual(*p.WorkRelevant,
		p.WorkHistory[0])) {
		t.Fatalf("person %d has the relevant job %+v", p.ID, *p.WorkRelevant)
	}
}

// checkOrder checks that a job is listed after the one that followed it. Only side jobs overlap the main one.
func checkOrder(t failer, p kith.Person, i int) {
	t.Helper()
	next, j := p.WorkHistory[i-1], p.WorkHistory[i]
	if next.EndDate == nil || j.EndDate == nil || len(*j.EndDate) != len(time.DateOnly) {
		return
	}
	if firstDay(t, *next.StartDate).Before(firstDay(t, *j.EndDate).AddDate(0, 0, -31)) {
		t.Fatalf("job %[2]d of person %[1]d began before the previous job ended", p.ID, i)
	}
}

// checkEducation allows studies beside a job, but no job before the first studies.
func checkEducation(t failer, p kith.Person, now time.Time) {
	t.Helper()
	for _, e := range p.EducationHistory {
		if e.Institute == "" || e.StartDate > e.EndDate || e.EndDate > now.Format("2006") {
			t.Fatalf("person %d has the education %+v", p.ID, e)
		}
	}
	if n, m := len(p.EducationHistory), len(p.WorkHistory); n > 0 && m > 0 {
		first := p.EducationHistory[n-1]
		work := firstDay(t, *p.WorkHistory[m-1].StartDate)
		if first.StartDate != "" && (firstDay(t, first.StartDate).After(work) ||
			firstDay(t, first.StartDate).AddDate(55, 0, 0).Before(now)) {
			t.Fatalf("person %d studies since %s and works since %s", p.ID, first.StartDate, work)
		}
	}
}

func firstDay(t failer, text string) time.Time {
	t.Helper()
	at, err := time.Parse("2006-01-02"[:len(text)], text)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return at
}

// knownCities reads the list of cities, each with its state, without it, and with the country alone.
func knownCities(t testing.TB) map[kith.Location]bool {
	t.Helper()
	known := map[kith.Location]bool{}
	countries := map[string]bool{}
	for file, column := range map[string]int{"cities": 0, "employers": 5} {
		text, err := os.ReadFile("data/" + file + ".tsv")
		expect.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			c := strings.Split(line, "\t")[column:]
			known[kith.Location{City: c[0], State: c[1], Country: c[2]}] = true
			known[kith.Location{City: c[0], Country: c[2]}] = true
			known[kith.Location{Country: c[2]}] = true
			countries[c[2]] = true
		}
	}
	if len(countries) < 45 {
		t.Errorf("%d countries", len(countries))
	}
	return known
}

// share returns a share in percent.
func share(n, of int) float64 { return math.Round(1000*float64(n)/float64(of)) / 10 }
