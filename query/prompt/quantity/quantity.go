// Package quantity reads the numbers of a prompt: employees, years, dates.
package quantity

import (
	"fmt"
	"time"

	"kith/query/prompt/token"
)

// Kind is the unit of a quantity.
type Kind int

// The kinds.
const (
	// Plain is a number or a range without a unit.
	Plain Kind = iota
	// Size is a number of employees.
	Size
	// Years is a length of time in years.
	Years
	// Date is a calendar year or a range of them.
	Date
	// Ago is a time before now: within the last A years (AtMost), more than A years ago (More), or
	// from A to B whole years ago (Between).
	Ago
	// Money is an amount.
	Money
	// Distance is a length of road or travel time.
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

// Quantity is a number or a range with its unit.
type Quantity struct {
	Kind Kind
	Op   Op
	// A is 0 for a Date with months but without a year: since March.
	A, B int64
	// First is the first month of A, and Last the last month of B (of A if there is no B), for a Date with months;
	// else 0.
	First, Last time.Month
	// Months is true if Years and Ago are in months.
	Months bool
	// Since is the number of days of an Ago that the prompt gives in days or weeks; else 0. A is
	// then the number of started months, because careers have monthly precision.
	Since int64
	// Experience is true if the prompt says that the years are of experience, Old if they are an age.
	Experience, Old bool
	// Open is true for a number without a bound: "10 years", not "10+ years".
	Open bool
}

// Range returns the quantity in the filter grammar: "<50", "200-500", "10+". Contradictory bounds
// give a value that nothing matches.
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
		if a > b { // no number satisfies both
			return fmt.Sprintf("%d+, -%d+", a, a)
		}
		if a < b {
			return fmt.Sprintf("%d-%d", a, b)
		}
	case Equal:
	}
	return fmt.Sprint(a)
}

// About returns the range around a number: a fifth more or less, or for a date the years before and after.
func (q Quantity) About() Quantity {
	if q.Kind == Date {
		q.Op, q.A, q.B = Between, q.A-1, q.A+1
		return q
	}
	q.Op, q.A, q.B = Between, q.A*4/5, (q.A*6+4)/5
	return q
}

// Bounds returns the inclusive bounds of the quantity; a nil bound is open.
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

// Read reads the quantity at the start of the tokens. It returns the number of tokens read, 0 if there is none.
func Read(tokens []token.Token) (Quantity, int) {
	var r reader
	for _, read := range []func(*reader) (Quantity, bool){
		(*reader).period, (*reader).date, (*reader).decade,
		(*reader).betweenMonths, (*reader).monthOfYear, (*reader).count,
	} {
		r = reader{tokens: tokens}
		if q, ok := read(&r); ok {
			return q, r.at
		}
	}
	return Quantity{}, 0
}

// count reads a number with its unit.
func (r *reader) count() (Quantity, bool) {
	q, ok := r.number()
	if !ok {
		return Quantity{}, false
	}
	r.unit(&q)
	r.second(&q)
	if r.about && q.Op == Equal && q.A > 1 && (q.Kind == Size || q.Kind == Years) {
		q = q.About()
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
