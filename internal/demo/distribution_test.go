package demo_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/demo"
	"kith/internal/test/expect"
)

// published reads testdata/published.tsv: what, source, published percentage, lowest and highest of the demo.
func published(t *testing.T) map[string][3]float64 {
	t.Helper()
	text, err := os.ReadFile("testdata/published.tsv")
	expect.NoError(t, err)
	out := map[string][3]float64{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		c := strings.Split(strings.TrimSpace(line), "\t")
		var v [3]float64
		for i := range v {
			_, err := fmt.Sscan(c[i+1], &v[i])
			expect.NoError(t, err)
		}
		out[c[0]] = v
	}
	return out
}

// Ages, time with the employer, sizes of employers and sectors are as far from published shares as the table allows.
func TestDistributionsAreLikePublishedOnes(t *testing.T) {
	d := dataset(t, demo.Default())
	companies := map[int64]kith.Company{}
	counts, totals := map[string]int{}, map[string]int{}
	add := func(table, row string) { counts[table+":"+row]++; totals[table]++ }
	for c := range d.Companies() {
		companies[c.ID] = c
	}
	for p := range d.People() {
		if p.WorkRelevant == nil {
			continue
		}
		if age := ageOf(t, p, d); age > 0 {
			add("age", band(age, []int{24, 34, 44, 54, 64}))
		}
		add("tenure", band(yearsAtEmployer(t, p, d), []int{0, 4, 9}))
		if size := companies[p.WorkRelevant.Company.ID].EmployeeCount; size > 0 {
			add("employer", band(size, []int{19, 99, 499}))
		}
		if s := sector(companies[p.WorkRelevant.Company.ID].Industry); s != "" {
			add("sector", s)
		}
	}
	for row, want := range published(t) {
		table, _, _ := strings.Cut(row, ":")
		got := share(counts[row], totals[table])
		t.Logf("%-28s %5.1f %%, published %5.1f %%", row, got, want[0])
		if got < want[1] || got > want[2] {
			t.Errorf("%s: %.1f %%, want %.1f to %.1f", row, got, want[1], want[2])
		}
	}
}

// band names the band of a number between limits.
func band(n int, limits []int) string {
	at, _ := slices.BinarySearch(limits, n)
	if at == len(limits) {
		return fmt.Sprintf("over %d", limits[at-1])
	}
	return fmt.Sprintf("to %d", limits[at])
}

// ageOf estimates an age: first studies begin at 19, a career without them at 20.
func ageOf(t *testing.T, p kith.Person, d *demo.Dataset) int {
	now := d.Config().Now.Year()
	if n := len(p.EducationHistory); n > 0 {
		if from := p.EducationHistory[n-1].StartDate; from != "" {
			return now - firstDay(t, from).Year() + 19
		}
		return 0
	}
	return now - firstDay(t, *p.WorkHistory[len(p.WorkHistory)-1].StartDate).Year() + 20
}

// yearsAtEmployer returns for how many years the person has been with the present employer, promotions included.
func yearsAtEmployer(t *testing.T, p kith.Person, d *demo.Dataset) int {
	since := *p.WorkHistory[0].StartDate
	for _, j := range p.WorkHistory {
		if j.Company.ID == p.WorkHistory[0].Company.ID {
			since = *j.StartDate
		} else if j.EndDate != nil {
			break
		}
	}
	return int(d.Config().Now.Sub(firstDay(t, since)).Hours() / 24 / 365.25)
}

func sector(industry string) string {
	for _, s := range []struct{ name, of string }{
		{"health and social work", "Hospital|Medical Practice|Dental|Mental|Nursing Homes|Individual & Family|" +
			"Veterinary"},
		{"education", "Higher Education|Education Management|Primary|Child Day Care|Training"},
		{"trade", "Retail|E-commerce|Supermarkets|Wholesale|Pharmacies|Automotive Repair"},
		{"construction", "Construction|Contractors|Civil Engineering"},
		{"transport", "Transportation|Logistics|Warehousing|Railways|Maritime|Airlines"},
		{"hospitality", "Restaurants|Hospitality|Leisure"},
		{"public administration", "Government|Military|Law Enforcement|Public Safety|Judiciary|Legislative"},
		{"information", "Software|Information Tech|Internet|Telecom|Data Analytics|Artificial|Network Security|Media|" +
			"Newspapers|Publishing|Games"},
		{"finance", "Banking|Insurance|Financial|Investment|Venture"},
	} {
		for part := range strings.SplitSeq(s.of, "|") {
			if strings.HasPrefix(industry, part) || strings.Contains(industry, part) {
				return s.name
			}
		}
	}
	if industry == "" {
		return ""
	}
	return "other"
}
