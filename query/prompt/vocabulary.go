package prompt

import "context"

// Kind is a kind of word that the people of the directory have.
type Kind string

// The kinds of the vocabulary. Terms are folded as package analysis folds them.
const (
	FirstName Kind = "first_name" // one word of a first name
	LastName  Kind = "last_name"  // one word of a last name
	Company   Kind = "company"    // a company's name or alias, without legal form
	School    Kind = "school"
	Skill     Kind = "skill"
	Title     Kind = "title"    // the normal form of a title
	Industry  Kind = "industry" // an industry's label
	Keyword   Kind = "keyword"  // a keyword of a company
)

// Known is a term of the vocabulary.
type Known struct {
	Kind Kind
	Term string
	// People is about how many people have it.
	People int
	// For is the term that was asked for: Term itself, or a misspelling of it.
	For string
	// Distance is by how many edits the two differ: 0, 1 or 2.
	Distance int
}

// Vocabulary is what the directory knows of words: which spans of a prompt
// name a company, a school or a person.
type Vocabulary interface {
	// Known returns what is known of each of these terms, and of those in near
	// also the terms that differ by one edit (an insertion, a deletion, a
	// replacement or a transposition; two from eight letters on) and begin with
	// the same letter. It is one request, whatever the number of terms; at most
	// 400 terms are looked up.
	Known(ctx context.Context, terms, near []string) ([]Known, error)
}
