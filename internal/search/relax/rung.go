package relax

import (
	"slices"
	"strconv"
	"strings"

	"kith/index/analysis"
	"kith/index/semantic"
	"kith/query"
)

// rung is one way to relax a unit.
type rung struct {
	cost int
	step step
	// instead replaces the unit; empty drops it.
	instead query.Filters
	// says describes instead for a reader.
	says string
	// similarity is that of a near term, 0 for other changes.
	similarity float64
}

// step is how far a rung goes.
type step int

const (
	// mild: a place is wider within its country, a country within its region; another circumstance is wider or dropped.
	mild step = iota
	// away: a place is further off.
	away
	// near: a subject or specialty has a near term.
	near
	// lost: a specialty is dropped, or part of a title: chef for pastry chef.
	lost
	// broad: only the function of a title is left.
	broad
)

// goesWith reports whether a search may change in both ways: at most one of them may touch what the search is about,
// and if that is lost, the place must be about the same.
func (s step) goesWith(other step) bool {
	if s > other {
		s, other = other, s
	}
	return s == mild || s == away && other <= near
}

// Costs of relaxing.
const (
	costOfLevel, costOfFunction = 15, 30
	costOfRange, goneRange      = 10, 45
	costOfPlace, costOfRegion   = 5, 35
	gonePlace, goneElse         = 50, 40
	lostGrade, lostSpecialty    = 50, 150
)

// Costs of a near term: 1 for a synonym, up to costOfDistance more for distance in meaning, and costOfLess more for a
// general term.
const costOfDistance, costOfLess = 40, 75

// rungs returns the ways to relax a unit, the cheapest first.
func (r relaxer) rungs(u unit) []rung {
	rungs := r.nearTerms(u)
	end := rung{cost: goneElse}
	switch f := u.info.Field; {
	case isPlace(f):
		rungs = append(append(rungs, widerPlaces(u)...), regions(u)...)
		end = rung{cost: gonePlace, step: away}
	case isRange(f):
		rungs = append(rungs, widerRange(u)...)
		end = rung{cost: goneRange}
	case f == query.Seniority:
		rungs = append(rungs, nextLevels(u)...)
	case f == query.Title:
		rungs = append(rungs, r.functionAndLevel(u)...)
	}
	p := r.partOf(u)
	if p == subject && u.info.Field != query.Title { // a general term would not say whom the search is for
		rungs = slices.DeleteFunc(rungs, func(way rung) bool { return way.step == lost })
	}
	switch {
	case p == circumstance:
		rungs = append(rungs, end)
	case p == specialty && u.info.Field == query.Seniority:
		rungs = append(rungs, rung{cost: lostGrade})
	case p == specialty:
		rungs = append(rungs, rung{cost: lostSpecialty, step: lost})
	}
	return rungs
}

func isPlace(f query.Field) bool {
	switch f {
	case query.City, query.Metro, query.State, query.Country, query.Region,
		query.CompanyCity, query.CompanyMetro, query.CompanyState, query.CompanyCountry, query.CompanyRegion:
		return true
	}
	return false
}

func isRange(f query.Field) bool {
	switch f {
	case query.CompanySize, query.CompanyFounded, query.Experience, query.Tenure, query.End:
		return true
	}
	return false
}

const (
	// askedPhrases is for how many alternatives near terms are looked up; nearest is how many near terms are kept.
	askedPhrases, nearest = 3, 4
)

// nearTerms returns the terms nearest to the alternatives.
func (r relaxer) nearTerms(u unit) []rung {
	if r.near == nil {
		return nil
	}
	var rungs []rung
	for _, text := range u.texts[:min(len(u.texts), askedPhrases)] {
		for _, n := range r.near(u.info.Name, text) {
			way, of := nearTerm(u, text, n)
			if of && !slices.ContainsFunc(rungs, func(other rung) bool { return other.says == way.says }) {
				rungs = append(rungs, way)
			}
		}
	}
	slices.SortStableFunc(rungs, func(a, b rung) int { return a.cost - b.cost })
	return rungs[:min(len(rungs), nearest)]
}

