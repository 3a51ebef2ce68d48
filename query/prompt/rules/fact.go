package rules

import (
	"iter"

	"kith/query"
	"kith/query/prompt/rules/segment"
)

// when is which jobs of a person a fact is about.
type when int

const (
	current when = iota
	past
	any // a job, held or ended
	previous
)

// fact is one thing that the prompt asks for: a filter, with what says which
// job it is about and how it is joined with the others.
type fact struct {
	// name is the filter for the current job or the person; when moves it to
	// other jobs.
	name query.FilterName
	when when
	// values are alternatives in the filter grammar, excluded what the filter
	// must exclude for the values to be right.
	values, excluded []string
	// not is true where the prompt says that it must not be so.
	not bool
	// gone is true where the person must not be there any more.
	gone bool
	// list is the same for the facts that are alternatives of each other.
	list int
	// both is true where each fact of the list must hold.
	both bool
	// apart is true where it must hold of an education of its own.
	apart bool
	// spans are the tokens that say so.
	spans [][2]int
	// keywords are alternatives for companyKeywords that mean the same as
	// values, broader such of the same filter that say more than is meant.
	keywords, broader []string
	// level is that of a title.
	level string
	// bare is true of a level that is no noun: manager level, new grad.
	bare bool
	// spoken is true of a language that people speak, among the skills.
	spoken bool
	// narrow are the levels that stand before a title.
	narrow      []string
	narrowSpans [][2]int
	// query is set where no filter can say what is asked; says is it in words, where
	// the prompt's own words do not.
	query query.Query
	says  string
	// nobody is true of what is named and not known: nobody has it.
	nobody bool
}

// lastList goes through the facts of the list that was added to last.
func (p *parser) lastList() iter.Seq[*fact] {
	return func(yield func(*fact) bool) {
		for i := range p.facts {
			if p.facts[i].list == p.facts[p.last].list && !yield(&p.facts[i]) {
				return
			}
		}
	}
}

// lastYear asks for what began or ended less than a year ago.
func lastYear(name query.FilterName) fact { return fact{name: name, values: []string{"<1"}} }

// group is what the fact may be listed with.
func (f fact) group() segment.Group {
	switch f.name {
	case query.FilterPosition, query.FilterSeniority:
		return segment.GroupRole
	case query.FilterFunction:
		return segment.GroupFunction
	case query.FilterCompany, query.FilterCompanyURL:
		return segment.GroupCompany
	case query.FilterCountry, query.FilterCity, query.FilterState, query.FilterRegion, query.FilterMetro,
		query.FilterCompanyCountry, query.FilterCompanyCity, query.FilterCompanyState, query.FilterCompanyRegion, query.FilterCompanyMetro:
		return segment.GroupPlace
	case query.FilterCompanyIndustry, query.FilterCompanyKeywords, query.FilterCompanySize, query.FilterCompanyType, query.FilterCompanyFundingStage:
		return segment.GroupIndustry
	case query.FilterSkills:
		return segment.GroupSkill
	case query.FilterSchool:
		return segment.GroupSchool
	case query.FilterDegree, query.FilterFieldOfStudy:
		return segment.GroupStudy
	case query.FilterPersonName:
		return segment.GroupName
	}
	return segment.GroupOther
}

// kind tells apart, within a group, what no one would list as alternatives of
// each other: an industry and a size, where somebody lives and where a company is.
func (f fact) kind() kind {
	switch f.name {
	case query.FilterCompanyIndustry, query.FilterCompanyKeywords:
		return kindOfIndustry
	case query.FilterCompanySize:
		return kindOfSize
	case query.FilterCompanyType:
		return kindOfType
	case query.FilterCompanyFundingStage:
		return kindOfStage
	case query.FilterCompanyCountry, query.FilterCompanyCity, query.FilterCompanyState, query.FilterCompanyRegion, query.FilterCompanyMetro:
		return kindOfSeat
	}
	switch {
	case f.bare:
		return kindOfLevel
	case f.spoken:
		return kindOfLanguage
	}
	return kindOfGroup
}

// kind is a part of a group.
type kind int

const (
	kindOfGroup kind = iota // the whole group
	kindOfIndustry
	kindOfSize
	kindOfType
	kindOfStage
	kindOfSeat
	kindOfLevel
	kindOfLanguage
)

// ofJob reports whether the fact is about a job.
func (f fact) ofJob() bool {
	return moved(f.name, past) != f.name || f.name == query.FilterCompanyFundingStage
}

// moved is the filter that asks of other jobs what name asks of the current
// one; name itself where there is none.
func moved(name query.FilterName, to when) query.FilterName {
	for _, row := range [][4]query.FilterName{
		{query.FilterPosition, query.FilterPastPosition, query.FilterAnyPosition, query.FilterPreviousPosition},
		{query.FilterCompany, query.FilterPastCompany, query.FilterAnyCompany, query.FilterPreviousCompany},
		{query.FilterCompanyURL, query.FilterPastCompanyURL, query.FilterAnyCompanyURL, query.FilterPastCompanyURL},
		{query.FilterCompanyIndustry, query.FilterPastCompanyIndustry, query.FilterAnyCompanyIndustry, query.FilterPreviousCompanyIndustry},
		{query.FilterCompanySize, query.FilterPastCompanySize, query.FilterAnyCompanySize, query.FilterPreviousCompanySize},
		{query.FilterCompanyKeywords, query.FilterPastCompanyKeywords, query.FilterAnyCompanyKeywords, query.FilterPastCompanyKeywords},
		{query.FilterCompanyType, query.FilterPastCompanyType, query.FilterAnyCompanyType, query.FilterPreviousCompanyType},
		{query.FilterCompanyFundingStage, query.FilterPastCompanyFundingStage, query.FilterPastCompanyFundingStage, query.FilterPastCompanyFundingStage},
		{query.FilterCompanyFoundedYear, query.FilterPastCompanyFoundedYear, query.FilterPastCompanyFoundedYear, query.FilterPastCompanyFoundedYear},
		{query.FilterSeniority, query.FilterPastSeniority, query.FilterAnySeniority, query.FilterPreviousSeniority},
		{query.FilterFunction, query.FilterPastFunction, query.FilterAnyFunction, query.FilterPreviousFunction},
		{query.FilterCompanyCountry, query.FilterPastCompanyCountry, query.FilterAnyCompanyCountry, query.FilterPastCompanyCountry},
	} {
		if row[0] == name {
			return row[to]
		}
	}
	return name
}

// filter is the filter of the fact.
func (f fact) filter() query.FilterName { return moved(f.name, f.when) }
