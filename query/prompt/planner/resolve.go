package planner

import (
	"context"
	"slices"
	"unicode/utf8"

	"kith"
	"kith/query/prompt"
	"kith/query/prompt/frame"
)

// Resolve returns the plan of a frame: it gives the marked words their meaning, with the tables and the dataset of a
// viewer. Whatever it cannot resolve is in the plan's notes or ignored words. It returns the vocabulary's errors.
func (p *Planner) Resolve(
	ctx context.Context, v kith.Viewer, f frame.Frame, mode prompt.Mode,
) (prompt.Plan, error) {
	s, err := p.resolver(ctx, v, f)
	if err != nil {
		return prompt.Plan{}, err
	}
	return s.plan(mode), nil
}

// Unmarked returns the words of a frame's prompt that mean something by themselves and are not marked, such as a place:
// a careful reader would have marked them, if only to say that nothing is asked for.
func (p *Planner) Unmarked(ctx context.Context, v kith.Viewer, f frame.Frame) (out []string, err error) {
	s, err := p.resolver(ctx, v, f)
	if err != nil {
		return nil, err
	}
	s.facts() // uses words beside the marks
	for _, run := range s.leftOver() {
		for i := run[0]; i < run[1]; i++ {
			if s.hasStrongReading(i) {
				out = append(out, s.text.wording(run[0], run[1]))
				break
			}
		}
	}
	return out, nil
}

// resolver reads the prompt of a frame.
func (p *Planner) resolver(ctx context.Context, v kith.Viewer, f frame.Frame) (*resolver, error) {
	spans := make([][2]int, 0, len(f.Marks))
	for _, m := range f.Marks {
		spans = append(spans, codePoints(f, m))
	}
	r, err := p.readPrompt(ctx, v, f.Prompt, spans)
	if err != nil {
		return nil, err
	}
	return newResolver(p.newChart(r), f), nil
}

// codePoints returns the range of a mark in code points.
func codePoints(f frame.Frame, m frame.Mark) [2]int {
	from := utf8.RuneCountInString(f.Prompt[:m.From])
	return [2]int{from, from + utf8.RuneCountInString(f.Words(m))}
}

// resolver makes a plan of a frame, with the readings of a prompt's chart.
type resolver struct {
	*chart
	marks []marked
	// owner is the index of the mark of each word, -1 for none. used marks the words outside marks that told how to
	// read a mark.
	owner []int
	used  []bool
	fixes []fix
	// ignored are the spans that ask for nothing.
	ignored [][2]int
}

// marked is a mark with the range of its words.
type marked struct {
	frame.Mark
	from, to int
}

// has reports whether a word is one of the mark.
func (m marked) has(word int) bool { return m.from <= word && word < m.to }

// allows reports whether all words of a span that marks have satisfy a condition.
func (s *resolver) allows(from, to int, may func(word int, of marked) bool) bool {
	for i := from; i < to; i++ {
		if s.owner[i] >= 0 && !may(i, s.marks[s.owner[i]]) {
			return false
		}
	}
	return true
}

func newResolver(c *chart, f frame.Frame) *resolver {
	s := &resolver{chart: c, owner: make([]int, c.words), used: make([]bool, c.words)}
	for i := range s.owner {
		s.owner[i] = -1
	}
	for _, m := range f.Marks {
		span := codePoints(f, m)
		from, to := c.text.wordsIn(span[0], span[1])
		for from < to && s.owner[from] >= 0 { // a word that two marks share belongs to the first
			from++
		}
		if from >= to {
			continue
		}
		for i := from; i < to; i++ {
			s.owner[i] = len(s.marks)
		}
		s.marks = append(s.marks, marked{m, from, to})
	}
	for i, m := range s.marks {
		s.marks[i].Time = companyTime(s.marks, m)
	}
	return s
}

