package indexed_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"kith/query"
	"kith/query/indexed"
)

// careers generates careers at few employers, with spells that touch and overlap, ordered by their
// start. A job has the position of its spell.
func careers() *rapid.Generator[indexed.Career] {
	return rapid.Custom(func(t *rapid.T) indexed.Career {
		var stays []indexed.Spell
		begin := int64(16000)
		for i := range rapid.IntRange(0, 6).Draw(t, "spells") {
			begin += 30 * rapid.Int64Range(0, 12).Draw(t, "later")
			until := begin + 30*rapid.Int64Range(0, 40).Draw(t, "length")
			s := indexed.Spell{
				Jobs: []indexed.JobPosition{{Path: query.Past, Index: i}}, Employer: rapid.IntRange(0, 3).Draw(t,
					"employer"),
				Before: rapid.IntRange(-1, i-1).Draw(t, "before"),
				Begin:  begin, Until: until, LatestBegin: begin + rapid.SampledFrom([]int64{0, 30, 365}).Draw(t,
					"vague"),
				EarliestUntil: until,
				From:          indexed.MonthOf(begin), To: indexed.MonthOf(until), EarliestFrom: indexed.MonthOf(begin),
				LatestTo: indexed.MonthOf(until),
				Dated:    rapid.IntRange(0, 5).Draw(t, "dated") > 0,
			}
			if s.Held = rapid.IntRange(0, 3).Draw(t, "held") == 0; s.Held {
				s.Until, s.EarliestUntil, s.To, s.LatestTo = 1<<60, 1<<60, 0, 0
			}
			stays = append(stays, s)
		}
		return indexed.Career{Stays: stays}
	})
}

func timelines() *rapid.Generator[query.Timeline] {
	return rapid.Custom(func(t *rapid.T) query.Timeline {
		tl := query.Timeline{Today: 20000}
		for range rapid.IntRange(0, 4).Draw(t, "steps") {
			s := query.Step{
				Order: rapid.SampledFrom([]query.Order{
					query.Later, query.Later, query.Next, query.Anytime,
				}).Draw(t, "order"),
				Employer: rapid.SampledFrom([]query.Employer{
					query.AnyEmployer, query.SameEmployer,
					query.OtherEmployer,
				}).Draw(t,
					"employer"),
			}
			s.Where = query.IDs{Values: rapid.SliceOfN(rapid.Int64Range(0, 5), 1, 5).Draw(t, "where")}
			if rapid.IntRange(0, 4).Draw(t, "gap") == 0 {
				s.Gap.Max = new(rapid.Int64Range(0, 6).Draw(t, "months"))
			}
			tl.Steps = append(tl.Steps, s)
		}
		tl.AtLeast = rapid.IntRange(0, len(tl.Steps)).Draw(t, "at least")
		return tl
	})
}

// positioned holds for the spells at the named positions.
func positioned(p indexed.JobPosition, q query.Query) bool {
	ids, is := q.(query.IDs)
	return is && slices.Contains(ids.Values, int64(p.Index))
}

// A timeline holds exactly if some choice of spells meets it. The test tries every choice, and
// compares its steps one by one.
func TestTimelineHoldsIfAnyChoiceOfSpellsMeetsIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c, tl := careers().Draw(t, "career"), timelines().Draw(t, "timeline")
		by, got := c.Holds(tl, positioned)
		if want := someChoice(c, tl, 0, nil, nil); got != want {
			t.Fatalf("holds: %t, want %t", got, want)
		}
		if got && !chosen(c, tl, by) {
			t.Fatalf("the returned spells %v do not meet the timeline", by)
		}
	})
}

// someChoice tries every spell for every step, and omitting the step.
func someChoice(c indexed.Career, tl query.Timeline, step int, spells, steps []int) bool {
	if step == len(tl.Steps) {
		need := tl.AtLeast
		if need == 0 {
			need = len(tl.Steps)
		}
		return len(steps) >= need && meets(c, tl, spells, steps)
	}
	if someChoice(c, tl, step+1, spells, steps) {
		return true
	}
	for i := range c.Stays {
		if someChoice(c, tl, step+1, append(slices.Clone(spells), i), append(slices.Clone(steps), step)) {
			return true
		}
	}
	return false
}

// meets reports whether spells meet steps, none of which is omitted.
func meets(c indexed.Career, tl query.Timeline, spells, steps []int) bool {
	for k, i := range spells {
		s := tl.Steps[steps[k]]
		if !positioned(c.Stays[i].Jobs[0], s.Where) || slices.Contains(spells[:k], i) {
			return false
		}
		if k > 0 && !follows(c, s, spells[:k], i) {
			return false
		}
	}
	return true
}

