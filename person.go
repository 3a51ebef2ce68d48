package kith

import (
	"slices"
	"strings"
)

// Person is one person record, as loaded, stored and refreshed. Its JSON form is the Person of
// refresh results in the API; search results have the part that [Person.Result] returns.
type Person struct {
	// ID is positive, unique in a dataset, and never reused.
	ID        int64  `json:"id"`
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	FullName  string `json:"full_name"`
	// SocialURL is empty if no profile is known.
	SocialURL        string      `json:"social_url"`
	Headline         string      `json:"headline"`
	AboutMe          string      `json:"about_me"`
	Location         Location    `json:"location"`
	WorkRelevant     *Job        `json:"work_relevant"`
	ImageURL         string      `json:"image_url"`
	WorkHistory      []Job       `json:"work_history,omitempty"`
	EducationHistory []Education `json:"education_history,omitempty"`
	Email            string      `json:"email,omitempty"`
	Skills           []string    `json:"skills,omitempty"`
	// Emails are all addresses, if there are several; Email is one of them.
	Emails []string `json:"emails,omitempty"`
	// Sources are ids of the person in other systems, each as source:id.
	Sources []string `json:"sources,omitempty"`
}

// Addresses returns the e-mail addresses of the person in lower case, without duplicates; Email is the first.
func (p *Person) Addresses() []string {
	var all []string
	for _, address := range append([]string{p.Email}, p.Emails...) {
		if address = strings.ToLower(address); address != "" && !slices.Contains(all, address) {
			all = append(all, address)
		}
	}
	return all
}

// Result returns p as a search shows it: with the present job, without history, addresses, sources and skills.
func (p Person) Result() Person {
	if present := p.Present(); present != nil {
		job := present.Result()
		p.WorkRelevant = &job
	}
	p.WorkHistory, p.EducationHistory, p.Email, p.Skills, p.Emails, p.Sources = nil, nil, "", nil, nil, nil
	return p
}

// Present returns the job shown with the person: WorkRelevant, or else the latest current job of the history, or nil.
func (p Person) Present() *Job {
	if p.WorkRelevant != nil {
		return p.WorkRelevant
	}
	var latest *Job
	for i, j := range p.WorkHistory {
		if j.Current() && (latest == nil || j.firstDay() > latest.firstDay()) {
			latest = &p.WorkHistory[i]
		}
	}
	return latest
}

// Jobs returns all jobs of the record, WorkRelevant first if there is one; the history may repeat it.
func (p *Person) Jobs() []*Job {
	all := make([]*Job, 0, len(p.WorkHistory)+1)
	if p.WorkRelevant != nil {
		all = append(all, p.WorkRelevant)
	}
	for i := range p.WorkHistory {
		all = append(all, &p.WorkHistory[i])
	}
	return all
}

// WithCompanies returns p with other companies. It has jobs of its own.
func (p Person) WithCompanies(company func(Company) Company) Person {
	if p.WorkRelevant != nil {
		job := *p.WorkRelevant
		p.WorkRelevant = &job
	}
	p.WorkHistory = slices.Clone(p.WorkHistory)
	for _, j := range p.Jobs() {
		j.Company = company(j.Company)
	}
	return p
}

// Job is one position held at one company.
type Job struct {
	Title   string  `json:"title"`
	Company Company `json:"company"`
	// StartDate and EndDate are YYYY, YYYY-MM or YYYY-MM-DD. A nil StartDate is unknown; a nil
	// EndDate means a current job.
	StartDate *string `json:"start_date"`
	EndDate   *string `json:"end_date"`
	// The precisions are year, month or day. Only [Job.Result] fills them in.
	StartPrecision string `json:"start_date_precision,omitempty"`
	EndPrecision   string `json:"end_date_precision,omitempty"`
}

// Result returns j as an answer shows it: with whole dates and their precisions, and without the
// fields of its company that serve search only.
func (j Job) Result() Job {
	j.Company = j.Company.Result()
	j.StartDate, j.StartPrecision = fullDatePtr(j.StartDate)
	j.EndDate, j.EndPrecision = fullDatePtr(j.EndDate)
	return j
}

// Current reports whether the job has not ended.
func (j Job) Current() bool { return j.EndDate == nil }

// firstDay orders jobs by the first possible day of StartDate; an unknown one comes first.
func (j Job) firstDay() string {
	if j.StartDate == nil || *j.StartDate == "" {
		return ""
	}
	return *j.StartDate + "-01-01" // a year alone begins with January
}

// Education is one entry of a person's education.
type Education struct {
	Institute    string `json:"institute"`
	Degree       string `json:"degree"`
	FieldOfStudy string `json:"field_of_study"`
	StartDate    string `json:"start_date"`
	EndDate      string `json:"end_date"`
	// As in a [Job]; [Education.Result] fills them in.
	StartPrecision string `json:"start_date_precision,omitempty"`
	EndPrecision   string `json:"end_date_precision,omitempty"`
}

// Result returns e as an answer shows it, with whole dates.
func (e Education) Result() Education {
	e.StartDate, e.StartPrecision = fullDate(e.StartDate)
	e.EndDate, e.EndPrecision = fullDate(e.EndDate)
	return e
}

// Location is a place as the record spells it; any part may be empty.
type Location struct {
	City    string `json:"city"`
	State   string `json:"state"`
	Country string `json:"country"`
}

// IsZero reports whether all parts are empty.
func (l Location) IsZero() bool { return l == Location{} }
