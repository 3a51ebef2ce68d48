package query

// Path names a group of sub-documents of a person, so that several conditions
// can be asked of the same one.
type Path string

// The paths. Person is the document itself.
const (
	Person    Path = ""
	Current   Path = "current"   // a job that is still held
	Past      Path = "past"      // a job that has ended
	Education Path = "education" // an entry of the education history
)

// Paths lists the groups of sub-documents.
func Paths() []Path { return []Path{Current, Past, Education} }

// Kind says how a field is indexed and which nodes may ask for it.
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

// Field is the name of an indexed field, relative to its path: Title inside a
// [Nested] over Past is the title of a past job. [Field.In] gives the name of
// the flattened field on the document itself ("past.title"), which holds what
// all sub-documents of that path hold together.
type Field string

// In returns the name that f of the sub-documents of path has on the document
// itself, where the values of all of them stand together.
func (f Field) In(path Path) Field {
	if path == Person {
		return f
	}
	return Field(path) + "." + f
}

// Fields of the person itself.
const (
	Name       Field = "name"       // tokens of the full name, folded
	NameExact  Field = "nameExact"  // the whole name, folded, tokens sorted
	NameAlias  Field = "nameAlias"  // tokens of the name and every nickname of a first name
	SocialID   Field = "socialId"   // last path segment of the profile URL
	SocialURL  Field = "socialUrl"  // host and path of the profile URL
	Email      Field = "email"      // e-mail address, lower case
	Country    Field = "country"    // ISO 3166 alpha-2, lower case; folded name where unknown
	State      Field = "state"      // folded canonical name
	City       Field = "city"       // folded canonical name
	Place      Field = "place"      // "city|country" and "city|state|country" of the person, for a city that is qualified
	Region     Field = "region"     // identifiers of the regions that the country is in
	Metro      Field = "metro"      // identifiers of the metro areas that the city is in
	Skill      Field = "skill"      // tokens, one sequence a skill
	Headline   Field = "headline"   // tokens
	Text       Field = "text"       // tokens of name, title, company, place, headline and skills
	JobCount   Field = "jobs"       // "0", "1" or "many": how many current jobs
	Experience Field = "experience" // first day of the first job, in days since 1970-01-01
	Rank       Field = "rank"       // the static rank: see index.Document
)

// Fields of a job, under Current and Past.
const (
	Title               Field = "title"               // tokens of the title's normal form
	TitleExact          Field = "titleExact"          // the whole normal form
	Seniority           Field = "seniority"           // see index/analysis
	Function            Field = "function"            // see index/analysis
	CompanyID           Field = "companyId"           // decimal
	Company             Field = "company"             // tokens of the name and of each alias, without legal form
	CompanyExact        Field = "companyExact"        // the whole name or alias, without legal form
	CompanyURL          Field = "companyUrl"          // host of the company's site, and host and path where there is a path
	CompanySocialID     Field = "companySocialId"     // last path segment of the profile URL
	CompanySocialURL    Field = "companySocialUrl"    // host and path of the profile URL
	CompanyIndustry     Field = "companyIndustry"     // tokens
	CompanyKeywords     Field = "companyKeywords"     // tokens, one sequence a keyword
	CompanyType         Field = "companyType"         // tokens
	CompanyFundingStage Field = "companyFundingStage" // tokens: "series b"
	CompanySize         Field = "companySize"         // employees
	CompanyFounded      Field = "companyFounded"      // year
	Start               Field = "start"               // first day, in days since 1970-01-01
	End                 Field = "end"                 // last day, in days since 1970-01-01; none under Current
	Tenure              Field = "tenure"              // under Current: first day of the unbroken stay at the company
)

// Fields of an education entry.
const (
	School       Field = "school"       // tokens
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
	// Paths lists where the field stands; empty means on the document itself.
	Paths []Path
}

func onJobs() []Path { return []Path{Current, Past} }

// PersonFields returns the field table of a person document. The order is
// fixed, and the slice is the caller's.
func PersonFields() []Info {
	var infos []Info
	add := func(kind Kind, paths []Path, fields ...Field) {
		for _, f := range fields {
			infos = append(infos, Info{Field: f, Kind: kind, Paths: paths})
		}
	}
	add(Keyword, nil, NameExact, SocialID, SocialURL, Email, Country, State, City, Place, Region, Metro, JobCount)
	add(Words, nil, Name, NameAlias, Skill, Headline, Text)
	add(Number, nil, Experience, Rank)
	add(Keyword, onJobs(), TitleExact, Seniority, Function, CompanyID, CompanyExact, CompanyURL, CompanySocialID, CompanySocialURL)
	add(Words, onJobs(), Title, Company, CompanyIndustry, CompanyKeywords, CompanyType, CompanyFundingStage)
	add(Number, onJobs(), CompanySize, CompanyFounded, Start)
	add(Number, []Path{Past}, End)
	add(Number, []Path{Current}, Tenure)
	add(Words, []Path{Education}, School, Degree, FieldOfStudy)
	add(Number, []Path{Education}, Start, End)
	return infos
}

// CompanyFields returns the field table of a company document: the fields of
// a company that stand on the document itself.
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
		{Field: Rank, Kind: Number},
	}
}
