package quantity

import (
	"strconv"
	"strings"
	"time"

	"kith/index/analysis"
)

// bound reads the preposition that makes a bound of a date.
func (r *reader) bound() (op Op, since, ok bool) {
	m, ok := r.phrase("bound")
	if m.word == "since" {
		return AtLeast, true, ok
	}
	return opOf(m.word), false, ok
}

// date reads a calendar year with a preposition of time.
func (r *reader) date() (Quantity, bool) {
	op, since, ok := r.bound()
	if !ok {
		return Quantity{}, false
	}
	if r.day() && op == More { // after January 1 begins in January
		op = AtLeast
	}
	first, last, _ := r.month()
	if r.day() && op == More {
		op = AtLeast
	}
	n, plus, isNumber := r.value()
	q := Quantity{Kind: Date, Op: op, A: n, First: first, Last: last}
	if !isNumber && first != 0 && since { // of the last year that had it
		return q, true
	}
	if !isNumber || plus || !r.isYear(q) {
		return q, false
	}
	if op == AtLeast && r.until(&q) {
		return q, true
	}
	return q, !r.counts()
}

// until reads the end of a date that has a beginning.
func (r *reader) until(q *Quantity) bool {
	start := r.at
	if r.has("until") || r.dash() {
		_, last, _ := r.month()
		if b, _, ok := r.value(); ok && r.isYear(Quantity{A: b}) {
			q.Op, q.B, q.Last = Between, b, last
			return true
		}
	}
	r.at = start
	return false
}

// counts reports whether a word for what is counted follows.
func (r *reader) counts() bool {
	ahead := *r
	var q Quantity
	ahead.unit(&q)
	return q.Kind != Plain
}

// isYear reports whether the numbers of a plain quantity can be calendar years.
func (r *reader) isYear(q Quantity) bool {
	in := func(n int64) bool { return n >= 1900 && n <= 2100 }
	return in(q.A) && (q.Op != Between || in(q.B)) && !r.grouped
}

// decade reads "the 1990s".
func (r *reader) decade() (Quantity, bool) {
	r.has("the")
	if r.at == len(r.tokens) {
		return Quantity{}, false
	}
	year, many := strings.CutSuffix(r.tokens[r.at].Norm, "0s")
	n, err := strconv.ParseInt(year, 10, 64)
	q := Quantity{Kind: Date, Op: Between, A: 10 * n, B: 10*n + 9}
	if !many || err != nil || len(year) != 3 || !r.isYear(q) {
		return Quantity{}, false
	}
	r.at++
	return q, true
}

// Days are the bounds of a Date in days since 1970, both included; a nil bound
// is open.
func (q Quantity) Days() (low, high *int64) {
	first, last := max(q.First, time.January), q.Last
	if last == 0 {
		last = time.December
	}
	begins, ends := dayOf(q.A, first), dayOf(q.A, last+1)-1
	switch q.Op {
	case Less:
		return nil, new(begins - 1)
	case AtMost:
		return nil, &ends
	case More:
		return new(ends + 1), nil
	case AtLeast:
		return &begins, nil
	case Between:
		return &begins, new(dayOf(q.B, last+1) - 1)
	case Equal:
	}
	return &begins, &ends
}

// lastYear bounds years, which the days of an index can hold.
const lastYear = 2200

func dayOf(year int64, month time.Month) int64 {
	return analysis.DayOf(time.Date(int(min(year, lastYear)), month, 1, 0, 0, 0, 0, time.UTC))
}
