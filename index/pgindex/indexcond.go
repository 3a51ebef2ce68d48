package pgindex

import (
	"fmt"
	"slices"
	"strings"

	"kith/query"
	"kith/query/indexed"
)

// indexCondition writes a condition that indexes can serve and that holds at least wherever q does. It is "" if
// indexes do not help. exact is true if it is equivalent to q.
func (w *writer) indexCondition(q query.Query, s source) (sql string, exact bool) {
	switch q := q.(type) {
	case query.And:
		return w.indexAnd(q.Parts, s)
	case query.Or:
		return w.indexOr(q.Parts, s)
	case query.Term, query.AllWords:
		return w.indexAnd([]query.Query{q}, s)
	case query.Terms:
		return w.indexSet(q, s), true
	case query.Phrase:
		sql, _ := w.indexCondition(q.Somewhere(), s)
		return sql, len(q.Words) == 1
	case query.Range:
		return w.indexRange(q, s)
	case query.IDs:
		w.byNumber = true
		return "(p.id = ANY(" + w.numbers(q.Values) + "))", true
	case query.None:
		return "FALSE", true
	case query.Nested:
		return w.indexNested(q, s)
	case query.All, query.Not, query.Exists, query.Timeline:
		return "", false
	}
	return "", false
}

func (w *writer) indexNested(q query.Nested, s source) (sql string, exact bool) {
	if q.Path != query.Current {
		return "", false
	}
	sql, _ = w.indexCondition(query.Term{Field: query.JobCount, Value: indexed.ManyJobs}, s)
	return sql, false
}

// isImplied reports whether another part implies p: a flattened number of the current job exists only for people with
// one job.
func isImplied(p query.Query, parts []query.Query) bool {
	if !isOneJob(p) {
		return false
	}
	return slices.ContainsFunc(parts, func(other query.Query) bool {
		r, ok := other.(query.Range)
		return ok && flattenedNumber(r.Field)
	})
}

// indexAnd looks up all terms of a conjunction at once, so the index can skip documents with only one of them. Terms
// come first, sets last, the longest at the end: if Postgres uses an index for another part and tests a set row by
// row, it compares each value with each term of the row.
func (w *writer) indexAnd(parts []query.Query, s source) (sql string, exact bool) {
	var together, texts []string
	var sets []longText
	exact = true
	for _, p := range parts {
		if isImplied(p, parts) {
			continue
		}
		if needed, ok := requiredTerms(p); ok {
			together = append(together, needed...)
			continue
		}
		if isLeaf(p) {
			// No document can have the value: the row test decides.
			exact = false
			continue
		}
		text, partExact := w.indexCondition(p, s)
		exact = exact && partExact
		switch n := alternativeValues(p); {
		case text == "":
		case n > 0:
			sets = append(sets, longText{n, text})
		default:
			texts = append(texts, text)
		}
	}
	if len(together) > 0 {
		texts = slices.Insert(texts, 0, "(p.terms @> "+w.terms(together)+")")
	}
	slices.SortStableFunc(sets, func(a, b longText) int { return a.values - b.values })
	for _, set := range sets {
		texts = append(texts, set.text)
	}
	if len(texts) == 0 {
		return "", false
	}
	return "(" + strings.Join(texts, " AND ") + ")", exact
}

// longText is a condition on any of so many values.
type longText struct {
	values int
	text   string
}

// alternativeValues is the number of values if q is only a set of alternatives; otherwise 0.
func alternativeValues(q query.Query) int {
	if or, ok := q.(query.Or); ok {
		alternatives, _ := coarsen(or.Parts)
		q = query.Or{Parts: alternatives}
	}
	if terms, ok := alternativeTerms(q); ok {
		return len(terms)
	}
	return values(q)
}

// alternativeTerms lists the terms of q if it requires any of them and nothing else; otherwise ok is false.
func alternativeTerms(q query.Query) (terms []string, ok bool) {
	parts := []query.Query{q}
	if or, several := q.(query.Or); several {
		parts = or.Parts
	}
	terms, rest := valuesApart(parts)
	return terms, len(terms) > 0 && len(rest) == 0
}

