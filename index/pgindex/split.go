package pgindex

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/indexed"
)

// split is a query in two parts: one for indexes, and the rest, which is tested row by row.
type split struct {
	// indexed are the conditions for indexes; together they hold at least wherever the query does. It is empty if
	// indexes do not help.
	indexed []query.Query
	// rest are the conditions that indexes do not decide.
	rest []query.Query
	// share is the likely share of documents that pass the indexes.
	share float64
}

// exact reports whether indexes alone answer the query.
func (sp split) exact() bool { return len(sp.rest) == 0 }

// asked is a part of a conjunction that an index can answer.
type asked struct {
	part     query.Query
	share    float64
	exact    bool
	byNumber bool
}

// Costs of one document in microseconds: to read it from an index on numbers, to fetch and sort it, to find it by id,
// and to test its terms, or a long set of them.
const (
	costNumber     = 0.1
	costFetch      = 1.0
	costFind       = 3.0
	costDecide     = 15.0
	costDecideLong = 100.0
)

// costOfRow is the cost of testing one document.
func (sp split) costOfRow() float64 {
	if sp.hasLong() {
		return costDecideLong
	}
	return costDecide
}

// splits chooses the conditions for indexes, for everyone and for a tier. Only indexes on terms exist for a tier;
// conditions on numbers are then tested on the row, at almost no cost. For everyone an index on numbers is used if
// that costs less than fetching the documents it would exclude.
func (s statistics) splits(q query.Query) (whole, tiered split) {
	and, ok := q.(query.And)
	if !ok {
		and.Parts = []query.Query{q}
	}
	if sp, ok := s.splitNamed(and.Parts); ok {
		return sp, sp
	}
	sp, numbers := s.splitTerms(and)
	whole, tiered = sp, split{slices.Clone(sp.indexed), slices.Clone(sp.rest), sp.share}
	s.splitNumbers(&whole, numbers, false)
	s.splitNumbers(&tiered, numbers, true)
	return whole, tiered
}

// splitTerms splits a conjunction, except for parts that only indexes on numbers serve, which it returns.
func (s statistics) splitTerms(and query.And) (sp split, numbers []asked) {
	sp.share = 1
	var chosen []asked
	weaken := weakening{orders: s.source.orders, given: neededTerms(and.Parts), beside: and.Parts}
	var coarse []query.Query
	for _, p := range and.Parts {
		if set, many := s.coarse(p); many {
			coarse = append(coarse, set)
			sp.rest = append(sp.rest, p)
			continue
		}
		probe := &writer{}
		sql, exact := probe.indexCondition(p, s.source)
		weaker := weaken
		if !isSeveral(p) {
			weaker.given, weaker.beside = nil, nil // given may contain terms of the part itself
		}
		a := asked{part: p, share: s.estimate(weaker.weaker(p)), exact: exact, byNumber: probe.byNumber}
		if sql == "" || !a.byNumber && isFiner(p, and.Parts) {
			sp.rest = append(sp.rest, p)
		} else {
			chosen = append(chosen, a)
		}
	}
	numbers = s.choose(&sp, chosen, and.Parts)
	for _, set := range coarse {
		if len(sp.indexed) == 0 || sp.share*s.rows > manyRows && !sp.isTooManyAfter(set) {
			sp.indexed, sp.share = append(sp.indexed, set), sp.share*s.estimate(set)
		}
	}
	return sp, numbers
}

// choose takes the conditions that an index can serve, except those on numbers that are better tested on rows.
func (s statistics) choose(sp *split, chosen []asked, parts []query.Query) (numbers []asked) {
	for _, a := range chosen {
		switch {
		case s.hasTooManyValues(a.part, chosen):
			if !isRedundant(a.part, parts) {
				sp.rest = append(sp.rest, a.part)
			}
		case a.byNumber && upperBound(a.part) >= longSet, a.share > unselective && isSeveral(a.part):
			numbers = append(numbers, a)
		default:
			sp.take(a)
		}
	}
	return numbers
}

// splitNumbers assigns the parts that only indexes on numbers serve.
func (s statistics) splitNumbers(sp *split, numbers []asked, inTier bool) {
	for _, a := range numbers {
		if len(sp.indexed) == 0 || !inTier && isWorthIndex(a, sp.share) && !sp.isTooManyAfter(a.part) && !sp.hasLong() {
			sp.take(a)
		} else {
			sp.rest = append(sp.rest, a.part)
		}
	}
	sp.fold(s.source.orders)
}

// splitNamed uses only ids or names if they match fewer people than the other conditions, which are then tested row
// by row, mostly by signature. Looking up terms as well would mean reading the terms of each person.
func (s statistics) splitNamed(parts []query.Query) (sp split, ok bool) {
	i := slices.IndexFunc(parts, isNaming)
	if i < 0 {
		return sp, false
	}
	rest := slices.Delete(slices.Clone(parts), i, i+1)
	share := s.estimate(parts[i])
	if share*costFind > s.estimate(query.And{Parts: rest})*costFetch {
		return sp, false
	}
	return split{indexed: []query.Query{parts[i]}, rest: rest, share: share}, true
}

