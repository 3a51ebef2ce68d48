package quantity

import (
	"time"

	"kith/query/prompt/token"
)

// months reads consecutive months or quarters before a year, and returns the first and last month:
// Q1 or Q2, March/April, January to March.
func (r *reader) months() (first, last time.Month, ok bool) {
	first, last, ok = r.month()
	for ok {
		start := r.at
		to := r.has("until") || r.dash()
		if !to && !r.has("or") && (start >= len(r.tokens) || !r.tokens[start].Slash() && !r.tokens[start].Comma()) {
			break
		}
		next, end, another := r.month()
		if !another || next != last+1 && (!to || next <= last) {
			r.at = start
			break
		}
		last = end
	}
	return first, last, ok
}

// month reads a month, a quarter or a part of a year before the year, and returns its first and last month.
func (r *reader) month() (first, last time.Month, ok bool) {
	start := r.at
	part, isPart := r.phrase("part")
	month, ok := r.phrase("month")
	switch {
	case ok:
		r.has("of")
	case isPart && r.isBeforeYear():
		month, r.edge = part, part.word
	default:
		r.at = start
		return 0, 0, false
	}
	return time.Month(month.a), time.Month(max(month.a, month.b)), true
}

// isBeforeYear reports whether a calendar year follows.
func (r *reader) isBeforeYear() bool {
	ahead := *r
	n, plus, ok := ahead.value()
	return ok && !plus && ahead.isYear(Quantity{A: n})
}

// day skips the day of a date: a number next to a month.
func (r *reader) day() bool {
	isDay := func(i int) bool {
		return i < len(r.tokens) && r.tokens[i].Kind == token.Number && r.tokens[i].Value >= 1 &&
			r.tokens[i].Value <= 31
	}
	isMonth := func(i int) bool {
		beside := reader{tokens: r.tokens, at: i}
		return i >= 0 && beside.has("month")
	}
	if !isDay(r.at) || !isMonth(r.at+1) && !isMonth(r.at-1) {
		return false
	}
	r.at++
	return true
}

// monthOfYear reads "March 2023".
func (r *reader) monthOfYear() (Quantity, bool) {
	r.day()
	first, last, ok := r.months()
	if !ok {
		return Quantity{}, false
	}
	r.day()
	end := r.at
	r.furtherMonths()
	if r.at == end {
		end = 0
	}
	n, plus, ok := r.value()
	q := Quantity{Kind: Date, A: n, First: first, Last: last, Open: true}
	if !ok || plus || !r.isYear(q) {
		return q, false
	}
	if end > 0 {
		r.at = end
	} else {
		r.readUntil(&q, "until")
	}
	return q, true
}

// furtherMonths skips the other months of a list before a year, which applies to all: March or June 2023.
func (r *reader) furtherMonths() {
	start, joined := r.at, false
	for r.at < len(r.tokens) {
		at := r.at
		or := r.has("or")
		if _, _, ok := r.month(); !ok || !or && !r.tokens[at].Comma() {
			r.at = at
			break
		}
		joined = joined || or
	}
	if !joined {
		r.at = start
	}
}

// betweenMonths reads "between March 2022 and June 2023" and "between January and March
// 2023".
func (r *reader) betweenMonths() (Quantity, bool) {
	if !r.has("between") {
		return Quantity{}, false
	}
	r.day()
	first, _, _ := r.month()
	r.day()
	a, _, dated := r.value()
	if !r.has("and") {
		return Quantity{}, false
	}
	r.day()
	_, last, _ := r.month()
	r.day()
	b, plus, ok := r.value()
	if !dated {
		a = b
		if first > last { // between November and March 2023
			a--
		}
	}
	q := Quantity{Kind: Date, Op: Between, A: a, B: b, First: first, Last: last}
	return q, ok && !plus && (first != 0 || last != 0) && r.isYear(q)
}
