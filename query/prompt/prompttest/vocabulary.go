// Package prompttest gives tests of planners a vocabulary in memory.
package prompttest

import (
	"context"
	"fmt"
	"slices"

	"kith"
	"kith/index/analysis"
	"kith/query/prompt"
)

// Vocabulary is the vocabulary of some people and companies. It is what the
// vocabulary of a directory with just these answers, found by looking at every
// term.
type Vocabulary struct {
	people map[analysis.Term]int
	byText map[string][]analysis.Term
	all    []analysis.Term
}

var _ prompt.Vocabulary = (*Vocabulary)(nil)

// New makes the vocabulary of people, whose jobs have their companies filled
// in, and of companies, which may have no people. An error is about a record
// that the analysis does not accept.
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

// Of makes a vocabulary of terms and how many people have each.
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

// Known implements [prompt.Vocabulary]. It ends with ctx's error.
func (v *Vocabulary) Known(ctx context.Context, terms, near []string) ([]prompt.Known, error) {
	exact, nearby := prompt.Asked(terms, near)
	var found []prompt.Known
	for _, asked := range exact {
		for _, t := range v.byText[asked] {
			found = append(found, prompt.Known{Kind: t.Kind, Term: t.Text, People: v.people[t], For: asked})
		}
	}
	for _, asked := range nearby {
		for _, t := range v.all {
			if d, ok := prompt.Near(asked, t.Text); ok && prompt.HasNear(t.Kind, t.Text) {
				found = append(found, prompt.Known{Kind: t.Kind, Term: t.Text, People: v.people[t], For: asked, Distance: d})
			}
		}
	}
	return prompt.Choose(found), ctx.Err()
}
