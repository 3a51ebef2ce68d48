package relax

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/index/semantic"
	"kith/query"
)

// Variant is a wider search.
type Variant struct {
	// Sets are the filters in place of those that were asked for; all sets must hold.
	Sets []query.Filters
	// Missing is what people of the variant lack of what was asked for.
	Missing []Missing
	// Cost orders the variants, lowest first: near terms alone, then one change, then two, then more, then the broad.
	Cost int
	// Broad says that of a title only its function is left, or that a title, a function or a level is given up: people
	// of these are close only where nobody comes closer.
	Broad bool
}

// Changed are the filters that the variant asks less of. Who satisfies it would match the search without them.
func (v Variant) Changed() []query.FilterName {
	var names []query.FilterName
	for _, m := range v.Missing {
		if !slices.Contains(names, m.Field) {
			names = append(names, m.Field)
		}
	}
	return names
}

// Missing is one thing that was asked for, and what holds in its place.
type Missing struct {
	Field query.FilterName `json:"field"`
	// Value is what was asked for, in the filter grammar.
	Value string `json:"value"`
	// Instead is what was asked for in its place; null where nothing was.
	Instead *string `json:"instead"`
	// Similarity is how near in meaning Instead is to Value, up to 1; null for what is not a near term.
	Similarity *float64 `json:"similarity"`
}

// Near returns the terms that are near a phrase, the nearest first: for a filter of titles titles, and so on. It
// returns none where there are none.
type Near func(filter query.FilterName, phrase string) []semantic.Neighbour

const (
	// MaxVariants is the most variants of a search.
	MaxVariants = 24
	// oneChange and the others are what variants of so many changes, or broad ones, cost beside the changes.
	oneChange, twoChanges, moreChanges, broad = 100, 200, 300, 1000
	// maxBroad is the most broad variants.
	maxBroad = 4
	// maxUnits is how many things that can be relaxed are looked at, the first ones.
	maxUnits = 6
)

// Variants are the wider searches of some sets of filters, the cheapest first. What is left always says whom the search
// is for, as much as it does itself: a role or a name, else what people know, else a business or a level. Beside says
// whether more is asked than the filters say: then there need not be a business or a level.
func Variants(sets []query.Filters, beside bool, near Near) []Variant {
	r := relaxer{sets: sets, beside: beside, near: near}
	units := r.units()
	rungs := make([][]rung, len(units))
	for i, u := range units {
		rungs[i] = r.rungs(u)
	}
	var first, last []Variant
	for i, u := range units {
		for _, way := range rungs[i] {
			first = r.append(first, change{u, way})
		}
		for j, v := range units[:i] {
			for _, a := range representatives(rungs[j]) {
				for _, b := range representatives(rungs[i]) {
					last = r.append(last, change{v, a}, change{u, b})
				}
			}
		}
	}
	return chosen(append(first, last...), r.onlyRole(units, rungs))
}

// onlyRole gives up everything but what people do and their level, then all but the first thing that says what they do
// and the level, then the level, too, with what they do as it was asked for or wider: where that is more than one
// change.
func (r relaxer) onlyRole(units []unit, rungs [][]rung) []Variant {
	var gone, further, levels []change
	role := -1
	for i, u := range units {
		giveUp := change{u, rungs[i][len(rungs[i])-1]}
		switch what := saysWhat(u.info.Field); {
		case u.info.Field == query.Seniority:
			levels = append(levels, giveUp)
		case !what:
			gone = append(gone, giveUp)
		case role < 0:
			role = i
		default:
			further = append(further, giveUp)
		}
	}
	if role < 0 {
		return nil
	}
	var out []Variant
	before := 1
	all := slices.Clone(gone)
	for _, more := range [][]change{nil, further, levels} {
		if all = append(all, more...); len(all) > before {
			out = r.append(out, all...)
			before = len(all)
		}
	}
	if len(all) < 2 {
		return out
	}
	for _, way := range representatives(rungs[role]) {
		if len(way.instead) > 0 {
			out = r.append(out, append(slices.Clone(all), change{units[role], way})...)
		}
	}
	return out
}

