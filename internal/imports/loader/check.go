package loader

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"kith"
	"kith/internal/record"
	"kith/query/analysis"
	"kith/query/tokenizer"
)

// Limits of a record. They are far above real data, and keep one line from harming others.
const (
	maxID          = 1<<53 - 1 // the largest integer that every JSON reader represents exactly
	maxName        = 500       // characters of a name, title, place and the like
	maxText        = 50_000    // characters of a free text
	maxURL         = 2_000     // bytes
	maxKey         = 499       // bytes of a normalized URL
	maxList        = 500       // jobs, education entries, skills, keywords, …
	maxEmployees   = 50_000_000
	minYear        = 1000
	maxYear        = 2200
	maxFundingSize = 10_000
)

// A checker collects the problems of a line.
type checker struct{ problems []error }

func (c *checker) fail(path, format string, args ...any) {
	c.problems = append(c.problems, problem(path, format, args...))
}

func (c *checker) err() error {
	if len(c.problems) == 0 {
		return nil
	}
	texts := make([]string, len(c.problems))
	for i, p := range c.problems {
		texts[i] = p.Error()
	}
	return errors.New(strings.Join(texts, "; "))
}

// text checks that a text is short enough and can be stored.
func (c *checker) text(path, s string, most int) {
	if len(s) > most && utf8.RuneCountInString(s) > most {
		c.fail(path, "is longer than %d characters", most)
	}
	if strings.IndexByte(s, 0) >= 0 {
		c.fail(path, "holds the character U+0000, which cannot be stored")
	}
}

func (c *checker) name(path, s string) { c.text(path, s, maxName) }

func (c *checker) texts(path string, list []string) {
	c.length(path, len(list))
	for i, s := range list {
		c.name(at(path, i), s)
	}
}

func (c *checker) length(path string, n int) {
	if n > maxList {
		c.fail(path, "has %d entries; at most %d are allowed", n, maxList)
	}
}

func (c *checker) location(path string, l kith.Location) {
	c.name(path+".city", l.City)
	c.name(path+".state", l.State)
	c.name(path+".country", l.Country)
}

// id returns the id of a line, or 0 if it has none.
func (c *checker) id(path string, id *int64) int64 {
	if id == nil {
		return 0
	}
	if *id < 1 || *id > maxID {
		c.fail(path, "must be between 1 and %d, not %d", int64(maxID), *id)
	}
	return *id
}

// url checks a URL and returns its comparison form; "" for "". like describes the expected value.
func (c *checker) url(path, s, like string) string {
	if s == "" {
		return ""
	}
	key, ok := analysis.URLKey(s)
	switch {
	case len(s) > maxURL || len(key) > maxKey:
		c.fail(path, "is too long; a URL has at most %d bytes here, and its host and path %d", maxURL, maxKey)
	case strings.IndexByte(s, 0) >= 0:
		c.fail(path, "holds the character U+0000, which cannot be stored")
	case !ok:
		c.fail(path, "is not %s: %.100q", like, s)
	}
	return key
}

// image checks the URL of an image, which pages show unchanged.
func (c *checker) image(path, s string) {
	c.text(path, s, maxURL)
	if s == "" {
		return
	}
	if u, err := url.Parse(s); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		c.fail(path, "must be an http or https URL: %.100q", s)
	}
}

// profile is like url, for a profile, which must have a path.
func (c *checker) profile(path, s string) string {
	key := c.url(path, s, "a URL such as https://social.example/in/jane-doe")
	if key != "" && !strings.Contains(key, "/") {
		c.fail(path, "has no path; a profile URL looks like https://social.example/in/jane-doe")
	}
	return key
}

func (c *checker) checkRange(path string, n, least, most int) {
	if n != 0 && (n < least || n > most) {
		c.fail(path, "must be between %d and %d, not %d", least, most, n)
	}
}

