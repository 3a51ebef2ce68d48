package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt"
)

// maxPreferred is how many preferences of a prompt order people.
const maxPreferred = 3

// wishes are the filters that a prompt only prefers: those of the same words read as if all were asked for, without
// those that are. What must not be orders nobody.
func (r *reading) wishes(asked []prompt.Filter) []prompt.Filter {
	b := newBuilder(r.parsed(true))
	b.build(b.p.facts)
	all, _ := b.finish()
	var wishes []prompt.Filter
	for _, f := range all {
		if f.Value = notIn(f.Value, asked, f.Name); f.Value != "" && f.Name != query.FilterPersonName && !f.Excluded && len(wishes) < maxPreferred {
			wishes = append(wishes, f)
		}
	}
	return wishes
}

// notIn are the alternatives of a filter that the filter of that name among others does not ask for.
func notIn(value string, others []prompt.Filter, name query.FilterName) string {
	texts := func(value string) []string {
		alts, err := query.ParseFilter(value)
		if err != nil {
			return nil
		}
		var out []string
		for _, alt := range alts {
			if alt.Required = false; !alt.Excluded {
				out = append(out, alt.String())
			}
		}
		return out
	}
	i := slices.IndexFunc(others, func(f prompt.Filter) bool { return f.Name == name })
	wished := texts(value)
	if i >= 0 {
		have := texts(others[i].Value)
		wished = slices.DeleteFunc(wished, func(text string) bool { return slices.Contains(have, text) })
	}
	return strings.Join(wished, ", ")
}
