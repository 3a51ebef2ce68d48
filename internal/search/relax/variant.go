package relax

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kith"
	"kith/index/semantic"
	"kith/query"
	"kith/query/analysis"
	"kith/query/taxonomy"
)

// Variant is a wider search.
type Variant struct {
	// Sets are the filters that replace the original ones; all sets must hold.
	Sets []query.Filters
	// Missing lists what people of the variant lack.
	Missing []Missing
	// Cost orders the variants that are equally far away, lowest first: near terms alone, then one change, then two,
	// then more.
	Cost int
	// Broad is true if only the function of a title is left, if a name, a topic or a title is given up, if people do
	// something near somewhere else, if a title is left alone, or if Course is not as asked: such people count as close
	// only if nobody comes closer.
	Broad bool
	// Course is what is left of conditions beside the filters. [Variants] never changes it.
	Course Course
	far    distance
	// narrower are variants with the same changes and a nearer place, the nearest first.
	narrower []Variant
}

// Course is what is left of conditions on the course of a career, and of other conditions.
type Course int

// The courses, the strictest first.
const (
	AsAsked   Course = iota
	Reordered        // the jobs, in any order and for any time
	EndOnly          // the last of several jobs in turn
	Nothing          // nothing, nor of other conditions
)

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
	MaxVariants = 20
	// oneChange is added to the cost for each change, up to three, and lastResort to that of broad variants.
	oneChange, lastResort = 100, 1000
	// maxBroad is the most broad variants.
	maxBroad = 6
	// maxUnits is how many relaxable parts are considered: the first ones.
	maxUnits = 6
)

// Variants returns the wider searches of sets of filters: within the country asked for, then in its region of the
// world, on its continent, anywhere, and the broad ones last; of equally far ones the cheapest first. All of them keep
// the subject: the title or function, and if neither says the work also the level, what people know and their kind of
// employer. beside says whether there are conditions beside the filters; without them, places and ranges alone give no
// variants.
func Variants(sets []query.Filters, beside bool, near Near) []Variant {
	r, units := newRelaxer(sets, beside, near)
	if !beside && !requires(sets, isSubject) {
		return nil
	}
	rungs := kith.Each(units, r.rungs)
	var all []Variant
	for i, u := range units {
		for _, way := range rungs[i] {
			all = r.append(all, change{u, way})
		}
		for j, v := range units[:i] {
			for _, a := range representatives(rungs[j]) {
				for _, b := range representatives(rungs[i]) {
					switch {
					case a.step.fitsWith(b.step):
						all = r.appendPair(all, change{v, a}, change{u, b}, rungs[j], rungs[i])
					case a.step.fitsLast(b.step):
						all = r.append(all, change{v, a}.asLast(), change{u, b})
					}
				}
			}
		}
	}
	return selectVariants(all, r.last(units, rungs))
}

func isSubject(f query.Field) bool {
	return IsNamed(f) || isRole(f) || isTopic(f) || isEmployerKind(f) || f == query.Seniority
}

// last returns the variants of more than two changes: without all circumstances but the place, which widens step by
// step until it is missing, too; then in about the same place, without the other circumstances, with a near term or
// without one specialty.
func (r relaxer) last(units []unit, rungs [][]rung) []Variant {
	var out []Variant
	for _, far := range []distance{domestic, region, continent, anywhere} {
		dropped := r.circumstances(units, rungs, func(way rung) bool { return way.far <= far })
		if v := r.variant(dropped); len(dropped) > 1 && !slices.ContainsFunc(out, v.hasSameFilters) {
			out = r.append(out, dropped...)
		}
	}
	if v := r.append(nil, r.workAlone(units, rungs)...); len(v) > 0 && v[0].Broad {
		out = append(out, v[0])
	}
	around := r.circumstances(units, rungs, func(way rung) bool { return way.step == mild })
	all := r.circumstances(units, rungs, func(rung) bool { return true })
	if len(all) < 2 || len(around) < len(all) {
		return out
	}
	for i, u := range units {
		for _, way := range representatives(rungs[i]) {
			if way.step == near || way.step == lost {
				out = r.append(out, append(slices.Clone(around), change{u, way})...)
			}
		}
	}
	return out
}

// workAlone drops everything but what people do.
func (r relaxer) workAlone(units []unit, rungs [][]rung) []change {
	out := r.circumstances(units, rungs, func(rung) bool { return true })
	for i, u := range units {
		if r.partOf(u) == circumstance || u.is(r.role) || len(rungs[i]) == 0 {
			continue
		}
		if end := rungs[i][len(rungs[i])-1]; len(end.instead) == 0 {
			out = append(out, change{u, end})
		}
	}
	return out
}

// circumstances changes each circumstance in the last way that passes, if any.
func (r relaxer) circumstances(units []unit, rungs [][]rung, passes func(rung) bool) []change {
	var out []change
	for i, u := range units {
		if r.partOf(u) != circumstance {
			continue
		}
		for _, way := range slices.Backward(rungs[i]) {
			if passes(way) {
				out = append(out, change{u, way})
				break
			}
		}
	}
	return out
}

// hasSameFilters reports whether two variants have the same filters.
func (v Variant) hasSameFilters(other Variant) bool {
	return slices.EqualFunc(v.Sets, other.Sets, func(a, b query.Filters) bool { return maps.Equal(a, b) })
}

func isBroad(v Variant) bool { return v.Broad }

func byCost(a, b Variant) int { return cmp.Compare(a.Cost, b.Cost) }

