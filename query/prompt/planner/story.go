package planner

import (
	"slices"

	"kith/query/prompt/frame"
	"kith/query/prompt/quantity"
)

// events adds the events of the marks with a time to the people's own facts.
func (s *resolver) events(steps []bucket) {
	end := 0
	for _, m := range s.marks {
		if m.Optional && m.Kind == frame.When {
			s.ignored = append(s.ignored, [2]int{m.from, m.to})
		}
		if m.Kind != frame.When || m.Optional || m.from < end {
			continue
		}
		v := nothing(m.from, m.to)
		if e := s.period(m); e != nil {
			end = e.to
			where := steps[m.Step].jobAt(m)
			kind := eventOf(m.Event, where)
			args := []arg{{word: kind}, {val: limited(s.use(e), m)}}
			for _, w := range where {
				if kind != "became" {
					args = append(args, arg{val: w.value})
				}
			}
			if built, ok := buildEvent(s.chart, args); ok {
				v = built
			}
			if m.Not {
				v, _ = negated(s.chart, []arg{{val: v}})
			}
		}
		steps[0] = append(steps[0], element{m.Kind, "", m.Not, m.from, v})
	}
}

// limited returns a time with the bound of its mark, unless its words have one. Within the last years is no date.
func limited(time value, m marked) value {
	return time.each(func(f *fact) {
		if f.number.Kind == quantity.Date && f.number.Op == quantity.Equal && m.Bound != frame.Last {
			q, _ := fitted(*f.number, m, false)
			f.number = &q
		}
	})
}

// eventOf returns the name of an event for buildEvent.
func eventOf(e frame.Event, where []element) string {
	switch {
	case e == "":
		return string(frame.Held)
	case e == frame.Joined && len(where) > 0 && where[0].time != "":
		return "hired"
	}
	return string(e)
}

// jobAt returns the job that a time is about: the company, industry or, if people held it then, title closest to it.
func (b bucket) jobAt(m marked) []element {
	distance := func(e element) int { return max(e.from-m.from, m.from-e.from) }
	var found []element
	for _, e := range b {
		isJob := e.kind == frame.Company || e.kind == frame.Industry || e.kind == frame.Title && m.Event == frame.Held
		if !isJob || e.not || m.Event == frame.Left && e.time == "" {
			continue
		}
		if len(found) == 0 || distance(e) < distance(found[0]) {
			found = []element{e}
		}
	}
	return found
}

// story returns the facts of the people themselves, with the careers and relations that the cues tell.
func (s *resolver) story(steps []bucket) value {
	said := map[frame.How][]marked{}
	var hows []frame.How
	for _, m := range s.marks {
		if m.Kind != frame.Cue {
			continue
		}
		if m.Optional {
			s.ignored = append(s.ignored, [2]int{m.from, m.to})
			continue
		}
		if said[m.How] == nil {
			hows = append(hows, m.How)
		}
		said[m.How] = append(said[m.How], m)
	}
	if cue, ok := s.unmarkedCue(steps); ok && len(hows) == 0 {
		said[cue.How], hows = []marked{cue}, []frame.How{cue.How}
	}
	var out value
	main := steps[0]
	for i, how := range hows {
		t := teller{resolver: s, cues: said[how], how: how, main: &main}
		if i == len(hows)-1 || len(hows) == 1 || needsSteps(how) { // the steps belong to one cue
			for n := range t.steps {
				t.steps[n], steps[n+1] = steps[n+1], nil
			}
		}
		out = append(out, t.tell()...)
	}
	for _, b := range steps[1:] {
		main = append(main, b...)
	}
	return append(main.facts(), out...)
}

// unmarkedCue returns the cue of steps without one: the longest unmarked words of a class that tells a career or
// relation. Without any, several steps are jobs in turn.
func (s *resolver) unmarkedCue(steps []bucket) (cue marked, ok bool) {
	if len(steps[1]) == 0 {
		return cue, false
	}
	for from, leaves := range s.reader.leaves {
		for _, l := range leaves {
			how := frame.How(s.cueClasses[l.name])
			if how != "" && s.isFree(from, l.to, marked{}) && l.to-from > cue.to-cue.from {
				cue = marked{frame.Mark{Kind: frame.Cue, How: how}, from, l.to}
			}
		}
	}
	if cue.How != "" {
		return cue, true
	}
	first := steps[1][0].from
	return marked{frame.Mark{Kind: frame.Cue, How: frame.Then}, first, first + 1}, len(steps[2]) > 0
}

// needsSteps reports whether a cue says nothing without the people or jobs of its steps.
func needsSteps(how frame.How) bool {
	return how != frame.None && how != frame.Count && how != frame.Only
}

// teller makes facts of the cues of one career or relation.
type teller struct {
	*resolver
	cues  []marked
	how   frame.How
	steps [frame.MaxStep]bucket
	main  *bucket
}

// tell returns the facts. What they cannot express is noted.
func (t *teller) tell() value {
	var v value
	switch {
	case t.how == frame.Intro:
		v = t.introduction()
	case t.isCareer():
		v = t.career()
	default:
		v = t.relation()
	}
	if v == nil {
		return t.told()
	}
	if t.cues[0].Not {
		if no, ok := negated(t.chart, []arg{{val: v}}); ok {
			return no
		}
	}
	return v
}

// told returns a note about the words of the cues. The jobs of a career may be any; nothing is asked about the people
// of a relation.
func (t *teller) told() value {
	var out value
	if t.isCareer() {
		out = t.single(anyTime)
	} else {
		for _, f := range t.everyone() {
			out = append(out, noteOf("", value{f}.allSpans()))
		}
	}
	return append(out, noteOf("no filter tells this part of a career or relation", t.spans()))
}

// isCareer reports whether the cues are about jobs and not about other people.
func (t *teller) isCareer() bool {
	others := []frame.How{frame.Intro, frame.Knows, frame.WorkedWith, frame.StudiedWith, frame.Other}
	return !slices.Contains(others, t.how)
}

// spans returns the words of the cues.
func (t *teller) spans() (out [][2]int) {
	for _, m := range t.cues {
		out = append(out, [2]int{m.from, m.to})
	}
	return out
}

// says reports whether some words of the cues have one of the word classes.
func (t *teller) says(classes ...string) bool {
	return slices.ContainsFunc(t.cues, func(m marked) bool { return t.hasClass(m, classes...) })
}
