package planner

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/taxonomy"
)

// frame returns what a derivation reads, as marks.
func (d *derivations) frame(n int) frame.Frame {
	w := framer{chart: d.chart}
	if n < len(d.best) {
		w.content = d.best[n].value.content()
		w.facts(d.best[n].value, frame.Mark{})
	}
	return w.frame()
}

// framer turns facts into marks of the words that express them.
type framer struct {
	*chart
	marks   []frame.Mark // with ranges of words
	content [][2]int     // the words that are no cues
}

// frame returns the marks so far, without those that overlap an earlier one.
func (w *framer) frame() frame.Frame {
	text := string(w.text.runes)
	bytes := func(codePoint int) int { return len(string(w.text.runes[:codePoint])) }
	slices.SortStableFunc(w.marks, func(a, b frame.Mark) int { return a.From - b.From })
	w.joinTitles()
	var marks []frame.Mark
	end := 0
	for _, m := range w.marks {
		for m.From < m.To && w.text.words[m.From].mark != "" {
			m.From++
		}
		for m.To > m.From && w.text.words[m.To-1].mark != "" {
			m.To--
		}
		if m.From < end || m.From >= m.To {
			continue
		}
		end = m.To
		if len(marks) == 0 {
			m.Join = ""
		}
		last := w.text.words[m.To-1]
		m.From = bytes(w.text.words[m.From].From)
		m.To = bytes(last.To)
		if name := strings.TrimRight(strings.TrimRight(text[m.From:m.To], "sS"), "'’"); last.Possessive && name != "" {
			m.To = m.From + len(name)
		}
		marks = append(marks, m)
	}
	f, err := frame.New(text, marks)
	if err != nil { // a reading that marks cannot tell is one without marks
		return frame.Frame{Prompt: text}
	}
	return f
}

// joinTitles makes the parts of a title one mark: a level right before or after it, or a word that qualifies it.
func (w *framer) joinTitles() {
	for i := len(w.marks) - 2; i >= 0; i-- {
		whole, next := w.marks[i], w.marks[i+1]
		isTitle := whole.Kind == frame.Title && (next.Kind == frame.Title || next.Kind == frame.Level) ||
			whole.Kind == frame.Level && next.Kind == frame.Title
		if !isTitle || whole.To != next.From || next.Join != "" {
			continue
		}
		whole.Kind, whole.To = frame.Title, next.To
		next.Kind, next.From, next.Join = whole.Kind, whole.From, whole.Join
		if whole == next {
			w.marks = slices.Replace(w.marks, i, i+2, whole)
		}
	}
}

// facts marks the words of facts; as has the attributes of what they are part of.
func (w *framer) facts(v value, as frame.Mark) {
	for i, f := range v {
		m := as
		m.Not = as.Not != f.not
		switch {
		case i == 0:
		case f.both && v[i-1].both && v[i-1].name == f.name:
			m.Join = frame.Both
		default:
			m.Join = ""
		}
		w.fact(f, m)
	}
}

// fact marks the words of one fact.
func (w *framer) fact(f fact, as frame.Mark) {
	switch {
	case len(f.choice) > 0:
		for i, alternative := range f.choice {
			if i > 0 {
				as.Join = frame.Or
			}
			w.facts(alternative, as)
		}
	case f.isStory():
		w.story(f, as)
	case f.event != nil:
		w.happened(f, as)
	case f.judge != "":
		w.mark(frame.Judgement, f.spans, as)
	case f.says != "":
		w.mark(frame.Unsupported, f.spans, frame.Mark{})
	case f.name != "" && !f.leads:
		w.filter(f, as)
	}
}

// mark marks spans. The later ones are alternatives to the first.
func (w *framer) mark(kind frame.Kind, spans [][2]int, as frame.Mark) {
	for i, s := range spans {
		as.Kind, as.From, as.To = kind, s[0], s[1]
		if i > 0 {
			as.Join = frame.Or
		}
		w.marks = append(w.marks, as)
	}
}

