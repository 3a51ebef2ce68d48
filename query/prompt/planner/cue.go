package planner

import (
	"slices"
	"strings"

	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/grammar"
	"kith/query/prompt/quantity"
	"kith/query/prompt/token"
)

// leads marks the field of people in charge of it.
func (w *framer) leads(e *edge, x grammar.Expr, as frame.Mark) {
	parts := w.covered(e, x)
	for _, p := range parts {
		name := w.grammar.Name(p.sym)
		if name == "Leader" || name == "Level" || name == "LEADS" {
			continue
		}
		w.mark(frame.Lead, p.from, p.to, as)
	}
}

// number marks the numbers of a quantity, with their bounds.
func (w *framer) number(e *edge, as frame.Mark) {
	if e.leaf == nil {
		for _, p := range e.parts {
			w.number(p, as)
		}
		return
	}
	if len(e.val) != 1 || e.val[0].number == nil {
		return
	}
	runs := w.numbersIn(e.from, e.to)
	as.Bound = boundOf(*e.val[0].number, as.Kind, len(runs))
	if len(runs) == 0 {
		runs = [][2]int{{e.from, e.to}}
	}
	for i, r := range runs[:min(2, len(runs))] {
		if i == 1 {
			as.Bound = frame.Max
		}
		w.mark(as.Kind, r[0], r[1], as)
	}
}

// boundOf returns the bound of the first number of a quantity that is written with so many numbers.
func boundOf(q quantity.Quantity, kind frame.Kind, numbers int) frame.Bound {
	if q.Kind == quantity.Ago {
		return frame.Last
	}
	switch q.Op {
	case quantity.AtLeast, quantity.More:
		return frame.Min
	case quantity.AtMost, quantity.Less:
		return frame.Max
	case quantity.Between:
		switch {
		case numbers > 1:
			return frame.Min
		case q.Kind != quantity.Date: // a decade is exact
			return frame.About
		}
	case quantity.Equal:
		if kind == frame.Years && q.Open {
			return frame.Min
		}
	}
	return frame.Equal
}

// numbersIn returns the runs of words within a span that are numbers.
func (w *framer) numbersIn(from, to int) (out [][2]int) {
	for i := from; i < to; i++ {
		tokens := []token.Token{w.text.words[i].Token}
		if english := w.reader.language.Says[w.text.norm(i)]; english != "" {
			tokens[0].Text, tokens[0].Norm = english, english
		}
		q, n := quantity.Read(tokens)
		isNumber := w.text.words[i].Kind == token.Number || n > 0 && q.A > 0
		if w.text.words[i].mark != "" || !isNumber {
			continue
		}
		if len(out) > 0 && out[len(out)-1][1] == i && w.text.words[i].Kind != token.Number {
			out[len(out)-1][1] = i + 1
			continue
		}
		out = append(out, [2]int{i, i + 1})
	}
	return out
}

// careerHows returns what the forms of careers, and the kinds of relations, are in marks.
func careerHows() map[string]frame.How {
	return map[string]frame.How{
		"first": frame.First, "started": frame.First, "previous": frame.Before, "turn": frame.Then, "turn_now": frame.Then,
		"moved": frame.Moved, "promoted": frame.Promoted, "together": frame.AtLeast, "back": frame.Returned,
		"back_via": frame.Returned, "only": frame.Only, "one_employer": frame.Only, "stayed": frame.Stay,
		"before": frame.Stay, "left_within": frame.Stay, "never_longer": frame.Stay, "count": frame.Count,
		"out_of_work": frame.None, "break": frame.Other,
		string(prompt.WorkedWith): frame.WorkedWith, string(prompt.FormerColleague): frame.WorkedWith,
		string(prompt.SameSchool): frame.StudiedWith, string(prompt.Knows): frame.Knows,
	}
}

// told marks a career, a relation, the network or an event: the words that say it, and the steps.
func (w *framer) told(e *edge, x grammar.Expr, as frame.Mark, word string) {
	switch {
	case x.Call == "event":
		w.happened(e, x, as, word)
		return
	case x.Call == "network" && word != "introduce":
		as.Reach = map[string]frame.Reach{"second": frame.FriendsOf, "all": frame.WholeNetwork}[word]
		if as.Reach == "" {
			as.Reach = frame.Known
		}
		w.cue(frame.Network, e, as)
		return
	}
	as.How = howOf(x.Call, word)
	w.cue(frame.Cue, e, as)
	if x.Call == "promoted" { // its job is the people's own
		return
	}
	isOneStep := x.Call == "with" || x.Call == "network"
	inner := frame.Mark{Time: as.Time}
	for _, a := range x.Args[1:] {
		parts := w.covered(e, a)
		if len(parts) == 0 {
			continue
		}
		if v := parts[0].val; len(v) == 1 && v[0].number != nil && v[0].name == "" {
			w.number(parts[0], frame.Mark{Kind: frame.Years, Side: frame.TenureSide})
			continue
		}
		if inner.Step++; isOneStep || inner.Step > frame.MaxStep {
			inner.Step = 1
		}
		w.expression(e, a, inner)
	}
}

// howOf returns what a constructor of a career or relation is in marks.
func howOf(call, word string) frame.How {
	switch call {
	case "network":
		return frame.Intro
	case "some":
		return frame.AtLeast
	case "promoted":
		return frame.Promoted
	}
	if how := careerHows()[word]; how != "" {
		return how
	}
	return frame.Other
}

// cue marks the words of a phrase that are grammar: the first run of them with more than prepositions. Where they tell
// a number of jobs, the number is among them.
func (w *framer) cue(kind frame.Kind, e *edge, as frame.Mark) {
	as.Kind = ""
	from, to, isSaid := -1, -1, false
	for _, p := range e.parts {
		isClass := p.leaf != nil && len(p.val) == 0 && w.isClassName(p.sym) ||
			(as.How == frame.Count || as.How == frame.AtLeast) && (len(p.val) == 0 || p.val[0].number != nil)
		switch {
		case !isClass && isSaid:
			w.mark(kind, from, to, as)
			return
		case !isClass:
			from = -1
			continue
		case from < 0:
			from = p.from
		}
		to, isSaid = p.to, isSaid || !slices.Contains(joining(), w.grammar.Name(p.sym))
	}
	if from >= 0 {
		w.mark(kind, from, to, as)
	}
}

// isClassName reports whether a category is a word class.
func (w *framer) isClassName(s grammar.Symbol) bool {
	name := w.grammar.Name(s)
	return strings.ToUpper(name) == name && name[0] != '"'
}

// joining returns the word classes that say nothing by themselves.
func joining() []string {
	return []string{
		"AT", "FOR", "IN", "OF", "WITH", "FROM", "BY", "TO_WORD", "THAT", "WHO", "WHERE", "IS", "WORK", "ANY", "HAD", "AS",
	}
}

// happened marks the time of an event. Its job is marked by the rule's other constructors.
func (w *framer) happened(e *edge, x grammar.Expr, as frame.Mark, word string) {
	as.Event = map[string]frame.Event{
		"left": frame.Left, "joined": frame.Joined, "hired": frame.Joined, "became": frame.Became,
		"took_at_latest": frame.Became, "since": frame.Joined, "since_at_latest": frame.Joined,
	}[word]
	if as.Event == "" {
		as.Event = frame.Held
	}
	for _, p := range w.covered(e, x.Args[1]) {
		from := p.from
		for from < p.to-1 && w.text.words[from].Kind != token.Number && w.reader.has(from, "IN") {
			from++
		}
		w.mark(frame.When, from, p.to, frame.Mark{Event: as.Event, Not: as.Not})
	}
}
