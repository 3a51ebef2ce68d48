package lexicon

import (
	"kith/index/analysis"
	"kith/query"
)

// Type is the kind of thing that a span means.
type Type string

// The types. Name says what Sense.Name holds for senses of the type; Filter
// says which filter Sense.Values are for where it is always the same.
const (
	// Role is a job title. Name: identifier. Filter: position.
	Role Type = "role"
	// CRole is a chief officer by title. Name: identifier. Filter: position.
	CRole Type = "c_role"
	// Founder is founders and co-founders. Filter: seniority.
	Founder Type = "founder"
	// Head is the noun of job titles (engineer, manager): with any words before
	// it, it makes a title. Name: the singular.
	Head Type = "head"
	// Modifier is what stands before the noun of a title (backend, deal desk).
	Modifier Type = "modifier"
	// Seniority is a level. Name: the level. Filter: seniority.
	Seniority Type = "seniority"
	// Leader is "head of", "runs", "leads": who is in charge of what follows.
	// Filter: seniority, with all levels from director up.
	Leader Type = "leader"
	// Function is a field of work. Name: the function. Filter: function.
	Function Type = "function"

	// Country to Region are places. Name: the identifier; Place is set.
	Country Type = "country"
	State   Type = "state"
	City    Type = "city"
	Metro   Type = "metro"
	Region  Type = "region"
	// Nationality is an adjective or noun of a place (German, Texans); Place
	// and Filter are those of the place.
	Nationality Type = "nationality"

	// Industry is what companies do. Name: identifier. Filter: companyIndustry;
	// Keywords are for companyKeywords.
	Industry Type = "industry"
	// SizeWord is a size of company. Name: the band. Filter: companySize.
	SizeWord Type = "size_word"
	// CompanyKind is startup, public company, nonprofit. Filter: companyType.
	CompanyKind Type = "company_kind"
	// FundingStage is seed, series B. Filter: companyFundingStage.
	FundingStage Type = "funding_stage"

	// Degree is PhD, MBA, bachelor's. Name: identifier. Filter: degree.
	Degree Type = "degree"
	// FieldOfStudy is computer science. Filter: fieldOfStudy.
	FieldOfStudy Type = "field_of_study"
	// Skill is Python, Kubernetes, CPA. Filter: skills.
	Skill Type = "skill"
	// Language is a language that people speak. Filter: skills.
	Language Type = "language"
	// SchoolAlias is MIT, Ivy League. Filter: school.
	SchoolAlias Type = "school_alias"
	// CompanyAlias is BCG, FAANG. Filter: company.
	CompanyAlias Type = "company_alias"

	// Cue is for the planner's own words that say how the others belong
	// together; the lexicon has none.
	Cue Type = "cue"
	// Judgement is a soft wish (rising, best). Name: one of the Judge constants.
	Judgement Type = "judgement"
	// PersonWord is people, professionals, someone.
	PersonWord Type = "person_word"
	// CompanyWord is company, firms, employers.
	CompanyWord Type = "company_word"
	// Filler says nothing.
	Filler Type = "filler"
)

// Sense is one thing that a span can mean. It shares memory with the lexicon
// and must not be changed.
type Sense struct {
	Type Type
	// Name is an identifier, by Type.
	Name string
	// Filter is the filter that Values are for, of the current job or the
	// person; empty where a sense is not by itself a filter.
	Filter query.FilterName
	// Values are alternatives in the filter grammar, quoted where it must be.
	Values []string
	// Excluded are alternatives, without the minus, that the same filter must
	// exclude for the sense to be right.
	Excluded []string
	// Keywords are alternatives for companyKeywords that mean the same, for
	// directories whose industries are coarser than the word.
	Keywords []string
	// Broader are alternatives of Filter that contain what is meant among other
	// things; to be used only where neither Values nor Keywords find anything.
	Broader []string
	// Level is the level that a title names (see [analysis.Seniority]), ""
	// for a position below manager. Function is the title's function, or "".
	Level, Function string
	// Place is set for places and nationalities.
	Place *analysis.NamedPlace
	// Prior says how likely the sense is, in a logarithmic scale that holds
	// for all types: 10 is hardly ever anything else, 0 needs other evidence.
	Prior float64
	// NeedsCue is true for words that mean something else far more often
	// (reading, go, in): the sense holds only with a cue beside it or where the
	// prompt writes the word with a capital among small letters.
	NeedsCue bool
	// ByRule is true for a title that is in no list and is made of a noun of
	// titles and words that stand before such.
	ByRule bool
}