// nearTerm returns the rung of a term near to an alternative. There is none for a term with all words of the
// alternative, since people who have it already match, nor for a title that is only a rank (manager).
func nearTerm(u unit, text string, n semantic.Neighbour) (way rung, ok bool) {
	asked, have := analysis.Tokens(text), analysis.Tokens(n.Text)
	if contains(have, asked) {
		return rung{}, false
	}
	alt := query.Alternative{Text: n.Text, Phrase: len(have) > 1}
	way = rung{
		step: near, cost: 1 + int((1-n.Similarity)*costOfDistance), similarity: n.Similarity, says: n.Text,
		instead: query.Filters{u.info.Name: alt.String()},
	}
	if contains(asked, have) {
		way.step, way.cost = lost, way.cost+costOfLess
		return way, u.info.Field != query.Title || len(analysis.FunctionsOf(n.Text)) > 0 && namesOccupation(n.Text)
	}
	return way, true
}

// contains reports whether words contain all of some.
func contains(words, some []string) bool {
	return !slices.ContainsFunc(some, func(w string) bool { return !slices.Contains(words, w) })
}

// widerPlaces returns the metro areas, states and countries around the places.
func widerPlaces(u unit) []rung {
	var rungs []rung
	for i, kind := range []analysis.PlaceKind{analysis.PlaceMetro, analysis.PlaceState, analysis.PlaceCountry} {
		filter := placeFilter(u.info, kind)
		var values, says []string
		for _, text := range u.texts {
			for _, p := range analysis.PlacesAround(placeKind(u.info.Field), text) {
				if value := p.Qualified(); p.Kind == kind && !slices.Contains(says, value) {
					says = append(says, value)
					values = append(values, query.Alternative{Text: value, Phrase: true}.String())
				}
			}
		}
		if len(values) > 0 && filter != "" {
			rungs = append(rungs, rung{
				cost: costOfPlace + 10*i, instead: query.Filters{filter: strings.Join(values, ", ")},
				says: strings.Join(says, "; "),
			})
		}
	}
	return rungs
}

func placeKind(f query.Field) analysis.PlaceKind {
	switch f {
	case query.Metro, query.CompanyMetro:
		return analysis.PlaceMetro
	case query.State, query.CompanyState:
		return analysis.PlaceState
	case query.Country, query.CompanyCountry:
		return analysis.PlaceCountry
	}
	return analysis.PlaceCity
}

// regions returns the regions of the world around the places.
func regions(u unit) []rung {
	var names []string
	for _, text := range u.texts {
		if p, ok := analysis.RegionAround(placeKind(u.info.Field), text); ok && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	filter := placeFilter(u.info, analysis.PlaceRegion)
	if len(names) == 0 || filter == "" {
		return nil
	}
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = query.Alternative{Text: name, Phrase: true}.String()
	}
	step := away
	if kind := placeKind(u.info.Field); kind == analysis.PlaceCountry {
		step = mild
	}
	return []rung{{
		cost: costOfRegion, step: step, instead: query.Filters{filter: strings.Join(values, ", ")},
		says: strings.Join(names, "; "),
	}}
}

// placeFilter returns the filter for a kind of place: of company seats if the given filter is about these, else of
// people.
func placeFilter(of query.FilterInfo, kind analysis.PlaceKind) query.FilterName {
	seat := slices.Contains([]query.Field{query.CompanyCity, query.CompanyMetro, query.CompanyState, query.CompanyCountry},
		of.Field)
	field := map[analysis.PlaceKind][2]query.Field{
		analysis.PlaceMetro:   {query.Metro, query.CompanyMetro},
		analysis.PlaceState:   {query.State, query.CompanyState},
		analysis.PlaceCountry: {query.Country, query.CompanyCountry},
		analysis.PlaceRegion:  {query.Region, query.CompanyRegion},
	}[kind]
	if seat {
		return filterOf(of.Path, field[1])
	}
	return filterOf(of.Path, field[0])
}

// filterOf returns the filter for a field of a path; "" if there is none.
func filterOf(path query.Path, f query.Field) query.FilterName {
	for _, info := range query.FilterTable() {
		if info.Path == path && info.Field == f {
			return info.Name
		}
	}
	return ""
}

