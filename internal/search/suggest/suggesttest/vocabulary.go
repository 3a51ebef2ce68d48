// Package suggesttest provides an in-memory vocabulary for tests of completion.
package suggesttest

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"kith"
	"kith/internal/search/suggest"
	"kith/query/analysis"
	"kith/query/prompt/prompttest"
)

// Vocabulary is the vocabulary of some people. It answers like the vocabulary of a dataset with just these people, by
// looking at every term.
type Vocabulary struct {
	*prompttest.Vocabulary
	people map[analysis.Term]int
	texts  analysis.TermTexts
}

var _ suggest.Vocabulary = (*Vocabulary)(nil)

// New makes the vocabulary of people, whose jobs must include their companies. It returns an error if a record cannot
// be analysed.
func New(people []kith.Person) (*Vocabulary, error) {
	v := &Vocabulary{people: map[analysis.Term]int{}, texts: analysis.TermTexts{}}
	for _, p := range people {
		doc, err := analysis.Person(p, 0, 0)
		if err != nil {
			return nil, fmt.Errorf("vocabulary: %w", err)
		}
		for _, t := range analysis.PersonTerms(p, doc) {
			v.people[t]++
		}
		for t, text := range analysis.PersonTexts(p) {
			if _, known := v.texts[t]; !known {
				v.texts[t] = text
			}
		}
	}
	v.Vocabulary = prompttest.Of(v.people)
	return v, nil
}

// Starting implements [suggest.Vocabulary]. It ends with ctx's error.
func (v *Vocabulary) Starting(ctx context.Context, _ kith.Viewer, asked suggest.Lookup) ([]suggest.Term, error) {
	var found []suggest.Term
	for t, n := range v.people {
		if !slices.Contains(asked.Kinds, t.Kind) {
			continue
		}
		for _, text := range asked.Texts {
			found = append(found, suggest.Term{Term: t, Written: v.texts[t], People: n, For: text})
		}
	}
	return suggest.Choose(asked, found), ctx.Err()
}

// Terms returns all terms, sorted.
func (v *Vocabulary) Terms() []analysis.Term {
	return slices.SortedFunc(maps.Keys(v.people), analysis.Term.Compare)
}
