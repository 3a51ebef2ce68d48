package kith

// Company is one company record. A job of a stored person keeps only its ID; readers get the company's present fields.
type Company struct {
	// ID is positive, unique in a dataset, and never reused; 0 means an unidentified company.
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

	// The following fields serve search only; results omit them.
	Keywords    []string `json:"keywords,omitempty"`
	Description string   `json:"description,omitempty"`
	Aliases     []string `json:"aliases,omitempty"`
}

// Result returns c without the fields that serve search only.
func (c Company) Result() Company {
	c.Keywords, c.Description, c.Aliases = nil, "", nil
	return c
}

// Funding describes a company's funding.
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
