package query

import (
	"slices"
	"sync"
)

// Path names a group of sub-documents of a person, so that several conditions can apply to the same sub-document.
type Path string

// The paths. Person is the document itself.
const (
	Person    Path = ""
	Current   Path = "current"   // a job that is still held
	Past      Path = "past"      // a job that has ended
	Education Path = "education" // an entry of the education history
)

// Paths used only in the filter table. Queries express them with the paths above; no [Nested] node has them.
const (
	AnyJob   Path = "any"      // a job, whether held or ended: Current or Past
	Previous Path = "previous" // a Past job with PreviousJob
)

// CompanyRegion is used only in the filter table. Queries express the region of a company's
// headquarters by its countries and states.
const CompanyRegion Field = "companyRegion"

// Paths lists the groups of sub-documents.
func Paths() []Path { return []Path{Current, Past, Education} }

// Kind says how a field is indexed and which nodes may use it.
type Kind int

// The kinds of field.
const (
	// Keyword fields hold whole values: [Term], [Terms], [Exists].
	Keyword Kind = iota
	// Words fields hold sequences of tokens: also [AllWords] and [Phrase].
	Words
	// Number fields hold one integer: [Range] and [Exists].
	Number
)

// Field is the name of an indexed field, relative to its path: Title inside a [Nested] over Past is
// the title of a past job. [Field.In] gives the name of the flattened field on the document itself
// ("past.title"), which holds the values of all sub-documents of that path.
type Field string

// In returns the name of the flattened field on the document itself: f of all sub-documents of path.
func (f Field) In(path Path) Field {
	if path == Person {
		return f
	}
	return Field(path) + "." + f
}

// Fields of the person itself.
const (
	Name      Field = "name"      // tokens of the full name, folded
	NameExact Field = "nameExact" // the whole name, folded, tokens sorted
	NameAlias Field = "nameAlias" // tokens of the name and every nickname of a first name
	SocialID  Field = "socialId"  // last path segment of the profile URL
	SocialURL Field = "socialUrl" // host and path of the profile URL
	Email     Field = "email"     // e-mail address, lower case
	Country   Field = "country"   // ISO 3166 alpha-2, lower case; folded name where unknown
	State     Field = "state"     // folded canonical name
	City      Field = "city"      // folded canonical name
	// "city|country" and "city|state|country" of the person, for a city qualified by them
	Place      Field = "place"
	Region     Field = "region"     // identifiers of the regions that the country is in
	Metro      Field = "metro"      // identifiers of the metro areas that the city is in
	Skill      Field = "skill"      // tokens, one sequence a skill
	Text       Field = "text"       // tokens of name, title, company, place, headline, skills and about_me
	Owner      Field = "owner"      // the record's owner, such as "user:5"; none for records that everyone sees
	JobCount   Field = "jobs"       // number of current jobs: "0", "1" or "many"
	Experience Field = "experience" // first day of the first job, in days since 1970-01-01
	Rank       Field = "rank"       // the static rank: see indexed.Document
)

// Career numbers. Engines use them to exclude most people who do not match a [Timeline].
const (
	Employers Field = "employers" // number of companies the person worked for
	// months of the longest stay that has ended, including its last month: see [Spell]
	LongestStay Field = "longestStay"
	LongestGap  Field = "longestGap" // months of the longest gap between a stay or job and the one right before it
)

// Judgements of a person: numbers to order people by, best first. None depends on the current day,
// so that an index does not age. Package analysis defines each.
const (
	Rising      Field = "rising"      // how fast the person has risen
	Experienced Field = "experienced" // how early the first job began
	Loyal       Field = "loyal"       // how long the person stays with an employer
	Connected   Field = "connected"   // number of people the person must have met at work
	Founded     Field = "founded"     // number of companies the person founded
	Hops        Field = "hops"        // rate of changing employers
	Standing    Field = "standing"    // how far the person has come
)

// Fields of a job, under Current and Past.
const (
	Title        Field = "title"        // tokens of the title's normal form
	TitleExact   Field = "titleExact"   // the whole normal form
	Seniority    Field = "seniority"    // see query/taxonomy
	Function     Field = "function"     // see query/taxonomy
	CompanyID    Field = "companyId"    // decimal
	Company      Field = "company"      // tokens of the name and of each alias, without legal form
	CompanyExact Field = "companyExact" // the whole name or alias, without legal form
	// host of the company's site, and host with path if there is a path
	CompanyURL          Field = "companyUrl"
	CompanySocialID     Field = "companySocialId"     // last path segment of the profile URL
	CompanySocialURL    Field = "companySocialUrl"    // host and path of the profile URL
	CompanyIndustry     Field = "companyIndustry"     // tokens
	CompanyKeywords     Field = "companyKeywords"     // tokens, one sequence a keyword
	CompanyType         Field = "companyType"         // tokens
	CompanyFundingStage Field = "companyFundingStage" // tokens: "series b"
	CompanySize         Field = "companySize"         // employees
	CompanyFounded      Field = "companyFounded"      // year
	CompanyCountry      Field = "companyCountry"      // of the company's headquarters, as Country
	CompanyState        Field = "companyState"        // of the company's headquarters, as State
	CompanyCity         Field = "companyCity"         // of the company's headquarters, as City; only under Current
	CompanyMetro        Field = "companyMetro"        // of the company's headquarters, as Metro; only under Current
	Start               Field = "start"               // first day, in days since 1970-01-01
	End                 Field = "end"                 // last day, in days since 1970-01-01; none under Current
)

