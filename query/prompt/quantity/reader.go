package quantity

import (
	"strings"

	"kith/query/prompt/token"
)

// reader moves through tokens.
type reader struct {
	tokens []token.Token
	at     int
	// grouped is true for a number with a separator, a unit or a plus, which is no year.
	grouped bool
	money   bool
	about   bool    // "around" precedes the number
	exact   float64 // the last number read, before rounding
	old     bool    // "older than" precedes the number
	staff   bool    // "a staff of" precedes the number
	// eldest is the lowest number that counts as a year, and edge the part of a year that was read.
	eldest int64
	edge   string
}

// comparison reads the words or signs of comparison before a number.
func (r *reader) comparison() (op Op, found bool) {
	if m, ok := r.phrase("compare"); ok {
		return r.readComparison(m.word), true
	}
	if r.at < len(r.tokens) {
		return sign(r.tokens[r.at].Gap)
	}
	return Equal, false
}

// readComparison returns the operator of a comparison, and records its other implications.
func (r *reader) readComparison(word string) Op {
	switch word {
	case "older":
		r.old = true
		return More
	case "younger":
		r.old = true
		return Less
	case "about":
		r.about = true
	}
	return parseOp(word)
}

// parseOp returns the operator of a sign.
func parseOp(sign string) Op {
	switch sign {
	case "<=":
		return AtMost
	case ">=":
		return AtLeast
	case "<":
		return Less
	case ">":
		return More
	}
	return Equal
}

// sign reads a comparison sign in the gap before a number.
func sign(gap string) (Op, bool) {
	for _, s := range [][2]string{{"<=", "<="}, {"≤", "<="}, {">=", ">="}, {"≥", ">="}, {"<", "<"}, {">", ">"}} {
		if strings.Contains(gap, s[0]) {
			return parseOp(s[1]), true
		}
	}
	return Equal, false
}

// number reads a number with a comparison, or a range.
func (r *reader) number() (Quantity, bool) {
	r.staff = r.has("label")
	if r.staff && r.atEnd() {
		return Quantity{}, false
	}
	if r.has("between") {
		return r.interval()
	}
	op, compared := r.comparison()
	a, plus, ok := r.value()
	if !ok {
		return Quantity{}, false
	}
	q := Quantity{Op: op, A: a, Open: !compared}
	if r.money {
		q.Kind = Money
	}
	switch {
	case compared:
		return q, true
	case plus:
		q.Op, q.Open = AtLeast, false
		return q, true
	}
	return r.afterNumber(q), true
}

// atEnd reports whether a sentence or clause ends here.
func (r *reader) atEnd() bool {
	return r.at < len(r.tokens) && strings.ContainsAny(r.tokens[r.at].Gap, ".!?;\n")
}

// interval reads "A and B", "A and at most B".
func (r *reader) interval() (Quantity, bool) {
	a, _, ok := r.value()
	if !ok || !r.has("and") && !r.dash() {
		return Quantity{}, false
	}
	r.comparison()
	b, _, ok := r.value()
	return Quantity{Op: Between, A: min(a, b), B: max(a, b)}, ok
}

// dash reports whether the next number follows a dash.
func (r *reader) dash() bool {
	return r.at > 0 && r.at < len(r.tokens) && strings.Trim(r.tokens[r.at].Gap, "-–—‒−~") == "" &&
		r.tokens[r.at].Gap != ""
}

// afterNumber reads the words after a number: a second number, "plus", "or more".
func (r *reader) afterNumber(q Quantity) Quantity {
	before := *r
	to := r.dash() || r.has("to")
	if to || r.has("either") {
		if b, plus, ok := r.value(); ok && !plus && (to || b < firstYear && r.counts()) { // four or five years
			q.Op, q.B, q.Open = Between, b, false
			if inThousands(q.A, b) {
				q.A *= 1000
			}
			return q
		}
		*r = before
	}
	return r.orMore(q)
}

// inThousands reports whether the unit of the second number applies to the first too: "1-5k" is 1,000 to 5,000.
func inThousands(a, b int64) bool { return a < 100 && b >= 1000 && b%1000 == 0 && a*1000 < b }

// orMore reads "plus", "or more", "or fewer" and "or so" after a number. "Or more than" belongs to the next number.
func (r *reader) orMore(q Quantity) Quantity {
	start, whole := r.at, q
	if m, ok := r.phrase("more"); ok {
		q.Op, q.Open = parseOp(m.word), false
	} else if q.Op == Equal && r.has("or_so") {
		r.about, q.Open = true, false
	}
	if r.has("than") {
		r.at = start
		return whole
	}
	return q
}

// second reads the other bound of "more than 50 but fewer than 200 employees".
func (r *reader) second(q *Quantity) {
	start := r.at
	if q.Kind != Plain || q.Open || q.Op == Between || q.Op == Equal || !r.has("but") {
		return
	}
	op, compared := r.comparison()
	b, _, ok := r.value()
	other := Quantity{Op: op, A: b, Open: !compared}
	if ok {
		r.unit(&other)
	}
	if ok && compared && other.Kind != Plain && other.meets(*q) {
		*q = other
		return
	}
	r.at = start
}

// meets combines two bounds into a range, if one is a lower and the other an upper bound.
func (q *Quantity) meets(other Quantity) bool {
	low, high := q.Bounds()
	low2, high2 := other.Bounds()
	if low == nil {
		low, high, low2, high2 = low2, high2, low, high
	}
	if low == nil || high != nil || low2 != nil || high2 == nil {
		return false
	}
	q.Op, q.A, q.B = Between, *low, *high2
	return true
}