// companyTime returns the time of a mark. Without one of its own, the size, stage or year of a company has that of the
// company or industry closest to it: worked at a bank with 500 people.
func companyTime(all []marked, m marked) frame.Time {
	isOfCompany := m.Kind == frame.Size || m.Kind == frame.Stage || m.Kind == frame.Founded
	if !isOfCompany || m.Time != "" {
		return m.Time
	}
	best, time := mostAround+1, m.Time
	for _, o := range all {
		isCompany := o.Kind == frame.Company || o.Kind == frame.Industry
		if d := max(o.from-m.to, m.from-o.to); isCompany && o.Step == m.Step && !o.Optional && d < best {
			best, time = d, o.Time
		}
	}
	return time
}

// plan returns the plan of all marks.
func (s *resolver) plan(mode prompt.Mode) prompt.Plan {
	plan := s.reader.build(s.facts(), mode)
	plan.Corrections = s.reader.corrections(s.fixes)
	b := &builder{reader: s.reader, plan: plan}
	b.ignore(append(s.ignored, s.leftOver()...))
	return orText(s.reader, b.plan, mode)
}

// facts returns the facts of all marks.
func (s *resolver) facts() value {
	steps := make([]bucket, frame.MaxStep+1)
	for i, m := range s.marks {
		switch {
		case m.Optional, m.Bound == frame.Word && hasNumber(s.marks, m): // mid-size, say 80 to 400 people
			s.ignored = append(s.ignored, [2]int{m.from, m.to})
		case m.Kind == frame.Cue, m.Kind == frame.Network, m.Kind == frame.When:
		default:
			s.add(&steps[m.Step], i)
		}
	}
	s.events(steps)
	out := s.story(steps)
	return slices.Concat(out, s.network(), unmarkedNotes(s))
}

// foreignFiller is the kind of fillers of other languages. A reader that leaves them unmarked has understood them.
const foreignFiller = "foreign"

// unmarkedNotes returns the notes on phrases beside all marks that ask for what no record has: willing to relocate.
func unmarkedNotes(s *resolver) (out value) {
	for i := 0; i < s.words; i++ {
		var longest *leaf
		for _, l := range s.reader.leaves[i] {
			isNote := l.name == "Filler" && len(l.value) > 0 && l.to > i+1 && s.isFree(i, l.to, marked{})
			if isNote && l.sense.Name != foreignFiller && (longest == nil || l.to > longest.to) {
				longest = l
			}
		}
		if longest == nil {
			continue
		}
		out = append(out, longest.value...)
		for j := i; j < longest.to; j++ {
			s.used[j] = true
		}
		i = longest.to - 1
	}
	return out
}

// hasNumber reports whether one of some marks says in a number what a mark says in a word.
func hasNumber(all []marked, m marked) bool {
	return slices.ContainsFunc(all, func(o marked) bool {
		return o.Kind == m.Kind && o.Step == m.Step && o.Bound != frame.Word && !o.Optional
	})
}

// bucket holds what the marks of one step ask for, in the order of the prompt.
type bucket []element

// element is the value of a mark and of those that join it.
type element struct {
	kind  frame.Kind
	time  frame.Time
	not   bool
	from  int
	value value
}

// facts returns the facts of all elements.
func (b bucket) facts() (out value) {
	for _, e := range b {
		out = append(out, e.value...)
	}
	return out
}

// add adds the value of a mark to its step.
func (s *resolver) add(b *bucket, i int) {
	m := s.marks[i]
	if isNumber(m.Kind) && m.Bound != frame.Word {
		s.addNumber(b, i)
		return
	}
	v := s.attributed(m, s.meaning(m))
	at := b.joined(m)
	if m.Join == "" || at < 0 || m.Not || asksNothing(v) || asksNothing((*b)[at].value) {
		*b = append(*b, element{m.Kind, m.Time, m.Not, m.from, v})
		return
	}
	e := &(*b)[at]
	if m.Join == frame.Or {
		if one, ok := union(s.chart, []arg{{val: e.value}, {val: v}}); ok {
			e.value = one
			return
		}
	}
	e.value, _ = both(s.chart, []arg{{val: e.value}, {val: v}})
}

