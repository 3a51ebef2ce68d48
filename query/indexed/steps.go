package indexed

import (
	"slices"
	"time"

	"kith/query"
)

// steps reports whether spells meet the steps of the timeline, and the jobs that do.
func (m *matcher) steps() (by []JobPosition, holds bool) {
	steps := m.timeline.Steps
	need := len(steps)
	if n := m.timeline.AtLeast; n > 0 && n < need {
		need = n
	}
	m.meeting = make([][]met, len(steps))
	byEmployer := !slices.ContainsFunc(steps, needsMoreThanEmployer)
	for i, s := range steps {
		if m.meeting[i] = m.all(s.Spell); len(m.meeting[i]) == 0 && need == len(steps) {
			return nil, false
		}
		if byEmployer {
			m.meeting[i] = m.onePerEmployer(m.meeting[i])
		}
	}
	if !slices.ContainsFunc(steps, notLater) {
		m.failed = map[[3]int]bool{}
	}
	if !m.from(0, need) {
		return nil, false
	}
	for _, is := range m.chosen {
		by = append(by, is.job)
	}
	return by, true
}

// notLater reports whether a step may depend on more than the spell right before it. If each spell began later than
// the one before, none can be chosen twice.
func notLater(s query.Step) bool {
	return s.Order != query.Later || s.Employer == query.OtherEmployer
}

// needsMoreThanEmployer reports whether a step depends on more of the earlier spells than their employers.
func needsMoreThanEmployer(s query.Step) bool {
	return s.Order != query.Anytime || s.Employer != query.OtherEmployer || s.Gap != (query.Months{})
}

// onePerEmployer keeps one spell per employer, and one employer more than there are steps. That is enough if only
// employers matter: the other steps leave one of them, even if one is without a name.
func (m *matcher) onePerEmployer(all []met) []met {
	kept := map[int]bool{}
	return slices.DeleteFunc(all, func(is met) bool {
		employer := m.spells[is.spell].Employer
		if kept[employer] || len(kept) > len(m.timeline.Steps) {
			return true
		}
		kept[employer] = true
		return false
	})
}

// from chooses spells for the remaining steps, starting with step, of which need must be met.
func (m *matcher) from(step, need int) bool {
	left := len(m.timeline.Steps) - step
	if need == 0 || left < need {
		return need == 0
	}
	at := [3]int{step, need, -1}
	if n := len(m.chosen); n > 0 {
		at[2] = m.chosen[n-1].spell
	}
	if m.failed[at] {
		return false
	}
	for _, is := range m.meeting[step] {
		if !m.follows(m.timeline.Steps[step], is.spell) {
			continue
		}
		m.chosen = append(m.chosen, is)
		if m.from(step+1, need-1) {
			return true
		}
		m.chosen = m.chosen[:len(m.chosen)-1]
	}
	if left > need && m.from(step+1, need) {
		return true
	}
	if m.failed != nil {
		m.failed[at] = true
	}
	return false
}

// follows reports whether a spell has the step's relation to the spells chosen so far.
func (m *matcher) follows(step query.Step, i int) bool {
	n := len(m.chosen)
	if n == 0 {
		return true
	}
	if slices.ContainsFunc(m.chosen, func(is met) bool { return is.spell == i }) {
		return false
	}
	before, spell := m.spells[m.chosen[n-1].spell], m.spells[i]
	return m.inOrder(step.Order, m.chosen[n-1].spell, i) && m.employed(step.Employer, before, spell) &&
		before.gap(step.Gap, spell)
}

func (m *matcher) inOrder(o query.Order, before, i int) bool {
	s, t := m.spells[before], m.spells[i]
	switch o {
	case query.Later:
		return s.precedes(t)
	case query.Next:
		return t.Before == before
	case query.Anytime:
	}
	return true
}

func (m *matcher) employed(e query.Employer, before, spell Spell) bool {
	switch e {
	case query.SameEmployer:
		return spell.Employer > 0 && spell.Employer == before.Employer
	case query.OtherEmployer:
		return spell.Employer > 0 && !slices.ContainsFunc(m.chosen, func(is met) bool {
			other := m.spells[is.spell].Employer
			return other == 0 || other == spell.Employer
		})
	case query.AnyEmployer:
	}
	return true
}

// gap reports whether the gap between two spells, in months, is within a range.
func (s Spell) gap(months query.Months, t Spell) bool {
	if months == (query.Months{}) {
		return true
	}
	return !s.Held && t.Dated && inBounds(max(0, t.EarliestFrom-s.LatestTo), months.Min, months.Max)
}

// MonthOf returns the month of a day, counted as in a [Spell].
func MonthOf(day int64) int64 {
	t := time.Unix(day*24*60*60, 0).UTC()
	return 12*int64(t.Year()) + int64(t.Month()) - 1
}
