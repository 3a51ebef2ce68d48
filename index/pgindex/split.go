package pgindex

import (
	"slices"
	"strings"

	"kith/query"
)

// split is a query in two parts: one that indexes answer, and the rest, which
// is decided row by row.
type split struct {
	// indexed are the conditions that indexes are asked for; together they hold at
	// least wherever the query does. None means that indexes are of no help.
	indexed []query.Query
	// rest are the conditions that indexes do not settle.
	rest []query.Query
	// share is what indexes are likely to let through.
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

// What one document costs, in microseconds: to be given by an index on
// numbers, to be fetched and sorted, to be found by its id, and to be decided by
// its terms, or by a long set of them.
const (
	costNumber     = 0.1
	costFetch      = 1.0
	costFind       = 3.0
	costDecide     = 15.0
	costDecideLong = 100.0
)

// costOfRow is what it costs to decide one document.
func (sp split) costOfRow() float64 {
	if sp.hasLong() {
		return costDecideLong
	}
	return costDecide
}

// splits chooses what indexes are asked for, over everyone and in a tier. In a
// tier only terms have indexes that know of it; conditions on numbers are then
// for the row, where they cost next to nothing. Over everyone an index on numbers
// is asked where that costs less than to fetch the documents that it would leave
// out.
func (s statistics) splits(q query.Query) (whole, tiered split) {
	and, ok := q.(query.And)
	if !ok {
		and.Parts = []query.Query{q}
	}
	if sp, ok := s.splitNamed(and.Parts); ok {
		return sp, sp
	}
	sp, numbers := s.splitTerms(and)
	whole, tiered = sp, sp.clone()
	s.splitNumbers(&whole, numbers, false)
	s.splitNumbers(&tiered, numbers, true)
	return whole, tiered
}

func (sp split) clone() split {
	sp.indexed, sp.rest = slices.Clone(sp.indexed), slices.Clone(sp.rest)
	return sp
}

// splitTerms splits a conjunction but for the parts that only indexes on numbers
// serve, which it returns.
func (s statistics) splitTerms(and query.And) (sp split, numbers []asked) {
	sp.share = 1
	var chosen []asked
	sieving := weakening{orders: s.source.orders, given: termsAsked(and.Parts), beside: and.Parts}
	var coarse []query.Query
	for _, p := range and.Parts {
		if set, many := s.coarse(p); many {
			coarse = append(coarse, set)
			sp.rest = append(sp.rest, p)
			continue
		}
		probe := &writer{args: args{dry: true}}
		sql, exact := probe.indexCondition(p, s.source)
		weaker := sieving
		if !isSeveral(p) {
			weaker.given, weaker.beside = nil, nil // it may be the part itself that gives them
		}
		a := asked{part: p, share: s.likely(weaker.weaker(p)), exact: exact, byNumber: probe.byNumber}
		if sql == "" || !a.byNumber && isFiner(p, and.Parts) {
			sp.rest = append(sp.rest, p)
		} else {
			chosen = append(chosen, a)
		}
	}
	numbers = s.choose(&sp, chosen, and.Parts)
	for _, set := range coarse {
		if len(sp.indexed) == 0 || sp.share*s.rows > manyRows && !sp.crowds(set) {
			sp.indexed, sp.share = append(sp.indexed, set), sp.share*s.likely(set)
		}
	}
	return sp, numbers
}

// choose takes the conditions that an index may answer, but for those on numbers that are better checked.
func (s statistics) choose(sp *split, chosen []asked, parts []query.Query) (numbers []asked) {
	for _, a := range chosen {
		switch {
		case s.isCrowded(a.part, chosen):
			if !isTold(a.part, parts) {
				sp.rest = append(sp.rest, a.part)
			}
		case a.byNumber && bound(a.part) >= longSet, a.share > unselective && isSeveral(a.part):
			numbers = append(numbers, a)
		default:
			sp.take(a)
		}
	}
	return numbers
}

// splitNumbers takes the parts that only indexes on numbers serve.
func (s statistics) splitNumbers(sp *split, numbers []asked, inTier bool) {
	for _, a := range numbers {
		if len(sp.indexed) == 0 || !inTier && worthAsking(a, sp.share) && !sp.crowds(a.part) && !sp.hasLong() {
			sp.take(a)
		} else {
			sp.rest = append(sp.rest, a.part)
		}
	}
	sp.fold(s.source.orders)
}

// splitNamed asks for people by their ids or names alone where they are fewer
// than what else is asked is likely to give: all else is then decided row by row,
// for most by the signature. To look for terms too would take a look at those of
// each.
func (s statistics) splitNamed(parts []query.Query) (sp split, ok bool) {
	i := slices.IndexFunc(parts, isNaming)
	if i < 0 {
		return sp, false
	}
	rest := slices.Delete(slices.Clone(parts), i, i+1)
	share := s.likely(parts[i])
	if share*costFind > s.likely(query.And{Parts: rest})*costFetch {
		return sp, false
	}
	return split{indexed: []query.Query{parts[i]}, rest: rest, share: share}, true
}

// isNaming reports whether a part holds of single people whom it names.
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

// fold moves the buckets of a range into the alternatives that do not ask the
// range itself. Beside it they would be tested on every row that it gives, which
// takes much longer than to find the rows: a row's terms stand outside of it. So
// they are tested on the rows of a page only.
func (sp *split) fold(orders []query.Field) {
	for i, p := range sp.indexed {
		or, ok := p.(query.Or)
		if !ok {
			continue
		}
		ranged := map[query.Field]bool{}
		noteRanges(or, ranged)
		for j, buckets := range sp.indexed {
			if f, one := bucketsOf(buckets); one && ranged[f] && slices.Contains(orders, f) {
				sp.indexed[i] = beside(or, f, buckets)
				sp.indexed = slices.Delete(sp.indexed, j, j+1)
				sp.rest = append(sp.rest, buckets)
				return
			}
		}
	}
}

// beside asks for the buckets in the alternatives that ask no range of the field.
func beside(or query.Or, f query.Field, buckets query.Query) query.Query {
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

// take adds a part that indexes are asked for.
func (sp *split) take(a asked) {
	sp.indexed = append(sp.indexed, a.part)
	sp.share *= a.share
	if !a.exact {
		sp.rest = append(sp.rest, a.part)
	}
}

// worthAsking compares what an index on numbers gives with the documents that
// need not be fetched then.
func worthAsking(a asked, share float64) bool {
	return a.share*costNumber < share*(1-a.share)*costFetch
}

// unselective is the share from which on a part that takes several scans of
// indexes is asked of them only where there is nothing better.
const unselective = 0.5

// isSeveral reports whether a part takes several scans of indexes.
func isSeveral(q query.Query) bool {
	_, or := q.(query.Or)
	return or
}

// termsAsked are the terms that every document must have for a conjunction.
func termsAsked(parts []query.Query) map[string]bool {
	asked := map[string]bool{}
	for _, p := range parts {
		needed, _ := required(p)
		for _, t := range needed {
			asked[t] = true
		}
	}
	return asked
}

// weakening makes of a part what its index is asked for, as far as its share is
// concerned.
type weakening struct {
	// orders are the fields that have an index in their order.
	orders []query.Field
	// given are terms that are asked for beside the part.
	given map[string]bool
	// beside are the parts that stand beside it.
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
			return query.Term{Field: query.JobCount, Value: manyJobs}
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

// sql writes the condition for indexes; "" where indexes are of no help.
func (sp split) sql(w *writer, s source) string {
	if len(sp.indexed) == 0 {
		return ""
	}
	sql, _ := w.indexAnd(sp.indexed, s)
	return sql
}

// left is what indexes do not settle.
func (sp split) left() query.Query { return query.And{Parts: sp.rest} }

// row writes what is left to decide row by row.
func (sp split) row(w *writer, s source) string {
	w.given = termsAsked(sp.indexed)
	return w.row(sp.left(), s)
}

// and joins conditions, leaving out those that say nothing.
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
