package quantity

import (
	"strings"

	"kith/query/prompt/token"
)

// reader goes through tokens.
type reader struct {
	tokens []token.Token
	at     int
	// grouped is true where a number was written with a separator, a unit or a
	// plus, as no year is.
	grouped bool
	money   bool
	about   bool    // "around" stands before the number
	exact   float64 // the number that was read last, before it was rounded
	old     bool    // "older than" stands before the number
}

// phrase goes behind the first of the phrases that stands here.
func (r *reader) phrase(phrases ...string) bool {
	for _, p := range phrases {
		if n := r.starts(p); n > 0 {
			r.at += n
			return true
		}
	}
	return false
}

// starts returns how many tokens a phrase takes here; 0 where something else
// stands. A mark that ends a phrase ends the match.
func (r *reader) starts(phrase string) int {
	n := 0
	for w := range strings.SplitSeq(phrase, " ") {
		i := r.at + n
		if i >= len(r.tokens) || r.tokens[i].Norm != w || n > 0 && (r.tokens[i].Comma() || r.tokens[i].Stop()) {
			return 0
		}
		n++
	}
	return n
}

// comparison reads the words before a number, and signs.
func (r *reader) comparison() (op Op, found bool) {
	switch {
	case r.phrase("no more than", "not more than", "no larger than", "at most", "up to", "a maximum of", "maximum of",
		"maximum", "max", "no bigger than", "not over"):
		return AtMost, true
	case r.phrase("no fewer than", "no less than", "not less than", "at least", "a minimum of", "minimum of", "minimum",
		"min", "upwards of", "from at least", "mindestens", "ab", "wenigstens", "au moins", "al menos", "pelo menos",
		"almeno", "minstens"):
		return AtLeast, true
	case r.phrase("fewer than", "less than", "smaller than", "lower than", "under", "below", "fewer then", "less then",
		"sub", "not even", "weniger als", "unter", "moins de", "menos de", "meno di", "minder dan"):
		return Less, true
	case r.phrase("more than", "greater than", "larger than", "bigger than", "over", "above", "more then", "in excess of",
		"exceeding", "beyond", "mehr als", "plus de", "mas de", "mais de", "piu di", "meer dan"):
		return More, true
	case r.phrase("older than", "that are older than", "which are older than"):
		r.old = true
		return More, true
	case r.phrase("younger than", "not older than", "no older than", "newer than"):
		r.old = true
		return Less, true
	case r.phrase("about", "around", "approximately", "roughly", "circa", "some", "ca"):
		r.about = true
		return Equal, true
	case r.phrase("exactly"):
		return Equal, true
	}
	if r.at < len(r.tokens) {
		return sign(r.tokens[r.at].Gap)
	}
	return Equal, false
}

func sign(gap string) (Op, bool) {
	switch {
	case strings.Contains(gap, "<="), strings.Contains(gap, "≤"):
		return AtMost, true
	case strings.Contains(gap, ">="), strings.Contains(gap, "≥"):
		return AtLeast, true
	case strings.Contains(gap, "<"):
		return Less, true
	case strings.Contains(gap, ">"):
		return More, true
	}
	return Equal, false
}