// asksNothing reports whether a value has only notes and ignored words: no alternative to anything.
func asksNothing(v value) bool {
	return !slices.ContainsFunc(v, func(f fact) bool { return !f.nobody || !f.soft || f.name != "" })
}

// joined returns the index of the element that a mark joins: the last of its kind, else the last; -1 for none.
func (b bucket) joined(m marked) int {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i].kind == m.Kind && b[i].not == m.Not {
			return i
		}
	}
	return len(b) - 1
}

// attributed gives a value the time, side and polarity of its mark.
func (s *resolver) attributed(m marked, v value) value {
	args := []arg{{val: v}}
	change := func(c constructor) {
		if changed, ok := c(s.chart, args); ok {
			args[0].val = changed
		}
	}
	switch m.Time {
	case frame.Past:
		change(timed(past, m.Kind == frame.Company || !s.leavesCompany(m.Step)))
	case frame.Any:
		change(timed(anyTime, false))
	case frame.Previous:
		change(timed(previous, false))
	}
	if m.Kind == frame.Place {
		switch m.Side {
		case frame.CompanySide:
			change(atSeat)
		case frame.AnySide:
			args[0].edge = &edge{from: m.from, to: m.to}
			change(onceAt)
			change(func(_ *chart, args []arg) (value, bool) {
				return args[0].val.each(func(f *fact) {
					if f.when == past {
						f.when = anyTime
					}
				}), true
			})
		case frame.EitherSide, frame.TenureSide:
		}
	}
	if m.Not {
		change(negated)
	} else if s.isWish(m) {
		change(soft)
	}
	return s.withoutPastSeats(args[0].val)
}

// withoutPastSeats replaces facts about the seat of an earlier company by a note, unless records have it.
func (s *resolver) withoutPastSeats(v value) value {
	out := slices.Clone(v)
	for i, f := range out {
		if f.when > now && isSeat(f.name) && counterpart(f.name, f.when) == f.name {
			out[i] = noteOf(noPastSeat, f.spans)
		}
	}
	return out
}

// leavesCompany reports whether a step has a company that the people have left. A title at it has ended, too, but they
// may have such a title elsewhere.
func (s *resolver) leavesCompany(step int) bool {
	return slices.ContainsFunc(s.marks, func(m marked) bool {
		return m.Kind == frame.Company && m.Time == frame.Past && m.Step == step && !m.Optional
	})
}

// leftOver returns the runs of words that no mark explains and that are more than grammar.
func (s *resolver) leftOver() [][2]int { return runs(s.words, s.isLeft) }

// isLeft reports whether a word is neither marked nor grammar.
func (s *resolver) isLeft(i int) bool {
	return s.owner[i] < 0 && !s.used[i] && s.text.words[i].mark == "" && !s.inside[i] && !s.reader.isFiller(i) &&
		!s.reader.grammarWord(i)
}

// hasStrongReading reports whether a word begins the name of a title, place, company, school, trade or skill.
func (s *resolver) hasStrongReading(i int) bool {
	strong := []string{"Role", "Founder", "Place", "Company", "School", "Industry", "Kind", "Skill", "Degree", "Name"}
	return slices.ContainsFunc(s.reader.leaves[i], func(l *leaf) bool {
		needsCue := l.sense != nil && l.sense.NeedsCue
		return slices.Contains(strong, l.name) && len(l.fixes) == 0 && !needsCue && (l.sense != nil || l.known)
	})
}

// orText returns a plan, or a search for all words if it asks for nothing. What no record can answer finds nobody, and
// the notes say why.
func orText(r *reader, plan prompt.Plan, mode prompt.Mode) prompt.Plan {
	switch {
	case !plan.IsEmpty():
		return plan
	case len(plan.Notes) == 0:
		return r.textSearch(mode)
	}
	plan.Nothing = true
	return plan
}
