package index

import (
	"slices"

	"kith/query"
)

// Career is how the jobs of a person follow each other: what a [query.Timeline] is
// asked of. It is made of the record with the document and no engine stores it.
type Career struct {
	// Stays and Jobs are the spells of both sorts, in the order in which they began.
	Stays, Jobs []Spell
}

// Spell is a stay or a job of a [Career]. Days count from 1970-01-01, and months
// are 12 times the year and the month from 0 on.
type Spell struct {
	// Jobs are the sub-documents of the jobs, in the order in which they began.
	Jobs []JobPlace
	// Employer tells employers apart, from 1 on; 0 is one that is not named.
	Employer int
	// Before is the place of the spell right before in the same list; -1 for none.
	Before int
	// Begin and Until are the first day and the last; of one that goes on Until lies
	// beyond all days. LatestBegin and EarliestUntil are the same as far as the
	// dates leave them open.
	Begin, Until, LatestBegin, EarliestUntil int64
	// From and To are the months between which the length is counted, a year alone
	// being its July; EarliestFrom and LatestTo those between which gaps are.
	From, To, EarliestFrom, LatestTo int64
	// Dated is true where the first day is known, Held where the spell goes on.
	Dated, Held bool
}

// JobPlace is a job's place among the sub-documents of a document.
type JobPlace struct {
	Path  query.Path
	Place int
}

// overlapDays is for how many days two spells may be held at once by what loading
// whole months makes of a change overnight.
const overlapDays = 31

// Holds reports whether a timeline holds of a career, and by which jobs: one of
// each spell that meets a step, in the order of the steps. of says whether a
// condition holds of a job.
func (c Career) Holds(t query.Timeline, of func(JobPlace, query.Query) bool) (by []JobPlace, holds bool) {
	m := matcher{timeline: t, spells: c.Stays, of: of}
	if t.Of == query.Jobs {
		m.spells = c.Jobs
	}
	if !m.every() || slices.ContainsFunc(t.Counts, func(n query.SpellCount) bool { return !m.counted(n) }) {
		return nil, false
	}
	return m.steps()
}

// matcher checks the spells of one career for one timeline.
type matcher struct {
	timeline query.Timeline
	spells   []Spell
	of       func(JobPlace, query.Query) bool
	// meeting are, for each step, the spells that meet it by themselves, with the job
	// that Where holds of.
	meeting [][]met
	// chosen are the spells of the steps so far.
	chosen []met
	// failed are the choices from which on no others follow, where only the last
	// one matters for those.
	failed map[[3]int]bool
}

// met is a spell that meets a condition, and the job by which it does.
type met struct {
	spell int
	job   JobPlace
}

func (m *matcher) every() bool {
	if m.timeline.Every == nil {
		return true
	}
	return len(m.spells) > 0 && len(m.all(*m.timeline.Every)) == len(m.spells)
}

// counted reports whether the number of employers is within bounds.
func (m *matcher) counted(n query.SpellCount) bool {
	employers := map[int]bool{}
	for _, is := range m.all(n.Spell) {
		if e := m.spells[is.spell].Employer; e > 0 {
			employers[e] = true
		}
	}
	return within(int64(len(employers)), n.Min, n.Max)
}

func within(v int64, least, most *int64) bool {
	return (least == nil || *least <= v) && (most == nil || v <= *most)
}

// all are the spells that meet a condition.
func (m *matcher) all(s query.Spell) []met {
	var all []met
	for i := range m.spells {
		if job, ok := m.meets(i, s); ok {
			all = append(all, met{i, job})
		}
	}
	return all
}

// meets reports whether a spell is as a condition says, and by which of its jobs.
func (m *matcher) meets(i int, s query.Spell) (by JobPlace, ok bool) {
	spell := m.spells[i]
	switch {
	case s.Status == query.Held && !spell.Held, s.Status == query.Ended && spell.Held,
		s.First && !m.first(spell), s.Last && !m.last(spell), !spell.lasts(s.Months, m.timeline.Today):
		return by, false
	case s.Where == nil:
		return spell.Jobs[0], true
	}
	j := slices.IndexFunc(spell.Jobs, func(p JobPlace) bool { return m.of(p, s.Where) })
	if j < 0 {
		return by, false
	}
	return spell.Jobs[j], true
}

// first reports whether no other surely began earlier.
func (m *matcher) first(s Spell) bool {
	return !slices.ContainsFunc(m.spells, func(t Spell) bool { return t.LatestBegin < s.Begin })
}

// last reports whether no other surely ended later.
func (m *matcher) last(s Spell) bool {
	return !slices.ContainsFunc(m.spells, func(t Spell) bool { return t.EarliestUntil > s.Until })
}

// lasts reports whether the length is within a range.
func (s Spell) lasts(months query.Months, today int64) bool {
	if months == (query.Months{}) {
		return true
	}
	if !s.Dated {
		return false
	}
	if s.Held {
		return within(max(0, MonthOf(today)-s.From), months.Min, months.Max)
	}
	length := max(0, s.To-s.From)
	return (months.Min == nil || *months.Min <= length+1) && (months.Max == nil || length <= *months.Max)
}

// precedes reports whether s may have ended when t, which began later, did; at one
// employer jobs follow each other as they began.
func (s Spell) precedes(t Spell) bool {
	if s.Begin > t.Begin || s.Begin == t.Begin && s.Until >= t.Until {
		return false
	}
	if s.Employer > 0 && s.Employer == t.Employer {
		return true
	}
	return s.EarliestUntil <= t.LatestBegin+overlapDays
}

// meanwhile reports whether two spells surely shared more than a month.
func (s Spell) meanwhile(t Spell) bool {
	return s.Dated && t.Dated && min(s.EarliestUntil, t.EarliestUntil)-max(s.LatestBegin, t.LatestBegin) > overlapDays
}
