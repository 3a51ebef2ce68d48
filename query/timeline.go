package query

// Timeline holds of a person whose career goes in a certain way: some of the
// person's spells meet the steps, in their order, and what Every and Counts say
// holds. A spell is a stay at a company or a single job, as Of says; package
// analysis says what a stay is.
//
// No engine can be asked for it. Engines are asked for [Timeline.Prefilter], which
// holds at least wherever the timeline does, and package index checks the people
// whom they find by their records.
//
// Dates are compared as they are known. A year alone is any day of that year and a
// month any day of that month; what must come before something else may do so by
// one of these days. Lengths are counted in months, see [Spell].
type Timeline struct {
	// Of is the sort of spell that everything here speaks of.
	Of Unit
	// Steps are met by different spells, each as it says.
	Steps []Step
	// AtLeast is how many of the steps must be met, those that are not being left
	// out; 0 is all of them.
	AtLeast int
	// Every is what every spell must be, of which there must be one; nil for nothing.
	Every *Spell
	// Counts must all hold.
	Counts []SpellCount
	// Today is the day to which spells that go on are measured, in days since
	// 1970-01-01.
	Today int64
}

// MaxSteps is the most steps of one timeline.
const MaxSteps = 8

// Unit is a sort of spell.
type Unit int

// The units.
const (
	Stays Unit = iota // unbroken times at one company, promotions and all
	Jobs              // single jobs
)

// Spell is a condition on one stay or job. Its zero value holds of any.
//
// The length runs from the month of the first day to that of the last, or of
// today; a year alone counts as its July. The last month counts for what must be
// at least so long, unless the spell goes on, and not for what may be at most so
// long: March 2015 to February 2018 are at least three years, March 2018 to March
// 2019 at most one. Without a known first day there is no length, and no bound
// holds.
type Spell struct {
	// Where must hold of one of the spell's jobs, as the part of a [Nested] over
	// Current or Past; nil is any job.
	Where Query
	// Months is the length.
	Months Months
	// First is true for the one that the career began with: none other surely began
	// earlier. Last is true for the one that ended last, or goes on.
	First, Last bool
	// Status is whether it goes on.
	Status Status
}

// Months is a range of months; a nil bound is open.
type Months struct{ Min, Max *int64 }

// Status is whether a spell goes on.
type Status int

// The statuses.
const (
	AnyStatus Status = iota
	Held             // goes on
	Ended            // does not
)

// Step is a spell of the pattern and how it stands to the step before: the last one
// that is not left out. The first says nothing of that.
type Step struct {
	Spell
	Order    Order
	Employer Employer
	// Gap is how many months lie between the end of the step before and the
	// beginning of this one, no more than the dates show. It is not known without
	// both.
	Gap Months
}

// Order is how a spell stands in time to the one of the step before.
type Order int

// The orders.
const (
	// Later began after the other, and, if it is at another employer, when that had
	// ended; a month in which both are held is nothing.
	Later Order = iota
	// Next has the other as the stay, or the job, right before it: package analysis
	// says which that is. A job on the side has none.
	Next
	// Meanwhile was for more than a month at the same time.
	Meanwhile
	// Anytime came before or after.
	Anytime
)

// Employer is how the employer of a spell stands to those of the steps before.
// Companies that are not named are neither the same nor different.
type Employer int

// The employers.
const (
	AnyEmployer   Employer = iota
	SameEmployer           // that of the step right before
	OtherEmployer          // none of those of all steps before
)

// SpellCount bounds the number of different employers at which some spell is as it
// says; a nil bound is open.
type SpellCount struct {
	Spell
	Min, Max *int64
}

func (Timeline) isQuery() {}

// HasTimeline reports whether a query has a [Timeline] in it.
func HasTimeline(q Query) bool {
	switch q := q.(type) {
	case Timeline:
		return true
	case And:
		return anyTimeline(q.Parts)
	case Or:
		return anyTimeline(q.Parts)
	case Not:
		return HasTimeline(q.Part)
	case All, None, Term, Terms, AllWords, Phrase, Range, Exists, Nested, IDs:
	}
	return false
}

func anyTimeline(parts []Query) bool {
	for _, p := range parts {
		if HasTimeline(p) {
			return true
		}
	}
	return false
}
