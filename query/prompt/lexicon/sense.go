package lexicon

import (
	"kith/query"
	"kith/query/gazetteer"
)

// Type is the kind of a meaning.
type Type string

// The types. "Name" is the content of Sense.Name; "Filter" is the filter of Sense.Values if the type has only one.
const (
	// Role is a job title. Name: identifier. Filter: position.
	Role Type = "role"
	// CRole is a chief officer by title. Name: identifier. Filter: position.
	CRole Type = "c_role"
	// Founder is a word for founders and co-founders. Filter: seniority.
	Founder Type = "founder"
	// Head is the noun of job titles (engineer, manager). With any words before it, it makes a title. Name: the
	// singular.
	Head Type = "head"
	// Modifier precedes the noun of a title (backend, deal desk).
	Modifier Type = "modifier"
	// Seniority is a level. Name: the level. Filter: seniority.
	Seniority Type = "seniority"
	// Leader is "head of", "runs", "leads": people in charge of the following field. Filter:
	// seniority, with all levels from director up.
	Leader Type = "leader"
	// Function is a field of work. Name: the function. Filter: function.
	Function Type = "function"

	// Country to Region are places. Name: identifier; Place is set.
	Country Type = "country"
	State   Type = "state"
	City    Type = "city"
	Metro   Type = "metro"
	Region  Type = "region"
	// Nationality is an adjective or noun of a place (German, Texans); Place and Filter are those of the place.
	Nationality Type = "nationality"

	// Industry is a line of business. Name: identifier. Filter: companyIndustry; Keywords are for companyKeywords.
	Industry Type = "industry"
	// SizeWord is a size of company. Name: the band. Filter: companySize.
	SizeWord Type = "size_word"
	// CompanyKind is a kind of company: startup, public company, nonprofit. Filter: companyType.
	CompanyKind Type = "company_kind"
	// FundingStage is a stage of funding: seed, series B. Filter: companyFundingStage.
	FundingStage Type = "funding_stage"

	// Degree is a degree: PhD, MBA, bachelor's. Name: identifier. Filter: degree.
	Degree Type = "degree"
	// FieldOfStudy is a subject, such as computer science. Filter: fieldOfStudy.
	FieldOfStudy Type = "field_of_study"
	// Skill is a skill or certificate: Python, Kubernetes, CPA. Filter: skills.
	Skill Type = "skill"
	// Language is a language that people speak. Filter: skills.
	Language Type = "language"
	// SchoolAlias is a short name of schools: MIT, Ivy League. Filter: school.
	SchoolAlias Type = "school_alias"
	// CompanyAlias is a short name of companies: BCG, FAANG. Filter: company.
	CompanyAlias Type = "company_alias"

	// Judgement is a soft preference (rising, best). Name: that of one of
	// [analysis.Judgements], or [JudgeNewToRole].
	Judgement Type = "judgement"
	// PersonWord is a word for anyone: people, professionals, someone.
	PersonWord Type = "person_word"
	// CompanyWord is a word for any company: company, firms, employers.
	CompanyWord Type = "company_word"
	// Filler has no meaning.
	Filler Type = "filler"
)

// Sense is one meaning of a span. It shares memory with the lexicon: do not change it.
type Sense struct {
	Type Type
	// Name is an identifier that depends on Type.
	Name string
	// Filter is the filter for Values, about the current job or the person. It is empty if the sense alone is no
	// filter.
	Filter query.FilterName
	// Values are alternatives in the filter grammar, quoted if necessary.
	Values []string
	// Excluded are alternatives, without the minus, that the same filter must exclude.
	Excluded []string
	// Keywords are equivalent alternatives for companyKeywords, for datasets with coarser industries.
	Keywords []string
	// Broader are less specific alternatives of Filter. Use them only if neither Values nor Keywords find anything.
	Broader []string
	// Place is set for places and nationalities.
	Place *gazetteer.NamedPlace
	// Prior is the likelihood of the sense, on one logarithmic scale for all types: 10 hardly ever
	// means anything else, 0 needs other evidence.
	Prior float64
	// NeedsCue is true for words that far more often mean something else (reading, go, in). The sense
	// requires a cue beside the word, or a capital in a prompt that is otherwise in lower case.
	NeedsCue bool
	// ByRule is true for an unlisted title: a noun with modifiers.
	ByRule bool
	// IsGeneral is true for the noun of titles in many trades whose Values guess which are meant: a developer makes
	// software. Beside a topic it is only its noun.
	IsGeneral bool
}
