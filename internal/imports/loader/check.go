package loader

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"reflect"
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
type checker struct{ problems []string }

func (c *checker) fail(path, format string, args ...any) {
	c.problems = append(c.problems, problem(path, format, args...).Error())
}

func (c *checker) err() error {
	if len(c.problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(c.problems, "; "))
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

// id checks the id of a line; 0 is none.
func (c *checker) id(path string, id int64) {
	if id < 0 || id > maxID {
		c.fail(path, "must be between 1 and %d, not %d", int64(maxID), id)
	}
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

// row checks a person and returns the row to store, and separately the companies of the jobs.
func (l *personLine) row() (*record.PersonRow, []*companyRef, error) {
	var c checker
	p := l.Person
	p.FullName, p.Email, p.Sources = strings.TrimSpace(p.FullName), analysis.Address(p.Email), sorted(p.Sources)
	c.id("id", p.ID)
	if p.FullName == "" {
		c.fail("full_name", "is required")
	}
	c.emails(&p, p.Emails)
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
	refs := c.jobs(&p)
	c.education(p.EducationHistory)
	if err := c.err(); err != nil {
		return nil, nil, err
	}
	return &record.PersonRow{
		Person: p, SocialKey: key, SocialID: analysis.SocialID(p.SocialURL), Email: strings.ToLower(p.Email),
		AsOf: l.AsOf.UTC(),
	}, refs, nil
}

// jobs checks the jobs of a person, and moves their companies into the result; nil for a job without one.
func (c *checker) jobs(p *kith.Person) []*companyRef {
	c.length("work_history", len(p.WorkHistory))
	var refs []*companyRef
	if p.WorkRelevant != nil {
		refs = append(refs, c.job(p.WorkRelevant, "work_relevant"))
	}
	for i := range p.WorkHistory {
		refs = append(refs, c.job(&p.WorkHistory[i], at("work_history", i)))
	}
	return refs
}

func (c *checker) job(j *kith.Job, path string) *companyRef {
	c.name(path+".title", j.Title)
	c.dates(path, j.StartDate, j.EndDate)
	company := j.Company
	*j = kith.Job{Title: j.Title, StartDate: dateOrNil(j.StartDate), EndDate: dateOrNil(j.EndDate)}
	if reflect.ValueOf(company).IsZero() {
		return nil
	}
	ref := c.company(company, path+".company")
	if !isNamed(company) {
		c.fail(path+".company", "needs an id or a name")
	}
	return ref
}

// isNamed reports whether a company can be found by what is known of it.
func isNamed(c kith.Company) bool {
	return c.ID != 0 || c.Name != "" || c.SocialURL != "" || c.Domain != ""
}

func (c *checker) education(entries []kith.Education) {
	c.length("education_history", len(entries))
	for i := range entries {
		e, path := &entries[i], at("education_history", i)
		c.name(path+".institute", e.Institute)
		c.name(path+".degree", e.Degree)
		c.name(path+".field_of_study", e.FieldOfStudy)
		c.dates(path, &e.StartDate, &e.EndDate)
		e.StartPrecision, e.EndPrecision = "", "" // of an answer of the API
	}
}

// company checks a company: a line of its own, or the company of a job at path.
func (c *checker) company(k kith.Company, path string) *companyRef {
	in := func(name string) string { return strings.TrimPrefix(path+"."+name, ".") }
	ref := &companyRef{id: k.ID}
	k.ID, k.Name = 0, strings.TrimSpace(k.Name)
	c.id(in("id"), ref.id)
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
	if k.Funding != nil {
		c.funding(k.Funding, in("funding"))
	}
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

func (c *checker) funding(f *kith.Funding, path string) {
	c.name(path+".price", f.Price)
	c.name(path+".last_round_stage", f.LastRoundStage)
	c.date(path+".last_round_date", &f.LastRoundDate, false)
	c.length(path+".investors", len(f.Investors))
	for i, investor := range f.Investors {
		c.name(at(path+".investors", i)+".name", investor.Name)
	}
	c.checkRange(path+".number_of_rounds", f.NumberOfRounds, 0, maxFundingSize)
	if f.Investors == nil {
		f.Investors = []kith.Investor{}
	}
}
