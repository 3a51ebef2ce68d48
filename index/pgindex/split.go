package pgindex

import (
	"strings"

	"kith/query"
)

// split is a query in two parts: one that indexes answer, and the rest, which
// is decided row by row.
type split struct {
	// sieved are the conditions that indexes are asked for; they hold at least
	// wherever the query does. None means that indexes are of no help.
	sieved []query.Query
	// rest are the conditions that the sieve does not settle.
	rest []query.Query
	// share is what the sieve is likely to let through.
	share float64
}

// exact reports whether the sieve alone is the query.
func (sp split) exact() bool { return len(sp.rest) == 0 }

// asked is a part of a conjunction that an index can answer.
type asked struct {
	part     query.Query
	share    float64
	exact    bool
	byNumber bool
}

// What one document costs, in microseconds: to be given by an index on
// numbers, to be fetched and sorted, and to be decided by its terms.
const (
	costNumber = 0.1
	costFetch  = 1.0
	costDecide = 15.0
)

// split chooses what indexes are asked for. In a tier only terms have indexes
// that know of it; conditions on numbers are then for the row, where they cost
// next to nothing. Over everyone an index on numbers is asked where that costs
// less than to fetch the documents that it would leave out.
func (s statistics) split(q query.Query, inTier bool) split {
	and, ok := q.(query.And)
	if !ok {
		and.Parts = []query.Query{q}
	}
	sp := split{share: 1}
	var numbers []asked
	for _, p := range and.Parts {
		probe := &writer{args: args{dry: true}}
		sql, exact := probe.sieve(p, s.source)
		a := asked{part: p, share: s.likely(weaker(p)), exact: exact, byNumber: probe.byNumber}
		switch {
		case sql == "":
			sp.rest = append(sp.rest, p)
		case a.byNumber && bound(p) >= longSet:
			numbers = append(numbers, a)
		default:
			sp.take(a)
		}
	}
	for _, a := range numbers {
		if len(sp.sieved) == 0 || !inTier && s.worthAsking(a, sp.share) {
			sp.take(a)
		} else {
			sp.rest = append(sp.rest, a.part)
		}
	}
	return sp
}

// take adds a part to the sieve.
func (sp *split) take(a asked) {
	sp.sieved = append(sp.sieved, a.part)
	sp.share *= a.share
	if !a.exact {
		sp.rest = append(sp.rest, a.part)
	}
}

// worthAsking compares what an index on numbers gives with the documents that
// need not be fetched then.
func (s statistics) worthAsking(a asked, share float64) bool {
	return a.share*costNumber < share*(1-a.share)*costFetch
}

// weaker is what the sieve of a part asks for, as far as its share is concerned.
func weaker(q query.Query) query.Query {
	if p, ok := q.(query.Phrase); ok {
		return query.AllWords(p)
	}
	return q
}

// sql writes the sieve; "" where indexes are of no help.
func (sp split) sql(w *writer, s source) string {
	if len(sp.sieved) == 0 {
		return ""
	}
	sql, _ := w.sieveAnd(sp.sieved, s)
	return sql
}

// row writes what is left to decide row by row.
func (sp split) row(w *writer, s source) string {
	return w.row(query.And{Parts: sp.rest}, s)
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
