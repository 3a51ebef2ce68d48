package planner

import (
	"slices"

	"kith/query"
)

// corrects marks a value as a replacement for something the asker said before.
func corrects(_ *chart, args []arg) (value, bool) {
	v := args[len(args)-1].val
	if len(v) == 0 || slices.ContainsFunc(v, func(f fact) bool { return f.not || f.soft || f.network != nil }) {
		return nil, false
	}
	return v.each(func(f *fact) { f.instead = true }), true
}

// applyCorrections replaces facts by their corrections, for the same jobs, and reports replaced ones as
// ignored. A correction that replaces nothing stays marked.
func applyCorrections(v value) value {
	if !slices.ContainsFunc(v, func(f fact) bool { return f.instead }) {
		return v
	}
	titled := slices.ContainsFunc(v, func(f fact) bool { return f.instead && f.name == query.FilterPosition })
	out := make(value, 0, len(v))
	for _, f := range v {
		if !f.instead {
			out = append(out, f)
			continue
		}
		for i, old := range out {
			if !old.instead && isCorrected(old, f, titled) {
				f = f.in(old)
				f.instead = false
				out[i] = noteOf("", value{old}.allSpans())
			}
		}
		out = append(out, f)
	}
	return out
}

// isCorrected reports whether a correction replaces a fact of the same kind. A new title replaces a
// whole title, including level and function.
func isCorrected(old, by fact, titled bool) bool {
	if old.not || old.soft || old.network != nil || old.relate != nil {
		return false
	}
	if len(old.choice) > 0 {
		return slices.ContainsFunc(old.choice, func(v value) bool {
			return slices.ContainsFunc(v, func(f fact) bool { return isCorrected(f, by, titled) })
		})
	}
	return old.name != "" && (slot(old.name, titled) == slot(by.name, titled) ||
		isSeat(old.name) && isPlace(by.name))
}

// slot maps filters to a representative if a person or job has only one value among them.
func slot(name query.FilterName, titled bool) query.FilterName {
	switch {
	case isPlace(name):
		return query.FilterCity
	case isSeat(name):
		return query.FilterCompanyCity
	case titled && (name == query.FilterSeniority || name == query.FilterFunction):
		return query.FilterPosition
	}
	return name
}

// in gives a fact the time and place of work of the one that it corrects.
func (f fact) in(old fact) fact {
	if f.when == unsaid {
		f.when, f.gone = old.when, old.gone
	}
	if isSeat(old.name) {
		f.name = seat(f.name)
	}
	return f
}

// heldBefore gives titles to earlier jobs if a later one is said to be held now: auditors who are now treasurers.
func heldBefore(v value) value {
	isTitle := func(f fact) bool { return !f.not && !f.soft && f.name == query.FilterPosition }
	next := slices.IndexFunc(v, func(f fact) bool { return isTitle(f) && f.when == now })
	if next < 1 {
		return v
	}
	return append(v[:next].each(func(f *fact) {
		if isTitle(*f) && f.when == unsaid {
			f.when = past
		}
	}), v[next:]...)
}
