package postgres

import (
	"crypto/sha256"
	"fmt"

	"github.com/go-json-experiment/json"

	"kith"
)

// The stored forms of people and companies leave out empty values, ids that are columns, and all of a job's company
// except its id. Their JSON names are part of the database format.
type (
	storedPerson struct {
		FirstName string            `json:"first_name,omitempty"`
		LastName  string            `json:"last_name,omitempty"`
		FullName  string            `json:"full_name,omitempty"`
		SocialURL string            `json:"social_url,omitempty"`
		Headline  string            `json:"headline,omitempty"`
		AboutMe   string            `json:"about_me,omitempty"`
		Location  *storedLocation   `json:"location,omitempty"`
		Work      *storedJob        `json:"work_relevant,omitempty"`
		ImageURL  string            `json:"image_url,omitempty"`
		History   []storedJob       `json:"work_history,omitempty"`
		Education []storedEducation `json:"education_history,omitempty"`
		Email     string            `json:"email,omitempty"`
		Skills    []string          `json:"skills,omitempty"`
		Emails    []string          `json:"emails,omitempty"`
		Sources   []string          `json:"sources,omitempty"`
	}
	storedLocation struct {
		City    string `json:"city,omitempty"`
		State   string `json:"state,omitempty"`
		Country string `json:"country,omitempty"`
	}
	storedJob struct {
		Title     string  `json:"title,omitempty"`
		CompanyID int64   `json:"company_id,omitzero"`
		StartDate *string `json:"start_date,omitempty"`
		EndDate   *string `json:"end_date,omitempty"`
	}
	storedEducation struct {
		Institute    string `json:"institute,omitempty"`
		Degree       string `json:"degree,omitempty"`
		FieldOfStudy string `json:"field_of_study,omitempty"`
		StartDate    string `json:"start_date,omitempty"`
		EndDate      string `json:"end_date,omitempty"`
	}
	storedCompany struct {
		Name          string          `json:"name,omitempty"`
		SocialURL     string          `json:"social_url,omitempty"`
		Domain        string          `json:"domain,omitempty"`
		Industry      string          `json:"industry,omitempty"`
		EmployeeCount int             `json:"employee_count,omitzero"`
		ImageURL      string          `json:"image_url,omitempty"`
		Location      *storedLocation `json:"location,omitempty"`
		Headquarters  string          `json:"headquarters,omitempty"`
		Type          string          `json:"type,omitempty"`
		FoundedYear   int             `json:"founded_year,omitzero"`
		Funding       *kith.Funding   `json:"funding,omitempty"`
		Keywords      []string        `json:"keywords,omitempty"`
		Description   string          `json:"description,omitempty"`
		Aliases       []string        `json:"aliases,omitempty"`
	}
)

// encoded is a stored record, with the hash that detects a repeated write.
type encoded struct {
	record []byte
	hash   []byte
}

func encode(stored any) (encoded, error) {
	record, err := json.Marshal(stored)
	if err != nil {
		return encoded{}, fmt.Errorf("encode record: %w", err)
	}
	sum := sha256.Sum256(record)
	return encoded{record: record, hash: sum[:16]}, nil
}

func encodePerson(p kith.Person) (encoded, error) {
	s := storedPerson{
		FirstName: p.FirstName, LastName: p.LastName, FullName: p.FullName, SocialURL: p.SocialURL, Headline: p.Headline,
		AboutMe: p.AboutMe, Location: storeLocation(p.Location), ImageURL: p.ImageURL, Email: p.Email, Skills: p.Skills,
		Emails: p.Emails, Sources: p.Sources,
	}
	if p.WorkRelevant != nil {
		job := storeJob(*p.WorkRelevant)
		s.Work = &job
	}
	for _, j := range p.WorkHistory {
		s.History = append(s.History, storeJob(j))
	}
	for _, e := range p.EducationHistory {
		s.Education = append(s.Education, storedEducation{
			Institute: e.Institute, Degree: e.Degree, FieldOfStudy: e.FieldOfStudy, StartDate: e.StartDate, EndDate: e.EndDate,
		})
	}
	return encode(s)
}

// decodePerson decodes a stored person, packed or not; company returns a job's company by id.
func decodePerson(id int64, record []byte, company func(id int64) kith.Company) (kith.Person, error) {
	var s storedPerson
	record, err := unpackRecord(record)
	if err == nil {
		err = json.Unmarshal(record, &s)
	}
	if err != nil {
		return kith.Person{}, fmt.Errorf("stored person %d: %w", id, err)
	}
	p := kith.Person{
		ID: id, FirstName: s.FirstName, LastName: s.LastName, FullName: s.FullName, SocialURL: s.SocialURL,
		Headline: s.Headline,
		AboutMe:  s.AboutMe, Location: s.Location.noun(), ImageURL: s.ImageURL, Email: s.Email, Skills: s.Skills,
		Emails: s.Emails, Sources: s.Sources,
	}
	if s.Work != nil {
		job := s.Work.noun(company)
		p.WorkRelevant = &job
	}
	for _, j := range s.History {
		p.WorkHistory = append(p.WorkHistory, j.noun(company))
	}
	for _, e := range s.Education {
		p.EducationHistory = append(p.EducationHistory, kith.Education{
			Institute: e.Institute, Degree: e.Degree, FieldOfStudy: e.FieldOfStudy, StartDate: e.StartDate, EndDate: e.EndDate,
		})
	}
	return p, nil
}

func storeJob(j kith.Job) storedJob {
	return storedJob{Title: j.Title, CompanyID: j.Company.ID, StartDate: j.StartDate, EndDate: j.EndDate}
}

func (j storedJob) noun(company func(id int64) kith.Company) kith.Job {
	job := kith.Job{Title: j.Title, StartDate: j.StartDate, EndDate: j.EndDate}
	if j.CompanyID != 0 {
		job.Company = company(j.CompanyID)
	}
	return job
}

func storeLocation(l kith.Location) *storedLocation {
	if l.IsZero() {
		return nil
	}
	s := storedLocation(l)
	return &s
}

func (l *storedLocation) noun() kith.Location {
	if l == nil {
		return kith.Location{}
	}
	return kith.Location(*l)
}

func encodeCompany(c kith.Company) (encoded, error) {
	return encode(storedCompany{
		Name: c.Name, SocialURL: c.SocialURL, Domain: c.Domain, Industry: c.Industry, EmployeeCount: c.EmployeeCount,
		ImageURL: c.ImageURL, Location: storeLocation(c.Location), Headquarters: c.Headquarters, Type: c.Type,
		FoundedYear: c.FoundedYear, Funding: c.Funding, Keywords: c.Keywords, Description: c.Description, Aliases: c.Aliases,
	})
}

func decodeCompany(id int64, record []byte) (kith.Company, error) {
	var s storedCompany
	if err := json.Unmarshal(record, &s); err != nil {
		return kith.Company{}, fmt.Errorf("stored company %d: %w", id, err)
	}
	return kith.Company{
		ID: id, Name: s.Name, SocialURL: s.SocialURL, Domain: s.Domain, Industry: s.Industry, EmployeeCount: s.EmployeeCount,
		ImageURL: s.ImageURL, Location: s.Location.noun(), Headquarters: s.Headquarters, Type: s.Type,
		FoundedYear: s.FoundedYear, Funding: s.Funding, Keywords: s.Keywords, Description: s.Description, Aliases: s.Aliases,
	}, nil
}
