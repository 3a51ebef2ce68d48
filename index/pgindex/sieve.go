package pgindex

import (
	"math"
	"slices"
	"strings"

	"kith/query"
)

// sieve writes a condition that indexes can serve and that holds at least
// wherever q does. It is "" where indexes are of no help. exact is true where
// it means the same as q.
func (w *writer) sieve(q query.Query, s source) (sql string, exact bool) {
	switch q := q.(type) {
	case query.And:
		return w.sieveAnd(q.Parts, s)
	case query.Or:
		return w.sieveOr(q.Parts, s)
	case query.Term, query.AllWords:
		return w.sieveAnd([]query.Query{q}, s)
	case query.Terms:
		return w.sieveSet(anyOf(q)), true
	case query.Phrase:
		sql, _ := w.sieve(query.AllWords(q), s)
		return sql, len(q.Words) == 1
	case query.Range:
		return w.sieveRange(q, s)
	case query.IDs:
		return "(p.id = ANY(" + w.numbers(q.Values) + "))", true
	case query.None:
		return "FALSE", true
	case query.All, query.Not, query.Exists, query.Nested:
		return "", false
	}
	return "", false
}

// sieveAnd asks for all terms of a conjunction at once: the index then steps
// over what only one of them has.
func (w *writer) sieveAnd(parts []query.Query, s source) (sql string, exact bool) {
	var together, texts []string
	exact = true
	for _, p := range parts {
		if needed, ok := required(p); ok {
			together = append(together, needed...)
			continue
		}
		if isLeaf(p) {
			// No document can have the value: for the row to say.
			exact = false
			continue
		}
		text, partExact := w.sieve(p, s)
		exact = exact && partExact
		if text != "" {
			texts = append(texts, text)
		}
	}
	if len(together) > 0 {
		texts = append(texts, "(p.terms @> "+w.texts(together)+")")
	}
	if len(texts) == 0 {
		return "", false
	}
	return "(" + strings.Join(texts, " AND ") + ")", exact
}

// isLeaf reports whether sieve hands q to sieveAnd.
func isLeaf(q query.Query) bool {
	_, isTerm := q.(query.Term)
	_, isWords := q.(query.AllWords)
	return isTerm || isWords
}

// chunk is how many values of a set one scan of the index looks for: the work
// of a scan grows with the square of their number.
const chunk = 300

func (w *writer) sieveSet(terms []string) string {
	if len(terms) == 0 {
		return "FALSE"
	}
	var texts []string
	for part := range slices.Chunk(terms, chunk) {
		texts = append(texts, "p.terms && "+w.texts(part))
	}
	return "(" + strings.Join(texts, " OR ") + ")"
}

func (w *writer) sieveOr(parts []query.Query, s source) (sql string, exact bool) {
	texts := make([]string, len(parts))
	exact = true
	for i, p := range parts {
		var partExact bool
		if texts[i], partExact = w.sieve(p, s); texts[i] == "" {
			return "", false
		}
		exact = exact && partExact
	}
	if len(texts) == 0 {
		return "FALSE", true
	}
	return "(" + strings.Join(texts, " OR ") + ")", exact
}

// sieveRange uses the index that orders by the number, on its complement.
func (w *writer) sieveRange(q query.Range, s source) (sql string, exact bool) {
	column := s.column(q.Field)
	if column == "" {
		return "FALSE", true
	}
	if q.Min == nil && q.Max == nil {
		return "", false
	}
	var bounds []string
	if q.Max != nil {
		bounds = append(bounds, order(q.Field)+" >= ~"+w.number(*q.Max))
	}
	if q.Min != nil {
		bounds = append(bounds, order(q.Field)+" <= ~"+w.number(*q.Min))
	}
	// Missing numbers lie at the lower end of the order.
	exact = q.Min != nil && *q.Min > lowest
	return "(" + strings.Join(bounds, " AND ") + ")", exact
}

// residue returns the part of q that its sieve does not settle.
func (w *writer) residue(q query.Query, s source) query.Query {
	and, ok := q.(query.And)
	if !ok {
		and.Parts = []query.Query{q}
	}
	var rest []query.Query
	for _, p := range and.Parts {
		if _, exact := (&writer{}).sieve(p, s); !exact {
			rest = append(rest, p)
		}
	}
	return query.And{Parts: rest}
}

// longSet is the number of values from which on a set of terms is taken to be
// a list of people, one a value.
const longSet = 1000

// bound guesses an upper bound of the documents that q holds of, as far as its
// form tells one.
func bound(q query.Query) int {
	switch q := q.(type) {
	case query.IDs:
		return len(q.Values)
	case query.Terms:
		if len(q.Values) >= longSet {
			return len(q.Values)
		}
	case query.None:
		return 0
	case query.And:
		least := math.MaxInt
		for _, p := range q.Parts {
			least = min(least, bound(p))
		}
		return least
	case query.Or:
		sum := 0
		for _, p := range q.Parts {
			b := bound(p)
			if b == math.MaxInt {
				return b
			}
			sum += b
		}
		return sum
	case query.All, query.Not, query.Term, query.AllWords, query.Phrase, query.Range, query.Exists, query.Nested:
	}
	return math.MaxInt
}