// follows restates how a spell relates to earlier ones, in the words of the documentation.
func follows(c indexed.Career, s query.Step, before []int, i int) bool {
	a, b := c.Stays[before[len(before)-1]], c.Stays[i]
	inOrder := map[query.Order]bool{
		query.Anytime: true,
		query.Next:    b.Before == before[len(before)-1],
		query.Later: (a.Begin < b.Begin || a.Begin == b.Begin && a.Until < b.Until) &&
			(a.Employer > 0 && a.Employer == b.Employer || a.EarliestUntil <= b.LatestBegin+31),
	}
	near := s.Gap.Max == nil || !a.Held && b.Dated && max(0, b.EarliestFrom-a.LatestTo) <= *s.Gap.Max
	return inOrder[s.Order] && near && hasEmployer(c, s, before, b)
}

// hasEmployer reports whether a stay has the employer that a step wants after the stays before.
func hasEmployer(c indexed.Career, s query.Step, before []int, stay indexed.Spell) bool {
	of := func(k int) int { return c.Stays[k].Employer }
	switch s.Employer {
	case query.SameEmployer:
		return stay.Employer != 0 && of(before[len(before)-1]) == stay.Employer
	case query.OtherEmployer:
		return stay.Employer != 0 &&
			!slices.ContainsFunc(before, func(k int) bool { return of(k) == 0 || of(k) == stay.Employer })
	case query.AnyEmployer:
	}
	return true
}

// chosen reports whether the jobs that a timeline returns meet it.
func chosen(c indexed.Career, tl query.Timeline, by []indexed.JobPosition) bool {
	spells := make([]int, len(by))
	for i, p := range by {
		spells[i] = p.Index
	}
	var some func(from int, steps []int) bool
	some = func(from int, steps []int) bool {
		if len(steps) == len(spells) {
			return meets(c, tl, spells, steps)
		}
		for step := from; step < len(tl.Steps); step++ {
			if some(step+1, append(slices.Clone(steps), step)) {
				return true
			}
		}
		return false
	}
	return some(0, nil)
}

// Hundreds of jobs are evaluated fast, whatever sequence is asked for.
func TestTimelineOfALongCareerIsFast(t *testing.T) {
	var c indexed.Career
	for i := range int64(400) {
		c.Stays = append(c.Stays, indexed.Spell{
			Jobs: []indexed.JobPosition{{Path: query.Past, Index: int(i)}}, Employer: 1, Begin: i, Until: i,
			LatestBegin:   i,
			EarliestUntil: i, Dated: true,
		})
	}
	tl := query.Timeline{Steps: make([]query.Step, query.MaxSteps)}
	tl.Steps[query.MaxSteps-1].Where = query.IDs{Values: []int64{3}} // before the others
	if _, holds := c.Holds(tl, positioned); holds {
		t.Error("a sequence of eight jobs holds although its last job came fourth")
	}
	tl.Steps[query.MaxSteps-1].Where = query.IDs{Values: []int64{7}}
	if by, holds := c.Holds(tl, positioned); !holds || by[7].Index != 7 {
		t.Errorf("got %v, %t; want the first eight jobs", by, holds)
	}
}

// The first and the last step are met by one job only, and those between by all others.
func TestEmployersOfALongCareerAreFast(t *testing.T) {
	var c indexed.Career
	others := make([]int64, 400)
	for i := range others {
		others[i] = int64(i + 1)
	}
	for i := range len(others) + 1 {
		c.Stays = append(c.Stays, indexed.Spell{
			Jobs: []indexed.JobPosition{{Path: query.Past, Index: i}}, Employer: i + 1,
		})
	}
	var tl query.Timeline
	for i := range query.MaxSteps {
		s := query.Step{Order: query.Anytime, Employer: query.OtherEmployer}
		if s.Where = (query.IDs{Values: others}); i == 0 || i == query.MaxSteps-1 {
			s.Where = query.IDs{Values: []int64{0}}
		}
		tl.Steps = append(tl.Steps, s)
	}
	if _, holds := c.Holds(tl, positioned); holds {
		t.Error("one job meets two steps")
	}
	tl.AtLeast = query.MaxSteps - 1
	if by, holds := c.Holds(tl, positioned); !holds || len(by) != tl.AtLeast {
		t.Errorf("got %v, %t; want seven jobs", by, holds)
	}
}