// inOrder compares variants for the search.
func inOrder(a, b Variant) int {
	if a.Broad != b.Broad {
		return byCost(a, b) // broad variants cost most
	}
	return cmp.Or(cmp.Compare(a.far, b.far), byCost(a, b))
}

// selectVariants returns at most [MaxVariants]: the cheapest, always including the last resorts and the cheapest broad
// ones. If there is room, narrower variants let nearer people come first.
func selectVariants(all, last []Variant) []Variant {
	all = slices.DeleteFunc(all, func(v Variant) bool { return slices.ContainsFunc(last, v.hasSameFilters) })
	slices.SortStableFunc(all, byCost)
	from := len(all)
	if i := slices.IndexFunc(all, isBroad); i >= 0 {
		from = i
	}
	wide := all[from:min(from+maxBroad, len(all))]
	all = append(slices.Clone(all[:min(from, max(0, MaxVariants-len(wide)-len(last)))]), wide...)
	all = append(all, last...)
	for _, v := range all {
		all = append(all, v.narrower[:max(0, min(len(v.narrower), MaxVariants-len(all)))]...)
	}
	slices.SortStableFunc(all, inOrder)
	return all
}

// change is one way to relax a unit.
type change struct {
	unit unit
	rung rung
}

// asLast returns a change that counts as close only if nobody comes closer.
func (c change) asLast() change {
	c.rung.step = broad
	return c
}

// append adds the variant of some changes, unless too little is left: a nurse who does not speak Polish is any nurse, a
// director who is not in Lagos any director. A title alone, perhaps with numbers, is enough only if it says what work
// people do and nothing of that is lost.
func (r relaxer) append(to []Variant, changes ...change) []Variant {
	v := r.variant(changes)
	isLost := slices.ContainsFunc(changes, func(c change) bool { return c.rung.step == lost })
	switch {
	case v.Broad && !requires(v.Sets, isSubject):
		return to
	case !isLost && !v.Broad && r.hasWork() || r.beside || requires(v.Sets, isSpecific):
	case !r.hasWork() || !requires(v.Sets, isRole):
		return to
	case !v.Broad:
		v.Broad = true
		v.Cost += lastResort
	}
	return append(to, v)
}

// appendPair adds the variant of two changes, together with the narrower ones. The rungs are those of the units.
func (r relaxer) appendPair(to []Variant, a, b change, ofA, ofB []rung) []Variant {
	n := len(to)
	if to = r.append(to, a, b); len(to) == n {
		return to
	}
	for _, way := range narrowerPlaces(a, ofA) {
		to[n].narrower = r.append(to[n].narrower, change{a.unit, way}, b)
	}
	for _, way := range narrowerPlaces(b, ofB) {
		to[n].narrower = r.append(to[n].narrower, a, change{b.unit, way})
	}
	return to
}

// narrowerPlaces returns the rungs of a place that come before the rung of a change, if that stays in the country.
func narrowerPlaces(c change, all []rung) []rung {
	if !isPlace(c.unit.info.Field) || c.rung.far != domestic {
		return nil
	}
	return all[:max(0, slices.IndexFunc(all, func(way rung) bool { return way.says == c.rung.says }))]
}

// hasWork reports whether the search says what work people do: by a function, or a title that is more than a rank.
func (r relaxer) hasWork() bool {
	if r.occupation || len(r.role.texts) == 0 {
		return r.occupation
	}
	functions := r.role.texts[:1]
	if r.role.info.Field == query.Title {
		if isQualified(r.role.texts[0]) {
			return true
		}
		functions = taxonomy.FunctionsOf(r.role.texts[0])
	}
	return slices.ContainsFunc(functions, func(f string) bool { return f != managing })
}

func isSpecific(f query.Field) bool {
	return IsNamed(f) || isTopic(f) || isEmployerKind(f) || isPlace(f)
}

// variant returns the search with some changes.
func (r relaxer) variant(changes []change) Variant {
	v := Variant{Sets: make([]query.Filters, len(r.sets))}
	for i, set := range r.sets {
		v.Sets[i] = maps.Clone(set)
	}
	same := true
	for _, c := range changes {
		v.Sets = c.apply(v.Sets)
		v.Missing = append(v.Missing, c.missing())
		v.Cost += c.rung.cost
		same = same && c.rung.step == near
		v.Broad, v.far = v.Broad || c.rung.step == broad, max(v.far, c.rung.far)
	}
	switch {
	case same:
	case v.Broad:
		v.Cost += lastResort
	default:
		v.Cost += oneChange * min(len(changes), 3)
	}
	return v
}

// apply removes the unit from the sets and adds its replacement.
func (c change) apply(sets []query.Filters) []query.Filters {
	set := sets[c.unit.set]
	name := c.unit.info.Name
	// Another change may have removed a part of the same filter.
	left := dropParts(c.unit.info, set[name], c.unit.values)
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

// dropParts returns a filter's value without some of its parts.
func dropParts(info query.FilterInfo, value string, parts []string) string {
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

// representatives returns the ways of relaxing a unit that are combined with those of others: the nearest term, and of
// the ways that change as much and go as far the widest replacement and dropping the unit.
func representatives(rungs []rung) []rung {
	var out []rung
	for i, way := range rungs {
		first := i == 0 || rungs[i-1].step != way.step
		last := i+1 == len(rungs) || rungs[i+1].step != way.step || rungs[i+1].far != way.far ||
			len(rungs[i+1].instead) == 0
		if way.step == near && first || way.step != near && last {
			out = append(out, way)
		}
	}
	return out
}
