package planner

import (
	"slices"

	"kith/query"
	"kith/query/prompt"
)

// maxPreferred is the maximum number of preferences that order people.
const maxPreferred = 3

// demanded returns facts of which some are required: if all are only preferred, all become required.
func demanded(v value) value {
	if slices.ContainsFunc(v, func(f fact) bool { return f.says == "" && !f.soft }) {
		return v
	}
	return v.each(func(f *fact) { f.soft = f.soft && f.says != "" })
}

// prefer adds the filters of preferred facts, and notes each preference, also those that no filter can express.
func (b *builder) prefer() {
	inner := b.facts(b.wished)
	for name, f := range inner.filters {
		var wished []string
		for _, list := range f.lists {
			wished = appendNew(wished, list...)
		}
		f.lists = [][]string{without(wished, b.filters[name])}
		f.excluded = nil
	}
	inner.finish()
	for _, f := range inner.plan.Filters {
		if f.Name != query.FilterPersonName && len(b.plan.Preferred) < maxPreferred {
			b.plan.Preferred = append(b.plan.Preferred, f)
			b.remark("preferred, not demanded: " + f.Text)
		} else {
			b.noteUnordered(f.Source)
		}
	}
	for _, c := range inner.plan.Conditions {
		b.noteUnordered(c.Source)
	}
	b.plan.Criteria = append(b.plan.Criteria, inner.plan.Criteria...)
	b.plan.Ignored = appendNew(b.plan.Ignored, inner.plan.Ignored...)
	b.plan.Notes = appendNew(b.plan.Notes, inner.plan.Notes...)
}

// noteUnordered adds a note that a preference does not affect the order.
func (b *builder) noteUnordered(source prompt.Source) {
	b.remark("people are not ordered by this preference: " + source.Text)
	b.plan.Ignored = appendNew(b.plan.Ignored, source.Text)
}

// without returns the values that a filter does not already require; the filter may be nil.
func without(values []string, asked *filter) []string {
	if asked == nil {
		return values
	}
	return slices.DeleteFunc(values, func(v string) bool {
		return slices.ContainsFunc(asked.lists, func(l []string) bool { return slices.Contains(l, v) })
	})
}
