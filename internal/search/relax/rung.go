package relax

import (
	"slices"
	"strconv"
	"strings"

	"kith/index/analysis"
	"kith/index/gazetteer"
	"kith/index/taxonomy"
	"kith/index/tokenizer"
	"kith/query"
)

// rung is one way to relax a unit.
type rung struct {
	cost int
	// instead replaces the unit; empty drops it.
	instead query.Filters
	// says describes instead for a reader.
	says string
	// similarity is that of a near term, 0 for other changes.
	similarity float64
	// broad is true if only a function is left of a title.
	broad bool
	// wide is true if a near term is more general than the request: chef for pastry chef.
	wide bool
}

// costs are the costs of relaxing a field.
type costs struct{ wider, gone int }

func costsOf(info query.FilterInfo) costs {
	switch info.Field {
	case query.City, query.CompanyCity, query.Metro, query.CompanyMetro, query.State, query.CompanyState:
		return costs{wider: 5, gone: 70}
	case query.Country, query.CompanyCountry:
		return costs{wider: 35, gone: 70}
	case query.Region, query.CompanyRegion:
		return costs{gone: 70}
	case query.Seniority:
		return costs{wider: 15, gone: 50}
	case query.CompanySize, query.CompanyFounded, query.Experience, query.Tenure, query.End:
		return costs{wider: 10, gone: 45}
	case query.Title:
		return costs{wider: 30, gone: 90}
	case query.Function:
		return costs{gone: 80}
	case query.CompanyType, query.CompanyFundingStage, query.Degree:
		return costs{gone: 40}
	}
	return costs{gone: 55}
}

// Costs of a near term: 1 for a synonym, up to costOfDistance more for distance in meaning, and costOfLess more for a
// general term.
const costOfDistance, costOfLess = 40, 75

// rungs returns the ways to relax a unit, the cheapest first.
func (r relaxer) rungs(u unit) []rung {
	c := costsOf(u.info)
	rungs := r.nearTerms(u)
	switch u.info.Field {
	case query.City, query.Metro, query.State, query.CompanyCity, query.CompanyMetro, query.CompanyState:
		rungs = append(rungs, widerPlaces(u, c.wider)...)
		rungs = append(rungs, regions(u, c.wider+30)...)
	case query.Country, query.CompanyCountry:
		rungs = append(rungs, regions(u, c.wider)...)
	case query.Seniority:
		rungs = append(rungs, nextLevels(u, c.wider)...)
	case query.CompanySize, query.CompanyFounded, query.Experience, query.Tenure, query.End:
		rungs = append(rungs, widerRange(u, c.wider)...)
	case query.Title:
		rungs = append(rungs, functionAndLevel(u, c.wider)...)
	}
	return append(rungs, rung{cost: c.gone})
}

const (
	// askedPhrases is for how many alternatives near terms are looked up; nearest is how many near terms are kept.
	askedPhrases, nearest = 3, 4
)

// nearTerms returns the terms nearest to the alternatives. It leaves out terms with all words of an alternative: people
// who have them already match.
func (r relaxer) nearTerms(u unit) []rung {
	if r.near == nil {
		return nil
	}
	var rungs []rung
	for _, text := range u.texts[:min(len(u.texts), askedPhrases)] {
		words := tokenizer.Tokens(text)
		for _, n := range r.near(u.info.Name, text) {
			have := tokenizer.Tokens(n.Text)
			named := func(other rung) bool { return other.says == n.Text }
			if !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(have, w) }) ||
				slices.ContainsFunc(rungs, named) {
				continue
			}
			alt := query.Alternative{Text: n.Text}
			way := rung{
				cost: 1 + int((1-n.Similarity)*costOfDistance), similarity: n.Similarity, says: n.Text,
				instead: query.Filters{u.info.Name: alt.String()},
			}
			if !slices.ContainsFunc(have, func(w string) bool { return !slices.Contains(words, w) }) {
				way.wide, way.cost = true, way.cost+costOfLess
			}
			rungs = append(rungs, way)
		}
	}
	slices.SortStableFunc(rungs, func(a, b rung) int { return a.cost - b.cost })
	return rungs[:min(len(rungs), nearest)]
}

