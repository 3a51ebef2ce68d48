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
	// Sets are the filters that replace the original ones; all sets must hold.
	Sets []query.Filters
	// Missing lists what people of the variant lack.
	Missing []Missing
	// Cost orders the variants, lowest first: near terms alone, then one change, then two, then more, then the broad.
	Cost int
	// Broad is true if only the function of a title is left, or if a title, function or level is dropped: such people
	// count as close only if nobody comes closer.
	Broad bool
}

// Changed returns the filters that the variant relaxes. People who satisfy it would match the search without them.
func (v Variant) Changed() []query.FilterName {
	var names []query.FilterName
	for _, m := range v.Missing {
		if !slices.Contains(names, m.Field) {
			names = append(names, m.Field)
		}
	}
	return names
}

// Missing is one requested filter value and its replacement.
type Missing struct {
	Field query.FilterName `json:"field"`
	// Value is the original value, in the filter grammar.
	Value string `json:"value"`
	// Instead is its replacement; null if it was dropped.
	Instead *string `json:"instead"`
	// Similarity is how near in meaning Instead is to Value, up to 1; null unless it is a near term.
	Similarity *float64 `json:"similarity"`
}

// Near returns the terms nearest to a phrase, the nearest first: titles for a filter of titles, and so on.
type Near func(filter query.FilterName, phrase string) []semantic.Neighbour

const (
	// MaxVariants is the most variants of a search.
	MaxVariants = 24
	// oneChange and the others are added to the cost of variants with so many changes, or of broad ones.
	oneChange, twoChanges, moreChanges, broad = 100, 200, 300, 1000
	// maxBroad is the most broad variants.
	maxBroad = 4
	// maxUnits is how many relaxable parts are considered: the first ones.
	maxUnits = 6
)

// Variants returns the wider searches of sets of filters, the cheapest first. What is left always says who the search
// is for, as precisely as the search itself: by a role or name, else by what people know, else by a business or a
// level. beside says whether there are conditions beside the filters: then a business or a level is not required.
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

// onlyRole drops everything except what people do and their level; then all but the first statement of what they do,
// and the level; then the level, too, with that statement as requested or relaxed. Each counts only if it is more than
// one change.
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

// asksTheSame reports whether two variants have the same filters.
func (v Variant) asksTheSame(other Variant) bool {
	return slices.EqualFunc(v.Sets, other.Sets, func(a, b query.Filters) bool { return maps.Equal(a, b) })
}

func isBroad(v Variant) bool { return v.Broad }

func byCost(a, b Variant) int { return cmp.Compare(a.Cost, b.Cost) }

// chosen returns at most [MaxVariants]: the cheapest, always including the last resorts and the cheapest broad ones.
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

// append adds the variant of some changes, unless too little of the search would be left.
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

// apply removes the unit from the sets and adds its replacement.
func (c change) apply(sets []query.Filters) []query.Filters {
	set := sets[c.unit.set]
	name := c.unit.info.Name
	// Another change may have removed a part of the same filter.
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

// without returns a filter's value without some of its parts.
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

// representatives returns the ways of relaxing a unit that are combined with those of others: the nearest term, the
// widest replacement, and dropping the unit.
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
