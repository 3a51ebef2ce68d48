package relax

import (
	"slices"

	"kith/query"
	"kith/query/analysis"
)

// relaxer relaxes one search.
type relaxer struct {
	sets []query.Filters
	// beside is true if there are conditions beside the filters.
	beside bool
	near   Near
	// role says what people do; it is zero if no title or function does.
	role unit
	// occupation is true if role names an occupation.
	occupation bool
	// company and person are true if the search names one, further if role is not all it says of what people do.
	company, person, further bool
}

// newRelaxer returns the relaxer of a search, and what can be relaxed.
func newRelaxer(sets []query.Filters, beside bool, near Near) (relaxer, []unit) {
	r := relaxer{sets: sets, beside: beside, near: near}
	units := r.units()
	r.role = findRole(units)
	r.occupation = len(r.role.texts) > 0 && r.role.info.Field == query.Title && namesOccupation(r.role.texts[0])
	r.further = slices.ContainsFunc(units, func(u unit) bool { return isRole(u.info.Field) && !u.is(r.role) })
	r.company = requires(sets, namesCompany)
	r.person = requires(sets, func(f query.Field) bool { return f == query.Name })
	return r, units
}

// unit is one part of a search that can be relaxed: the alternatives of a filter together, or one required part.
type unit struct {
	set    int
	info   query.FilterInfo
	values []string // the parts, in the filter grammar
	texts  []string // the same without quotes and signs
}

// is reports whether two units are the same part of a search.
func (u unit) is(other unit) bool {
	return u.set == other.set && u.info.Name == other.info.Name && slices.Equal(u.values, other.values)
}

// units returns what can be relaxed, in the order of the sets and of the filter table: names last, at most maxUnits of
// the others.
func (r relaxer) units() []unit {
	var all, named []unit
	for i, set := range r.sets {
		for _, info := range query.FilterTable() {
			switch value, given := set[info.Name]; {
			case !given:
			case IsNamed(info.Field):
				named = append(named, parseUnits(i, info, value)...)
			default:
				all = append(all, parseUnits(i, info, value)...)
			}
		}
	}
	return append(all[:min(len(all), maxUnits)], named...)
}

func parseUnits(set int, info query.FilterInfo, value string) []unit {
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

// requires reports whether sets of filters require some field, exclusions aside.
func requires(sets []query.Filters, field func(query.Field) bool) bool {
	return slices.ContainsFunc(sets, func(set query.Filters) bool {
		return slices.ContainsFunc(query.FilterTable(), func(info query.FilterInfo) bool {
			value, given := set[info.Name]
			return given && field(info.Field) && len(parseUnits(0, info, value)) > 0
		})
	})
}

// IsNamed reports whether a field names one company, school or person. These are given up last, and whole.
func IsNamed(f query.Field) bool {
	switch f {
	case query.Name, query.SocialID, query.SocialURL, query.Email, query.School:
		return true
	}
	return namesCompany(f)
}

func namesCompany(f query.Field) bool {
	switch f {
	case query.Company, query.CompanyURL, query.CompanySocialID, query.CompanySocialURL:
		return true
	}
	return false
}
