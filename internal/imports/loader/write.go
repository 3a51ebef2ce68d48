package loader

import (
	"time"

	"github.com/go-json-experiment/json"

	"kith"
)

// PersonLine returns a person as a line of a load file, without empty members. asOf is cut to the day; the zero time is
// left out.
func PersonLine(p kith.Person, asOf time.Time) ([]byte, error) { return encode(lineOfPerson(p, asOf)) }

// CompanyLine returns a company as a line of a load file, without empty members.
func CompanyLine(c kith.Company) ([]byte, error) { return encode(lineOfCompany(c)) }

func encode(line any) ([]byte, error) { return json.Marshal(line, json.OmitZeroStructFields(true)) }

func lineOfPerson(p kith.Person, asOf time.Time) *personLine {
	l := &personLine{
		ID: idOrNil(p.ID), FirstName: p.FirstName, LastName: p.LastName, FullName: p.FullName, SocialURL: p.SocialURL,
		Headline: p.Headline, AboutMe: p.AboutMe, Location: p.Location, ImageURL: p.ImageURL, Email: p.Email,
		Skills: p.Skills, Emails: p.Emails, Sources: p.Sources,
	}
	if day := asOf.UTC().Truncate(24 * time.Hour); !asOf.IsZero() {
		l.AsOf = &day
	}
	if p.WorkRelevant != nil {
		job := lineOfJob(*p.WorkRelevant)
		l.WorkRelevant = &job
	}
	for _, j := range p.WorkHistory {
		l.WorkHistory = append(l.WorkHistory, lineOfJob(j))
	}
	for _, s := range p.EducationHistory {
		l.EducationHistory = append(l.EducationHistory, educationLine{
			Institute: s.Institute, Degree: s.Degree, FieldOfStudy: s.FieldOfStudy, StartDate: pointer(s.StartDate),
			EndDate: pointer(s.EndDate),
		})
	}
	return l
}

// jobLines returns all jobs of a line.
func (l *personLine) jobLines() []*jobLine {
	var all []*jobLine
	if l.WorkRelevant != nil {
		all = append(all, l.WorkRelevant)
	}
	for i := range l.WorkHistory {
		all = append(all, &l.WorkHistory[i])
	}
	return all
}

func lineOfJob(j kith.Job) jobLine {
	l := jobLine{Title: j.Title, StartDate: j.StartDate, EndDate: j.EndDate}
	if c := lineOfCompany(j.Company); c.ID != nil || c.Name != "" || c.SocialURL != "" || c.Domain != "" {
		l.Company = &c
	}
	return l
}

func lineOfCompany(c kith.Company) companyLine {
	l := companyLine{
		ID: idOrNil(c.ID), Name: c.Name, SocialURL: c.SocialURL, Domain: c.Domain, Industry: c.Industry,
		EmployeeCount: c.EmployeeCount, ImageURL: c.ImageURL,
		Location: c.Location, Headquarters: c.Headquarters, Type: c.Type, FoundedYear: c.FoundedYear, Keywords: c.Keywords,
		Description: c.Description, Aliases: c.Aliases,
	}
	if f := c.Funding; f != nil {
		l.Funding = &fundingLine{
			Price: f.Price, Investors: f.Investors, LastRoundDate: pointer(f.LastRoundDate), LastRoundStage: f.LastRoundStage,
			NumberOfRounds: f.NumberOfRounds,
		}
	}
	return l
}

// pointer returns a date in the form of lines: nil for none.
func pointer(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func idOrNil(id int64) *int64 {
	if id == 0 {
		return nil
	}
	return &id
}
