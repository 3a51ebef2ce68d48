package relax

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/taxonomy"
)

// part is what a unit says of the people looked for.
type part int

const (
	// circumstance: where, how long, how large.
	circumstance part = iota
	// specialty: what people know, for what kind of employer they work, what they did before.
	specialty
	// subject: the people the search is about. It is given up last, if at all.
	subject
)

// partOf returns the part of a unit. A title or function that says the work is the subject, so that a specialty may be
// missing, beside an occupation also the grade (senior, lead). Otherwise all of these together are the subject.
func (r relaxer) partOf(u unit) part {
	switch f := u.info.Field; {
	case r.role.info.Name != "" && u.is(r.role):
		return subject
	case isRole(f), isTopic(f), isEmployerKind(f), IsNamed(f):
	case f == query.Seniority:
		if !r.occupation || slices.ContainsFunc(u.texts, isRank) {
			return subject
		}
	default:
		return circumstance
	}
	if r.hasWork() {
		return specialty
	}
	return subject
}

func isRole(f query.Field) bool { return f == query.Title || f == query.Function }

// isTopic reports whether a field says what people know.
func isTopic(f query.Field) bool {
	return f == query.Skill || f == query.Text || f == query.FieldOfStudy
}

// isEmployerKind reports whether a field says what kind of employer people have.
func isEmployerKind(f query.Field) bool {
	return f == query.CompanyIndustry || f == query.CompanyKeywords || f == query.CompanyType
}

// isRank reports whether people of a level do other work than those without.
func isRank(level string) bool { return level != taxonomy.LevelSenior && level != taxonomy.LevelLead }

// findRole returns the unit that says what people do: the first title, else the first function.
func findRole(units []unit) unit {
	for _, field := range []query.Field{query.Title, query.Function} {
		for _, u := range units {
			if u.info.Field == field {
				return u
			}
		}
	}
	return unit{}
}

// namesOccupation reports whether a title says what work people do. The ranks from director on do not: what a chief
// executive, a founder or a head of sales does, is to run a certain kind of business.
func namesOccupation(title string) bool {
	for _, level := range taxonomy.Levels(title) {
		if slices.Index(taxonomy.Seniorities(), level) >= slices.Index(taxonomy.Seniorities(), taxonomy.LevelDirector) {
			return false
		}
	}
	functions := taxonomy.FunctionsOf(title)
	return !slices.Contains(functions, managing) && !namesFunction(title)
}

// isQualified reports whether a title says, before the same rank, what people run: hotel general manager.
func isQualified(title string) bool {
	first, rest, some := strings.Cut(title, " ")
	return some && len(taxonomy.Levels(first)) == 0 && slices.Equal(taxonomy.Levels(rest), taxonomy.Levels(title)) &&
		len(taxonomy.Levels(rest)) > 0 && !slices.Contains(taxonomy.FunctionsOf(first), managing)
}

// managing is the function of those who run a business.
const managing = "general_management"

// namesFunction reports whether a title says little more than one function and a level, such as head of sales, or the
// function alone.
func namesFunction(title string) bool {
	functions := taxonomy.FunctionsOf(title)
	if len(functions) != 1 {
		return false
	}
	name, words := taxonomy.Title(strings.ReplaceAll(functions[0], "_", " ")), taxonomy.Title(title)
	rest := slices.DeleteFunc(slices.Clone(words), func(w string) bool { return slices.Contains(name, w) })
	if len(rest) == 0 || len(rest) == len(words) {
		return len(rest) == 0
	}
	return len(taxonomy.Levels(title)) > 0 && len(taxonomy.FunctionsOf(strings.Join(rest, " "))) == 0
}
