package pgindex

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"kith"
	"kith/index"
	"kith/mappings"
	"kith/query"
	"kith/query/indexed"
)

// source describes the rows that a condition applies to.
type source struct {
	// c is the collection of the documents, empty for sub-documents.
	c index.Collection
	// alias names the row in SQL.
	alias string
	// id is the column with the person's or company's identifier.
	id string
	// numbers are the fields with a column.
	numbers []query.Field
	// orders are those of them with an index in their order.
	orders []query.Field
}

func documents(c index.Collection) source {
	numbers, orders := mappings.PersonNumbers(), mappings.PersonOrders()
	if c == index.Companies {
		numbers, orders = mappings.CompanyNumbers(), nil
	}
	return source{c: c, alias: "p", id: "id", numbers: append(numbers, query.Rank), orders: append(orders, query.Rank)}
}

// hasSignatures reports whether the rows of a collection have signatures (Bloom filters).
func hasSignatures(c index.Collection) bool { return c == index.People }

func subDocuments() source {
	return source{alias: "n", id: "person_id", numbers: mappings.NestedNumbers()}
}

// column returns the SQL of a Number field of the row, or "" if the row has none.
func (s source) column(f query.Field) string {
	if !slices.Contains(s.numbers, f) {
		return ""
	}
	return s.alias + "." + query.Column(f)
}

// flattenedNumber reports whether f is a Number field of sub-documents, flattened to the document. Its buckets show
// whether it exists.
func flattenedNumber(f query.Field) bool { return strings.Contains(string(f), ".") }

// large is the number of values from which a set is searched by hashing.
const large = 30

// writer writes the conditions of one statement and collects its parameters.
type writer struct {
	args
	layout layout
	// byNumber is set by a condition that uses an index on numbers.
	byNumber bool
	// once means that one index lookup fetches all excluded people: those in the tier within, or everyone if that is
	// nil.
	once   bool
	within *tier
	// asked is set by a condition that makes that lookup.
	asked bool
	// given are terms that every row under test is known to have.
	given map[string]bool
	// columnsChecked means that only few rows are tested, and all passed a check of the row's own columns.
	// Testing their signatures again would cost more planning time than it saves.
	columnsChecked bool
}

// row writes a condition for tests of single rows: no index serves it. It may be null instead of false; every caller
// treats null as false.
func (w *writer) row(q query.Query, s source) string {
	switch q := q.(type) {
	case query.All:
		return "TRUE"
	case query.None:
		return "FALSE"
	case query.And:
		return w.rowAnd(q.Parts, s)
	case query.Or:
		return w.rowOr(q.Parts, s)
	case query.Not:
		if text, rest := w.exclusions([]query.Query{q}, s); len(rest) == 0 {
			return text
		}
		return "(" + w.row(q.Part, s) + " IS NOT TRUE)"
	case query.Term, query.AllWords:
		return w.hasRequired(q, s)
	case query.Exists:
		return w.exists(q.Field, s)
	case query.Terms:
		return w.hasAny(storableTerms(q), s)
	case query.Phrase:
		return w.phrase(q, s)
	case query.Range:
		return w.between(q, s)
	case query.Nested:
		return w.nested(q, s)
	case query.IDs:
		return "(" + s.alias + "." + s.id + " = ANY(" + w.numbers(q.Values) + "))"
	case query.Timeline: // package index never sends one to an engine
	}
	return "FALSE"
}

// rows writes several conditions.
func (w *writer) rows(parts []query.Query, s source) []string {
	return kith.Each(parts, func(p query.Query) string { return w.row(p, s) })
}

// rowAnd tests numbers first, because they are in the row, and all terms of a conjunction at once, because they are
// stored outside it. For buckets with their range it tests only the signature: searching the terms of a row takes
// longer than reading its sub-documents.
func (w *writer) rowAnd(parts []query.Query, s source) string {
	var together, redundant []string
	var numbers, rest []query.Query
	excluded, parts := w.exclusions(parts, s)
	parts = oneExclusion(parts)
	for _, p := range parts {
		switch needed, ok := requiredTerms(p); {
		case isImplied(p, parts):
		case isRedundant(p, parts):
			redundant = append(redundant, w.columnCheck(p, s))
		case ok && !isOneJob(p):
			together = append(together, needed...)
		case testsNumber(p):
			numbers = append(numbers, p)
		default:
			rest = append(rest, p)
		}
	}
	texts := w.rows(numbers, s)
	texts = append(append(texts, excluded), append(redundant, w.hasAll(together, s))...)
	return "(" + and(append(texts, w.rows(rest, s)...)...) + ")"
}

// testsNumber reports whether a part tests numbers of the row, including ids.
func testsNumber(q query.Query) bool {
	_, byRange := q.(query.Range)
	_, byID := q.(query.IDs)
	return byRange || byID || isOneJob(q)
}

