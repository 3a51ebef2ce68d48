package pgindex

import (
	"fmt"
	"strings"

	"kith/query"
)

// mostHashed is the largest index, in documents, for which excluded people go into a hash table. Postgres builds none
// if it expects more than work_mem, and then searches a list for each row.
const mostHashed = 1_500_000

// askOnce decides whether one index lookup fetches all excluded people, in a tier or in total: if that costs less
// than a test of each row.
func (w *writer) askOnce(s statistics, sp split, within *tier) {
	unwanted := 0.0
	for _, p := range sp.rest {
		if not, ok := p.(query.Not); ok {
			unwanted += s.estimate(not.Part)
		}
	}
	w.once, w.within = sp.share*costDecideLong > unwanted*costFetch && s.rows <= mostHashed, within
}

// exclusions extracts the excluded terms of a conjunction and tests them together, because terms are stored outside
// the row. With too many for a test of each row, it fetches everyone with one of them in a single index lookup.
func (w *writer) exclusions(parts []query.Query, s source) (text string, rest []query.Query) {
	var terms []string
	for _, p := range parts {
		not, _ := p.(query.Not)
		if some, ok := alternativeTerms(not.Part); ok {
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
	anyOfThem := "(" + strings.Join(w.requireAny(terms), " OR ") + ")"
	return fmt.Sprintf("((p.id IN (SELECT p.id FROM %s_%s p WHERE %s)) IS NOT TRUE)", s.c, w.layout.version,
		and(anyOfThem, w.within.condition())), rest
}
