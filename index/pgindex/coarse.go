package pgindex

import (
	"slices"

	"kith/query"
)

const (
	// manyAlternatives is from how many alternatives of words on the index is
	// asked for one word of each, in one scan: a scan for each takes long, and
	// longer still where Postgres decides them row by row.
	manyAlternatives = 16
	// manyRows is up to how many documents it costs less to decide one by one
	// than to ask the index for what is coarse.
	manyRows = 5000
)

// coarse is a set of words of which every document has one that satisfies many
// alternatives of words in one field: of each alternative the least frequent,
// where none is in the set already. ok is false for other queries.
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

// wordsOf are words of which a document must have all for q, or any where all
// is false; none where q is not as simple.
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
	return slices.MinFunc(words, func(a, b string) int {
		switch x, y := s.term(f, a), s.term(f, b); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
}