// asksTheSame reports whether two variants ask for the same, whatever led there.
func (v Variant) asksTheSame(other Variant) bool {
	return slices.EqualFunc(v.Sets, other.Sets, func(a, b query.Filters) bool { return maps.Equal(a, b) })
}

func isBroad(v Variant) bool { return v.Broad }

func byCost(a, b Variant) int { return cmp.Compare(a.Cost, b.Cost) }

// chosen are at most [MaxVariants]: the cheapest, and the last resort and the cheapest broad ones in any case.
func chosen(all, last []Variant) []Variant {
	all = slices.DeleteFunc(all, func(v Variant) bool { return slices.ContainsFunc(last, v.asksTheSame) })
	slices.SortStableFunc(all, byCost)
	from := len(all)
	if i := slices.IndexFunc(all, isBroad); i >= 0 {
		from = i
	}
	wide := all[from:min(from+maxBroad, len(all))]
	all = append(slices.Clone(all[:min(from, MaxVariants-len(wide)-len(last))]), wide...)
	all = append(all, last...)
	slices.SortStableFunc(all, byCost)
	return all
}

// change is one way to relax a unit.
type change struct {
	unit unit
	rung rung
}

// append adds the variant of some changes, unless too little would be left of the search.
func (r relaxer) append(to []Variant, changes ...change) []Variant {
	v := Variant{Sets: make([]query.Filters, len(r.sets))}
	for i, set := range r.sets {
		v.Sets[i] = query.Filters{}
		for name, value := range set {
			v.Sets[i][name] = value
		}
	}
	near := true
	for _, c := range changes {
		v.Sets = c.apply(v.Sets)
		v.Missing = append(v.Missing, c.missing())
		v.Cost += c.rung.cost
		near = near && c.rung.similarity > 0 && !c.rung.wide
		v.Broad = v.Broad || c.rung.broad
	}
	v.Broad = v.Broad || r.isBroad(v.Sets)
	switch {
	case near:
	case v.Broad:
		v.Cost += broad
	case len(changes) == 1:
		v.Cost += oneChange
	case len(changes) == 2:
		v.Cost += twoChanges
	default:
		v.Cost += moreChanges
	}
	if !r.subject(v.Sets) {
		return to
	}
	return append(to, v)
}

// apply takes the unit out of the sets, and adds what is asked in its place.
func (c change) apply(sets []query.Filters) []query.Filters {
	set := sets[c.unit.set]
	name := c.unit.info.Name
	// Another change may have taken a part of the same filter out already.
	left := without(c.unit.info, set[name], c.unit.values)
	if left == "" {
		delete(set, name)
	} else {
		set[name] = left
	}
	if len(c.rung.instead) > 0 {
		return append(sets, c.rung.instead)
	}
	return sets
}

// without is a filter's value without some of its parts.
func without(info query.FilterInfo, value string, parts []string) string {
	alts, err := analysis.Alternatives(info, value)
	if err != nil {
		return ""
	}
	var left []string
	for _, alt := range alts {
		if text := alt.String(); !slices.Contains(parts, text) {
			left = append(left, text)
		}
	}
	return strings.Join(left, ", ")
}

func (c change) missing() Missing {
	m := Missing{Field: c.unit.info.Name, Value: strings.Join(c.unit.values, ", ")}
	if c.rung.says != "" {
		m.Instead = &c.rung.says
	}
	if c.rung.similarity > 0 {
		m.Similarity = &c.rung.similarity
	}
	return m
}

// representatives are the ways of a unit that are combined with those of others: the nearest term, the widest that
// still asks for something, and to give it up.
func representatives(rungs []rung) []rung {
	var near, wide, gone *rung
	for i := range rungs {
		switch way := &rungs[i]; {
		case way.similarity > 0 && near == nil:
			near = way
		case way.similarity > 0:
		case len(way.instead) > 0:
			wide = way
		default:
			gone = way
		}
	}
	var out []rung
	for _, way := range []*rung{near, wide, gone} {
		if way != nil {
			out = append(out, *way)
		}
	}
	return out
}