// number reads a compared number or a range.
func (r *reader) number() (Quantity, bool) {
	if r.phrase("between", "from", "anywhere between") {
		if q, ok := r.interval("and", "to"); ok {
			return q, true
		}
		return Quantity{}, false
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

// interval reads "A and B".
func (r *reader) interval(joins ...string) (Quantity, bool) {
	a, _, ok := r.value()
	if !ok || !r.phrase(joins...) && !r.dash() {
		return Quantity{}, false
	}
	b, _, ok := r.value()
	return Quantity{Op: Between, A: min(a, b), B: max(a, b)}, ok
}

// dash reports whether the next number follows a dash.
func (r *reader) dash() bool {
	return r.at > 0 && r.at < len(r.tokens) && strings.Trim(r.tokens[r.at].Gap, "-–—‒−~") == "" && r.tokens[r.at].Gap != ""
}

// afterNumber reads what may follow a number: a second one, "plus", "or more".
func (r *reader) afterNumber(q Quantity) Quantity {
	start := r.at
	if r.dash() || r.phrase("to", "till", "thru", "bis", "tot", "hasta", "até", "a") {
		if b, plus, ok := r.value(); ok && !plus {
			q.Op, q.B, q.Open = Between, b, false
			if inThousands(q.A, b) {
				q.A *= 1000
			}
			return q
		}
		r.at = start
	}
	return r.orMore(q)
}

// inThousands reports whether the unit of the second number counts for the
// first, too: "1-5k" is 1,000 to 5,000.
func inThousands(a, b int64) bool { return a < 100 && b >= 1000 && b%1000 == 0 && a*1000 < b }

// orMore reads "plus", "or more" and "or fewer" behind a number; what "or more than"
// begins is the next one.
func (r *reader) orMore(q Quantity) Quantity {
	start, whole := r.at, q
	switch {
	case r.phrase("plus", "or more", "or above", "or over", "and up", "and above", "upwards", "or greater", "or later",
		"onwards", "and later", "and more"):
		q.Op, q.Open = AtLeast, false
	case r.phrase("or fewer", "or less", "or under", "max", "at most", "or below", "or earlier", "or smaller"):
		q.Op, q.Open = AtMost, false
	}
	if r.phrase("than", "then") {
		r.at = start
		return whole
	}
	return q
}

// mostCounted is what larger numbers are taken for, as nothing has so many: the numbers of
// filters have twelve digits at most, and words beside a number may make it larger.
const mostCounted = 1e11

// value reads one number, in digits or in words.
func (r *reader) value() (n int64, plus, ok bool) {
	if r.at >= len(r.tokens) {
		return 0, false, false
	}
	t := r.tokens[r.at]
	if t.Kind == token.Number {
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
		r.exact = min(t.Value*float64(times), mostCounted)
		return int64(r.exact + 0.5), t.Plus, true
	}
	if r.starts("half a year") > 0 {
		r.at, r.exact = r.at+2, 0.5
		return 1, false, true
	}
	if n, ok = r.spelled(); ok {
		r.exact = float64(n)
		if r.phrase("and a half") {
			r.exact += 0.5
		}
	}
	return n, false, ok
}

// shortYear reads a year of two digits behind an apostrophe: '09.
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

// times reads a word that multiplies the number before it.
func (r *reader) times() int64 {
	switch {
	case r.phrase("hundred"):
		return 100
	case r.phrase("thousand"):
		return 1000
	case r.phrase("million"):
		return 1000000
	}
	return 1
}

// spelled reads a number in words.
func (r *reader) spelled() (n int64, ok bool) {
	if r.phrase("a couple of", "couple of", "couple") {
		return 2, true
	}
	if r.starts("a decade") > 0 || r.starts("a year") > 0 || r.starts("a month") > 0 {
		r.at++
		return 1, true
	}
	n = numberWord(r.tokens[r.at].Norm)
	if n == 0 {
		n = r.foreignNumber()
	}
	if n == 0 {
		return 0, false
	}
	r.at++
	return n * r.times(), true
}

func numberWord(w string) int64 {
	for i, name := range []string{
		"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
		"fourteen",
		"fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
	} {
		if w == name {
			return int64(i + 1)
		}
	}
	switch w {
	case "thirty":
		return 30
	case "forty":
		return 40
	case "fifty":
		return 50
	case "sixty":
		return 60
	case "hundred":
		return 100
	case "thousand":
		return 1000
	case "dozen":
		return 12
	}
	return 0
}

// bound reads the preposition that makes a bound of a date.
func (r *reader) bound() (Op, bool) {
	switch {
	case r.phrase("after", "later than", "post", "no earlier than"):
		return More, true
	case r.phrase("since", "from", "starting in", "starting", "as of", "beginning in"):
		return AtLeast, true
	case r.phrase("before", "prior to", "earlier than", "pre"):
		return Less, true
	case r.phrase("until", "by", "up to", "till", "through", "no later than"):
		return AtMost, true
	}
	return Equal, false
}

// date reads a calendar year with a preposition of time.
func (r *reader) date() (Quantity, bool) {
	op, ok := r.bound()
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
	if !isNumber && first != 0 && r.tokens[0].Norm == "since" { // of the last year that had it
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
	if r.phrase("to", "until", "till", "and") || r.dash() {
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
	start := r.at
	defer func() { r.at = start }()
	var q Quantity
	r.unit(&q)
	return q.Kind != Plain
}
