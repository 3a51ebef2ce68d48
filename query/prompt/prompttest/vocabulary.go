// Package prompttest provides an in-memory vocabulary for tests of planners.
package prompttest

import (
	"context"
	"fmt"
	"slices"

	"kith"
	"kith/query/analysis"
	"kith/query/prompt"
)

// Vocabulary is the vocabulary of given people and companies. It answers like the vocabulary of a
// dataset with just these records, but scans every term.
type Vocabulary struct {
	people map[analysis.Term]int
	byText map[string][]analysis.Term
	all    []analysis.Term
}

var _ prompt.Vocabulary = (*Vocabulary)(nil)

// New returns the vocabulary of people, with the companies of their jobs filled in, and of
// companies, with or without people. It fails on a record that the analysis does not accept.
func New(people []kith.Person, companies []kith.Company) (*Vocabulary, error) {
	v := &Vocabulary{people: map[analysis.Term]int{}, byText: map[string][]analysis.Term{}}
	for _, p := range people {
		doc, err := analysis.Person(p, 0, 0)
		if err != nil {
			return nil, fmt.Errorf("vocabulary: %w", err)
		}
		v.add(1, analysis.PersonTerms(p, doc))
	}
	for _, c := range companies {
		doc, err := analysis.Company(c, 0, 0)
		if err != nil {
			return nil, fmt.Errorf("vocabulary: %w", err)
		}
		v.add(0, analysis.CompanyTerms(doc))
	}
	slices.SortFunc(v.all, analysis.Term.Compare)
	return v, nil
}

// Of returns a vocabulary of terms with their numbers of people.
func Of(counts map[analysis.Term]int) *Vocabulary {
	v := &Vocabulary{people: map[analysis.Term]int{}, byText: map[string][]analysis.Term{}}
	for t, n := range counts {
		v.add(n, []analysis.Term{t})
	}
	slices.SortFunc(v.all, analysis.Term.Compare)
	return v
}

func (v *Vocabulary) add(people int, terms []analysis.Term) {
	for _, t := range terms {
		if _, known := v.people[t]; !known {
			v.all = append(v.all, t)
			v.byText[t.Text] = append(v.byText[t.Text], t)
		}
		v.people[t] += people
	}
}

// Known implements [prompt.Vocabulary]. It returns ctx's error.
func (v *Vocabulary) Known(ctx context.Context, _ kith.Viewer, terms, near []string) ([]prompt.Known, error) {
	exact, nearby := prompt.LimitTerms(terms, near)
	var found []prompt.Known
	for _, asked := range exact {
		for _, t := range v.byText[asked] {
			found = append(found, prompt.Known{Kind: t.Kind, Term: t.Text, People: v.people[t], For: asked})
		}
	}
	for _, asked := range nearby {
		for _, t := range v.all {
			if d, ok := prompt.Near(asked, t.Text); ok && prompt.HasNear(t.Kind, t.Text) {
				found = append(found, prompt.Known{
					Kind: t.Kind, Term: t.Text, People: v.people[t], For: asked,
					Distance: d,
				})
			}
		}
	}
	return prompt.Choose(found), ctx.Err()
}
