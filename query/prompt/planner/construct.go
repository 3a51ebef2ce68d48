package planner

import (
	"slices"

	"kith/query"
	"kith/query/prompt/grammar"
	"kith/query/prompt/quantity"
	"kith/query/tokenizer"
)

// arg is an argument of a constructor: the value of a part, or a word.
type arg struct {
	val  value
	word string
	edge *edge
}

// constructor builds a value. It returns false if the arguments do not fit; the phrase is then invalid.
type constructor func(c *chart, args []arg) (value, bool)

// constructors returns the functions that the grammar's rules can call. They contain no words.
func constructors() map[string]constructor {
	return map[string]constructor{
		"merge":     merge,
		"union":     union,
		"both":      both,
		"now":       timed(now, false),
		"past":      timed(past, true),
		"ended":     timed(past, false),
		"head":      headed,
		"any":       timed(anyTime, false),
		"previous":  timed(previous, false),
		"not":       negated,
		"soft":      soft,
		"seat":      atSeat,
		"as":        as,
		"range":     ranged,
		"lead":      lead,
		"either":    either,
		"unknown":   unknownAs,
		"note":      noted,
		"with":      related,
		"network":   networked,
		"company":   onlyJob,
		"described": described,
		"inside":    inside,
		"title":     titled,
		"event":     buildEvent,
		"drop":      dropped,
		"career":    buildCareer,
		"some":      requireSome,
		"once_at":   onceAt,
		"renamed":   renamed,
		"this_year": timeIn(quantity.Quantity{Kind: quantity.Date, Op: quantity.AtLeast}),
		"last_year": timeIn(quantity.Quantity{Kind: quantity.Date, A: -1}),
		"lately":    timeIn(quantity.Quantity{Kind: quantity.Ago, Op: quantity.AtMost, A: 1}),
		"dates":     dates, "since": since, "old": old,
		"bounded": bounded, "compared": compared,
		"aged": aged, "year": requireYear, "promoted": promotedTo,
		"levels":  levels,
		"said":    asWorded,
		"campus":  campus,
		"beside":  beside,
		"apart":   apart,
		"above":   above,
		"instead": corrects,
		"later":   later,
		"earlier": earlier,

		"spread_before": spreadBefore, "spread_after": spreadAfter, "spread_comma": spreadComma, "qualified": qualified,
	}
}

// evaluate returns the value of a phrase, and whether it is valid.
func (c *chart) evaluate(e *edge) (value, bool) {
	if e.evaluated {
		return e.val, e.ok
	}
	e.evaluated = true
	switch {
	case e.leaf != nil:
		e.val, e.ok = e.leaf.value, true
	case e.rule == nil:
		e.ok = true
	case e.rule.Expr.Call == "" && e.rule.Expr.Part == 0:
		e.val, e.ok = c.all(e)
	default:
		a, ok := c.apply(e, e.rule.Expr)
		e.val, e.ok = a.val, ok
	}
	return e.val, e.ok
}

// all returns the combined value of all parts.
func (c *chart) all(e *edge) (value, bool) {
	var out value
	for _, p := range e.parts {
		v, ok := c.evaluate(p)
		if !ok {
			return nil, false
		}
		out = append(out, v...)
	}
	return out, true
}

// apply evaluates an expression of a phrase's rule.
func (c *chart) apply(e *edge, x grammar.Expr) (arg, bool) {
	switch {
	case x.Part > 0:
		i := slices.Index(e.rule.At, x.Part)
		if i < 0 { // an optional part that is absent
			return arg{}, true
		}
		v, ok := c.evaluate(e.parts[i])
		return arg{val: v, edge: e.parts[i]}, ok
	case x.Call == "":
		return arg{word: x.Word}, true
	}
	args := make([]arg, 0, len(x.Args))
	for _, sub := range x.Args {
		a, ok := c.apply(e, sub)
		if !ok {
			return arg{}, false
		}
		if a.edge == nil {
			a.edge = e
		}
		args = append(args, a)
	}
	v, ok := c.constructors[x.Call](c, args)
	return arg{val: v, edge: e}, ok
}

// merge requires all of its arguments.
func merge(_ *chart, args []arg) (value, bool) {
	var out value
	for _, a := range args {
		out = append(out, a.val...)
	}
	return out, true
}

// union requires one of two values: as alternatives if both are about one filter, else as a choice.
func union(c *chart, args []arg) (value, bool) {
	a, b := args[0].val, args[1].val
	if len(a) == 0 || len(b) == 0 {
		return nil, false
	}
	if len(a) == 1 && len(b) == 1 && sameFilter(a[0], b[0]) && !a[0].both {
		f := a[0]
		if f.name == query.FilterCompany {
			f.companies = append(a[0].each(), b[0].each()...)
		}
		f.values = appendNew(f.values, b[0].values...)
		f.keywords = appendNew(f.keywords, b[0].keywords...)
		f.broader = appendNew(f.broader, b[0].broader...)
		f.excluded = appendNew(f.excluded, b[0].excluded...)
		f.spans = append(slices.Clip(f.spans), b[0].spans...)
		f.nobody = f.nobody && b[0].nobody
		return value{f}, true
	}
	if len(a) == 1 && len(a[0].choice) > 0 {
		return value{{choice: append(slices.Clip(a[0].choice), b)}}, true
	}
	return value{{choice: []value{a, b}}}, true
}

