package quantity

import "time"

// month reads a month or a quarter that stands before a year, as the first and
// the last month of it.
func (r *reader) month() (first, last time.Month, ok bool) {
	start := r.at
	r.phrase("early", "mid", "late", "the beginning of", "beginning of", "the end of", "end of")
	for m := time.January; m <= time.December; m++ {
		if r.phrase(monthNames(m)...) {
			r.phrase("of")
			return m, m, true
		}
	}
	for q, name := range []string{"q1", "q2", "q3", "q4"} {
		if r.phrase(name) {
			r.phrase("of")
			return time.Month(3*q + 1), time.Month(3*q + 3), true
		}
	}
	r.at = start
	return 0, 0, false
}

// monthNames are the folded names of a month, English and German.
func monthNames(m time.Month) []string {
	return [][]string{
		{"january", "jan", "januar"},
		{"february", "feb", "februar"},
		{"march", "mar", "marz"},
		{"april", "apr"},
		{"may", "mai"},
		{"june", "jun", "juni"},
		{"july", "jul", "juli"},
		{"august", "aug"},
		{"september", "sep", "sept"},
		{"october", "oct", "oktober"},
		{"november", "nov"},
		{"december", "dec", "dezember"},
	}[m-1]
}

// monthOfYear reads "March 2023".
func (r *reader) monthOfYear() (Quantity, bool) {
	first, last, ok := r.month()
	if !ok {
		return Quantity{}, false
	}
	n, plus, ok := r.value()
	q := Quantity{Kind: Date, A: n, First: first, Last: last, Open: true}
	return q, ok && !plus && r.isYear(q)
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
	return time.Date(int(min(year, lastYear)), month, 1, 0, 0, 0, 0, time.UTC).Unix() / 86400
}