// nextLevels returns the requested levels with those right above and below. Founders and partners have none.
func nextLevels(u unit) []rung {
	all := analysis.Seniorities()
	ladder := all[:slices.Index(all, analysis.LevelCXO)+1]
	var levels []string
	for i, level := range all {
		next := func(at int) bool {
			return i < len(ladder) && at >= 0 && at < len(ladder) && slices.Contains(u.texts, ladder[at])
		}
		if slices.Contains(u.texts, level) || next(i-1) || next(i+1) {
			levels = append(levels, level)
		}
	}
	if len(levels) == len(u.texts) {
		return nil
	}
	text := strings.Join(levels, ", ")
	return []rung{{cost: costOfLevel, instead: query.Filters{u.info.Name: text}, says: text}}
}

// functionAndLevel returns the functions and levels of titles if the titles say little else. At a named company it
// returns the functions of any titles: who looks for its head of design may ask its designers.
func (r relaxer) functionAndLevel(u unit) []rung {
	little := !slices.ContainsFunc(u.texts, func(title string) bool { return !namesFunction(title) })
	function, seniority := filterOf(u.info.Path, query.Function), filterOf(u.info.Path, query.Seniority)
	var functions, levels []string
	for _, title := range u.texts {
		functions = append(functions, analysis.FunctionsOf(title)...)
		levels = append(levels, analysis.Levels(title)...)
	}
	if function == "" || len(functions) == 0 || !little && !r.company {
		return nil
	}
	way := rung{cost: costOfFunction, step: broad, says: "function: " + strings.Join(distinct(functions), ", ")}
	way.instead = query.Filters{function: strings.Join(distinct(functions), ", ")}
	if !r.company && len(levels) > 0 && seniority != "" {
		way.instead[seniority] = strings.Join(distinct(levels), ", ")
		way.says += "; seniority: " + way.instead[seniority]
	}
	return []rung{way}
}

func distinct(texts []string) []string {
	var out []string
	for _, t := range texts {
		if !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

// widerRange widens ranges by half: sizes and durations at each bound, calendar years by half their span, at least two
// years.
func widerRange(u unit) []rung {
	var values []string
	for _, text := range u.texts {
		b, ok := boundsOf(u.info, text)
		if !ok {
			return nil
		}
		if u.info.Field == query.CompanyFounded || u.info.Path == query.Education {
			b = moreYears(b)
		} else {
			b = byHalf(b)
		}
		text := rangeText(b)
		if text == "" {
			return nil // unbounded: dropping the filter says so
		}
		values = append(values, text)
	}
	value := strings.Join(values, ", ")
	return []rung{{cost: costOfRange, instead: query.Filters{u.info.Name: value}, says: value}}
}

func boundsOf(info query.FilterInfo, text string) (analysis.Bounds, bool) {
	if info.Field == query.CompanySize {
		b, err := analysis.SizeRange(text)
		return b, err == nil
	}
	text = strings.TrimSpace(text)
	for _, unit := range []string{"years", "year", "yrs", "y"} {
		text = strings.TrimSpace(strings.TrimSuffix(text, unit))
	}
	b, err := analysis.YearRange(text)
	return b, err == nil
}

func byHalf(b analysis.Bounds) analysis.Bounds {
	var out analysis.Bounds
	if b.Min != nil && *b.Min/2 > 0 {
		out.Min = new(*b.Min / 2)
	}
	if b.Max != nil {
		out.Max = new(*b.Max + (*b.Max+1)/2)
	}
	return out
}

func moreYears(b analysis.Bounds) analysis.Bounds {
	more := int64(2)
	if b.Min != nil && b.Max != nil {
		more = max(more, (*b.Max-*b.Min+1)/2)
	}
	var out analysis.Bounds
	if b.Min != nil {
		out.Min = new(*b.Min - more)
	}
	if b.Max != nil {
		out.Max = new(*b.Max + more)
	}
	return out
}

func rangeText(b analysis.Bounds) string {
	text := func(n *int64) string { return strconv.FormatInt(*n, 10) }
	switch {
	case b.Min != nil && b.Max != nil:
		return text(b.Min) + "-" + text(b.Max)
	case b.Min != nil:
		return ">=" + text(b.Min)
	case b.Max != nil:
		return "<=" + text(b.Max)
	}
	return ""
}
