package demo_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"kith"
	"kith/internal/demo"
)

// onlyAt has the industries in which a kind of title makes sense.
var onlyAt = []struct{ title, industry *regexp.Regexp }{
	only(`\bNurse\b|Midwife`, `Health|Medical|Nursing|Dental|Veterinary|Mental`),
	only(`Airline Pilot|Flight Attendant|Cabin Crew`, `Aviation`),
	only(`Firefighter|Fire Chief`, `Public Safety`),
	only(`^Judge|Prosecutor|Magistrate`, `Judiciary`),
	only(`Police (Officer|Constable)`, `Law Enforcement|Judiciary`),
	only(`Professor`, `Education|Research|Consult|Tech|Bio|Pharma|Intelligence|Software|Devices|Services|Data|`+
		`Hospital|`+
		`Quantum`),
	only(`\b(Sous|Pastry|Head|Executive) Chef\b|Line Cook`, `Restaurants|Hospitality|Events|Supermarkets|Primary`),
	only(`^(Dentist|Orthodontist)`, `Dental`),
	only(`Veterinarian`, `Veterinary`),
	only(`^(Priest|Pastor|Imam|Rabbi)$`, `Religious|Hospital`),
	only(`Bus Driver|Tram Driver|Train Driver`, `Transport|Rail`),
	only(`Underwriter|Actuary|Claims Adjuster`, `Insurance|Financial`),
	only(`Violinist|Opera Singer`, `Music|Performing|Entertainment`),
}

func only(title, industry string) struct{ title, industry *regexp.Regexp } {
	return struct{ title, industry *regexp.Regexp }{regexp.MustCompile(title), regexp.MustCompile(industry)}
}

// oddities collects absurd people: how many of a kind, and an example.
type oddities struct {
	companies  map[int64]kith.Company
	executives map[int64]int
	found      map[string]int
	examples   map[string]string
}

func (o *oddities) note(kind string, p kith.Person, j kith.Job) {
	c := o.companies[j.Company.ID]
	o.found[kind]++
	o.examples[kind] = fmt.Sprintf("person %d: %s at %s (%s)", p.ID, j.Title, c.Name, c.Industry)
}

// Nobody has a job that nobody could have.
func TestNobodyIsAbsurd(t *testing.T) {
	d := dataset(t, demo.Default())
	o := oddities{map[int64]kith.Company{}, map[int64]int{}, map[string]int{}, map[string]string{}}
	for c := range d.Companies() {
		o.companies[c.ID] = c
	}
	for p := range d.People() {
		for i, j := range p.WorkHistory {
			o.checkJob(p, j)
			if i > 0 {
				o.checkStep(p, j, p.WorkHistory[i-1])
			}
		}
		if n := len(p.EducationHistory); n > 1 && p.EducationHistory[0].EndDate != "" &&
			p.EducationHistory[n-1].StartDate > p.EducationHistory[0].EndDate {
			o.note("the first degree is the last", p, kith.Job{})
		}
	}
	for kind, n := range o.found {
		if n > d.Config().People/2000 {
			t.Errorf("%s: %d, such as %s", kind, n, o.examples[kind])
		}
	}
}

func (o *oddities) checkJob(p kith.Person, j kith.Job) {
	c := o.companies[j.Company.ID]
	for _, rule := range onlyAt {
		if c.Industry != "" && rule.title.MatchString(j.Title) && !rule.industry.MatchString(c.Industry) {
			o.note("a title outside its industry", p, j)
		}
	}
	for word, year := range firstYears() {
		if strings.Contains(j.Title, word) && j.StartDate != nil && *j.StartDate < year {
			o.note("a title before its time", p, j)
		}
	}
	if at, home := c.Location.Country, p.Location.Country; localTrades.MatchString(j.Title) && isAbroad(at, home) {
		o.note("a local trade abroad", p, j)
	}
	if j.Current() && executives.MatchString(j.Title) && c.EmployeeCount > 1000 {
		if o.executives[c.ID]++; o.executives[c.ID] > 2 {
			o.note("a third chief executive", p, j)
		}
	}
}

func isAbroad(country, home string) bool { return country != "" && home != "" && country != home }

// checkStep checks a job and the next one.
func (o *oddities) checkStep(p kith.Person, j, next kith.Job) {
	large := o.companies[j.Company.ID].EmployeeCount > 1000
	if large && chiefs.MatchString(j.Title) && beginners.MatchString(next.Title) {
		o.note("from chief of a large company to beginner", p, j)
	}
	if o.companies[next.Company.ID].EmployeeCount > 1000 && chiefs.MatchString(next.Title) &&
		beginners.MatchString(j.Title) {
		o.note("from beginner to chief of a large company", p, next)
	}
	if j.Title == next.Title && j.Company.ID == next.Company.ID {
		o.note("the same job twice in a row", p, j)
	}
}

var (
	chiefs    = regexp.MustCompile(`^(CEO|CFO|CTO|CMO|Chief .* Officer)$`)
	beginners = regexp.MustCompile(`^(Junior|Trainee|Apprentice|Graduate) `)
	// localTrades are of people whom nobody employs from abroad.
	localTrades = regexp.MustCompile(`\b(Midwife|Police Officer|Firefighter|Judge|Veterinarian)\b`)
	executives  = regexp.MustCompile(`^(CEO|Chief Executive Officer)$`)
)

// firstYears are years in which words of titles were new.
func firstYears() map[string]string {
	return map[string]string{
		"Social Media": "2006", "Data Scientist": "2009", "DevOps": "2009", "iOS": "2008", "Machine Learning": "2005",
		"Growth": "2009", "Blockchain": "2014",
	}
}
