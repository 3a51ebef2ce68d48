package prompt

import (
	"context"

	"kith"
	"kith/query/analysis"
)

// Known is a term of the vocabulary.
type Known struct {
	Kind analysis.TermKind
	Term string
	// People is roughly how many people have the term; 0 for a company without people.
	People int
	// For is the term asked for: Term itself, or a misspelling of it.
	For string
	// Distance is the edit distance between the two: 0, 1 or 2.
	Distance int
}

// The limits of one look-up. Terms beyond them are skipped.
const (
	// MaxTerms is the maximum number of exact look-ups.
	MaxTerms = 400
	// MaxNear is the maximum number of terms with near look-ups.
	MaxNear = 40
	// MostNear is the maximum number of near terms returned for each asked term and kind.
	MostNear = 5
)

// Vocabulary is the dataset's knowledge of words: which spans of a prompt name a company, a school
// or a person. It is safe for concurrent use.
type Vocabulary interface {
	// Known looks up terms of records that a viewer may see: terms exactly, and those in near also by the terms near
	// them, as [Near] and [HasNear] define. Terms in near need not be among terms. Write terms as they are stored: the
	// words that package analysis makes of a text, joined by spaces. It is one request, whatever the number of terms.
	// The answer is in the order of [Choose].
	Known(ctx context.Context, v kith.Viewer, terms, near []string) ([]Known, error)
}
