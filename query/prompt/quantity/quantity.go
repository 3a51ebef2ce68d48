// Package quantity reads the numbers of a prompt: employees, years, dates.
package quantity

import (
	"fmt"
	"time"

	"kith/query/prompt/token"
)

// Kind is what a quantity counts.
type Kind int

// The kinds.
const (
	// Plain is a number or a range of which nothing says what it counts.
	Plain Kind = iota
	// Size is a number of employees.
	Size
	// Years is a length of time in years.
	Years
	// Date is a calendar year or a range of them.
	Date
	// Ago is a time back from now: within the last A years (AtMost), more than A years
	// ago (More), or from A to B whole years ago (Between).
	Ago
	// Money is an amount.
	Money
	// Distance is how far away something is, by road or by time.
	Distance
)

// Op compares a quantity with A (and B).
type Op int

// The operators.
const (
	Equal Op = iota
	Less
	AtMost
	More
	AtLeast
	Between
)

// Quantity is a number with what it counts, or a range.
type Quantity struct {
	Kind Kind
	Op   Op
	// A is 0 of a Date that names months without a year: since March.
	A, B int64
	// First and Last are the first month of A and the last of B, or of A where
	// there is no B, of a Date that names months; 0 where it does not.
	First, Last time.Month
	// Months is true for Years and Ago that are counted in months.
	Months bool
	// Since is how many days an Ago goes back that the prompt counts in days or weeks; A is
	// then the months that they begin, by which careers are told. 0 of any other.
	Since int64
	// Experience is true for years that the prompt itself says are of
	// experience, Old for those that something is old.
	Experience, Old bool
	// Open is true for a number that stands alone: "10 years", not "10+ years".
	Open bool
}

// Range is the quantity in the filter grammar: "<50", "200-500", "10+"; where
// the bounds contradict each other, what nothing satisfies.
func (q Quantity) Range() string {
	a, b := q.A, q.B
	switch q.Op {
	case Less:
		return fmt.Sprintf("<%d", a)
	case AtMost:
		return fmt.Sprintf("<=%d", a)
	case More:
		return fmt.Sprintf(">%d", a)
	case AtLeast:
		return fmt.Sprintf("%d+", a)
	case Between:
		if a > b { // nothing is both
			return fmt.Sprintf("%d+, -%d+", a, a)
		}
		if a < b {
			return fmt.Sprintf("%d-%d", a, b)
		}
	case Equal:
	}
	return fmt.Sprint(a)
}

// Capped returns the quantity with bounds of at most most: what nobody has as much of
// stays what nobody has.
func (q Quantity) Capped(most int64) Quantity {
	if q.Op == More && q.A >= most {
		q.Op = AtLeast
	}
	q.A, q.B = min(q.A, most), min(q.B, most)
	return q
}

// Bounds are the bounds of the quantity, both included; a nil bound is open.
func (q Quantity) Bounds() (low, high *int64) {
	switch q.Op {
	case Less:
		return nil, new(q.A - 1)
	case AtMost:
		return nil, &q.A
	case More:
		return new(q.A + 1), nil
	case AtLeast:
		return &q.A, nil
	case Between:
		return &q.A, &q.B
	case Equal:
	}
	return &q.A, &q.A
}

// Read reads the quantity that the tokens begin with, and how many tokens it
// takes; 0 where there is none.
func Read(tokens []token.Token) (Quantity, int) {
	var r reader
	for _, read := range []func(*reader) (Quantity, bool){
		(*reader).stretch, (*reader).date, (*reader).decade,
		(*reader).betweenMonths, (*reader).monthOfYear, (*reader).count,
	} {
		r = reader{tokens: tokens}
		if q, ok := read(&r); ok {
			return q, r.at
		}
	}
	return Quantity{}, 0
}

// count reads a number with what it counts.
func (r *reader) count() (Quantity, bool) {
	q, ok := r.number()
	if !ok {
		return Quantity{}, false
	}
	r.unit(&q)
	r.second(&q)
	if r.about && q.Op == Equal && q.A > 1 && (q.Kind == Size || q.Kind == Years) { // give or take a fifth
		q.Op, q.A, q.B = Between, q.A*4/5, (q.A*6+4)/5
	}
	if q.Op == Between {
		r.eldest = eldestYear
	}
	if q.Kind == Plain && r.isYear(q) {
		q.Kind = Date
		r.yearsAfter(&q)
	}
	return q, true
}