// requiredTerms returns the terms that a row must have for q; ok is false if q is anything else than a list of required
// terms.
func requiredTerms(q query.Query) (terms []string, ok bool) {
	switch q := q.(type) {
	case query.Term:
		return []string{query.SQLTerm(q.Field, q.Value)}, query.Storable(q.Value)
	case query.AllWords:
		for _, word := range q.Words {
			terms, ok = append(terms, query.SQLTerm(q.Field, word)), query.Storable(word)
			if !ok {
				return nil, false
			}
		}
		return terms, true
	case query.All, query.None, query.And, query.Or, query.Not, query.Exists, query.Terms, query.Phrase, query.Range,
		query.Nested, query.IDs, query.Timeline:
	}
	return nil, false
}

// oneJob is the column for people with exactly one current job.
const oneJob = "one_job"

func isOneJob(q query.Query) bool {
	t, ok := q.(query.Term)
	return ok && t.Field == query.JobCount && t.Value == indexed.OneJob
}

func (w *writer) hasRequired(q query.Query, s source) string {
	terms, ok := requiredTerms(q)
	if !ok {
		return "FALSE"
	}
	if isOneJob(q) && hasSignatures(s.c) {
		return s.alias + "." + oneJob
	}
	return w.hasAll(terms, s)
}

// hasAll writes the condition such that the index on terms cannot serve it.
func (w *writer) hasAll(terms []string, s source) string {
	if s.c != "" && len(w.given) > 0 {
		terms = slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return w.given[t] })
	}
	if len(terms) == 0 {
		return "TRUE"
	}
	return w.signedTest(func() string { return mayHave(terms, s) }, s.alias+".terms @> "+w.terms(terms))
}

// signedTest tests terms after the signature. IS TRUE fixes that order: Postgres would otherwise test the terms
// first, which it considers cheaper.
func (w *writer) signedTest(signature func() string, terms string) string {
	if !w.columnsChecked {
		if before := signature(); before != "TRUE" {
			return "((" + before + " AND " + terms + ") IS TRUE)"
		}
	}
	return "((" + terms + ") IS TRUE)"
}

func (w *writer) hasAny(terms []string, s source) string {
	if len(terms) <= large {
		return w.signedTest(func() string { return mayHaveAny(terms, s) }, s.alias+".terms && "+w.terms(terms))
	}
	return "EXISTS (SELECT FROM unnest(" + s.alias + ".terms) t WHERE t = ANY(" + w.terms(terms) + "))"
}

// storableTerms lists the storable terms of a set; no document can have the others.
func storableTerms(q query.Terms) []string {
	terms := make([]string, 0, len(q.Values))
	for _, v := range q.Values {
		if query.Storable(v) {
			terms = append(terms, query.SQLTerm(q.Field, v))
		}
	}
	return terms
}

// exists tests whether a field has any term, by the bitmap of the row. Flattened numbers of sub-documents have terms
// too: their buckets.
func (w *writer) exists(f query.Field, s source) string {
	if column := s.column(f); column != "" && !flattenedNumber(f) {
		return "(" + column + " IS NOT NULL)"
	}
	bit, ok := w.layout.bits[f]
	if !ok {
		return "FALSE"
	}
	return "(get_bit(" + s.alias + ".present, " + strconv.Itoa(bit) + ") = 1)"
}

func (w *writer) between(q query.Range, s source) string {
	column := s.column(q.Field)
	switch {
	case column == "":
		return "FALSE"
	case q.Min == nil && q.Max == nil:
		return "(" + column + " IS NOT NULL)"
	case q.Min == nil:
		return "(" + column + " <= " + w.number(*q.Max) + ")"
	case q.Max == nil:
		return "(" + column + " >= " + w.number(*q.Min) + ")"
	}
	return "(" + column + " BETWEEN " + w.number(*q.Min) + " AND " + w.number(*q.Max) + ")"
}

// nested writes a subquery with a limit: Postgres would turn EXISTS into a join, and might read the whole table of
// sub-documents. Current jobs have an index of their own, which a parameter for the path would hide.
func (w *writer) nested(q query.Nested, s source) string {
	path := "'current'"
	if q.Path != query.Current {
		path = w.text(string(q.Path))
	}
	return fmt.Sprintf("((SELECT TRUE FROM people_nested_%s n WHERE n.person_id = %s.%s AND n.path = %s AND %s LIMIT "+
		"1) IS TRUE)",
		w.layout.version, s.alias, s.id, path, w.row(q.Part, subDocuments()))
}

// lowest replaces a missing number in every order.
const lowest = math.MinInt64

// order returns the expression that ascends as the field's value falls. The tables have indexes on exactly these
// expressions.
func order(f query.Field) string {
	if f == query.Rank {
		return "~p.rank"
	}
	return fmt.Sprintf("~COALESCE(p.%s, %d)", query.Column(f), int64(lowest))
}
