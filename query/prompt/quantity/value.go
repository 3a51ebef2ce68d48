package quantity

import (
	"strings"

	"kith/query/prompt/token"
)

// mostCounted is the maximum value; larger numbers are reduced to it. Filters accept at most twelve
// digits, and words beside a number may multiply it.
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
	value, plus := r.groups(t)
	times := r.times()
	r.grouped = r.grouped || times > 1
	r.exact = min(value*times, mostCounted)
	return int64(r.exact + 0.5), plus, true
}

// groups reads further digits of a number after spaces: 10 000.
func (r *reader) groups(t token.Token) (value float64, plus bool) {
	value, plus = t.Value, t.Plus
	if digits := strings.TrimLeft(t.Text, "$€£"); digits != t.Norm || len(digits) > 3 {
		return value, plus
	}
	for r.at < len(r.tokens) {
		next := r.tokens[r.at]
		digits := strings.TrimSuffix(next.Text, "+")
		if next.Kind != token.Number || len(digits) != 3 || strings.ContainsAny(digits, ".,kKmMbB$€£%") ||
			next.Gap != "" {
			break
		}
		r.at++
		value, plus, r.grouped = 1000*value+next.Value, next.Plus, true
	}
	return value, plus
}

// shortYear reads a two-digit year after an apostrophe: '09.
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
	exact, ok := r.readSpelled()
	if !ok {
		return 0, false, false
	}
	exact = min(exact, mostCounted)
	if r.has("half") {
		exact += 0.5
	}
	r.exact = exact
	return int64(exact + 0.5), false, true
}

// readSpelled reads a number in words without a half: twenty-five, a dozen, two hundred and fifty. A
// multiplier counts as a number only after another word: several hundred is no number.
func (r *reader) readSpelled() (n float64, ok bool) {
	start := r.at
	m, ok := r.phrase("article")
	times := r.readMultipliers(start > 0 || ok)
	switch {
	case ok && (times > 1 || r.isBeforeTime()):
		n = m.a * times
	case !ok && times > 1:
		n = times
	default:
		r.at = start
		if n = r.ones(); n == 0 {
			return 0, false
		}
		times = r.readMultipliers(true)
		n *= times
	}
	return n + r.readRest(times), true
}

// ones reads a number below a hundred in words; 0 if there is none.
func (r *reader) ones() float64 {
	start := r.at
	m, ok := r.phrase("number")
	if !ok || m.abroad && !r.isCountedAbroad() {
		r.at = start
		return 0
	}
	if m.abroad || m.a < 20 || r.at >= len(r.tokens) || strings.Trim(r.tokens[r.at].Gap, "-‐‑") != "" {
		return m.a
	}
	end := r.at
	one, ok := r.phrase("number")
	if !ok || one.abroad || one.a > 9 {
		r.at = end
		return m.a
	}
	return m.a + one.a
}

// readRest reads the number added to hundreds or thousands: and fifty.
func (r *reader) readRest(times float64) float64 {
	start := r.at
	r.has("rest")
	if n := r.ones(); n > 0 && times >= 100 && n < times && r.times() == 1 {
		return n
	}
	r.at = start
	return 0
}

// readMultipliers reads all multipliers: hundred thousand.
func (r *reader) readMultipliers(may bool) float64 {
	product := 1.0
	for may {
		times := r.times()
		product, may = product*times, times > 1
	}
	return product
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

// isBeforeTime reports whether a unit of time follows.
func (r *reader) isBeforeTime() bool {
	ahead := *r
	m, ok := ahead.phrase("unit")
	return ok && (m.word == "years" || m.word == "months" || m.word == "decades")
}

// isCountedAbroad reports whether a foreign number ends here: its unit follows, directly or after
// another number. Many of these words mean something else in English.
func (r *reader) isCountedAbroad() bool {
	ahead := *r
	ahead.has("times")
	if ahead.has("to") || ahead.has("and") || ahead.dash() {
		if !ahead.has("number") && !ahead.hasDigits() {
			return false
		}
		ahead.has("times")
	} else {
		ahead.has("more")
	}
	m, ok := ahead.phrase("unit")
	return ok && m.abroad
}

// hasDigits skips a number in digits, if present.
func (r *reader) hasDigits() bool {
	if r.at >= len(r.tokens) || r.tokens[r.at].Kind != token.Number {
		return false
	}
	r.at++
	return true
}
