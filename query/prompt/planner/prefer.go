package planner

import (
	"slices"

	"kith/query"
	"kith/query/prompt"
)

// maxPreferred is how many preferences of a prompt order people.
const maxPreferred = 3

// demanded are facts of which some must hold: where all are only preferred, they all must.
func demanded(v value) value {
	if slices.ContainsFunc(v, func(f fact) bool { return f.says == "" && !f.soft }) {
		return v
	}
	out := v.clone()
	for i := range out {
		out[i].soft = out[i].soft && out[i].says != ""
	}
	return out
}

// prefer adds the filters of the facts that need not hold, and says which of those facts no filter can express.
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
		} else {
			b.unordered(f.Source)
		}
	}
	for _, c := range inner.plan.Conditions {
		b.unordered(c.Source)
	}
	b.plan.Criteria = append(b.plan.Criteria, inner.plan.Criteria...)
	b.plan.Ignored = appendNew(b.plan.Ignored, inner.plan.Ignored...)
	b.plan.Notes = appendNew(b.plan.Notes, inner.plan.Notes...)
}

// unordered says that a preference orders nobody.
func (b *builder) unordered(said prompt.Source) {
	b.remark("people are not ordered by this preference: " + said.Text)
	b.plan.Ignored = appendNew(b.plan.Ignored, said.Text)
}

// without are the values that a filter does not ask for already; the filter may be nil.
func without(values []string, asked *filter) []string {
	if asked == nil {
		return values
	}
	return slices.DeleteFunc(values, func(v string) bool {
		return slices.ContainsFunc(asked.lists, func(l []string) bool { return slices.Contains(l, v) })
	})
}
