package query

import "time"

// Prefilter returns a condition on single jobs and career numbers that every match of the timeline satisfies.
func (t Timeline) Prefilter() Query {
	var parts []Query
	steps := make([]Query, len(t.Steps))
	for i, s := range t.Steps {
		steps[i] = t.some(s.Spell)
		if i > 0 && s.Order == Next && s.Gap.Min != nil && t.least() == len(t.Steps) {
			parts = append(parts, Range{Field: LongestGap, Min: s.Gap.Min})
		}
	}
	if n := t.least(); n > 0 {
		parts = append(parts, AtLeast(n, steps))
	}
	if t.Every != nil {
		parts = append(parts, t.some(*t.Every), t.none(*t.Every))
	}
	for _, c := range t.Counts {
		parts = append(parts, t.impliedByCount(c))
	}
	return Simplify(And{Parts: parts})
}

// least returns the number of steps to satisfy.
func (t Timeline) least() int {
	if t.AtLeast < 1 || t.AtLeast > len(t.Steps) {
		return len(t.Steps)
	}
	return t.AtLeast
}

// AtLeast matches if at least n of the conditions do.
func AtLeast(n int, of []Query) Query {
	switch {
	case n == 0:
		return All{}
	case n > len(of):
		return None{}
	case n == len(of):
		return And{Parts: of}
	}
	return Or{Parts: []Query{And{Parts: []Query{of[0], AtLeast(n-1, of[1:])}}, AtLeast(n, of[1:])}}
}

// impliedByCount returns the condition that a count of employers implies.
func (t Timeline) impliedByCount(c SpellCount) Query {
	var parts []Query
	if c.Min != nil && *c.Min > 0 {
		parts = append(parts, t.some(c.Spell), Range{Field: Employers, Min: c.Min})
	}
	if c.Max != nil && c.Spell == (Spell{}) {
		parts = append(parts, Range{Field: Employers, Max: c.Max})
	}
	return And{Parts: parts}
}

// some returns the condition that a spell implies for some job. Where may match on an ended job of a current stay.
func (t Timeline) some(s Spell) Query {
	where := s.where()
	if s.First {
		where = And{Parts: []Query{where, Term{Field: FirstJob, Value: Yes}}}
	}
	held, ended := Nested{Path: Current, Part: where}, Nested{Path: Past, Part: where}
	var jobs Query = Or{Parts: []Query{held, ended}}
	switch {
	case s.Status == Ended:
		jobs = ended
	case s.Status == Held && t.Of == Jobs:
		jobs = held
	case s.Status == Held:
		jobs = And{Parts: []Query{jobs, Nested{Path: Current, Part: All{}}}}
	}
	if s.Months.Min == nil || t.Of == Jobs {
		return jobs
	}
	return And{Parts: []Query{jobs, t.asLong(s)}}
}

// asLong returns the condition that a minimum length of a stay implies. A current job with an
// unknown start of its stay may belong to a stay of any length.
func (t Timeline) asLong(s Spell) Query {
	var parts []Query
	if s.Status != Held {
		parts = append(parts, Range{Field: LongestStay, Min: s.Months.Min})
	}
	if s.Status != Ended {
		latest := t.monthsAgo(*s.Months.Min-1) - 1
		parts = append(parts, Nested{Path: Current, Part: Or{Parts: []Query{
			Range{Field: Tenure, Max: &latest}, Not{Part: Exists{Field: Tenure}},
		}}})
	}
	return Or{Parts: parts}
}

// none returns the condition that no current job exists (if every job must have ended), or that no stay
// exceeds the maximum length. A stay that began in a known year but unknown month counts from its July.
func (t Timeline) none(s Spell) Query {
	if s.Status == Ended && t.Of == Jobs {
		return Not{Part: Nested{Path: Current, Part: All{}}}
	}
	if s.Months.Max == nil || t.Of == Jobs {
		return All{}
	}
	const january = 6 // months before July
	ended, latest := *s.Months.Max+2, t.monthsAgo(*s.Months.Max+january)-1
	return And{Parts: []Query{
		Not{Part: Range{Field: LongestStay, Min: &ended}},
		Not{Part: Nested{Path: Current, Part: Range{Field: Tenure, Max: &latest}}},
	}}
}

// monthsAgo returns the first day of the month n months before the timeline's day.
func (t Timeline) monthsAgo(n int64) int64 {
	const day = 24 * 60 * 60
	today := time.Unix(t.Today*day, 0).UTC()
	return time.Date(today.Year(), today.Month()-time.Month(n), 1, 0, 0, 0, 0, time.UTC).Unix() / day
}

// where returns Where, or All if nil.
func (s Spell) where() Query {
	if s.Where == nil {
		return All{}
	}
	return s.Where
}
