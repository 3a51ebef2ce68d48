package planner

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
)

// filter is a filter under construction: a list of alternatives for each requirement, and the exclusions.
type filter struct {
	lists           [][]string
	excluded        []string
	spans, notSpans [][2]int
}

// finish writes the filters in the order of the filter table.
func (b *builder) finish() {
	for _, info := range query.FilterTable() {
		f := b.filters[info.Name]
		if f == nil {
			continue
		}
		b.separate(info.Name, f)
		value := strings.Join(f.parts(), ", ")
		if value == "" {
			continue
		}
		spans := append(slices.Clip(f.spans), f.notSpans...)
		b.plan.Filters = append(b.plan.Filters, prompt.Filter{
			Source: b.source(spans), Name: info.Name, Value: value, Excluded: len(f.lists) == 0,
		})
	}
}

// separate puts the requirement with several alternatives first: a filter can have one, beside others with a plus.
// Further ones become conditions.
func (b *builder) separate(name query.FilterName, f *filter) {
	if len(f.lists) < 2 {
		return
	}
	var several, one [][]string
	for _, list := range f.lists {
		if len(list) > 1 {
			several = append(several, list)
		} else {
			one = append(one, list)
		}
	}
	for len(several) > 1 {
		last := query.Filters{name: strings.Join(several[len(several)-1], ", ")}
		several = several[:len(several)-1]
		if compiled, problems := analysis.Compile(last, b.today); len(problems) == 0 {
			b.condition(fact{spans: f.spans}, last.Text(), compiled.Query)
		}
	}
	f.lists = append(several, one...)
}

// parts returns the alternatives of a filter. Those of further lists have a plus.
func (f *filter) parts() (parts []string) {
	for i, list := range f.lists {
		switch {
		case i == 0 && (len(list) != 1 || len(f.lists) == 1):
			parts = append(parts, list...)
		default:
			parts = appendNew(parts, "+"+list[0])
		}
	}
	for _, x := range f.excluded {
		parts = append(parts, "-"+x)
	}
	return parts
}
