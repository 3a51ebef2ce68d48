package indexed

import (
	"slices"

	"kith/query"
)

// Career is the order of a person's jobs, the subject of a [query.Timeline]. It is built from the record together
// with the document; engines do not store it.
type Career struct {
	// Stays and Jobs are the spells of each kind, ordered by start.
	Stays, Jobs []Spell
}

// Spell is an unbroken time at a company (a stay) or a job in a [Career]. Days count from 1970-01-01; months are 12 ×
// year + month, with January as 0.
type Spell struct {
	// Jobs are the sub-documents of the jobs, ordered by start.
	Jobs []JobPosition
	// Employer numbers the employers from 1; 0 is an employer without a name.
	Employer int
	// Before is the index of the spell right before this one in the same list; -1 for none.
	Before int
	// Begin and Until are the first and last day; Until of an ongoing spell lies beyond all days. Imprecise dates
	// leave a range: LatestBegin and EarliestUntil are its other ends.
	Begin, Until, LatestBegin, EarliestUntil int64
	// From and To are the months that measure the length; a bare year counts as its July. EarliestFrom and LatestTo
	// are the months that measure gaps.
	From, To, EarliestFrom, LatestTo int64
	// Dated is true if the first day is known, Held if the spell is ongoing.
	Dated, Held bool
}

// JobPosition is the position of a job among the sub-documents of a document.
type JobPosition struct {
	Path  query.Path
	Index int
}

// overlapDays is how many days consecutive spells may overlap: loading whole months can turn an overnight change of
// jobs into such an overlap.
const overlapDays = 31

// Holds reports whether a career satisfies a timeline, and the jobs that prove it: one for each spell that meets a
// step, in the order of the steps. of reports whether a job satisfies a condition.
func (c Career) Holds(t query.Timeline, of func(JobPosition, query.Query) bool) (by []JobPosition, holds bool) {
	m := matcher{timeline: t, spells: c.Stays, of: of}
	if t.Of == query.Jobs {
		m.spells = c.Jobs
	}
	if !m.every() || slices.ContainsFunc(t.Counts, func(n query.SpellCount) bool { return !m.countsEmployers(n) }) {
		return nil, false
	}
	return m.steps()
}

// matcher checks the spells of one career for one timeline.
type matcher struct {
	timeline query.Timeline
	spells   []Spell
	of       func(JobPosition, query.Query) bool
	// meeting has, for each step, the spells that meet it on their own, each with a job that satisfies Where.
	meeting [][]met
	// chosen are the spells chosen for the steps so far.
	chosen []met
	// failed memoizes dead ends by step, steps still needed and last chosen spell. It is nil if later choices depend
	// on more than the last spell.
	failed map[[3]int]bool
}

// met is a spell that meets a condition, with the job that does.
type met struct {
	spell int
	job   JobPosition
}

func (m *matcher) every() bool {
	if m.timeline.Every == nil {
		return true
	}
	return len(m.spells) > 0 && len(m.all(*m.timeline.Every)) == len(m.spells)
}

// countsEmployers reports whether the number of employers is within bounds.
func (m *matcher) countsEmployers(n query.SpellCount) bool {
	employers := map[int]bool{}
	for _, is := range m.all(n.Spell) {
		if e := m.spells[is.spell].Employer; e > 0 {
			employers[e] = true
		}
	}
	return inBounds(int64(len(employers)), n.Min, n.Max)
}

func inBounds(v int64, least, most *int64) bool {
	return (least == nil || *least <= v) && (most == nil || v <= *most)
}

// all returns the spells that meet a condition.
func (m *matcher) all(s query.Spell) []met {
	var all []met
	for i := range m.spells {
		if job, ok := m.meets(i, s); ok {
			all = append(all, met{i, job})
		}
	}
	return all
}

// meets reports whether a spell meets a condition, and by which of its jobs.
func (m *matcher) meets(i int, s query.Spell) (by JobPosition, ok bool) {
	spell := m.spells[i]
	switch {
	case s.Status == query.Held && !spell.Held, s.Status == query.Ended && spell.Held,
		s.First && !m.first(spell), !spell.lasts(s.Months, m.timeline.Today):
		return by, false
	case s.Where == nil:
		return spell.Jobs[0], true
	}
	j := slices.IndexFunc(spell.Jobs, func(p JobPosition) bool { return m.of(p, s.Where) })
	if j < 0 {
		return by, false
	}
	return spell.Jobs[j], true
}

// first reports whether no other spell certainly began earlier.
func (m *matcher) first(s Spell) bool {
	return !slices.ContainsFunc(m.spells, func(t Spell) bool { return t.LatestBegin < s.Begin })
}

// lasts reports whether the length of a spell is within a range.
func (s Spell) lasts(months query.Months, today int64) bool {
	if months == (query.Months{}) {
		return true
	}
	if !s.Dated {
		return false
	}
	if s.Held {
		return inBounds(max(0, MonthOf(today)-s.From), months.Min, months.Max)
	}
	length := max(0, s.To-s.From)
	return (months.Min == nil || *months.Min <= length+1) && (months.Max == nil || length <= *months.Max)
}

// precedes reports whether s may have ended by the time t, which began later, did. At one employer the order of the
// starts decides.
func (s Spell) precedes(t Spell) bool {
	if s.Begin > t.Begin || s.Begin == t.Begin && s.Until >= t.Until {
		return false
	}
	if s.Employer > 0 && s.Employer == t.Employer {
		return true
	}
	return s.EarliestUntil <= t.LatestBegin+overlapDays
}
