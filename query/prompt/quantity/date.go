package quantity

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"kith/query/analysis"
)

// Bounds of calendar years: firstYear in general, eldestYear in ranges and after words of time.
const (
	firstYear  = 1900
	eldestYear = 1600
	lastYear   = 2100
)

// date reads a calendar year with a preposition of time.
func (r *reader) date() (Quantity, bool) {
	m, ok := r.phrase("bound")
	if !ok {
		return Quantity{}, false
	}
	since := m.word == "since"
	q := Quantity{Kind: Date, Op: parseOp(m.word)}
	if since {
		q.Op = AtLeast
	}
	latest := since && r.has("last") // since last spring
	day := r.day()
	q.First, q.Last, ok = r.month()
	q.Op = r.adjustOp(q.Op, r.day() || day)
	n, plus, isNumber := r.value()
	if !isNumber {
		return q, ok && since // of the last year with that month
	}
	q.A = n
	return q, !latest && !plus && r.bounded(&q)
}

// bounded completes a bound by a calendar year.
func (r *reader) bounded(q *Quantity) bool {
	if q.Op != AtMost {
		r.eldest = eldestYear
	}
	switch {
	case !r.isYear(*q):
		return false
	case q.Op == AtLeast:
		r.readUntil(q, "until", "and")
	case q.Op == Equal:
		q.Open = true
		return q.A < firstYear && q.First == 0 && !r.counts()
	}
	return !r.counts()
}

// adjustOp adjusts the operator of a bound for a day or the edge of a year: after January 1 includes
// January, and before the end of 2023 includes 2023.
func (r *reader) adjustOp(op Op, day bool) Op {
	switch {
	case op == More && (day || r.edge == "start"):
		return AtLeast
	case op == Less && r.edge == "end":
		return AtMost
	}
	return op
}

// readUntil reads the end of a date range, after a phrase of the lists or a dash.
func (r *reader) readUntil(q *Quantity, lists ...list) {
	start := r.at
	if slices.ContainsFunc(lists, r.has) || r.dash() {
		r.day()
		_, last, _ := r.month()
		r.day()
		if b, plus, ok := r.value(); ok && !plus && r.isYear(Quantity{A: b}) {
			q.Op, q.B, q.Last, q.Open = Between, b, last, false
			return
		}
	}
	r.at = start
}

// yearsAfter reads the following years in a list: 2010, 2011 or 2012.
func (r *reader) yearsAfter(q *Quantity) {
	before, last := *r, q.A
	for joined := false; !joined && q.Op == Equal && r.at < len(r.tokens); {
		comma := r.tokens[r.at].Comma()
		joined = r.has("or")
		n, plus, ok := r.value()
		if !ok || plus || n != last+1 || !joined && !comma {
			break
		}
		last = n
		if joined && !r.counts() {
			q.Op, q.B, q.Open = Between, last, false
			return
		}
	}
	*r = before
}

// counts reports whether a unit follows.
func (r *reader) counts() bool {
	ahead := *r
	var q Quantity
	ahead.unit(&q)
	return q.Kind != Plain
}

// isYear reports whether the numbers of a plain quantity can be calendar years.
func (r *reader) isYear(q Quantity) bool {
	first := int64(firstYear)
	if r.eldest > 0 {
		first = r.eldest
	}
	in := func(n int64) bool { return n >= first && n <= lastYear }
	return in(q.A) && (q.Op != Between || in(q.B)) && !r.grouped
}

// decade reads "the 1990s", "the early 1990s" and "the nineties".
func (r *reader) decade() (Quantity, bool) {
	the := r.has("the")
	part, isPart := r.phrase("part")
	if m, ok := r.phrase("decade"); ok {
		return decadeFrom(int64(m.a), part), the || isPart
	}
	if r.at == len(r.tokens) {
		return Quantity{}, false
	}
	year, many := strings.CutSuffix(r.tokens[r.at].Norm, "0s")
	n, err := strconv.ParseInt(year, 10, 64)
	q := decadeFrom(10*n, part)
	if !many || err != nil || len(year) != 3 || !r.isYear(q) {
		return Quantity{}, false
	}
	r.at++
	return q, true
}

// decadeFrom returns the decade that begins with a year, or the given third of it.
func decadeFrom(year int64, part meaning) Quantity {
	q := Quantity{Kind: Date, Op: Between, A: year, B: year + 9}
	switch {
	case part.word == "start":
		q.B = year + 3
	case part.word == "end":
		q.A = year + 6
	case part.a > 0:
		q.A, q.B = year+3, year+6
	}
	return q
}

// Days returns the inclusive bounds of a Date in days since 1970; a nil bound is open.
func (q Quantity) Days() (low, high *int64) {
	first, last := max(q.First, time.January), q.Last
	if last == 0 {
		last = time.December
	}
	begins, ends := firstDay(q.A, first), firstDay(q.A, last+1)-1
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
		return &begins, new(firstDay(q.B, last+1) - 1)
	case Equal:
	}
	return &begins, &ends
}

// mostYear is the last year for which indexes can hold days.
const mostYear = 2200

func firstDay(year int64, month time.Month) int64 {
	return analysis.DayOf(time.Date(int(min(year, mostYear)), month, 1, 0, 0, 0, 0, time.UTC))
}
