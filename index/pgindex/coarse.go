package pgindex

import (
	"cmp"
	"slices"

	"kith/query"
)

const (
	// manyAlternatives is the number of word alternatives from which the index looks up one word of each, in a single
	// scan. A scan for each takes long, and longer still if Postgres tests them row by row.
	manyAlternatives = 16
	// manyRows is the number of documents up to which testing rows costs less than a coarse lookup.
	manyRows = 5000
)

// coarse returns a set of words for many alternatives of words in one field, such that every matching document has at
// least one: the least frequent word of each alternative, unless the set already has one. ok is false for other
// queries.
func (s statistics) coarse(q query.Query) (set query.Terms, ok bool) {
	or, _ := q.(query.Or)
	if len(or.Parts) < manyAlternatives {
		return set, false
	}
	for _, p := range or.Parts {
		f, words, all := wordsOf(p)
		switch {
		case len(words) == 0 || set.Field != "" && f != set.Field:
			return query.Terms{}, false
		case !all:
			set.Values = append(set.Values, words...)
		case !slices.ContainsFunc(words, func(w string) bool { return slices.Contains(set.Values, w) }):
			set.Values = append(set.Values, s.rarest(f, words))
		}
		set.Field = f
	}
	return set, true
}

// wordsOf returns the words of q; a document needs all of them, or any if all is false. Complex queries have none.
func wordsOf(q query.Query) (f query.Field, words []string, all bool) {
	switch q := q.(type) {
	case query.Term:
		return q.Field, []string{q.Value}, true
	case query.Terms:
		return q.Field, q.Values, false
	case query.AllWords:
		return q.Field, q.Words, true
	case query.Phrase:
		return q.Field, q.Words, true
	case query.All, query.None, query.And, query.Or, query.Not, query.Range, query.Exists, query.Nested, query.IDs,
		query.Timeline:
	}
	return "", nil, false
}

func (s statistics) rarest(f query.Field, words []string) string {
	return slices.MinFunc(words, func(a, b string) int { return cmp.Compare(s.term(f, a), s.term(f, b)) })
}
