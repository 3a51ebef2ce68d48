package pgindex

import (
	"fmt"
	"strings"

	"kith/query"
)

// mostHashed is the most documents of which those that must not be found are kept in a
// hash table: Postgres makes none where it expects that work_mem does not hold it, and would
// then look through a list for each row.
const mostHashed = 1_500_000

// askOnce decides whether the index is asked once for those who must not be found: where
// to fetch them costs less than to decide each row, of everyone or of a tier.
func (w *writer) askOnce(s statistics, sp split, within *tier) {
	unwanted := 0.0
	for _, p := range sp.rest {
		if not, ok := p.(query.Not); ok {
			unwanted += s.likely(not.Part)
		}
	}
	w.once, w.within = sp.share*costDecideLong > unwanted*costFetch && s.rows <= mostHashed, within
}

// exclusions takes the terms that must not be there out of a conjunction, and looks for all of them at once: they stand
// outside of the row. Where they are so many that it takes longer to look for them among the terms of each row, the
// index is asked once who has one.
func (w *writer) exclusions(parts []query.Query, s source) (text string, rest []query.Query) {
	var terms []string
	for _, p := range parts {
		not, _ := p.(query.Not)
		if some, ok := setOf(not.Part); ok {
			terms = append(terms, some...)
		} else {
			rest = append(rest, p)
		}
	}
	switch {
	case len(terms) < 2:
		return "TRUE", parts
	case len(terms) <= large || !w.once || s.c == "":
		return "(" + w.hasAny(terms, s) + " IS NOT TRUE)", rest
	}
	w.asked = true
	anyOfThem := "(" + strings.Join(w.oneOf(terms), " OR ") + ")"
	return fmt.Sprintf("((p.id IN (SELECT p.id FROM %s_%s p WHERE %s)) IS NOT TRUE)", s.c, w.layout.version,
		and(anyOfThem, w.within.condition())), rest
}
