package pgindex

import (
	"strings"

	"kith"
	"kith/query"
)

// fewTerms is the most alternatives tested against a signature: with more, one nearly always seems to match.
const fewTerms = 8

// columnCheck is a condition on the row alone (its numbers and its signature) that holds at least wherever q does;
// "TRUE" if the row cannot tell.
func (w *writer) columnCheck(q query.Query, s source) string {
	switch q := q.(type) {
	case query.And:
		return w.checkAll(q.Parts, s)
	case query.Or:
		return w.checkAny(q.Parts, s)
	case query.Term, query.AllWords:
		needed, storable := requiredTerms(q)
		if !storable {
			return "FALSE"
		}
		return mayHave(needed, s)
	case query.Phrase:
		return w.columnCheck(q.Somewhere(), s)
	case query.Terms:
		return w.checkSet(q, s)
	case query.Range:
		return w.between(q, s)
	case query.None:
		return "FALSE"
	case query.All, query.Not, query.Exists, query.Nested, query.IDs, query.Timeline:
	}
	return "TRUE"
}

func (w *writer) checkAll(parts []query.Query, s source) string {
	return and(kith.Each(parts, func(p query.Query) string { return w.columnCheck(p, s) })...)
}

func (w *writer) checkAny(parts []query.Query, s source) string {
	if len(parts) == 0 {
		return "FALSE"
	}
	checks := make([]string, len(parts))
	for i, p := range parts {
		if checks[i] = w.columnCheck(p, s); checks[i] == "TRUE" {
			return "TRUE"
		}
	}
	return "((" + strings.Join(checks, ") OR (") + "))"
}

func (w *writer) checkSet(q query.Terms, s source) string {
	if len(q.Values) > fewTerms {
		return "TRUE"
	}
	parts := make([]query.Query, len(q.Values))
	for i, v := range q.Values {
		parts[i] = query.Term{Field: q.Field, Value: v}
	}
	return w.checkAny(parts, s)
}

// decide writes a condition to test row by row, with the check of its columns first.
func (w *writer) decide(q query.Query, s source) string { return and(w.columnCheck(q, s), w.row(q, s)) }
