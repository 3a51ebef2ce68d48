package planner

import (
	"slices"

	"kith/query"
	"kith/query/prompt/frame"
	"kith/query/prompt/quantity"
)

// isNumber reports whether the words of a kind are numbers.
func isNumber(k frame.Kind) bool {
	return slices.Contains([]frame.Kind{frame.Size, frame.Founded, frame.Years, frame.Graduated}, k)
}

// addNumber adds the range of a mark with a number. A lower and an upper bound of one kind are one range.
func (s *resolver) addNumber(b *bucket, i int) {
	m := s.marks[i]
	if i > 0 && s.isRange(i-1) && (i < 2 || !s.isRange(i-2)) { // the range of the mark before
		return
	}
	upper := m
	if s.isRange(i) {
		upper = s.marks[i+1]
	}
	v := nothing(m.from, upper.to)
	if q, span, ok := s.number(m, upper); ok {
		if ranged, ok := s.limit(m, q, span); ok {
			v = s.attributed(m, ranged)
		}
	}
	*b = append(*b, element{m.Kind, m.Time, m.Not, m.from, v})
}

// mostBetween is the maximum number of words between the two bounds of a range.
const mostBetween = 6

// isRange reports whether a mark and the next are the two bounds of one range.
func (s *resolver) isRange(i int) bool {
	if i+1 >= len(s.marks) {
		return false
	}
	a, b := s.marks[i], s.marks[i+1]
	opposite := a.Bound == frame.Min && b.Bound == frame.Max || a.Bound == frame.Max && b.Bound == frame.Min
	return opposite && isNumber(a.Kind) && a.Kind == b.Kind && a.Step == b.Step && a.Side == b.Side && a.Not == b.Not &&
		!a.Optional && !b.Optional && b.from-a.to <= mostBetween
}

// number returns the quantity of a mark, or of the two marks of a range, with the words that say it.
func (s *resolver) number(m, upper marked) (q quantity.Quantity, span [2]int, ok bool) {
	if q, span, ok = s.oneNumber(m, upper); !ok || upper.from == m.from || q.Op == quantity.Between {
		return q, span, ok
	}
	other, end, ok := s.oneNumber(upper, upper)
	if m.Bound == frame.Max {
		q, other = other, q
	}
	low, _ := q.Bounds()
	_, high := other.Bounds()
	if !ok || low == nil || high == nil {
		return q, span, ok
	}
	q.Op, q.A, q.B, q.Months = quantity.Between, *low, *high, other.Months
	return q, [2]int{min(span[0], end[0]), max(span[1], end[1])}, true
}

// oneNumber returns the quantity that fits the bound of a mark best, and of those the one of most words. It may reach
// to the end of upper.
func (s *resolver) oneNumber(m, upper marked) (q quantity.Quantity, span [2]int, ok bool) {
	best := 0
	for from := max(0, m.from-mostAround); from <= m.from; from++ {
		for _, l := range s.reader.leaves[from] {
			if len(l.value) != 1 || l.value[0].number == nil || l.to <= m.from || !s.isBetween(l, m, upper) {
				continue
			}
			n, fit := *l.value[0].number, 3
			if !isLimit(n) || isTurned(s.reader, l.from) { // words such as "under" are surer than the bound of a mark
				n, fit = fitted(n, m, l.to >= upper.to && upper.from > m.from)
			}
			if fit = fit*longPrompt + l.to - l.from; fit > best && n.Kind != quantity.Money &&
				n.Kind != quantity.Distance {
				best, q, span, ok = fit, n, [2]int{min(l.from, m.from), max(l.to, m.to)}, true
			}
		}
	}
	return q, span, ok
}

// isLimit reports whether a quantity has one bound.
func isLimit(q quantity.Quantity) bool {
	return q.Op != quantity.Equal && q.Op != quantity.Between
}

// isTurned reports whether the word before another turns its meaning around: "neither under three".
func isTurned(r *reader, i int) bool {
	if i == 0 {
		return false
	}
	return r.excludes(i-1) || slices.Contains(r.classes(r.text.norm(i-1)), r.grammar.Symbol("NOR"))
}