// isNaming reports whether a part names individual people.
func isNaming(q query.Query) bool {
	switch q := q.(type) {
	case query.IDs:
		return true
	case query.Term:
		return isUnique(q.Field)
	case query.Terms:
		return isUnique(q.Field)
	case query.Or:
		return !slices.ContainsFunc(q.Parts, func(p query.Query) bool { return !isNaming(p) })
	case query.All, query.None, query.And, query.Not, query.AllWords, query.Phrase, query.Range, query.Exists,
		query.Nested, query.Timeline:
	}
	return false
}

// fold moves the buckets of a range into the alternatives without that range. Next to the range, Postgres would test
// them on each of its rows, which takes much longer than finding the rows, because terms are stored outside the row.
// Their own condition moves to the row test, which only sees the rows of a page.
func (sp *split) fold(orders []query.Field) {
	for i, p := range sp.indexed {
		or, ok := p.(query.Or)
		if !ok {
			continue
		}
		ranged := map[query.Field]bool{}
		noteRanges(or, ranged)
		for j, buckets := range sp.indexed {
			if f, one := bucketField(buckets); one && ranged[f] && slices.Contains(orders, f) {
				sp.indexed[i] = addBuckets(or, f, buckets)
				sp.indexed = slices.Delete(sp.indexed, j, j+1)
				sp.rest = append(sp.rest, buckets)
				return
			}
		}
	}
}

// addBuckets adds the buckets to the alternatives without a range of the field.
func addBuckets(or query.Or, f query.Field, buckets query.Query) query.Query {
	parts := make([]query.Query, len(or.Parts))
	for i, p := range or.Parts {
		ranged := map[query.Field]bool{}
		noteRanges(p, ranged)
		if parts[i] = p; !ranged[f] {
			parts[i] = query.And{Parts: []query.Query{buckets, p}}
		}
	}
	return query.Or{Parts: parts}
}

// take adds a part to the conditions for indexes.
func (sp *split) take(a asked) {
	sp.indexed = append(sp.indexed, a.part)
	sp.share *= a.share
	if !a.exact {
		sp.rest = append(sp.rest, a.part)
	}
}

// isWorthIndex compares the cost of an index on numbers with the cost of the documents it saves from fetching.
func isWorthIndex(a asked, share float64) bool {
	return a.share*costNumber < share*(1-a.share)*costFetch
}

// unselective is the share from which a part with several index scans is used only if there is nothing better.
const unselective = 0.5

// isSeveral reports whether a part needs several index scans.
func isSeveral(q query.Query) bool {
	_, or := q.(query.Or)
	return or
}

// neededTerms returns the terms that every document needs for a conjunction.
func neededTerms(parts []query.Query) map[string]bool {
	asked := map[string]bool{}
	for _, p := range parts {
		needed, _ := requiredTerms(p)
		for _, t := range needed {
			asked[t] = true
		}
	}
	return asked
}

// weakening turns a part into the condition that its index answers, to estimate the share.
type weakening struct {
	// orders are the fields with an index in their order.
	orders []query.Field
	// given are terms required by the other parts.
	given map[string]bool
	// beside are the other parts.
	beside []query.Query
}

func (s weakening) weaker(q query.Query) query.Query {
	switch q := q.(type) {
	case query.And, query.Or:
		return query.MapParts(q, s.weakerPart)
	case query.Phrase:
		return q.Somewhere()
	case query.Range:
		if slices.Contains(s.orders, q.Field) {
			return q
		}
		return query.All{}
	case query.Nested:
		if q.Path == query.Current {
			return query.Term{Field: query.JobCount, Value: indexed.ManyJobs}
		}
		return query.All{}
	case query.Term:
		if s.given[query.SQLTerm(q.Field, q.Value)] {
			return query.All{}
		}
	case query.Not, query.Exists:
		return query.All{}
	case query.All, query.None, query.Terms, query.AllWords, query.IDs, query.Timeline:
	}
	return q
}

func (s weakening) weakerPart(q query.Query) query.Query {
	if slices.ContainsFunc(s.beside, func(given query.Query) bool { return query.Equal(q, given) }) {
		return query.All{}
	}
	return s.weaker(q)
}

// sql writes the condition for indexes; "" if indexes do not help.
func (sp split) sql(w *writer, s source) string {
	if len(sp.indexed) == 0 {
		return ""
	}
	sql, _ := w.indexAnd(sp.indexed, s)
	return sql
}

// left is the part that indexes do not decide.
func (sp split) left() query.Query { return query.And{Parts: sp.rest} }

// row writes the part to test row by row.
func (sp split) row(w *writer, s source) string {
	w.given = neededTerms(sp.indexed)
	return w.row(sp.left(), s)
}

// and joins conditions and drops trivial ones.
func and(conditions ...string) string {
	var texts []string
	for _, c := range conditions {
		if c != "" && c != "TRUE" {
			texts = append(texts, c)
		}
	}
	if len(texts) == 0 {
		return "TRUE"
	}
	return strings.Join(texts, " AND ")
}
