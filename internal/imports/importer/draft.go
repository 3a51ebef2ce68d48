package importer

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"kith"
	"kith/internal/imports/importer/layout"
	"kith/internal/imports/importer/tidy"
)

// draft converts records, as a mapping returns them, into people and companies. It serves one file.
type draft struct {
	layout *layout.Layout
	order  tidy.Order

	// Caches: most rows repeat a few places, titles and companies.
	places    memo[[4]string, kith.Location]
	titles    memo[[2]string, readTitle]
	companies memo[string, string]
}

// readTitle is a parsed title cell: title applies if the company is known, else alone and company.
type readTitle struct{ title, alone, company string }

// person builds a person from a record.
func (d *draft) person(m member) Person {
	var p Person
	p.WorkHistory = collect(m["work_history"], d.job)
	if job, ok := d.job(group(m, "work_relevant")); ok {
		p.WorkRelevant = &job
	}
	p.EducationHistory = collect(m["education_history"], d.education)
	name := tidy.Person(tidy.Names{
		Full: text(m["full_name"]), First: text(m["first_name"]), Middle: text(m["middle_name"]),
		Last:   text(m["last_name"]),
		Suffix: text(m["suffix"]), Companies: companies(&p.Person),
	})
	p.Emails = tidy.Emails(append(texts(m["emails"]), texts(m["email"])...)...)
	if name.Full == "" && len(p.Emails) > 0 {
		name = tidy.Person(tidy.Names{Full: p.Emails[0]})
	}
	if name.Last == "" && name.First != "" {
		name = withLastName(name, p.Emails)
	}
	p.FullName, p.FirstName, p.LastName = name.Full, name.First, name.Last
	if len(p.Emails) > 0 {
		p.Email = p.Emails[0]
	}
	p.SourceID = tidy.Text(text(m["id"]))
	p.SocialURL = d.profile(m)
	p.Headline, p.AboutMe = tidy.Text(text(m["headline"])), prose(m["about_me"])
	p.ImageURL = webAddress(text(m["image_url"]))
	p.Location = d.location(group(m, "location"))
	p.Skills = split(m["skills"])
	d.fromHeadline(&p)
	d.completePresentJob(&p)
	return p
}

// withLastName completes a first name with the last name in an address: Sam and sam.taylor@example.com.
func withLastName(name tidy.Name, addresses []string) tidy.Name {
	for _, address := range addresses {
		if other := tidy.Person(tidy.Names{Full: address}); other.Last != "" && strings.EqualFold(other.First,
			name.First) {
			return tidy.Person(tidy.Names{First: name.First, Last: other.Last})
		}
	}
	return name
}

func webAddress(s string) string {
	if s = tidy.Text(s); strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
		return s
	}
	return ""
}

// companies returns the companies whose names may be part of a person's name.
func companies(p *kith.Person) []string {
	var all []string
	for _, job := range p.Jobs() {
		if job.Company.Name != "" && job.EndDate == nil {
			all = append(all, job.Company.Name)
		}
	}
	return all
}

// profile returns the profile URL: from its own field, or from one of the person's websites.
func (d *draft) profile(m member) string {
	for _, s := range texts(m["social_url"]) {
		if before := d.layout.Before["social_url"]; before != "" && !strings.Contains(s, "/") {
			s = before + s
		}
		if url := tidy.Profile(s); url != "" {
			return url
		}
	}
	for _, cell := range texts(m["websites"]) {
		for _, s := range strings.FieldsFunc(cell, func(r rune) bool { return strings.ContainsRune(" ,;[]|\n", r) }) {
			if i := strings.Index(s, ":http"); i >= 0 { // PORTFOLIO:https://…
				s = s[i+1:]
			}
			if tidy.IsProfileSite(s) {
				return tidy.Profile(s)
			}
		}
	}
	return ""
}

// location builds a location from a record.
func (d *draft) location(m member) kith.Location {
	key := [4]string{text(m["text"]), text(m["city"]), text(m["state"]), text(m["country"])}
	size := len(key[0]) + len(key[1]) + len(key[2]) + len(key[3])
	return d.places.of(key, size, func() kith.Location {
		whole := strings.ReplaceAll(key[0], "\n", ", ")
		return tidy.Location(whole, kith.Location{City: key[1], State: key[2], Country: key[3]})
	})
}

// fromHeadline takes the job from a headline such as CTO at Acme if the record has no present job with a title.
func (d *draft) fromHeadline(p *Person) {
	title, company := tidy.TitleAndCompany(p.Headline)
	if company == "" || strings.ContainsAny(p.Headline, "|•,;") {
		return
	}
	switch present := p.Present(); {
	case present == nil && len(p.WorkHistory) == 0:
		p.WorkRelevant = &kith.Job{Title: title, Company: kith.Company{Name: company}}
	case present != nil && present.Title == "" && strings.EqualFold(present.Company.Name, company):
		present.Title = title
	}
}

// completePresentJob completes the present job from the history if both describe the same job.
func (d *draft) completePresentJob(p *Person) {
	if p.WorkRelevant == nil {
		return
	}
	for i := range p.WorkHistory {
		job := &p.WorkHistory[i]
		sameTitle := p.WorkRelevant.Title == "" || strings.EqualFold(job.Title, p.WorkRelevant.Title)
		if job.Current() && sameTitle && sameCompany(job.Company, p.WorkRelevant.Company) {
			whole := *job
			fill(&whole, p.WorkRelevant)
			p.WorkRelevant = &whole
			return
		}
	}
}

