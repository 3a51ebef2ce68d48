package demo_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/demo"
)

// Each row has a count and the percentages between which it must lie.
func TestDefaultDatasetHasRealisticProportions(t *testing.T) {
	d := dataset(t, demo.Default())
	companies := map[int64]kith.Company{}
	for c := range d.Companies() {
		companies[c.ID] = c
	}
	rows := []struct {
		what   string
		lo, hi float64
		holds  func(p kith.Person) bool
	}{
		{"has a current job", 92, 97, func(p kith.Person) bool { return p.WorkRelevant != nil }},
		{"has two", 4, 6, func(p kith.Person) bool { return currents(p) == 2 }},
		{"has no history", 0, 2, func(p kith.Person) bool { return len(p.WorkHistory) == 0 }},
		{
			"lives in the country of the seat", 55, 95,
			func(p kith.Person) bool { return p.WorkRelevant != nil && sameCountry(p, companies) },
		},
		{"came back", 2, 12, cameBack},
		{"was promoted", 20, 50, promoted},
		{"has founded", 1, 6, hasTitle(`Founder`)},
		{"founding engineer and such", 0.02, 2, hasTitle(`^Founding |^First Eng`)},
		// Officers of large employers are there on purpose: people ask for them.
		{"is a chief", 8, 14, hasTitle(`^C[A-Z]O\b|^Chief .*Officer|^CISO`)},
		{"abbreviates", 5, 35, hasTitle(`\b(VP|SVP|Sr\.|Jr\.|SRE|AE|SDR|BDR|CSM|HRBP|PMM)( |$)`)},
		{"has no education", 15, 28, func(p kith.Person) bool { return len(p.EducationHistory) == 0 }},
		{"has no about", 25, 45, func(p kith.Person) bool { return p.AboutMe == "" }},
		{"has no e-mail", 15, 25, func(p kith.Person) bool { return p.Email == "" }},
		{"has no state", 30, 65, func(p kith.Person) bool { return p.Location.State == "" }},
		{"has diacritics", 8, 35, func(p kith.Person) bool {
			return strings.ContainsFunc(p.FullName, func(r rune) bool { return r > 127 })
		}},
		{"is in the United States", 20, 50, func(p kith.Person) bool { return p.Location.Country == "United States" }},
		{
			"studied at a real place", 100, 100,
			func(p kith.Person) bool { return len(p.EducationHistory) == 0 || p.EducationHistory[0].Institute != "" },
		},
	}
	counts := make([]int, len(rows))
	jobs, names := 0, map[string]int{}
	for p := range d.People() {
		for i, r := range rows {
			if r.holds(p) {
				counts[i]++
			}
		}
		jobs += len(p.WorkHistory)
		names[p.FullName]++
	}
	n := d.Config().People
	for i, r := range rows {
		got := share(counts[i], n)
		t.Logf("%-32s %5.1f %%", r.what, got)
		if got < r.lo || got > r.hi {
			t.Errorf("%s: %.1f %%, want %.1f to %.1f", r.what, got, r.lo, r.hi)
		}
	}
	t.Logf("%.2f jobs a person, %d different names", float64(jobs)/float64(n), len(names))
	if a := float64(jobs) / float64(n); a < 2.9 || a > 3.7 {
		t.Errorf("%.2f jobs a person", a)
	}
	if len(names) > n*95/100 || len(names) < n/3 {
		t.Errorf("%d different names of %d people", len(names), n)
	}
}

func currents(p kith.Person) int {
	n := 0
	for _, j := range p.WorkHistory {
		if j.Current() {
			n++
		}
	}
	return n
}

func sameCountry(p kith.Person, companies map[int64]kith.Company) bool {
	at := companies[p.WorkRelevant.Company.ID].Location.Country
	return at == p.Location.Country
}

func cameBack(p kith.Person) bool {
	for i, j := range p.WorkHistory {
		for k := i + 2; k < len(p.WorkHistory); k++ {
			if p.WorkHistory[k].Company.ID == j.Company.ID && p.WorkHistory[i+1].Company.ID != j.Company.ID {
				return true
			}
		}
	}
	return false
}

func promoted(p kith.Person) bool {
	for i := 1; i < len(p.WorkHistory); i++ {
		if a, b := p.WorkHistory[i-1], p.WorkHistory[i]; a.Company.ID == b.Company.ID && a.Title != b.Title {
			return true
		}
	}
	return false
}

// hasTitle returns whether a person ever had a title that matches a pattern.
func hasTitle(pattern string) func(kith.Person) bool {
	re := regexp.MustCompile(pattern)
	return func(p kith.Person) bool {
		return slices.ContainsFunc(p.WorkHistory, func(j kith.Job) bool { return re.MatchString(j.Title) })
	}
}

// Titles rise with time: last jobs have more senior titles than first jobs. Most people keep the title of a trade: by
// the employment statistics of the United States, one job in eight is in management.
func TestSeniorityGrows(t *testing.T) {
	d := dataset(t, demo.Default())
	upper := regexp.MustCompile(`(?i)manager|director|head of|\bvp\b|vice president|chief|\bC[A-Z]O\b|founder|` +
		"principal|staff|lead")
	var early, late, people int
	for p := range d.People() {
		if n := len(p.WorkHistory); n >= 3 {
			people++
			if upper.MatchString(p.WorkHistory[n-1].Title) {
				early++
			}
			if upper.MatchString(p.WorkHistory[0].Title) {
				late++
			}
		}
	}
	if share(early, people) > 30 || share(late, people) < 30 || late < 2*early {
		t.Errorf("senior titles: %.1f %% of first jobs, %.1f %% of last", share(early, people), share(late, people))
	}
}

// The number of people at a company grows with its size.
func TestEmployersAreFewLargeAndManySmall(t *testing.T) {
	d := dataset(t, demo.Default())
	staff := map[int64]int{}
	for p := range d.People() {
		if p.WorkRelevant != nil {
			staff[p.WorkRelevant.Company.ID]++
		}
	}
	var large, crowded, small int
	for c := range d.Companies() {
		if c.EmployeeCount > 10_000 {
			large += staff[c.ID]
		}
		if c.EmployeeCount > 0 && c.EmployeeCount <= 50 {
			small++
		}
		if c.EmployeeCount > 0 && staff[c.ID] > c.EmployeeCount+8 {
			crowded++
		}
	}
	total := d.Config().People
	if large < total/6 || small < d.Config().Companies/3 || crowded > d.Config().Companies/50 {
		t.Errorf("%d people in large companies, %d small companies, %d with more people than employees", large, small,
			crowded)
	}
}

func TestFoundersWorkAtSmallCompaniesFromTheStart(t *testing.T) {
	d := dataset(t, demo.Default())
	founders := 0
	for p := range d.People() {
		for _, j := range p.WorkHistory {
			if !strings.Contains(j.Title, "Founder") {
				continue
			}
			founders++
			if c := d.Company(j.Company.ID); c.EmployeeCount > 200 ||
				c.FoundedYear != 0 && !strings.HasPrefix(*j.StartDate, date(c.FoundedYear)[:4]) {
				t.Errorf("%q at %+v since %s", j.Title, c, *j.StartDate)
			}
		}
	}
	if founders == 0 {
		t.Error("there are no founders")
	}
}
