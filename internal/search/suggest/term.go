package suggest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"kith"
	"kith/query"
	"kith/query/analysis"
)

// terms completes a field with terms of one kind.
func (s *Service) terms(ctx context.Context, v kith.Viewer, req Request, kind analysis.TermKind,
) ([]Suggestion, error) {
	found, err := s.matching(ctx, v, Lookup{
		Texts: typed(kind, req.Text), Kinds: []analysis.TermKind{kind}, Limit: req.Limit,
	})
	if err != nil {
		return nil, err
	}
	out := make([]Suggestion, len(found))
	for i, t := range found {
		out[i] = Suggestion{Field: req.Field, Value: value(t.display()), Text: t.display(), Count: t.People}
	}
	return out, nil
}

// few is how many terms must match without a typo to skip the slower search with typos.
const few = 3

// matching returns the best matching terms without duplicates; it includes typos only if few terms match without.
func (s *Service) matching(ctx context.Context, v kith.Viewer, asked Lookup) ([]Term, error) {
	found, err := s.words.Starting(ctx, v, asked)
	if err != nil {
		return nil, err
	}
	found = best(found, asked.Limit)
	if len(found) < min(few, asked.Limit) {
		asked.Typos = true
		typos, err := s.words.Starting(ctx, v, asked)
		if err != nil {
			return nil, err
		}
		found = best(append(found, typos...), asked.Limit)
	}
	return found, nil
}

// best sorts terms for an answer, drops duplicates, and limits their number.
func best(found []Term, limit int) []Term {
	slices.SortStableFunc(found, func(a, b Term) int {
		return cmp.Or(cmp.Compare(a.Match, b.Match), cmp.Compare(b.People, a.People), a.Compare(b.Term))
	})
	seen := map[analysis.Term]bool{}
	found = slices.DeleteFunc(found, func(t Term) bool {
		again := seen[t.Term]
		seen[t.Term] = true
		return again
	})
	return found[:min(len(found), limit)]
}

// display returns the term as a record spells it, else capitalised.
func (t Term) display() string {
	if t.Written != "" {
		return t.Written
	}
	return capitals(t.Text)
}

// capitals capitalises each word.
func capitals(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		letters := []rune(w)
		letters[0] = unicode.ToUpper(letters[0])
		words[i] = string(letters)
	}
	return strings.Join(words, " ")
}

// value quotes a text as an alternative of a filter.
func value(text string) string { return query.Alternative{Text: text}.String() }
