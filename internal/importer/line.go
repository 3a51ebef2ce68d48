package importer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"kith"
)

// The lines of load files, without empty members. They have no ids, because ids in files mean nothing in a dataset.
type (
	personLine struct {
		FullName   string          `json:"full_name"`
		FirstName  string          `json:"first_name,omitempty"`
		LastName   string          `json:"last_name,omitempty"`
		SocialURL  string          `json:"social_url,omitempty"`
		Headline   string          `json:"headline,omitempty"`
		AboutMe    string          `json:"about_me,omitempty"`
		Location   *kith.Location  `json:"location,omitempty"`
		Relevant   *jobLine        `json:"work_relevant,omitempty"`
		ImageURL   string          `json:"image_url,omitempty"`
		History    []jobLine       `json:"work_history,omitempty"`
		Educations []educationLine `json:"education_history,omitempty"`
		Email      string          `json:"email,omitempty"`
		Skills     []string        `json:"skills,omitempty"`
		Emails     []string        `json:"emails,omitempty"`
		Sources    []string        `json:"sources,omitempty"`
		AsOf       *time.Time      `json:"as_of,omitempty"`
	}
	jobLine struct {
		Title     string       `json:"title,omitempty"`
		Company   *companyLine `json:"company,omitempty"`
		StartDate *string      `json:"start_date,omitempty"`
		EndDate   *string      `json:"end_date,omitempty"`
	}
	educationLine struct {
		Institute    string `json:"institute,omitempty"`
		Degree       string `json:"degree,omitempty"`
		FieldOfStudy string `json:"field_of_study,omitempty"`
		StartDate    string `json:"start_date,omitempty"`
		EndDate      string `json:"end_date,omitempty"`
	}
	companyLine struct {
		Name          string         `json:"name,omitempty"`
		SocialURL     string         `json:"social_url,omitempty"`
		Domain        string         `json:"domain,omitempty"`
		Industry      string         `json:"industry,omitempty"`
		EmployeeCount int            `json:"employee_count,omitempty"`
		ImageURL      string         `json:"image_url,omitempty"`
		Location      *kith.Location `json:"location,omitempty"`
		Headquarters  string         `json:"headquarters,omitempty"`
		Type          string         `json:"type,omitempty"`
		FoundedYear   int            `json:"founded_year,omitempty"`
		Keywords      []string       `json:"keywords,omitempty"`
		Description   string         `json:"description,omitempty"`
	}
)

// Line returns the person as a line of a load file, and the line's sources. A person without any identifier gets a hash
// of the line as its source, so that the same line means the same person again.
func (p *Person) Line() (line []byte, sources []string, err error) {
	l := personLine{
		FullName: p.FullName, FirstName: p.FirstName, LastName: p.LastName, SocialURL: p.SocialURL, Headline: p.Headline,
		AboutMe: p.AboutMe, Location: locationOrNil(p.Location), ImageURL: p.ImageURL, Email: p.Email, Skills: p.Skills,
	}
	if p.WorkRelevant != nil {
		job := lineOfJob(*p.WorkRelevant)
		l.Relevant = &job
	}
	for _, j := range p.WorkHistory {
		l.History = append(l.History, lineOfJob(j))
	}
	for _, e := range p.EducationHistory {
		l.Educations = append(l.Educations, educationLine{
			Institute: e.Institute, Degree: e.Degree, FieldOfStudy: e.FieldOfStudy, StartDate: e.StartDate, EndDate: e.EndDate,
		})
	}
	if len(p.Emails) > 1 {
		l.Emails = p.Emails[:min(len(p.Emails), maxList)]
	}
	if err := l.mark(p); err != nil {
		return nil, nil, err
	}
	if day := p.Source.Changed.UTC().Truncate(24 * time.Hour); !p.Source.Changed.IsZero() {
		l.AsOf = &day
	}
	line, err = json.Marshal(l)
	return line, l.Sources, err
}

// mark sets the sources of a line.
func (l *personLine) mark(p *Person) error {
	if p.SourceID != "" && hasIDs(p.Source.Format) {
		l.Sources = []string{p.Source.Format + ":" + p.SourceID}
	}
	if l.SocialURL != "" || l.Email != "" || l.Sources != nil {
		return nil
	}
	text, err := json.Marshal(l)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(text)
	l.Sources = []string{"content:" + hex.EncodeToString(sum[:16])}
	return nil
}

// hasIDs reports whether a format's ids belong to one system. A column named id in an arbitrary table does not.
func hasIDs(format string) bool {
	switch format {
	case "people", "companies", "mapping", "kith-people":
		return false
	}
	return true
}

// Line returns the company as a line of a load file.
func (c *Company) Line() ([]byte, error) { return json.Marshal(lineOfCompany(c.Company)) }

func locationOrNil(l kith.Location) *kith.Location {
	if l.IsZero() {
		return nil
	}
	return &l
}

func lineOfJob(j kith.Job) jobLine {
	l := jobLine{Title: j.Title, StartDate: j.StartDate, EndDate: j.EndDate}
	if j.Company.Name != "" || j.Company.SocialURL != "" || j.Company.Domain != "" {
		company := lineOfCompany(j.Company)
		l.Company = &company
	}
	return l
}

func lineOfCompany(c kith.Company) companyLine {
	return companyLine{
		Name: c.Name, SocialURL: c.SocialURL, Domain: c.Domain, Industry: c.Industry, EmployeeCount: c.EmployeeCount,
		ImageURL: c.ImageURL,
		Location: locationOrNil(c.Location), Headquarters: c.Headquarters, Type: c.Type, FoundedYear: c.FoundedYear,
		Keywords:    c.Keywords,
		Description: c.Description,
	}
}