// dates checks a start and an end date; nil and "" mean unknown.
func (c *checker) dates(path string, start, end *string) {
	first, okFirst := c.date(path+".start_date", start, false)
	last, okLast := c.date(path+".end_date", end, true)
	if okFirst && okLast && last < first {
		c.fail(path, "ends (%s) before it starts (%s)", *end, *start)
	}
}

func (c *checker) date(path string, s *string, end bool) (day int64, ok bool) {
	if s == nil || *s == "" {
		return 0, false
	}
	day, err := analysis.ParseDay(*s, end)
	if err != nil {
		c.fail(path, "%v", err)
	}
	return day, err == nil
}

// at is the path of a list entry.
func at(path string, i int) string { return path + "[" + strconv.Itoa(i) + "]" }

// dateOrNil maps both forms of an unknown date to nil.
func dateOrNil(date *string) *string {
	if date == nil || *date == "" {
		return nil
	}
	return date
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// row checks a person and returns the row to store, and separately the companies of the jobs.
func (l *personLine) row() (*record.PersonRow, []*companyRef, error) {
	var c checker
	p := kith.Person{
		ID: c.id("id", l.ID), FirstName: l.FirstName, LastName: l.LastName, FullName: strings.TrimSpace(l.FullName),
		SocialURL: l.SocialURL, Headline: l.Headline, AboutMe: l.AboutMe, Location: l.Location,
		ImageURL: l.ImageURL, Email: analysis.Address(l.Email), Skills: l.Skills, Sources: sorted(l.Sources),
	}
	if p.FullName == "" {
		c.fail("full_name", "is required")
	}
	c.emails(&p, l.Emails)
	if p.SocialURL == "" && p.Email == "" && p.ID == 0 && len(p.Sources) == 0 {
		c.fail("social_url", "is required where there is no email, no id and no sources")
	}
	c.sources(p.Sources)
	c.name("first_name", p.FirstName)
	c.name("last_name", p.LastName)
	c.name("full_name", p.FullName)
	c.text("headline", p.Headline, maxText)
	c.text("about_me", p.AboutMe, maxText)
	c.image("image_url", p.ImageURL)
	c.location("location", p.Location)
	c.texts("skills", p.Skills)
	key := c.profile("social_url", p.SocialURL)
	refs := l.jobs(&c, &p)
	p.EducationHistory = l.education(&c)
	if err := c.err(); err != nil {
		return nil, nil, err
	}
	row := &record.PersonRow{
		Person: p, SocialKey: key, SocialID: analysis.SocialID(p.SocialURL), Email: strings.ToLower(p.Email),
	}
	if l.AsOf != nil {
		row.AsOf = l.AsOf.UTC()
	}
	return row, refs, nil
}

func (l *personLine) jobs(c *checker, p *kith.Person) []*companyRef {
	var refs []*companyRef
	if l.WorkRelevant != nil {
		job, ref := l.WorkRelevant.job(c, "work_relevant")
		p.WorkRelevant = &job
		refs = append(refs, ref)
	}
	c.length("work_history", len(l.WorkHistory))
	for i := range l.WorkHistory {
		job, ref := l.WorkHistory[i].job(c, at("work_history", i))
		p.WorkHistory = append(p.WorkHistory, job)
		refs = append(refs, ref)
	}
	return refs
}

func (j *jobLine) job(c *checker, path string) (kith.Job, *companyRef) {
	c.name(path+".title", j.Title)
	c.dates(path, j.StartDate, j.EndDate)
	job := kith.Job{Title: j.Title, StartDate: dateOrNil(j.StartDate), EndDate: dateOrNil(j.EndDate)}
	if j.Company == nil {
		return job, nil
	}
	ref := j.Company.check(c, path+".company")
	if ref.id == 0 && ref.company.Name == "" && ref.socialKey == "" && ref.domainKey == "" {
		c.fail(path+".company", "needs an id or a name")
	}
	return job, ref
}

func (l *personLine) education(c *checker) []kith.Education {
	c.length("education_history", len(l.EducationHistory))
	var entries []kith.Education
	for i, e := range l.EducationHistory {
		path := at("education_history", i)
		c.name(path+".institute", e.Institute)
		c.name(path+".degree", e.Degree)
		c.name(path+".field_of_study", e.FieldOfStudy)
		c.dates(path, e.StartDate, e.EndDate)
		entries = append(entries, kith.Education{
			Institute: e.Institute, Degree: e.Degree, FieldOfStudy: e.FieldOfStudy,
			StartDate: text(e.StartDate), EndDate: text(e.EndDate),
		})
	}
	return entries
}

// ref checks a line of a company file.
func (l *companyLine) ref() (*companyRef, error) {
	var c checker
	ref := l.check(&c, "")
	return ref, c.err()
}

// check checks a company: a line of its own, or the company of a job at path.
func (l *companyLine) check(c *checker, path string) *companyRef {
	in := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	k := kith.Company{
		Name: strings.TrimSpace(l.Name), SocialURL: l.SocialURL, Domain: l.Domain, Industry: l.Industry,
		EmployeeCount: l.EmployeeCount, ImageURL: l.ImageURL, Location: l.Location, Headquarters: l.Headquarters,
		Type: l.Type, FoundedYear: l.FoundedYear, Keywords: l.Keywords, Description: l.Description, Aliases: l.Aliases,
	}
	ref := &companyRef{id: c.id(in("id"), l.ID)}
	c.name(in("name"), k.Name)
	c.name(in("industry"), k.Industry)
	c.name(in("headquarters"), k.Headquarters)
	c.name(in("type"), k.Type)
	c.image(in("image_url"), k.ImageURL)
	c.text(in("description"), k.Description, maxText)
	c.location(in("location"), k.Location)
	c.texts(in("keywords"), k.Keywords)
	c.texts(in("aliases"), k.Aliases)
	if k.EmployeeCount < 0 {
		c.fail(in("employee_count"), "must not be negative")
	}
	c.checkRange(in("employee_count"), max(k.EmployeeCount, 0), 0, maxEmployees)
	c.checkRange(in("founded_year"), k.FoundedYear, minYear, maxYear)
	k.Funding = l.Funding.check(c, in("funding"))
	ref.socialKey = c.profile(in("social_url"), k.SocialURL)
	ref.domainKey = analysis.SiteKey(c.url(in("domain"), k.Domain, "a domain such as acme.example"))
	ref.nameKey = nameKey(k.Name)
	ref.company = k
	return ref
}

// nameKey is the comparison form of a company's name. Folding can make a name longer than databases can index; such a
// name is compared by its SHA-256 hash.
func nameKey(name string) string {
	key := strings.Join(strings.Fields(tokenizer.Fold(name)), " ")
	if len(key) > maxKey {
		sum := sha256.Sum256([]byte(key))
		return hex.EncodeToString(sum[:])
	}
	return key
}

func (f *fundingLine) check(c *checker, path string) *kith.Funding {
	if f == nil {
		return nil
	}
	c.name(path+".price", f.Price)
	c.name(path+".last_round_stage", f.LastRoundStage)
	c.date(path+".last_round_date", f.LastRoundDate, false)
	c.length(path+".investors", len(f.Investors))
	for i, investor := range f.Investors {
		c.name(at(path+".investors", i)+".name", investor.Name)
	}
	if f.NumberOfRounds < 0 || f.NumberOfRounds > maxFundingSize {
		c.fail(path+".number_of_rounds", "must be between 0 and %d, not %d", maxFundingSize, f.NumberOfRounds)
	}
	return &kith.Funding{
		Price: f.Price, Investors: append([]kith.Investor{}, f.Investors...), LastRoundDate: text(f.LastRoundDate),
		LastRoundStage: f.LastRoundStage, NumberOfRounds: f.NumberOfRounds,
	}
}

// lineCount writes a number of lines in words.
func lineCount(n int64) string {
	if n == 1 {
		return "1 line"
	}
	return fmt.Sprintf("%d lines", n)
}
