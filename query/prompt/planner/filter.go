package planner

import (
	"slices"
	"strings"
	"unicode/utf8"

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
		parts := f.parts()
		source := b.source(append(slices.Clip(f.spans), f.notSpans...))
		value := strings.Join(parts, ", ")
		switch {
		case value == "":
		case fitting(parts) < len(parts):
			b.divide(info.Name, f, string(info.Name)+": "+source.Text)
		default:
			b.plan.Filters = append(b.plan.Filters, prompt.Filter{
				Source: source, Name: info.Name, Value: value, Excluded: len(f.lists) == 0,
			})
		}
	}
}

// fitting returns how many of the first alternatives one filter can hold.
func fitting(list []string) int {
	length := 0
	for i, part := range list {
		if length += utf8.RuneCountInString(part); length > query.MaxFilterLength || i == query.MaxAlternatives {
			return max(i, 1)
		}
		length += len(", ")
	}
	return len(list)
}

// divide adds the conditions of a filter with more alternatives than one can hold.
func (b *builder) divide(name query.FilterName, f *filter, says string) {
	for _, list := range f.lists {
		b.anyOf(name, list, fact{spans: f.spans}, says)
	}
	b.anyOf(name, f.excluded, fact{spans: append(slices.Clip(f.spans), f.notSpans...), not: true},
		string(name)+": "+strings.Join(f.excluded, ", "))
}

// anyOf adds a condition that one of the alternatives of a filter holds, compiled as several filters if there are many.
func (b *builder) anyOf(name query.FilterName, list []string, f fact, says string) {
	var parts []query.Query
	for len(list) > 0 {
		n := fitting(list)
		compiled, problems := analysis.Compile(query.Filters{name: strings.Join(list[:n], ", ")}, b.today)
		if len(problems) == 0 {
			parts = append(parts, compiled.Query)
		}
		list = list[n:]
	}
	if len(parts) > 0 {
		b.condition(f, says, query.AnyOf(parts...))
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
		last := several[len(several)-1]
		several = several[:len(several)-1]
		b.anyOf(name, last, fact{spans: f.spans}, string(name)+": "+strings.Join(last, ", "))
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
