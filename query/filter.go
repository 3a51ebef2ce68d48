package query

// FilterName is the name of a filter of the API, such as "companySize".
type FilterName string

// Filters of the specification and, after them, the extensions.
const (
	FilterPersonName           FilterName = "name"
	FilterSocialID             FilterName = "socialId"
	FilterSocialURL            FilterName = "socialUrl"
	FilterCountry              FilterName = "country"
	FilterCity                 FilterName = "city"
	FilterPosition             FilterName = "position"
	FilterCompany              FilterName = "company"
	FilterCompanyURL           FilterName = "companyUrl"
	FilterCompanySocial        FilterName = "companySocial"
	FilterCompanySocialURL     FilterName = "companySocialUrl"
	FilterCompanyIndustry      FilterName = "companyIndustry"
	FilterCompanySize          FilterName = "companySize"
	FilterCompanyKeywords      FilterName = "companyKeywords"
	FilterPastPosition         FilterName = "pastPosition"
	FilterPastCompany          FilterName = "pastCompany"
	FilterPastCompanyURL       FilterName = "pastCompanyUrl"
	FilterPastCompanySocial    FilterName = "pastCompanySocial"
	FilterPastCompanySocialURL FilterName = "pastCompanySocialUrl"
	FilterPastCompanyIndustry  FilterName = "pastCompanyIndustry"
	FilterPastCompanySize      FilterName = "pastCompanySize"
	FilterPastCompanyKeywords  FilterName = "pastCompanyKeywords"

	FilterState               FilterName = "state"
	FilterRegion              FilterName = "region"
	FilterMetro               FilterName = "metro"
	FilterSeniority           FilterName = "seniority"
	FilterFunction            FilterName = "function"
	FilterExperienceYears     FilterName = "experienceYears"
	FilterTenureYears         FilterName = "tenureYears"
	FilterCompanyFoundedYear  FilterName = "companyFoundedYear"
	FilterCompanyFundingStage FilterName = "companyFundingStage"
	FilterCompanyType         FilterName = "companyType"
	FilterSchool              FilterName = "school"
	FilterDegree              FilterName = "degree"
	FilterFieldOfStudy        FilterName = "fieldOfStudy"
	FilterSkills              FilterName = "skills"
	FilterKeywords            FilterName = "keywords"
	FilterPastSeniority       FilterName = "pastSeniority"
	FilterPastFunction        FilterName = "pastFunction"

	// FilterEmail finds a person by e-mail address; what a prompt with an
	// address in it is understood to ask for.
	FilterEmail FilterName = "email"
)

// FilterInfo is one row of the filter table: which field a filter asks for.
type FilterInfo struct {
	Name  FilterName
	Path  Path
	Field Field
}

// FilterTable returns every filter, the specification's 21 first. The slice is
// the caller's.
func FilterTable() []FilterInfo {
	return []FilterInfo{
		{FilterPersonName, Person, Name},
		{FilterSocialID, Person, SocialID},
		{FilterSocialURL, Person, SocialURL},
		{FilterCountry, Person, Country},
		{FilterCity, Person, City},
		{FilterPosition, Current, Title},
		{FilterCompany, Current, Company},
		{FilterCompanyURL, Current, CompanyURL},
		{FilterCompanySocial, Current, CompanySocialID},
		{FilterCompanySocialURL, Current, CompanySocialURL},
		{FilterCompanyIndustry, Current, CompanyIndustry},
		{FilterCompanySize, Current, CompanySize},
		{FilterCompanyKeywords, Current, CompanyKeywords},
		{FilterPastPosition, Past, Title},
		{FilterPastCompany, Past, Company},
		{FilterPastCompanyURL, Past, CompanyURL},
		{FilterPastCompanySocial, Past, CompanySocialID},
		{FilterPastCompanySocialURL, Past, CompanySocialURL},
		{FilterPastCompanyIndustry, Past, CompanyIndustry},
		{FilterPastCompanySize, Past, CompanySize},
		{FilterPastCompanyKeywords, Past, CompanyKeywords},

		{FilterState, Person, State},
		{FilterRegion, Person, Region},
		{FilterMetro, Person, Metro},
		{FilterSeniority, Current, Seniority},
		{FilterFunction, Current, Function},
		{FilterExperienceYears, Person, Experience},
		{FilterTenureYears, Current, Tenure},
		{FilterCompanyFoundedYear, Current, CompanyFounded},
		{FilterCompanyFundingStage, Current, CompanyFundingStage},
		{FilterCompanyType, Current, CompanyType},
		{FilterSchool, Education, School},
		{FilterDegree, Education, Degree},
		{FilterFieldOfStudy, Education, FieldOfStudy},
		{FilterSkills, Person, Skill},
		{FilterKeywords, Person, Text},
		{FilterPastSeniority, Past, Seniority},
		{FilterPastFunction, Past, Function},

		{FilterEmail, Person, Email},
	}
}

// Filters are the filters of one search, by name, each in the filter grammar
// (see [ParseFilter]).
type Filters map[FilterName]string

// Alternative is one part of a filter's value: any of the parts that are not
// excluded may match, and none of the excluded may.
type Alternative struct {
	// Text is the part as written, without quotes and the leading minus.
	Text string
	// Phrase is true for a quoted part: its words are wanted in order.
	Phrase bool
	// Excluded is true for a part with a leading minus.
	Excluded bool
}
