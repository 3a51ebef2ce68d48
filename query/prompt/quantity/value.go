package quantity

import (
	"strings"

	"kith/query/prompt/token"
)

// mostCounted is what larger numbers are taken for, as nothing has so many: the numbers of
// filters have twelve digits at most, and words beside a number may make it larger.
const mostCounted = 1e11

// value reads one number, in digits or in words.
func (r *reader) value() (n int64, plus, ok bool) {
	if r.at >= len(r.tokens) {
		return 0, false, false
	}
	t := r.tokens[r.at]
	if t.Kind != token.Number {
		return r.inWords()
	}
	if t.Percent {
		return 0, false, false
	}
	r.at++
	r.money = r.money || t.Money
	r.grouped = r.grouped || t.Plus || strings.ContainsAny(t.Text, ",.kKmM")
	if year, ok := shortYear(t); ok {
		r.exact = float64(year)
		return year, false, true
	}
	times := r.times()
	r.grouped = r.grouped || times > 1
	r.exact = min(t.Value*times, mostCounted)
	return int64(r.exact + 0.5), t.Plus, true
}

// shortYear reads a year of two digits after an apostrophe: '09.
func shortYear(t token.Token) (int64, bool) {
	if !strings.HasSuffix(t.Gap, "'") && !strings.HasSuffix(t.Gap, "’") || len(t.Text) != 2 {
		return 0, false
	}
	year := 1900 + int64(t.Value)
	if year < 1940 {
		year += 100
	}
	return year, true
}

// inWords reads a number in words.
func (r *reader) inWords() (n int64, plus, ok bool) {
	exact, ok := r.spelled()
	if !ok {
		return 0, false, false
	}
	if r.has("half") {
		exact += 0.5
	}
	r.exact = exact
	return int64(exact + 0.5), false, true
}

// spelled reads a number in words without a half.
func (r *reader) spelled() (n float64, ok bool) {
	start := r.at
	if m, ok := r.phrase("article"); ok && r.isBeforeTime() {
		return m.a, true
	}
	r.at = start
	m, ok := r.phrase("number")
	if !ok || m.abroad && !r.isCountedAbroad() {
		r.at = start
		return 0, false
	}
	return m.a * r.times(), true
}

// times reads a word that multiplies the number before it.
func (r *reader) times() float64 {
	start := r.at
	m, ok := r.phrase("times")
	if !ok || m.abroad && !r.isCountedAbroad() {
		r.at = start
		return 1
	}
	return m.a
}

// isBeforeTime reports whether a unit of time stands here.
func (r *reader) isBeforeTime() bool {
	ahead := *r
	m, ok := ahead.phrase("unit")
	return ok && (m.word == "years" || m.word == "months" || m.word == "decades")
}

// isCountedAbroad reports whether a number ends here that another language counts with: its unit
// stands here, or after another number. Many of these numbers mean something else in English.
func (r *reader) isCountedAbroad() bool {
	ahead := *r
	ahead.has("times")
	if ahead.has("to") || ahead.has("and") || ahead.dash() {
		if _, _, ok := ahead.value(); !ok {
			return false
		}
	} else {
		ahead.has("more")
	}
	m, ok := ahead.phrase("unit")
	return ok && m.abroad
}
