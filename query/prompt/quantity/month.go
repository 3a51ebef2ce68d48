package quantity

import (
	"strconv"
	"strings"
	"time"

	"kith/index/analysis"
	"kith/query/prompt/token"
)

// months reads months or quarters that follow each other and stand before a year, as the
// first and the last month of them: Q1 or Q2, March/April, January to March.
func (r *reader) months() (first, last time.Month, ok bool) {
	first, last, ok = r.month()
	for ok {
		start := r.at
		to := r.phrase("to", "until", "through") || r.dash()
		if !to && !r.phrase("or", "and") && (start >= len(r.tokens) || !r.tokens[start].Slash() && !r.tokens[start].Comma()) {
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

// month reads a month or a quarter that stands before a year, as the first and
// the last month of it.
func (r *reader) month() (first, last time.Month, ok bool) {
	start := r.at
	switch {
	case r.phrase("the first half of", "first half of", "h1"):
		return time.January, time.June, true
	case r.phrase("the second half of", "second half of", "h2"):
		return time.July, time.December, true
	}
	r.phrase("early", "mid", "late", "the beginning of", "beginning of", "the end of", "end of")
	if r.at < len(r.tokens) {
		first, last = monthsOf(r.tokens[r.at].Norm)
	}
	if first == 0 {
		r.at = start
		return 0, 0, false
	}
	r.at++
	r.phrase("of")
	return first, last, true
}

// day goes behind the day of a date: a number with a month beside it.
func (r *reader) day() bool {
	isDay := func(i int) bool {
		return i < len(r.tokens) && r.tokens[i].Kind == token.Number && r.tokens[i].Value >= 1 && r.tokens[i].Value <= 31
	}
	isMonth := func(i int) bool {
		if i < 0 || i >= len(r.tokens) {
			return false
		}
		first, _ := monthsOf(r.tokens[i].Norm)
		return first != 0
	}
	if !isDay(r.at) || !isMonth(r.at+1) && !isMonth(r.at-1) {
		return false
	}
	r.at++
	return true
}

// monthsOf are the first and the last month of what a folded word, English or
// German, names, seasons as in the north; 0 where it names none.
func monthsOf(word string) (first, last time.Month) {
	m := spans[word]
	return m[0], m[1]
}

//nolint:gochecknoglobals // a constant table
var spans = map[string][2]time.Month{
	"q1": {time.January, time.March}, "q2": {time.April, time.June}, "q3": {time.July, time.September},
	"q4":     {time.October, time.December},
	"spring": {time.March, time.May}, "summer": {time.June, time.August},
	"autumn": {time.September, time.November}, "fall": {time.September, time.November},
	"january": {time.January, time.January}, "jan": {time.January, time.January}, "januar": {time.January, time.January},
	"february": {time.February, time.February}, "feb": {time.February, time.February},
	"februar": {time.February, time.February},
	"march":   {time.March, time.March}, "mar": {time.March, time.March}, "marz": {time.March, time.March},
	"april": {time.April, time.April}, "apr": {time.April, time.April},
	"may": {time.May, time.May}, "mai": {time.May, time.May},
	"june": {time.June, time.June}, "jun": {time.June, time.June}, "juni": {time.June, time.June},
	"july": {time.July, time.July}, "jul": {time.July, time.July}, "juli": {time.July, time.July},
	"august": {time.August, time.August}, "aug": {time.August, time.August},
	"september": {time.September, time.September}, "sep": {time.September, time.September},
	"sept":    {time.September, time.September},
	"october": {time.October, time.October}, "oct": {time.October, time.October}, "oktober": {time.October, time.October},
	"november": {time.November, time.November}, "nov": {time.November, time.November},
	"december": {time.December, time.December}, "dec": {time.December, time.December},
	"dezember": {time.December, time.December},
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
	ok = ok && !plus && r.isYear(q)
	if end > 0 {
		r.at = end
	}
	return q, ok
}

// furtherMonths goes behind the other months of a list before a year, each of which has that
// year: March or June 2023.
func (r *reader) furtherMonths() {
	start, joined := r.at, false
	for r.at < len(r.tokens) {
		at := r.at
		or := r.phrase("or", "and")
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

// decade reads "the 1990s".
func (r *reader) decade() (Quantity, bool) {
	r.phrase("the")
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

// betweenMonths reads "between March 2022 and June 2023" and "between January and March
// 2023".
func (r *reader) betweenMonths() (Quantity, bool) {
	if !r.phrase("between") {
		return Quantity{}, false
	}
	r.day()
	first, _, _ := r.month()
	r.day()
	a, _, dated := r.value()
	if !r.phrase("and") {
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
