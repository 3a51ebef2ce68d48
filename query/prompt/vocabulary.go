package prompt

import (
	"context"

	"kith/index/analysis"
)

// Kind is a kind of word that the people of the directory have.
type Kind = analysis.TermKind

// The kinds of the vocabulary.
const (
	FirstName = analysis.TermFirstName // one word of a first name
	LastName  = analysis.TermLastName  // one word of a last name
	Company   = analysis.TermCompany   // a company's name or alias, without legal form
	School    = analysis.TermSchool
	Skill     = analysis.TermSkill
	Title     = analysis.TermTitle    // the normal form of a title
	Industry  = analysis.TermIndustry // an industry's label
	Keyword   = analysis.TermKeyword  // a keyword of a company
	Place     = analysis.TermPlace    // where people live, see [analysis.NamedPlace.Term]
)

// Known is a term of the vocabulary.
type Known struct {
	Kind Kind
	Term string
	// People is about how many people have it; 0 for a company without people.
	People int
	// For is the term that was asked for: Term itself, or a misspelling of it.
	For string
	// Distance is by how many edits the two differ: 0, 1 or 2.
	Distance int
}

// The bounds of one look-up. What is asked beyond them is not looked up.
const (
	// MaxTerms is how many terms are looked up as they are.
	MaxTerms = 400
	// MaxNear is for how many terms also near ones are looked up.
	MaxNear = 40
	// MostNear is how many near terms of a kind are returned for one asked.
	MostNear = 5
)

// Vocabulary is what the directory knows of words: which spans of a prompt
// name a company, a school or a person. It is safe for concurrent use.
type Vocabulary interface {
	// Known returns what is known of each of these terms, and of those in near
	// also the terms near them as [Near] and [HasNear] define it; a term in near is looked up
	// as it is too, and need not be among terms. Terms are asked for as they
	// are kept: the words that package analysis makes of a text, joined by
	// spaces. It is one request, whatever the number of terms, and the answer is
	// in the order of [Choose].
	Known(ctx context.Context, terms, near []string) ([]Known, error)
}
