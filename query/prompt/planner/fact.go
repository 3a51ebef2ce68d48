package planner

import (
	"slices"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/quantity"
)

// when says which jobs of a person a fact is about.
type when int

const (
	unsaid when = iota // the present job, unless the phrase around says otherwise
	now
	past
	anyTime
	previous
)

// fact is one thing that a phrase asks for: a filter with alternatives, or a
// choice, career, relation or judgement. Facts are values: constructors copy
// what they change.
type fact struct {
	// name is the filter for the present job or the person; when moves it.
	name query.FilterName
	when when
	// values are alternatives in the filter grammar; excluded must not hold
	// besides. keywords and broader say the same in coarser directories.
	values, excluded, keywords, broader []string
	// companies are the companies of a union, each with its own names.
	companies []fact
	// level is the level that a title names.
	level string
	// number is the quantity of a range filter.
	number *quantity.Quantity
	// not: must not hold. soft: only orders. both: holds beside others of its
	// name. gone: and does not hold today. nobody: named, but unknown.
	not, soft, both, gone, nobody bool
	// instead: said in place of what was said before of its kind.
	instead bool
	// choice is any of several conjunctions.
	choice []value
	// judge is the name of a judgement, says the words of a condition.
	judge, says string
	// relate, network and career are what reaches beyond one record's filters.
	relate  *relation
	network *networkAsk
	event   *event
	career  *analysis.Career
	// spans are the tokens that say so, each from and to.
	spans [][2]int
}

// value is what a phrase means: all of its facts hold.
type value []fact

// each are the companies of a fact, itself where it is no union.
func (f fact) each() []fact {
	if len(f.companies) > 0 {
		return slices.Clip(f.companies)
	}
	return []fact{f}
}

// relation is a condition that refers to other people.
type relation struct {
	kind prompt.RelationKind
	who  value
	jobs value
	past bool
	// said are the words that say who.
	said [2]int
}

// networkAsk is a question about the asker's own network.
type networkAsk struct {
	degrees  []int
	strength bool
	// since is how long ago the last contact was at least, or at most where recent is true.
	since  *quantity.Quantity
	recent bool
	email  bool
	// to are the people to be introduced to, nil where no one is.
	to value
}

// clone copies a value as far as constructors change it.
func (v value) clone() value { return slices.Clone(v) }

// each returns a copy of v with f applied to every fact, those of choices and careers included.
func (v value) each(f func(*fact)) value {
	out := v.clone()
	for i := range out {
		f(&out[i])
		if len(out[i].choice) > 0 {
			choice := make([]value, len(out[i].choice))
			for j, c := range out[i].choice {
				choice[j] = c.each(f)
			}
			out[i].choice = choice
		}
	}
	return out
}

// spansOf joins the spans of facts.
func (v value) spansOf() (spans [][2]int) {
	for _, f := range v {
		spans = append(spans, f.spans...)
		for _, c := range f.choice {
			spans = append(spans, c.spansOf()...)
		}
		if f.relate != nil {
			spans = append(append(spans, f.relate.who.spansOf()...), f.relate.jobs.spansOf()...)
		}
	}
	return spans
}

// ofJob reports whether a filter asks of one job.
func ofJob(name query.FilterName) bool {
	return moved(name, past) != name || name == query.FilterTenureYears || seatOf(name) != ""
}

// moved is the filter that asks of other jobs what name asks of the present one;
// name itself where there is none.
func moved(name query.FilterName, to when) query.FilterName {
	if name == "" {
		return name
	}
	prefix := ""
	switch to {
	case past:
		prefix = "past"
	case anyTime:
		prefix = "any"
	case previous:
		prefix = "previous"
	case unsaid, now:
		return name
	}
	other := query.FilterName(prefix + string(name[0]-'a'+'A') + string(name[1:]))
	if known(other) {
		return other
	}
	if ended := query.FilterName("past" + string(name[0]-'a'+'A') + string(name[1:])); known(ended) {
		return ended
	}
	return name
}

// known reports whether the API has a filter of a name.
func known(name query.FilterName) bool {
	return slices.ContainsFunc(query.FilterTable(), func(i query.FilterInfo) bool { return i.Name == name })
}

// onceAt asks for work at a place that has ended, as far as the record says where that was.
func onceAt(c *chart, args []arg) (value, bool) {
	var out value
	for _, f := range args[0].val {
		if !isPlace(f.name) {
			return nil, false
		}
		f.name = seat(f.name)
		if moved(f.name, past) == f.name {
			return noted(c, []arg{{word: "no record says in which city or region a person once worked"}, args[0]})
		}
		f.when = past
		out = append(out, f)
	}
	return out, len(out) > 0
}

// isPlace reports whether a filter asks where a person lives.
func isPlace(name query.FilterName) bool {
	switch name {
	case query.FilterCountry, query.FilterState, query.FilterCity, query.FilterRegion, query.FilterMetro:
		return true
	}
	return false
}

// seat is the filter for the company's seat of one for where a person lives.
func seat(name query.FilterName) query.FilterName {
	if !isPlace(name) {
		return name
	}
	return query.FilterName("company" + string(name[0]-'a'+'A') + string(name[1:]))
}

// seatOf is the opposite of seat, "" for any other filter.
func seatOf(name query.FilterName) query.FilterName {
	for _, place := range []query.FilterName{
		query.FilterCountry, query.FilterState, query.FilterCity, query.FilterRegion, query.FilterMetro,
	} {
		if seat(place) == name {
			return place
		}
	}
	return ""
}