// filter marks the words of a fact that a filter expresses.
func (w *framer) filter(f fact, as frame.Mark) {
	kind := kindRows().ofFilter[f.name]
	switch {
	case isPlace(f.name) || isSeat(f.name):
		kind = frame.Place
		as.Side = sideOf(f)
	case f.led:
		kind = frame.Lead
	case slices.Contains(f.values, taxonomy.LevelFounder):
		kind = frame.Owner
	case f.name == query.FilterTenureYears:
		as.Side = frame.TenureSide
	}
	if kind != frame.Place && ofJob(f.name) && kind != frame.Years {
		as.Time = map[when]frame.Time{past: frame.Past, anyTime: frame.Any, previous: frame.Previous}[f.when]
	}
	if isNumber(kind) {
		w.numbers(kind, f.spans, as)
		return
	}
	w.mark(kind, f.spans, as)
}

// sideOf returns what a place belongs to.
func sideOf(f fact) frame.Side {
	switch {
	case isPlace(f.name):
		return ""
	case f.when == past && !f.gone: // as onceAt makes it
		return frame.AnySide
	}
	return frame.CompanySide
}

// story marks a career, a relation or the asker's network: the words that say it, and the steps.
func (w *framer) story(f fact, as frame.Mark) {
	steps, kind := f.steps, frame.Cue
	switch n := f.network; {
	case f.relate != nil:
		as.How, steps = howOf(f.relate.kind), []value{append(slices.Clone(f.relate.who), f.relate.jobs...)}
	case n != nil && n.to != nil:
		as.How, steps = frame.Intro, []value{n.to}
	case n != nil:
		kind, as.Reach = frame.Network, reachOf(n.degrees)
	default:
		as.How = f.how
	}
	as.Join, as.Step = "", 0
	for _, s := range f.spans {
		if from, to := w.cue(s); from < to {
			w.mark(kind, [][2]int{{from, to}}, as)
		}
	}
	n := 0
	for _, s := range steps {
		if len(s) == 1 && s[0].number != nil && s[0].name == "" {
			w.numbers(frame.Years, s[0].spans, frame.Mark{Side: frame.TenureSide})
			continue
		}
		n = min(n+1, frame.MaxStep)
		w.facts(s, frame.Mark{Step: n})
	}
}

// howOf returns what a relation is in marks.
func howOf(kind prompt.RelationKind) frame.How {
	switch kind {
	case prompt.WorkedWith, prompt.FormerColleague:
		return frame.WorkedWith
	case prompt.SameSchool:
		return frame.StudiedWith
	case prompt.Knows:
		return frame.Knows
	}
	return frame.Other
}

// reachOf returns what degrees of the network are in marks.
func reachOf(degrees []int) frame.Reach {
	switch {
	case len(degrees) > 1:
		return frame.WholeNetwork
	case slices.Contains(degrees, 2):
		return frame.FriendsOf
	}
	return frame.Known
}

// cue returns the words of a span that are grammar: the first run of them with more than prepositions.
func (w *framer) cue(span [2]int) (from, to int) {
	isContent := func(i int) bool {
		return w.text.words[i].mark != "" ||
			slices.ContainsFunc(w.content, func(s [2]int) bool { return s[0] <= i && i < s[1] })
	}
	for at := span[0]; at < span[1]; at++ {
		end := at
		for end < span[1] && !isContent(end) {
			end++
		}
		if end == at {
			continue
		}
		if from, to = at, end; w.says(from, to) {
			break
		}
		at = end
	}
	return from, to
}

// says reports whether a phrase within a span is grammar that says something by itself.
func (w *framer) says(from, to int) bool {
	joining := []string{
		"AT", "FOR", "IN", "OF", "WITH", "FROM", "BY", "TO_WORD", "THAT", "WHO", "WHERE", "IS", "WORK", "ANY", "HAD",
		"AS",
	}
	for _, leaves := range w.reader.leaves[from:to] {
		for _, l := range leaves {
			if l.to <= to && w.reader.isClass(l) && !slices.Contains(joining, l.name) {
				return true
			}
		}
	}
	return false
}

// happened marks the time of an event. Other facts have its job.
func (w *framer) happened(f fact, as frame.Mark) {
	switch f.event.kind {
	case "left", "joined", "became":
		as.Event = frame.Event(f.event.kind)
	case "hired":
		as.Event = frame.Joined
	default:
		as.Event = frame.Held
	}
	as.Join, as.Step = "", 0
	w.mark(frame.When, f.spans, as)
}
