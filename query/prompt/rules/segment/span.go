// Package segment decides what the words of a prompt are: it collects what each
// span of words can mean, scores every reading by how likely it is, by
// the words beside it and by capitals, and chooses the readings that together
// explain the whole prompt best.
package segment

import (
	"slices"

	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/quantity"
	"kith/query/prompt/token"
)

// Types of spans beside those of the lexicon.
const (
	// Company and School are names that the directory's vocabulary knows.
	Company lexicon.Type = "company"
	School  lexicon.Type = "school"
	// Label is an industry's label of the vocabulary, Keyword a company's
	// keyword.
	Label   lexicon.Type = "label"
	Keyword lexicon.Type = "keyword"
	// KnownTitle is a title of the vocabulary, as it is.
	KnownTitle lexicon.Type = "known_title"
	// Name is a person's name, or a part of one.
	Name lexicon.Type = "name"
	// Quantity is a number with what it counts.
	Quantity lexicon.Type = "quantity"
	// Address is an e-mail address, a URL or a host name: one token.
	Address lexicon.Type = "address"
	// Named is what stands where a company, a school or a place is expected, and is not
	// known: Sense.Name is the Group that is expected.
	Named lexicon.Type = "named"
	// Unknown is a word without a meaning.
	Unknown lexicon.Type = "unknown"
)

// Span is a reading of the tokens From up to To.
type Span struct {
	From, To int
	Type     lexicon.Type
	// Sense is set for types of the lexicon, with the name of the cue for
	// [lexicon.Cue], Known for those of the vocabulary, Quantity for quantities.
	Sense    lexicon.Sense
	Known    prompt.Known
	Quantity quantity.Quantity
	// Score says how good the reading is where it stands.
	Score float64
}

// Len is how many tokens the span covers.
func (s Span) Len() int { return s.To - s.From }

// Group is the group of its type.
func (s Span) Group() Group {
	if s.Type == Named {
		return Group(s.Sense.Name)
	}
	return groupOf(s.Type)
}

// Is reports whether the span is of one of some types.
func (s Span) Is(types ...lexicon.Type) bool { return slices.Contains(types, s.Type) }

// InGroup reports whether the span is of one of some groups.
func (s Span) InGroup(groups ...Group) bool { return slices.Contains(groups, s.Group()) }

// Group is a set of types that are alternatives of each other in a list.
type Group string

// The groups.
const (
	GroupPlace    Group = "place"
	GroupCompany  Group = "company"
	GroupSchool   Group = "school"
	GroupRole     Group = "role"
	GroupFunction Group = "function"
	GroupIndustry Group = "industry"
	GroupSkill    Group = "skill"
	GroupStudy    Group = "study"
	GroupName     Group = "name"
	GroupNumber   Group = "number"
	GroupJudge    Group = "judgement"
	GroupOther    Group = "other"
)

func groupOf(t lexicon.Type) Group {
	switch t {
	case lexicon.Country, lexicon.State, lexicon.City, lexicon.Metro, lexicon.Region, lexicon.Nationality:
		return GroupPlace
	case Company, lexicon.CompanyAlias:
		return GroupCompany
	case School, lexicon.SchoolAlias:
		return GroupSchool
	case lexicon.Role, lexicon.CRole, lexicon.Founder, lexicon.Head, KnownTitle, lexicon.Seniority, lexicon.Leader:
		return GroupRole
	case lexicon.Function:
		return GroupFunction
	case lexicon.Industry, lexicon.SizeWord, lexicon.CompanyKind, lexicon.FundingStage, Label, Keyword:
		return GroupIndustry
	case lexicon.Skill, lexicon.Language:
		return GroupSkill
	case lexicon.Degree, lexicon.FieldOfStudy:
		return GroupStudy
	case Name:
		return GroupName
	case Quantity:
		return GroupNumber
	case lexicon.Judgement:
		return GroupJudge
	}
	return GroupOther
}

// begins reports whether a reading that begins at a token is as wanted.
func (l *Lattice) begins(at int, wanted func(Span) bool) bool {
	return slices.ContainsFunc(l.From[at], wanted)
}

// means reports whether a reading of the tokens from up to to is as wanted.
func (l *Lattice) means(from, to int, wanted func(Span) bool) bool {
	return l.begins(from, func(s Span) bool { return s.To == to && wanted(s) })
}

// endsAt reports whether a reading of up to most tokens that ends before a token
// is as wanted.
func (l *Lattice) endsAt(at, most int, wanted func(Span) bool) bool {
	for from := max(0, at-most); from < at; from++ {
		if l.means(from, at, wanted) {
			return true
		}
	}
	return false
}

// Text is the prompt's own text of tokens from up to to.
func Text(runes []rune, tokens []token.Token, from, to int) string {
	if from >= to {
		return ""
	}
	return string(runes[tokens[from].From:tokens[to-1].To])
}