// widerPlaces returns the metro areas, states and countries around the places.
func widerPlaces(u unit, cost int) []rung {
	var rungs []rung
	for step, kind := range []gazetteer.PlaceKind{gazetteer.PlaceMetro, gazetteer.PlaceState, gazetteer.PlaceCountry} {
		filter := placeFilter(u.info, kind)
		var values, says []string
		for _, text := range u.texts {
			for _, p := range gazetteer.PlacesAround(placeKind(u.info.Field), text) {
				if value := p.Qualified(); p.Kind == kind && !slices.Contains(says, value) {
					says = append(says, value)
					values = append(values, query.Alternative{Text: value, Phrase: true}.String())
				}
			}
		}
		if len(values) > 0 && filter != "" {
			rungs = append(rungs, rung{
				cost: cost + 10*step, instead: query.Filters{filter: strings.Join(values, ", ")},
				says: strings.Join(says, "; "),
			})
		}
	}
	return rungs
}

func placeKind(f query.Field) gazetteer.PlaceKind {
	switch f {
	case query.Metro, query.CompanyMetro:
		return gazetteer.PlaceMetro
	case query.State, query.CompanyState:
		return gazetteer.PlaceState
	case query.Country, query.CompanyCountry:
		return gazetteer.PlaceCountry
	}
	return gazetteer.PlaceCity
}

// regions returns the regions of the world around the places.
func regions(u unit, cost int) []rung {
	var names []string
	for _, text := range u.texts {
		if p, ok := gazetteer.RegionAround(placeKind(u.info.Field), text); ok && !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	filter := placeFilter(u.info, gazetteer.PlaceRegion)
	if len(names) == 0 || filter == "" {
		return nil
	}
	values := make([]string, len(names))
	for i, name := range names {
		values[i] = query.Alternative{Text: name, Phrase: true}.String()
	}
	return []rung{{
		cost: cost, instead: query.Filters{filter: strings.Join(values, ", ")},
		says: strings.Join(names, "; "),
	}}
}

// placeFilter returns the filter for a kind of place: of company seats if the given filter is about these, else of
// people.
func placeFilter(of query.FilterInfo, kind gazetteer.PlaceKind) query.FilterName {
	seat := slices.Contains([]query.Field{query.CompanyCity, query.CompanyMetro, query.CompanyState, query.CompanyCountry},
		of.Field)
	field := map[gazetteer.PlaceKind][2]query.Field{
		gazetteer.PlaceMetro:   {query.Metro, query.CompanyMetro},
		gazetteer.PlaceState:   {query.State, query.CompanyState},
		gazetteer.PlaceCountry: {query.Country, query.CompanyCountry},
		gazetteer.PlaceRegion:  {query.Region, query.CompanyRegion},
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

// nextLevels returns the requested levels with those right above and below.
func nextLevels(u unit, cost int) []rung {
	all := taxonomy.Seniorities()
	var levels []string
	for i, level := range all {
		wanted := func(at int) bool { return at >= 0 && at < len(all) && slices.Contains(u.texts, all[at]) }
		if wanted(i-1) || wanted(i) || wanted(i+1) {
			levels = append(levels, level)
		}
	}
	if len(levels) == 0 {
		return nil
	}
	text := strings.Join(levels, ", ")
	return []rung{{cost: cost, instead: query.Filters{u.info.Name: text}, says: text}}
}

// functionAndLevel returns the functions of titles with their levels, if all have one, and then without. The titles are
// names of one role, so a title without a function adds nothing.
func functionAndLevel(u unit, cost int) []rung {
	var functions, levels []string
	for _, title := range u.texts {
		fs, ls := taxonomy.FunctionsOf(title), taxonomy.Levels(title)
		if len(fs) == 0 {
			continue
		}
		if len(ls) == 0 || levels == nil && len(functions) > 0 {
			ls, levels = nil, nil
		}
		functions, levels = append(functions, fs...), append(levels, ls...)
	}
	function, seniority := filterOf(u.info.Path, query.Function), filterOf(u.info.Path, query.Seniority)
	if function == "" || len(functions) == 0 {
		return nil
	}
	f := strings.Join(distinct(functions), ", ")
	var rungs []rung
	if len(levels) > 0 && seniority != "" {
		l := strings.Join(distinct(levels), ", ")
		rungs = append(rungs, rung{
			cost: cost, broad: true, instead: query.Filters{function: f, seniority: l},
			says: "function: " + f + "; seniority: " + l,
		})
		cost += 10
	}
	return append(rungs, rung{cost: cost, broad: true, instead: query.Filters{function: f}, says: "function: " + f})
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
func widerRange(u unit, cost int) []rung {
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
	return []rung{{cost: cost, instead: query.Filters{u.info.Name: value}, says: value}}
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