// isLeaf reports whether indexCondition delegates q to indexAnd.
func isLeaf(q query.Query) bool {
	_, isTerm := q.(query.Term)
	_, isWords := q.(query.AllWords)
	return isTerm || isWords
}

// chunk is how many values of a set one index scan looks up: its work grows with the square of their number.
const chunk = 300

// manyLookups is the number of values from which a set of a unique field is looked up one by one: in a joint GIN
// scan, the cost of each value grows with their number.
const manyLookups = 8

func (w *writer) indexSet(q query.Terms, s source) string {
	terms := storableTerms(q)
	if len(terms) == 0 {
		return "FALSE"
	}
	if isUnique(q.Field) && len(terms) >= manyLookups {
		return w.lookUp(terms, s)
	}
	return "(" + strings.Join(w.requireAny(terms), " OR ") + ")"
}

// requireAny requires any of the terms, in as few conditions as possible.
func (w *writer) requireAny(terms []string) (texts []string) {
	for part := range slices.Chunk(terms, chunk) {
		texts = append(texts, "p.terms && "+w.terms(part))
	}
	return texts
}

// valuesApart extracts the values from alternatives. In one condition, across fields, Postgres always looks them up
// in the index. Several conditions in an OR may be tested on each row of another condition instead: hundreds of
// values take a millisecond a row.
func valuesApart(parts []query.Query) (terms []string, rest []query.Query) {
	for _, p := range parts {
		switch p := p.(type) {
		case query.Term:
			terms = append(terms, storableTerms(query.Terms{Field: p.Field, Values: []string{p.Value}})...)
		case query.Terms:
			if isUnique(p.Field) { // looked up one by one
				rest = append(rest, p)
			} else {
				terms = append(terms, storableTerms(p)...)
			}
		case query.All, query.None, query.And, query.Or, query.Not, query.AllWords, query.Phrase, query.Range,
			query.Exists, query.Nested, query.IDs, query.Timeline:
			rest = append(rest, p)
		}
	}
	return terms, rest
}

// lookUp finds the documents with any of the terms, one index scan for each, before any other condition. OFFSET keeps
// Postgres from changing that order.
func (w *writer) lookUp(terms []string, s source) string {
	return fmt.Sprintf("(p.id = ANY(ARRAY(SELECT l.id FROM unnest(%s) v, LATERAL (SELECT l.id FROM %s_%s l WHERE "+
		"l.terms @> ARRAY[v] OFFSET 0) l)))",
		w.terms(terms), s.c, w.layout.version)
}

func (w *writer) indexOr(parts []query.Query, s source) (sql string, exact bool) {
	alternatives, exact := coarsen(parts)
	terms, rest := valuesApart(alternatives)
	texts := w.requireAny(terms)
	for _, p := range rest {
		text, partExact := w.indexCondition(p, s)
		if text == "" {
			return "", false
		}
		texts = append(texts, text)
		exact = exact && partExact
	}
	if len(texts) == 0 {
		return "FALSE", true
	}
	return "(" + strings.Join(texts, " OR ") + ")", exact
}

// indexRange uses the index in the order of the number, which is on its complement.
func (w *writer) indexRange(q query.Range, s source) (sql string, exact bool) {
	if s.column(q.Field) == "" {
		return "FALSE", true
	}
	if q.Min == nil && q.Max == nil || !slices.Contains(s.orders, q.Field) {
		return "", false
	}
	w.byNumber = true
	var bounds []string
	if q.Max != nil {
		bounds = append(bounds, order(q.Field)+" >= ~"+w.number(*q.Max))
	}
	if q.Min != nil {
		bounds = append(bounds, order(q.Field)+" <= ~"+w.number(*q.Min))
	}
	// Missing numbers are at the lower end of the order.
	exact = q.Min != nil && *q.Min > lowest
	return "(" + strings.Join(bounds, " AND ") + ")", exact
}
