package relax

import (
	"slices"

	"kith/index/analysis"
	"kith/query"
)

// relaxer relaxes one search.
type relaxer struct {
	sets   []query.Filters
	beside bool
	near   Near
}

// unit is one part of a search that can be relaxed: the alternatives of a filter together, or one required part.
type unit struct {
	set    int
	info   query.FilterInfo
	values []string // the parts, in the filter grammar
	texts  []string // the same without quotes and signs
}

// units returns what can be relaxed, in the order of the sets and of the filter table, at most maxUnits.
func (r relaxer) units() []unit {
	var all []unit
	for i, set := range r.sets {
		for _, info := range query.FilterTable() {
			value, given := set[info.Name]
			if !given || IsNamed(info.Field) {
				continue
			}
			all = append(all, unitsOf(i, info, value)...)
		}
	}
	return all[:min(len(all), maxUnits)]
}

func unitsOf(set int, info query.FilterInfo, value string) []unit {
	alts, err := analysis.Alternatives(info, value)
	if err != nil {
		return nil
	}
	plain := unit{set: set, info: info}
	var units []unit
	for _, alt := range alts {
		switch {
		case alt.Excluded:
		case alt.Required:
			units = append(units, unit{set: set, info: info, values: []string{alt.String()}, texts: []string{alt.Text}})
		default:
			plain.values, plain.texts = append(plain.values, alt.String()), append(plain.texts, alt.Text)
		}
	}
	if len(plain.values) > 0 {
		units = slices.Insert(units, 0, plain)
	}
	return units
}

// IsNamed reports whether a field names one company, school or person. These are never relaxed.
func IsNamed(f query.Field) bool {
	switch f {
	case query.Name, query.SocialID, query.SocialURL, query.Email, query.School,
		query.Company, query.CompanyURL, query.CompanySocialID, query.CompanySocialURL:
		return true
	}
	return false
}

// subject reports whether sets of filters still say who they look for as precisely as the search does. The first of
// these that the search has must remain: a role or name; what people know; a company's business or a level; conditions
// beside the filters.
func (r relaxer) subject(sets []query.Filters) bool {
	fields := []func(query.Field) bool{saysRole, saysWhat, saysLess}
	if r.beside {
		fields = fields[:2]
	}
	for _, field := range fields {
		enough := func(f query.Field) bool { return IsNamed(f) || field(f) }
		if asksFor(r.sets, enough) {
			return asksFor(sets, enough)
		}
	}
	return r.beside
}

// isBroad reports whether sets of filters have lost everything that the search says about a role, or about a level.
func (r relaxer) isBroad(sets []query.Filters) bool {
	return slices.ContainsFunc([]func(query.Field) bool{saysRole, saysLevel}, func(field func(query.Field) bool) bool {
		return asksFor(r.sets, field) && !asksFor(sets, field)
	})
}

// asksFor reports whether sets of filters require some field, exclusions aside.
func asksFor(sets []query.Filters, field func(query.Field) bool) bool {
	return slices.ContainsFunc(sets, func(set query.Filters) bool {
		return slices.ContainsFunc(query.FilterTable(), func(info query.FilterInfo) bool {
			value, given := set[info.Name]
			return given && field(info.Field) && len(unitsOf(0, info, value)) > 0
		})
	})
}

func saysLevel(f query.Field) bool { return f == query.Seniority }

func saysRole(f query.Field) bool { return f == query.Title || f == query.Function }

// saysWhat reports whether a field says what people do.
func saysWhat(f query.Field) bool {
	switch f {
	case query.Title, query.Function, query.Skill, query.Text, query.FieldOfStudy:
		return true
	}
	return false
}

func saysLess(f query.Field) bool {
	return f == query.CompanyIndustry || f == query.CompanyKeywords || f == query.Seniority
}
