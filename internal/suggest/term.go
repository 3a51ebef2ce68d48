package suggest

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"kith/index/analysis"
	"kith/query"
)

// terms completes a field whose values are terms of one kind.
func (s *Service) terms(ctx context.Context, req Request) ([]Suggestion, error) {
	kind := req.Field.kind()
	found, err := s.matching(ctx, Asked{
		Texts: typed(kind, req.Text), Kinds: []analysis.TermKind{kind}, Limit: req.Limit,
	})
	if err != nil {
		return nil, err
	}
	out := make([]Suggestion, len(found))
	for i, t := range found {
		out[i] = Suggestion{Field: req.Field, Value: value(t.shown()), Text: t.shown(), Count: t.People}
	}
	return out, nil
}

// few is how many terms must match without a typo for none to be looked for with one, which costs more.
const few = 3

// matching returns the terms that match best, each once: those with a typo only where few match without.
func (s *Service) matching(ctx context.Context, asked Asked) ([]Term, error) {
	found, err := s.words.Starting(ctx, asked)
	if err != nil {
		return nil, err
	}
	found = best(found, asked.Limit)
	if len(found) < min(few, asked.Limit) {
		asked.Typos = true
		typos, err := s.words.Starting(ctx, asked)
		if err != nil {
			return nil, err
		}
		found = best(append(found, typos...), asked.Limit)
	}
	return found, nil
}

// best puts terms into the order of an answer, whatever form of the text they match.
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

// shown is the term as a record writes it, else with capitals.
func (t Term) shown() string {
	if t.Written != "" {
		return t.Written
	}
	return capitals(t.Text)
}

// capitals writes the first letter of each word large.
func capitals(text string) string {
	words := strings.Fields(text)
	for i, w := range words {
		letters := []rune(w)
		letters[0] = unicode.ToUpper(letters[0])
		words[i] = string(letters)
	}
	return strings.Join(words, " ")
}

// value writes a text as an alternative of a filter.
func value(text string) string { return query.Alternative{Text: text}.String() }
