package quantity

import (
	"strconv"
	"strings"

	"kith/query/prompt/words"
)

// unit reads what a number counts, and sets the kind.
func (r *reader) unit(q *Quantity) {
	start := r.at
	if start < len(r.tokens) && strings.ContainsAny(r.tokens[start].Gap, ".!?;\n") { // before 2015. Years
		return
	}
	r.counted(q)
	if q.Kind == Years && r.phrase("ago") {
		q.ago()
	}
	if q.Kind == Size && q.Op == Equal && r.about { // give or take a fifth
		q.Op, q.A, q.B = Between, q.A*4/5, q.A*6/5
	}
	if r.at > start {
		*q = r.orMore(*q)
		if q.Kind == Years && !q.Experience {
			q.Experience = r.experience()
		}
	}
}

// counted reads what a number counts.
func (r *reader) counted(q *Quantity) {
	start := r.at
	switch {
	case r.phrase("full time employees", "employees", "employee", "headcount", "fte", "ftes", "staff members",
		"team members", "strong", "workers", "staff", "emps", "ees", "mitarbeiter", "mitarbeitern", "salaries", "employes",
		"empleados", "funcionarios", "dipendenti", "medewerkers"):
		q.Kind = Size
	case r.phrase("people", "persons", "person", "ppl"):
		q.Kind = Size
		r.about = r.about || q.Open && r.tokens[start].Norm == "person" // a 50-person startup
		r.phrase("strong")
	case r.phrase("pqe", "years pqe", "yrs pqe"): // of a lawyer, since the qualification
		q.Kind, q.Experience = Years, true
	case r.phrase("years", "year", "yrs", "yr", "yoe", "y", "jahre", "jahren", "jahr", "ans", "anos", "anni", "jaar"):
		if r.phrase("and a half") {
			r.exact += 0.5
		}
		if q.Op != Between && r.exact != float64(q.A) { // 1.5 years
			q.A, q.Months = int64(12*r.exact+0.5), true
		}
		r.years(q, r.tokens[start].Norm == "yoe")
	case r.phrase("months", "month", "mos"):
		q.Kind, q.Months = Years, true
		r.years(q, false)
	case r.phrase("weeks ago", "week ago"):
		*q = Quantity{Kind: Ago, Op: AtMost, A: 1, Months: true, Since: 7 * q.A}
	case r.phrase("days ago", "day ago"):
		*q = Quantity{Kind: Ago, Op: AtMost, A: 1, Months: true, Since: q.A}
	case r.phrase("km", "kms", "kilometers", "kilometres", "kilometer", "kilometre", "miles", "mile", "mi", "minutes",
		"minute", "min", "mins", "hours", "hour"):
		q.Kind = Distance
		r.phrase("drive", "commute", "radius", "away", "by car", "by train")
		r.phrase("of", "from", "around", "away from")
	case r.phrase("decades", "decade"):
		q.A, q.B = 10*q.A, 10*q.B
		r.years(q, false)
	}
}

// ago makes a length of time a time that lies as far back. Two years ago is between one
// and two whole years ago.
func (q *Quantity) ago() {
	q.Kind, q.Experience, q.Old, q.Open = Ago, false, false, false
	switch q.Op {
	case Less:
		q.Op = AtMost
	case AtLeast:
		q.Op = More
	case Equal:
		q.Op, q.A, q.B = Between, max(q.A-1, 0), q.A
	}
}

// years reads what kind of years they are.
func (r *reader) years(q *Quantity, experience bool) {
	q.Kind = Years
	q.Experience = experience || r.experience()
	if !q.Experience && (r.phrase("old", "of age") || r.old) {
		q.Old = true
	}
}

// experience goes behind "of work experience" and the like.
func (r *reader) experience() bool {
	start := r.at
	r.phrase("worth of", "of", "in", "de", "d", "di")
	r.phrase("professional", "work", "working", "relevant", "total", "industry", "overall", "career", "full time",
		"practical", "hands on")
	if r.phrase("experience", "exp", "xp", "expertise", "experiences", "erfahrung", "berufserfahrung", "experiencia",
		"esperienza", "ervaring", "dexperience") {
		return true
	}
	r.at = start
	return r.phrase("in the industry", "in industry", "in their career", "of work", "into their career", "in the field",
		"in the workforce")
}

// stretch reads a stretch of time up to now.
func (r *reader) stretch() (Quantity, bool) {
	q := Quantity{Kind: Ago, Op: AtMost, A: 1}
	if r.phrase("this year", "since last year", "within a year") {
		return q, true
	}
	for _, near := range []struct {
		phrase string
		days   int64
	}{{"this month", 0}, {"this week", 7}, {"yesterday", 1}} {
		if r.phrase(near.phrase) {
			q.Months, q.Since = true, near.days
			return q, true
		}
	}
	if r.phrase("this quarter") {
		q.A, q.Months = 3, true
		return q, true
	}
	r.phrase("within", "in", "over", "during", "for", "since", "from", "at some point in")
	r.phrase("the")
	switch {
	case r.phrase("last", "past", "previous", "recent", "latest"):
		return r.lastYears(q)
	case r.at > 0:
		return r.withinYears(q)
	}
	return q, false
}

// few is how many years "the last few years" are.
const few = 3

// lastYears reads what follows "the last": "year", "two years", "6 months".
func (r *reader) lastYears(q Quantity) (Quantity, bool) {
	if r.phrase("few") {
		q.A = few
	} else if n, _, ok := r.value(); ok {
		q.A = n
	}
	ok := r.timeUnit(&q)
	return q, ok
}

// withinYears reads "within 2 years".
func (r *reader) withinYears(q Quantity) (Quantity, bool) {
	if r.tokens[0].Norm != "within" {
		return q, false
	}
	n, _, ok := r.value()
	q.A = n
	ok = ok && r.timeUnit(&q)
	return q, ok
}

// monthsIn is how many months so many days are, begun ones included: careers are
// told by the month.
func monthsIn(days int64) int64 { return (days + 30) / 31 }

func (r *reader) timeUnit(q *Quantity) bool {
	switch {
	case r.phrase("years", "year", "yrs", "yr", "12 months"):
	case r.phrase("months", "month"):
		q.Months = true
	case r.phrase("weeks", "week"):
		q.A, q.Months, q.Since = monthsIn(7*q.A), true, 7*q.A
	case r.phrase("days", "day"):
		q.A, q.Months, q.Since = monthsIn(q.A), true, q.A
	case r.phrase("quarters", "quarter"):
		q.A, q.Months = 3*q.A, true
	case r.phrase("decades", "decade"):
		q.A *= 10
	default:
		return false
	}
	return true
}

// foreignNumber is a number in the words of another language, right before what it counts,
// as many of these words mean something else: zehn Jahre, cinq ans.
func (r *reader) foreignNumber() int64 {
	if r.at+1 >= len(r.tokens) {
		return 0
	}
	if !words.In(words.CountedAbroad, r.tokens[r.at+1].Norm) {
		return 0
	}
	n, _ := strconv.ParseInt(words.Among(words.NumberAbroad, r.tokens[r.at].Norm), 10, 64)
	return n
}
