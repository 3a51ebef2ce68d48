package suggest

import (
	"slices"
	"strings"

	"kith/query/analysis"
	"kith/query/gazetteer"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

// Field is the input field that a text is typed into.
type Field string

// The fields. FieldPrompt is the prompt of a search.
const (
	FieldCompany  Field = "company"
	FieldCity     Field = "city"
	FieldState    Field = "state"
	FieldCountry  Field = "country"
	FieldPosition Field = "position"
	FieldIndustry Field = "industry"
	FieldSchool   Field = "school"
	FieldSkill    Field = "skill"
	FieldPerson   Field = "person"
	FieldPrompt   Field = "prompt"
)

// Fields lists all fields.
func Fields() []Field {
	return []Field{
		FieldCompany, FieldCity, FieldState, FieldCountry, FieldPosition, FieldIndustry, FieldSchool, FieldSkill,
		FieldPerson,
		FieldPrompt,
	}
}

// fieldOf is the field of a term kind. A place counts as a city until the gazetteer says otherwise.
func fieldOf(kind analysis.TermKind) Field {
	switch kind {
	case analysis.TermCompany:
		return FieldCompany
	case analysis.TermTitle:
		return FieldPosition
	case analysis.TermIndustry:
		return FieldIndustry
	case analysis.TermSchool:
		return FieldSchool
	case analysis.TermSkill, analysis.TermKeyword:
		return FieldSkill
	case analysis.TermFirstName, analysis.TermLastName:
		return FieldPerson
	case analysis.TermPlace:
	}
	return FieldCity
}

// typed returns the forms of a text that terms of a kind are compared with: folded words, with a trailing space if the
// last word is complete. A title has two forms: its last word is incomplete, or complete with a normal form (CTO).
func typed(kind analysis.TermKind, text string) []string {
	forms := []string{foldWords(text)}
	switch kind {
	case analysis.TermTitle:
		before, last := forms[0], ""
		if at := strings.LastIndexByte(strings.TrimSuffix(before, " "), ' '); at >= 0 {
			before, last = before[:at], before[at+1:]
			forms = append(forms, joined(append(taxonomy.Title(before), last)))
		}
		forms = append(forms, joined(taxonomy.Title(text)))
	case analysis.TermCompany:
		forms = append(forms, analysis.CompanyKey(text))
	case analysis.TermPlace:
		forms = []string{gazetteer.PlaceKey(text)}
	case analysis.TermFirstName, analysis.TermLastName, analysis.TermSchool, analysis.TermSkill, analysis.TermIndustry,
		analysis.TermKeyword:
	}
	slices.Sort(forms)
	return slices.DeleteFunc(slices.Compact(forms), func(f string) bool { return strings.TrimSpace(f) == "" })
}

func joined(words []string) string { return strings.Join(words, " ") }

// foldWords returns the folded words of a text.
func foldWords(text string) string {
	words := joined(tokenizer.Tokens(text))
	if words != "" && strings.TrimRight(text, " ") != text {
		words += " "
	}
	return words
}
