package quantity

import "math"

// unit reads the unit of a number and sets the kind.
func (r *reader) unit(q *Quantity) {
	start := r.at
	if !r.atEnd() { // before 2015. Years
		r.readNoun(q)
	}
	if q.Kind == Plain && r.staff {
		q.Kind = Size
	}
	if q.Kind == Years && r.has("ago") {
		q.ago()
	}
	if r.at > start {
		*q = r.orMore(*q)
		if q.Kind == Years && !q.Experience {
			q.Experience = r.experience()
		}
	}
}

// readNoun reads the noun that a number counts.
func (r *reader) readNoun(q *Quantity) {
	start := r.at
	if r.has("them") {
		return
	}
	m := r.readUnit()
	switch m.word {
	case "size", "people", "person":
		q.Kind = Size
		r.about = r.about || m.word == "person" && q.Open // a 50-person startup
		r.has("strong")
	case "years", "yoe":
		r.wholeYears(q, 1)
		r.years(q, m.word == "yoe")
	case "decades":
		r.wholeYears(q, 10)
		r.years(q, false)
	case "months":
		q.Months = true
		r.years(q, false)
	case "distance":
		q.Kind = Distance
		r.has("away")
		r.has("from")
	case "days":
		if r.has("ago") {
			*q = Quantity{Kind: Ago, Op: AtMost}
			q.setPeriod(int64(r.exact), m)
			return
		}
		r.at = start
	default: // three quarters are no length of time
		r.at = start
	}
}

// readUnit reads a unit. Employees may follow a describing word: full-time staff.
func (r *reader) readUnit() meaning {
	described := r.has("describing")
	m, ok := r.phrase("unit")
	if !ok || described && m.word != "size" && m.word != "people" {
		return meaning{}
	}
	return m
}

// wholeYears converts a count of units, each of so many years, to years, or to months if a fraction
// of a year remains: 1.5 years.
func (r *reader) wholeYears(q *Quantity, each float64) {
	if r.has("half") {
		r.exact += 0.5
	}
	years := r.exact * each
	switch {
	case q.Op == Between:
		q.A, q.B = q.A*int64(each), q.B*int64(each)
	case years == math.Trunc(years):
		q.A = int64(years)
	default:
		q.A, q.Months = int64(12*years+0.5), true
	}
}

// ago turns a duration into a time before now. Two years ago is between one and two whole years ago.
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

// years reads the kind of years: of experience or of age.
func (r *reader) years(q *Quantity, experience bool) {
	q.Kind = Years
	q.Experience = experience || r.experience()
	if !q.Experience && (r.has("old") || r.old) {
		q.Old = true
	}
}

// experience skips "of work experience" and similar phrases.
func (r *reader) experience() bool {
	start := r.at
	r.has("experience_of")
	r.has("experience_kind")
	if r.has("experience") {
		return true
	}
	r.at = start
	return r.has("career")
}