// Fields for the position of a job among the person's jobs. Package analysis defines stays and
// which stay is right before another.
const (
	Tenure      Field = "tenure"   // first day of the unbroken stay at the company
	Stay        Field = "stay"     // which stay at the company: 1, 2 after a return, …
	PreviousJob Field = "previous" // under Past: [Yes] for the jobs of the stay right before the current one
	FirstJob    Field = "first"    // [Yes] for the jobs of a stay if certainly no stay began earlier
)

// Fields about the stay right before, on the first job of a stay. Every other job also has FromTitle, FromSeniority and
// FromFunction, about the job before it in the same stay. Under Past they exist only in sub-documents: see [Flattened].
const (
	FromCompany      Field = "fromCompany"         // as Company
	FromCompanyExact Field = "fromCompanyExact"    // as CompanyExact
	FromIndustry     Field = "fromCompanyIndustry" // as CompanyIndustry
	FromType         Field = "fromCompanyType"     // as CompanyType
	FromTitle        Field = "fromTitle"           // as Title, of the last job before
	FromSeniority    Field = "fromSeniority"       // as Seniority, of the last job before
	FromFunction     Field = "fromFunction"        // as Function, of the last job before
)

// Yes is the value of Keyword fields that are flags.
const Yes = "1"

// Startup is the token of CompanyType that marks a startup: see package analysis.
const Startup = "startup"

// Fields of an education entry.
const (
	School       Field = "school"       // tokens
	SchoolExact  Field = "schoolExact"  // the whole name, folded
	Degree       Field = "degree"       // tokens, and those of the degree's normal form
	FieldOfStudy Field = "fieldOfStudy" // tokens
)

// Fields of a company document.
const (
	CompanyName      Field = "companyName"      // tokens of the name and of each alias, without legal form
	CompanyNameExact Field = "companyNameExact" // the whole name or alias, without legal form
	CompanyDomain    Field = "domain"           // host of the site
	CompanySocial    Field = "companySocial"    // last path segment and host with path of the profile URL
)

// Info is one row of the field table.
type Info struct {
	Field Field
	Kind  Kind
	// Paths are the sub-documents that have the field; empty means the document itself.
	Paths []Path
}

func onJobs() []Path { return []Path{Current, Past} }

// PersonFields returns the field table of a person document, in a fixed order. All callers share
// the slice: do not change it.
func PersonFields() []Info { return personFields() }

// personFields is computed once, because every statement looks up columns in it.
var personFields = sync.OnceValue(func() []Info {
	var infos []Info
	add := func(kind Kind, paths []Path, fields ...Field) {
		for _, f := range fields {
			infos = append(infos, Info{Field: f, Kind: kind, Paths: paths})
		}
	}
	add(Keyword, nil, NameExact, SocialID, SocialURL, Email, Country, State, City, Place, Region, Metro, JobCount,
		Owner)
	add(Words, nil, Name, NameAlias, Skill, Text)
	add(Number, nil, Experience, Rank)
	add(Number, nil, Judgements()...)
	add(Number, nil, Employers, LongestStay, LongestGap)
	add(Keyword, onJobs(), TitleExact, Seniority, Function, CompanyID, CompanyExact, CompanyURL, CompanySocialID,
		CompanySocialURL,
		CompanyCountry, CompanyState, FromCompanyExact, FromSeniority, FromFunction, FirstJob)
	add(Keyword, []Path{Current}, CompanyCity, CompanyMetro)
	add(Keyword, []Path{Past}, PreviousJob)
	add(Words, onJobs(), Title, Company, CompanyIndustry, CompanyKeywords, CompanyType, CompanyFundingStage,
		FromCompany, FromIndustry, FromType, FromTitle)
	add(Number, onJobs(), CompanySize, CompanyFounded, Start, Tenure, Stay)
	add(Number, []Path{Past}, End)
	add(Keyword, []Path{Education}, SchoolExact)
	add(Words, []Path{Education}, School, Degree, FieldOfStudy)
	add(Number, []Path{Education}, Start, End)
	return slices.Clip(infos)
})

// Judgements lists the Number fields that judge a person. Engines keep people sorted by these and by
// the rank. Ordering by another Number field is correct but may be slow. The caller owns the slice.
func Judgements() []Field {
	return []Field{Rising, Experienced, Loyal, Connected, Founded, Hops, Standing}
}

// Flattened reports whether the document itself also has the values of a field of a path's sub-documents. All fields
// are flattened except those of ended jobs that queries rarely use, and only together with a flattened field.
func Flattened(path Path, f Field) bool {
	if path != Past {
		return true
	}
	switch f {
	case FromCompany, FromCompanyExact, FromIndustry, FromType, FromTitle, FromSeniority, FromFunction, Tenure:
		return false
	}
	return true
}

// CompanyFields returns the field table of a company document. All fields are on the document itself.
func CompanyFields() []Info {
	return []Info{
		{Field: CompanyName, Kind: Words},
		{Field: CompanyNameExact, Kind: Keyword},
		{Field: CompanyDomain, Kind: Keyword},
		{Field: CompanySocial, Kind: Keyword},
		{Field: CompanyIndustry, Kind: Words},
		{Field: CompanyKeywords, Kind: Words},
		{Field: CompanyType, Kind: Words},
		{Field: CompanyFundingStage, Kind: Words},
		{Field: CompanySize, Kind: Number},
		{Field: CompanyFounded, Kind: Number},
		{Field: City, Kind: Keyword},
		{Field: State, Kind: Keyword},
		{Field: Country, Kind: Keyword},
		{Field: Region, Kind: Keyword},
		{Field: Owner, Kind: Keyword},
		{Field: Rank, Kind: Number},
	}
}