// sameFilter reports whether the alternatives of two facts fit in one filter.
func sameFilter(a, b fact) bool {
	return a.name == b.name && a.name != "" && a.when == b.when && a.not == b.not && a.soft == b.soft &&
		a.gone == b.gone && len(a.choice)+len(b.choice) == 0 && a.number == nil && b.number == nil &&
		(len(a.values) == 0) == (len(b.values) == 0)
}

// either requires one of two whole descriptions.
func either(_ *chart, args []arg) (value, bool) {
	if len(args[0].val) == 0 || len(args[1].val) == 0 {
		return nil, false
	}
	return value{{choice: []value{args[0].val, args[1].val}}}, true
}

// both requires each of its arguments.
func both(_ *chart, args []arg) (value, bool) {
	var out value
	for _, a := range args {
		out = append(out, a.val.each(func(f *fact) { f.both = true })...)
	}
	return out, len(out) > 0
}

// timed sets the jobs that a value is about, unless already set. With gone, the value must no longer hold.
func timed(when when, gone bool) constructor {
	return func(_ *chart, args []arg) (value, bool) {
		v, _ := merge(nil, args)
		return v.each(func(f *fact) {
			if f.when != unsaid || !ofJob(f.name) && len(f.choice) == 0 {
				return
			}
			f.when, f.gone = when, gone
		}), len(v) > 0
	}
}

// negated requires that a value does not hold.
func negated(_ *chart, args []arg) (value, bool) {
	v, _ := merge(nil, args)
	if len(v) == 1 && len(v[0].choice) > 0 { // not A or B: neither
		var out value
		for _, c := range v[0].choice {
			one, _ := negated(nil, []arg{{val: c}})
			out = append(out, one...)
		}
		return out, true
	}
	if len(v) == 1 {
		return v.each(func(f *fact) { f.not, f.gone = !f.not, false }), true
	}
	if len(v) == 0 {
		return nil, false
	}
	return value{{choice: []value{v}, not: true}}, true
}

// soft turns a requirement into a preference.
func soft(_ *chart, args []arg) (value, bool) {
	v, _ := merge(nil, args)
	return v.each(func(f *fact) { f.soft = true }), len(v) > 0
}

// atSeat moves a place from the person to the company's headquarters.
func atSeat(_ *chart, args []arg) (value, bool) {
	return args[0].val.each(func(f *fact) { f.name = seat(f.name) }), len(args[0].val) > 0
}

// as moves the alternatives of its second argument to the filter that the first names.
func as(_ *chart, args []arg) (value, bool) {
	v, _ := merge(nil, args[1:])
	return v.each(func(f *fact) { f.name = query.FilterName(args[0].word) }), len(v) > 0
}

// unknownAs moves unknown words to a filter: nobody has an unknown name.
func unknownAs(c *chart, args []arg) (value, bool) {
	v, ok := as(c, args)
	return v.each(func(f *fact) { f.nobody = true }), ok
}

// ranged moves a number to the filter that the first argument names.
func ranged(_ *chart, args []arg) (value, bool) {
	v, _ := merge(nil, args[1:])
	name := query.FilterName(args[0].word)
	if len(v) == 0 || v[0].number == nil || v[0].number.Old { // an age is not the length of a job
		return nil, false
	}
	if isLength(name) && !countsYears(*v[0].number) {
		return nil, false
	}
	return v.each(func(f *fact) {
		if f.number == nil {
			return
		}
		n := *f.number
		f.number = nil
		if n.Kind == quantity.Years && n.Op == quantity.Equal && n.Open { // 5 years of experience
			n.Op = quantity.AtLeast
		}
		if n.Kind == quantity.Ago && n.Op == quantity.AtMost { // in the last 2 years
			n.Op = quantity.Less
		}
		if kind, ok := inMonths(name, n); ok {
			n.Kind = quantity.Ago
			f.event = &event{kind: kind, when: &n}
			return
		}
		f.name, f.values = name, []string{n.Range()}
	}), true
}

// isLength reports whether a filter is a duration in years.
func isLength(name query.FilterName) bool {
	return slices.Contains([]query.FilterName{
		query.FilterExperienceYears, query.FilterTenureYears, query.FilterPastEndYears,
	}, name)
}

// onlyJob accepts values that are only about a job or company.
func onlyJob(_ *chart, args []arg) (value, bool) {
	v, _ := merge(nil, args)
	return v, len(v) > 0 && onlyJobs(v)
}

func onlyJobs(v value) bool {
	return !slices.ContainsFunc(v, func(f fact) bool { return len(f.choice) == 0 && !ofJob(f.name) })
}

// described accepts a description of companies, including none.
func described(_ *chart, args []arg) (value, bool) {
	return args[0].val, len(args[0].val) == 0 || onlyJobs(args[0].val)
}

// noted adds no condition, but a note that no record holds this information.
func noted(c *chart, args []arg) (value, bool) {
	first, last := args[0].edge, args[0].edge
	if len(args) > 1 && args[1].edge != nil {
		first, last = args[1].edge, args[len(args)-1].edge
	}
	return value{noteOf(args[0].word, [][2]int{{first.from, last.to}})}, true
}

// appendNew returns list with those of more that it lacks. It copies a list that is shared.
func appendNew(list []string, more ...string) []string {
	return tokenizer.AppendNew(slices.Clip(list), more)
}

// dropped adds no condition, and reports its words as ignored.
func dropped(_ *chart, args []arg) (value, bool) {
	return nothing(args[0].edge.from, args[len(args)-1].edge.to), true
}
