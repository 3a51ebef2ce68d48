package kith

// Person is one person record, as it is loaded, stored and refreshed. Its JSON
// form is the refresh-result Person of the API; a search result is the part of
// it that [Person.Result] returns.
type Person struct {
	// ID is positive, unique among the people of a directory, and never reused.
	ID               int64       `json:"id"`
	FirstName        string      `json:"first_name"`
	LastName         string      `json:"last_name"`
	FullName         string      `json:"full_name"`
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
}

// Result returns p as a search shows it: without history, e-mail and skills.
func (p Person) Result() Person {
	p.WorkHistory, p.EducationHistory, p.Email, p.Skills = nil, nil, "", nil
	if p.WorkRelevant != nil {
		job := *p.WorkRelevant
		job.Company = job.Company.Result()
		p.WorkRelevant = &job
	}
	return p
}

// Job is one position held at one company.
type Job struct {
	Title   string  `json:"title"`
	Company Company `json:"company"`
	// StartDate and EndDate are YYYY, YYYY-MM or YYYY-MM-DD; a nil StartDate is
	// unknown, a nil EndDate means that the person still holds the job.
	StartDate *string `json:"start_date"`
	EndDate   *string `json:"end_date"`
}

// Current reports whether the job is still held.
func (j Job) Current() bool { return j.EndDate == nil }

// Education is one entry of a person's education.
type Education struct {
	Institute    string `json:"institute"`
	Degree       string `json:"degree"`
	FieldOfStudy string `json:"field_of_study"`
	StartDate    string `json:"start_date"`
	EndDate      string `json:"end_date"`
}

// Location is a place as the record spells it; any part may be empty.
type Location struct {
	City    string `json:"city"`
	State   string `json:"state"`
	Country string `json:"country"`
}

// IsZero reports whether nothing is known of the place.
func (l Location) IsZero() bool { return l == Location{} }
