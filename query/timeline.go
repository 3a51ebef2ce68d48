package query

import "slices"

// Timeline matches a person by the course of their career: some of the person's spells satisfy the steps, in order, and
// Every and Counts hold. A spell is a stay at a company or a single job, as Of says; package analysis defines stays.
//
// No engine can evaluate it. Engines evaluate the weaker [Timeline.Prefilter], and package index
// then checks the records of the people they find.
//
// Comparisons allow for imprecise dates. A year stands for any day of that year, and a month for any day
// of that month; an order holds if some choice of days satisfies it. Lengths are in months, see [Spell].
type Timeline struct {
	// Of is the kind of spell used throughout.
	Of Unit
	// Steps must be satisfied by different spells.
	Steps []Step
	// AtLeast is the minimum number of steps to satisfy, skipping the others; 0 means all.
	AtLeast int
	// Every is a condition on all spells, of which there must be at least one; nil for none.
	Every *Spell
	// Counts must all hold.
	Counts []SpellCount
	// Today is the day up to which current spells are measured, in days since 1970-01-01.
	Today int64
}

// MaxSteps is the maximum number of steps of one timeline.
const MaxSteps = 8

// Unit is a kind of spell.
type Unit int

// The units.
const (
	Stays Unit = iota // unbroken times at one company, including promotions
	Jobs              // single jobs
)

// Spell is a condition on one stay or job. Its zero value matches any.
//
// The length runs from the month of the first day to that of the last day, or of today. A year without
// a month counts as its July. A minimum length counts the last month, unless the spell is current; a
// maximum length does not. So March 2015 to February 2018 is at least three years, and March 2018 to
// March 2019 at most one. Without a known first day there is no length, and no bound holds.
type Spell struct {
	// Where must match one of the spell's jobs, as the part of a [Nested] over Current or Past; nil matches any job.
	Where Query
	// Months is the length.
	Months Months
	// First is true for the spell that began the career: certainly no other began earlier.
	First bool
	// Status is whether the spell is current.
	Status Status
}

// Months is a range of months; a nil bound is open.
type Months struct{ Min, Max *int64 }

// Status is whether a spell is current.
type Status int

// The statuses.
const (
	AnyStatus Status = iota
	Held             // current
	Ended            // ended
)

// Step is a spell of the pattern and its relation to the previous step, not counting skipped ones.
// The first step has no relation.
type Step struct {
	Spell
	Order    Order
	Employer Employer
	// Gap is the number of months between the end of the previous step and the start of this one:
	// the minimum that the dates allow. It is unknown if either date is.
	Gap Months
}

// Order is the relation in time of a spell to that of the previous step.
type Order int

// The orders. Page tokens hold the numbers; 2 was another order.
const (
	// Later began after the other and, at another employer, after the other had ended. An overlap
	// within one month is ignored.
	Later Order = 0
	// Next directly follows the other stay or job: package analysis defines this. A side job directly follows none.
	Next Order = 1
	// Anytime has no order in time.
	Anytime Order = 3
)

// Employer is the relation of a spell's employer to those of the previous steps. Companies without
// a name are neither the same nor different.
type Employer int

// The employers.
const (
	AnyEmployer   Employer = iota
	SameEmployer           // that of the previous step
	OtherEmployer          // none of those of all previous steps
)

// SpellCount bounds the number of different employers with a spell that satisfies the condition; a nil bound is open.
type SpellCount struct {
	Spell
	Min, Max *int64
}

// HasTimeline reports whether a query has a [Timeline] in it.
func HasTimeline(q Query) bool {
	switch q := q.(type) {
	case Timeline:
		return true
	case And:
		return slices.ContainsFunc(q.Parts, HasTimeline)
	case Or:
		return slices.ContainsFunc(q.Parts, HasTimeline)
	case Not:
		return HasTimeline(q.Part)
	case All, None, Term, Terms, AllWords, Phrase, Range, Exists, Nested, IDs:
	}
	return false
}
