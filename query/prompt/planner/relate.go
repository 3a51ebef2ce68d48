package planner

import (
	"slices"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/quantity"
)

// related requires a relation to the people of the second argument.
func related(_ *chart, args []arg) (value, bool) {
	who := args[1].val
	if len(who) == 0 {
		return nil, false
	}
	r := &relation{kind: prompt.RelationKind(args[0].word), who: who}
	if e := args[1].edge; e != nil {
		r.span = [2]int{e.from, e.to}
	}
	for _, a := range args[2:] {
		r.jobs = append(r.jobs, a.val...)
	}
	e := args[0].edge
	return value{{relate: r, spans: [][2]int{{e.from, e.to}}}}, true
}

// headed is the title that somebody holds now, and what else is said about them: other titles are of other jobs, of
// earlier ones if something of an earlier job is said.
func headed(_ *chart, args []arg) (value, bool) {
	title, _ := timed(now, false)(nil, args[:1])
	other := anyTime
	if slices.ContainsFunc(args[1].val, func(f fact) bool { return f.when == past }) {
		other = past
	}
	return append(title, args[1].val.each(func(f *fact) {
		if f.when == unsaid && slot(f.name, true) == query.FilterPosition {
			f.when = other
		}
	})...), len(title) > 0
}

// networked requires people of the asker's network; the first argument says which.
func networked(_ *chart, args []arg) (value, bool) {
	e := args[0].edge
	ask, span := &networkAsk{degrees: []int{1}}, [2]int{e.from, e.to}
	switch args[0].word {
	case "first":
	case "second":
		ask.degrees = []int{2}
	case "strongest":
		ask.strength = true
	case "introduce":
		ask.strength = true
		ask.to, _ = merge(nil, args[1:])
		span[1] = args[1].edge.from
	case "long_ago", "lately", "mailed":
		ask.recent, ask.email = args[0].word != "long_ago", args[0].word == "mailed"
		ask.since = findTime(args[1:])
	default:
		ask.degrees = []int{1, 2}
	}
	return value{{network: ask, spans: [][2]int{span}}}, true
}

// findTime returns the time among arguments, or half a year if there is none.
func findTime(args []arg) *quantity.Quantity {
	for _, a := range args {
		if len(a.val) == 1 && a.val[0].number != nil {
			return a.val[0].number
		}
	}
	return &quantity.Quantity{Kind: quantity.Ago, Op: quantity.More, A: longTime, Months: true}
}

// longTime is the number of months without contact that count as a long time.
const longTime = 6

// unpaired converts a choice between descriptions with the same fields to alternatives for each
// field. A step has only filters, which cannot keep pairs of name and employer together.
func unpaired(v value) (out value) {
	for _, f := range v {
		if len(f.choice) == 0 || f.not {
			out = append(out, f)
			continue
		}
		joined := slices.Clone(f.choice[0])
		for _, other := range f.choice[1:] {
			if len(other) != len(joined) {
				return v
			}
			for i := range joined {
				one, ok := union(nil, []arg{{val: value{joined[i]}}, {val: value{other[i]}}})
				if !ok || len(one[0].choice) > 0 {
					return v
				}
				joined[i] = one[0]
			}
		}
		out = append(out, joined...)
	}
	return out
}