func sameCompany(a, b kith.Company) bool {
	return strings.EqualFold(a.Name, b.Name) || a.SocialURL != "" && a.SocialURL == b.SocialURL
}

// fill completes a job from another record of the same job.
func fill(job, by *kith.Job) {
	job.StartDate = cmp.Or(job.StartDate, by.StartDate)
	if c := by.Company; c.Domain != "" || c.Industry != "" || c.EmployeeCount != 0 || c.SocialURL != "" {
		if job.Company.SocialURL != "" && c.SocialURL == "" {
			c.SocialURL = job.Company.SocialURL
		}
		job.Company = c
	}
}

// collect builds the entries of a list, at most MaxList.
func collect[T any](v any, build func(member) (T, bool)) (all []T) {
	list, _ := v.([]any)
	for _, item := range list {
		m, _ := item.(member)
		if one, ok := build(m); ok && len(all) < MaxList {
			all = append(all, one)
		}
	}
	return all
}

// job builds a job from a record; ok is false if neither title nor company is known, or if
// the entry is marked as deleted.
func (d *draft) job(m member) (job kith.Job, ok bool) {
	if len(m) == 0 || isTrue(m["deleted"]) {
		return job, false
	}
	job.Company = d.company(group(m, "company"))
	raw := text(m["title"])
	size := len(raw) + len(job.Company.Name)
	read := d.titles.of([2]string{raw, job.Company.Name}, size, func() (t readTitle) {
		t.title = tidy.Title(raw, job.Company.Name)
		t.alone, t.company = tidy.TitleAndCompany(raw)
		return t
	})
	job.Title = read.title
	if job.Company.Name == "" && read.company != "" {
		job.Title, job.Company.Name = read.alone, read.company
	}
	if job.Title == "" && job.Company.Name != "" {
		job.Title = tidy.Title(text(m["department"]), "")
	}
	job.StartDate, job.EndDate = d.start(m["start_date"]), d.end(m["end_date"])
	if job.StartDate != nil && job.EndDate != nil &&
		*job.EndDate < (*job.StartDate)[:min(len(*job.StartDate), len(*job.EndDate))] {
		job.EndDate, job.StartDate = job.StartDate, job.EndDate
	}
	hasCompany := job.Company.Name != "" || job.Company.SocialURL != "" || job.Company.Domain != ""
	return job, job.Title != "" || hasCompany
}

// date reads a date: a text, or an object with year, month and day.
func (d *draft) date(v any) string {
	if m, ok := v.(member); ok {
		s := text(m["year"])
		for _, part := range []string{"month", "day"} {
			n, err := strconv.Atoi(text(m[part]))
			if err != nil || n < 1 {
				break
			}
			s += fmt.Sprintf("-%02d", n)
		}
		return tidy.Date(s, d.order)
	}
	return tidy.Date(text(v), d.order)
}

func (d *draft) start(v any) *string {
	if s := d.date(v); s != "" {
		return &s
	}
	return nil
}

// end returns nil for a present job. An unreadable end also means present, because nothing
// else says that the job has ended.
func (d *draft) end(v any) *string {
	if tidy.IsPresent(text(v)) && !isObject(v) {
		return nil
	}
	return d.start(v)
}

func (d *draft) education(m member) (e kith.Education, ok bool) {
	if isTrue(m["deleted"]) {
		return e, false
	}
	e = kith.Education{
		Institute: tidy.Company(text(m["institute"])), Degree: joinText(m["degree"]),
		FieldOfStudy: joinText(m["field_of_study"]),
		StartDate:    d.date(m["start_date"]), EndDate: d.date(m["end_date"]),
	}
	if e.EndDate != "" && e.StartDate != "" && e.EndDate < e.StartDate[:min(len(e.StartDate), len(e.EndDate))] {
		e.StartDate, e.EndDate = e.EndDate, e.StartDate
	}
	if e.FieldOfStudy == "" && len(texts(m["degree"])) == 1 {
		e.Degree, e.FieldOfStudy = tidy.Degree(e.Degree)
	}
	return e, e.Institute != "" || e.Degree != ""
}

// company builds a company from a record.
func (d *draft) company(m member) kith.Company {
	if len(m) == 0 {
		return kith.Company{}
	}
	name := text(m["name"])
	c := kith.Company{
		Name:      d.companies.of(name, len(name), func() string { return tidy.Company(name) }),
		SocialURL: tidy.CompanyProfile(text(m["social_url"])), Domain: tidy.Domain(text(m["domain"])),
		Industry: tidy.Industry(text(m["industry"])), ImageURL: webAddress(text(m["image_url"])),
		Location:     d.location(group(m, "location")),
		Headquarters: tidy.Text(text(m["headquarters"])), Type: tidy.Cased(tidy.Text(text(m["type"]))),
		Keywords: split(m["keywords"]), Description: prose(m["description"]),
	}
	if name, site, ok := strings.Cut(c.Name, " ("); ok && strings.HasSuffix(site, ")") &&
		tidy.Domain(strings.TrimSuffix(site, ")")) != "" {
		c.Name = name // Acme (acme.example)
		c.Domain = cmp.Or(c.Domain, tidy.Domain(strings.TrimSuffix(site, ")")))
	}
	if least, most, ok := tidy.Size(text(m["employee_count"])); ok {
		c.EmployeeCount = tidy.Employees(least, most)
	}
	if date := tidy.Date(text(m["founded_year"]), tidy.UnknownOrder); date != "" {
		c.FoundedYear, _ = strconv.Atoi(date[:4])
	}
	return c
}
