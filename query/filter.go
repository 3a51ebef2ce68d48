package query

import (
	"slices"
	"strings"
	"sync"
)

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

	FilterAnyPosition        FilterName = "anyPosition"
	FilterAnyCompany         FilterName = "anyCompany"
	FilterAnyCompanyURL      FilterName = "anyCompanyUrl"
	FilterAnyCompanyIndustry FilterName = "anyCompanyIndustry"
	FilterAnyCompanySize     FilterName = "anyCompanySize"
	FilterAnyCompanyKeywords FilterName = "anyCompanyKeywords"
	FilterAnyCompanyType     FilterName = "anyCompanyType"
	FilterAnyCompanyCountry  FilterName = "anyCompanyCountry"
	FilterAnySeniority       FilterName = "anySeniority"
	FilterAnyFunction        FilterName = "anyFunction"

	FilterPreviousPosition        FilterName = "previousPosition"
	FilterPreviousCompany         FilterName = "previousCompany"
	FilterPreviousCompanyIndustry FilterName = "previousCompanyIndustry"
	FilterPreviousCompanySize     FilterName = "previousCompanySize"
	FilterPreviousCompanyType     FilterName = "previousCompanyType"
	FilterPreviousSeniority       FilterName = "previousSeniority"
	FilterPreviousFunction        FilterName = "previousFunction"

	FilterCompanyCountry     FilterName = "companyCountry"
	FilterCompanyState       FilterName = "companyState"
	FilterCompanyCity        FilterName = "companyCity"
	FilterCompanyRegion      FilterName = "companyRegion"
	FilterCompanyMetro       FilterName = "companyMetro"
	FilterPastCompanyCountry FilterName = "pastCompanyCountry"

	FilterPastCompanyType         FilterName = "pastCompanyType"
	FilterPastCompanyFundingStage FilterName = "pastCompanyFundingStage"
	FilterPastCompanyFoundedYear  FilterName = "pastCompanyFoundedYear"
	FilterPastEndYears            FilterName = "pastEndYears"
	FilterGraduationYear          FilterName = "graduationYear"

	// FilterEmail finds a person by e-mail address. Prompts that contain an address use it.
	FilterEmail FilterName = "email"

	// FilterLike finds people similar to given ones. It uses no field and is not in the table:
	// package kith/internal/search turns it into a step and a relation.
	FilterLike FilterName = "like"
)

// FilterInfo is one row of the filter table: the field that a filter uses.
type FilterInfo struct {
	Name  FilterName
	Path  Path
	Field Field
}

// FilterTable returns every filter, the specification's 21 first. All callers share the slice: do not change it.
func FilterTable() []FilterInfo { return filterTable() }

// filterTable is computed once, because a search reads it several times.
var filterTable = sync.OnceValue(func() []FilterInfo {
	return slices.Clip(slices.Concat(specifiedFilters(), furtherFilters(), jobFilters(),
		[]FilterInfo{{FilterEmail, Person, Email}}))
})

func specifiedFilters() []FilterInfo {
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
	}
}

func furtherFilters() []FilterInfo {
	return []FilterInfo{
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
	}
}

// jobFilters returns the filters on any job, on the previous job, on company headquarters and on end dates.
func jobFilters() []FilterInfo {
	return []FilterInfo{
		{FilterAnyPosition, AnyJob, Title},
		{FilterAnyCompany, AnyJob, Company},
		{FilterAnyCompanyURL, AnyJob, CompanyURL},
		{FilterAnyCompanyIndustry, AnyJob, CompanyIndustry},
		{FilterAnyCompanySize, AnyJob, CompanySize},
		{FilterAnyCompanyKeywords, AnyJob, CompanyKeywords},
		{FilterAnyCompanyType, AnyJob, CompanyType},
		{FilterAnyCompanyCountry, AnyJob, CompanyCountry},
		{FilterAnySeniority, AnyJob, Seniority},
		{FilterAnyFunction, AnyJob, Function},

		{FilterPreviousPosition, Previous, Title},
		{FilterPreviousCompany, Previous, Company},
		{FilterPreviousCompanyIndustry, Previous, CompanyIndustry},
		{FilterPreviousCompanySize, Previous, CompanySize},
		{FilterPreviousCompanyType, Previous, CompanyType},
		{FilterPreviousSeniority, Previous, Seniority},
		{FilterPreviousFunction, Previous, Function},

		{FilterCompanyCountry, Current, CompanyCountry},
		{FilterCompanyState, Current, CompanyState},
		{FilterCompanyCity, Current, CompanyCity},
		{FilterCompanyRegion, Current, CompanyRegion},
		{FilterCompanyMetro, Current, CompanyMetro},
		{FilterPastCompanyCountry, Past, CompanyCountry},

		{FilterPastCompanyType, Past, CompanyType},
		{FilterPastCompanyFundingStage, Past, CompanyFundingStage},
		{FilterPastCompanyFoundedYear, Past, CompanyFounded},
		{FilterPastEndYears, Past, End},
		{FilterGraduationYear, Education, End},
	}
}

// Filters are the filters of one search by name. Values are in the filter grammar (see [ParseFilter]).
type Filters map[FilterName]string

// Text writes the filters as "name: value", in the order of [FilterTable], separated by "; ". No
// filters give an empty text.
func (f Filters) Text() string {
	var texts []string
	for _, info := range FilterTable() {
		if value, given := f[info.Name]; given {
			texts = append(texts, string(info.Name)+": "+value)
		}
	}
	return strings.Join(texts, "; ")
}

// Alternative is one part of a filter's value. Any part without a sign may match, no excluded part
// may match, and each required part must match.
type Alternative struct {
	// Text is the part as written, without quotes and leading signs.
	Text string
	// Phrase is true for a quoted part: its words must be in order.
	Phrase bool
	// Whole is true for a part with an equals sign: the whole value must match. Only titles,
	// companies and people's names allow it.
	Whole bool
	// Excluded is true for a part with a leading minus.
	Excluded bool
	// Required is true for a part with a leading plus: it must match in any case, though not on the
	// same job as the others. A part is never both Excluded and Required.
	Required bool
}
