package planner

import (
	"slices"

	"kith/query"
	"kith/query/gazetteer"
	"kith/query/prompt/lexicon"
	"kith/query/taxonomy"
)

// mostSpread is the maximum number of titles from a list of fields and a list of heads.
const mostSpread = 12

// spreadBefore combines each field of its first argument with each head of its second: sales,
// marketing and product managers.
func spreadBefore(c *chart, args []arg) (value, bool) {
	return c.spreadTitles(args[0].edge, args[1].edge,
		func(field, head []string) []string { return slices.Concat(field, head) })
}

// spreadAfter combines each head of its first argument with each field of its second: VPs,
// directors or heads of marketing.
func spreadAfter(c *chart, args []arg) (value, bool) {
	return c.spreadTitles(args[1].edge, args[0].edge, func(field, head []string) []string {
		if head[len(head)-1] != "of" {
			head = append(slices.Clip(head), "of")
		}
		return slices.Concat(head, field)
	})
}

// spreadComma builds the title of a rank and, after a comma, its field: Manager, Customer Success.
func spreadComma(c *chart, args []arg) (value, bool) {
	field, head := args[1].edge, args[0].edge
	norms := slices.Concat(c.text.norms(field.from, field.to), c.text.norms(head.from, head.to))
	return value{{name: query.FilterPosition, values: c.titleValues(norms), spans: [][2]int{{head.from, field.to}}}},
		true
}

// spreadTitles builds a title from each field and each head. It returns false for a single combination or too many.
func (c *chart) spreadTitles(fields, heads *edge, join func(field, head []string) []string) (value, bool) {
	f := fields.leaves("Function", "Industry", "Skill", "Keyword", "Study", "Modifier", "Kind", "UnknownWords")
	h := heads.leaves("Role", "Level", "Leader", "Head")
	if n := len(f) * len(h); n < 2 || n > mostSpread {
		return nil, false
	}
	out := fact{name: query.FilterPosition, spans: [][2]int{{min(fields.from, heads.from), max(fields.to, heads.to)}}}
	for _, head := range h {
		if head.leaf.name == "Role" && head.to-head.from > 1 { // the first word of product managers is a field
			return nil, false
		}
		for _, field := range f {
			values := c.titleValues(join(c.text.norms(field.from, field.to), c.text.norms(head.from, head.to)))
			out.values = appendNew(out.values, values...)
		}
	}
	return value{out}, true
}

// titleValues returns the values of a title: as listed, else its words.
func (c *chart) titleValues(norms []string) []string {
	for _, s := range c.lexicon.Senses(norms) {
		if s.Type == lexicon.Role && s.Filter == query.FilterPosition {
			return s.Values
		}
	}
	return lexicon.Title(norms).Values
}

// qualified combines a title with another word that must also match: freelance designers.
func qualified(c *chart, args []arg) (value, bool) {
	word, ok := asWorded(c, []arg{{word: string(query.FilterPosition)}, args[0]})
	return append(slices.Clone(args[1].val), word.each(func(f *fact) { f.both = true })...), ok && len(args[1].val) > 0
}

// asWorded uses the prompt's own words for the filter that the first argument names: those of the
// second argument, else of the whole phrase.
func asWorded(c *chart, args []arg) (value, bool) {
	e := args[len(args)-1].edge
	words := alternative(c.text.wording(e.from, e.to))
	return value{{name: query.FilterName(args[0].word), values: []string{words}, spans: [][2]int{{e.from, e.to}}}},
		words != ""
}

// levels requires the levels in the arguments after the first.
func levels(_ *chart, args []arg) (value, bool) {
	e := args[0].edge
	f := fact{name: query.FilterSeniority, spans: [][2]int{{e.from, e.to}}}
	for _, a := range args[1:] {
		f.values = append(f.values, a.word)
	}
	return value{f}, true
}

// later requires a funding stage or a later one, and earlier that or an earlier one.
func later(_ *chart, args []arg) (value, bool) {
	return stages(args[0].val, func(all []string, i int) []string { return all[i:] })
}

func earlier(_ *chart, args []arg) (value, bool) {
	return stages(args[0].val, func(all []string, i int) []string { return all[:i+1] })
}

func stages(v value, part func(all []string, i int) []string) (value, bool) {
	if len(v) != 1 || v[0].name != query.FilterCompanyFundingStage || len(v[0].values) != 1 {
		return nil, false
	}
	all := []string{
		"preseed", "seed", `"series a"`, `"series b"`, `"series c"`, `"series d"`, `"series e"`, `"series f"`,
		`"series g"`,
	}
	i := slices.Index(all, v[0].values[0])
	if i < 0 {
		return nil, false
	}
	return v.each(func(f *fact) { f.values = part(all, i) }), true
}

// campus requires the schools named after cities. For other places no record says which schools are there.
func campus(c *chart, args []arg) (value, bool) {
	f := fact{name: query.FilterSchool}
	e := args[0].edge
	for _, place := range e.leaves("Place", "School") {
		v, ok := c.evaluate(place)
		switch p := place.place(); {
		case !ok:
			return nil, false
		case place.leaf.name == "School":
			f.values = appendNew(f.values, v[0].values...)
		case p != nil && p.Kind == gazetteer.PlaceCity:
			f.values = appendNew(f.values, alternative(c.text.wording(place.from, place.to)))
		default:
			return noted(c, []arg{{word: "no record says where a school is", edge: e}})
		}
		f.spans = append(f.spans, [2]int{place.from, place.to})
	}
	return value{f}, len(f.values) > 0
}

// apart requires one of two facts about different filters. A place without a preposition belongs to
// the preceding words.
func apart(c *chart, args []arg) (value, bool) {
	if args[1].edge.place() != nil {
		return nil, false
	}
	for _, f := range args[0].val {
		if slices.ContainsFunc(args[1].val,
			func(g fact) bool { return f.name == g.name || isPlace(f.name) && isPlace(g.name) }) {
			return nil, false
		}
	}
	return either(c, args)
}

// beside requires one of two descriptions of which the second is only a title. If the first
// includes a place, the place applies to both, and beside does not fit.
func beside(c *chart, args []arg) (value, bool) {
	if slices.ContainsFunc(args[0].val, func(f fact) bool { return isPlace(f.name) || len(f.choice) > 0 }) {
		return nil, false
	}
	return either(c, args)
}

// above requires a level or a higher one.
func above(_ *chart, args []arg) (value, bool) {
	v := args[0].val
	if len(v) != 1 || v[0].name != query.FilterSeniority || len(v[0].values) == 0 {
		return nil, false
	}
	all := taxonomy.Seniorities()
	from, top := slices.Index(all, v[0].values[0]), slices.Index(all, taxonomy.LevelCXO)
	if from < 0 || from > top {
		return nil, false
	}
	return v.each(func(f *fact) { f.values = slices.Clone(all[from : top+1]) }), true
}