// isBetween reports whether a leaf has words of no other mark than two.
func (s *resolver) isBetween(l *leaf, m, upper marked) bool {
	return s.allows(l.from, l.to, func(i int, _ marked) bool { return m.has(i) || upper.has(i) })
}

// fitted returns a quantity with the bound of a mark, and how well it fits as it was read: 3 well, 1 hardly.
func fitted(q quantity.Quantity, m marked, isRange bool) (quantity.Quantity, int) {
	switch {
	case isRange && q.Op != quantity.Between:
		return q, 1
	case isRange || hasBound(q, m.Bound):
		return q, 3
	}
	fit := 1
	if q.Op == quantity.Equal {
		fit = 2
	}
	q.Open = false
	switch m.Bound {
	case frame.Min:
		q.Op = quantity.AtLeast
	case frame.Max:
		q.A = max(q.A, q.B)
		q.Op = quantity.AtMost
	case frame.About:
		q = q.About()
	case frame.Last:
		q.Kind, q.Op = quantity.Ago, quantity.AtMost
	case frame.Equal, frame.Word, "":
		q.Op = quantity.Equal
	}
	return q, fit
}

// hasBound reports whether a quantity limits as a mark says.
func hasBound(q quantity.Quantity, b frame.Bound) bool {
	switch q.Op {
	case quantity.AtLeast, quantity.More:
		return b == frame.Min
	case quantity.AtMost, quantity.Less:
		return b == frame.Max || b == frame.Last && q.Kind == quantity.Ago
	case quantity.Between:
		return b == frame.Equal || b == frame.About || b == ""
	case quantity.Equal:
	}
	return b == frame.Equal || b == ""
}

// limit returns the value of a range for the kind of a mark.
func (s *resolver) limit(m marked, q quantity.Quantity, span [2]int) (value, bool) {
	q.Old = q.Old && m.Kind == frame.Founded
	for i := span[0]; i < span[1]; i++ {
		s.used[i] = true
	}
	number := arg{val: value{{number: &q, spans: [][2]int{span}}}}
	build, filter := requireYear, query.FilterGraduationYear
	switch {
	case m.Kind == frame.Founded && q.Kind == quantity.Years:
		return aged(s.chart, []arg{number})
	case m.Kind == frame.Founded:
		filter = query.FilterCompanyFoundedYear
	case m.Kind == frame.Size:
		build, filter = ranged, query.FilterCompanySize
	case m.Side == frame.TenureSide && m.Kind == frame.Years:
		build, filter = ranged, query.FilterTenureYears
	case m.Kind == frame.Years:
		build, filter = ranged, query.FilterExperienceYears
	}
	if m.Kind == frame.Years && q.Kind == quantity.Plain {
		q.Kind = quantity.Years
	}
	return build(s.chart, []arg{{word: string(filter)}, number})
}

// period returns the phrase for the time of a mark, with the words around it that belong to it and the further times of
// the same event, nil if its words say no time.
func (s *resolver) period(m marked) *edge {
	best := s.widest(max(0, m.from-mostAround), m.from, m.to, min(s.words, m.to+mostBetween), m)
	if best == nil { // only some of the words
		best = s.widest(m.from, m.to-1, m.from+1, m.to, m)
	}
	return best
}

// widest returns the widest phrase for a time that begins and ends within two ranges of words, the likeliest of equals.
// It has words of no mark other than the times of one event.
func (s *resolver) widest(from, lastFrom, to, lastTo int, m marked) (best *edge) {
	ofEvent := func(_ int, of marked) bool { return of.Kind == m.Kind && of.Event == m.Event && !of.Optional }
	for a := from; a <= lastFrom; a++ {
		for b := max(to, a+1); b <= lastTo; b++ {
			if best != nil && b-a < best.to-best.from || !s.allows(a, b, ofEvent) {
				continue
			}
			e := s.best(a, b, "Time", "Date", "Ago")
			if e != nil && len(e.val) == 1 && e.val[0].number != nil && (best == nil ||
				e.to-e.from > best.to-best.from || e.score > best.score) {
				best = e
			}
		}
	}
	return best
}
