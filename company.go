package kith

// Company is one company record. Inside a job of a stored person only ID is
// kept; readers get the company's present fields filled in.
type Company struct {
	// ID is positive, unique among the companies of a directory, and never
	// reused; 0 means that the company is not identified.
	ID            int64    `json:"id"`
	Name          string   `json:"name"`
	SocialURL     string   `json:"social_url"`
	Domain        string   `json:"domain"`
	Industry      string   `json:"industry"`
	EmployeeCount int      `json:"employee_count"`
	ImageURL      string   `json:"image_url"`
	Location      Location `json:"location"`
	Headquarters  string   `json:"headquarters"`
	Type          string   `json:"type"`
	FoundedYear   int      `json:"founded_year,omitzero"`
	Funding       *Funding `json:"funding"`

	// The following are for search and are not shown in results.
	Keywords    []string `json:"keywords,omitempty"`
	Description string   `json:"description,omitempty"`
	Aliases     []string `json:"aliases,omitempty"`
}

// Result returns c as an answer shows it: without the members that only serve
// search.
func (c Company) Result() Company {
	c.Keywords, c.Description, c.Aliases = nil, "", nil
	return c
}

// Funding is what is known of a company's funding.
type Funding struct {
	Price          string     `json:"price"`
	Investors      []Investor `json:"investors"`
	LastRoundDate  string     `json:"last_round_date"`
	LastRoundStage string     `json:"last_round_stage"`
	NumberOfRounds int        `json:"number_of_rounds"`
}

// Investor is one investor of a company.
type Investor struct {
	Name string `json:"name"`
}
