package planner

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/quantity"
)

// when selects the jobs of a person that a fact is about.
type when int

const (
	unsaid when = iota // the current job, unless the surrounding phrase selects others
	now
	past
	anyTime
	previous
)

// fact is one condition of a phrase: a filter with alternatives, or a choice, career, relation or
// judgement. Facts are values: constructors copy them before changes.
type fact struct {
	// name is the filter for the current job or the person; when selects other jobs.
	name query.FilterName
	when when
	// values are alternatives in the filter grammar. excluded must not match. keywords and broader
	// are equivalents for coarser datasets.
	values, excluded, keywords, broader []string
	// companies are the companies of a union, each with its names.
	companies []fact
	// general: its values guess the trade of the noun of a title.
	general bool
	// number is the quantity of a range filter.
	number *quantity.Quantity
	// not: must not hold. soft: a preference. both: required in addition to others of the same
	// filter. gone: must no longer hold. nobody: named, but unknown.
	not, soft, both, gone, nobody bool
	// instead: replaces an earlier fact of its kind.
	instead bool
	// choice is a list of alternative conjunctions.
	choice []value
	// judge is the name of a judgement, says the description of a condition.
	judge, says string
	// relate, network, event and career go beyond the filters of one record.
	relate  *relation
	network *networkAsk
	event   *event
	career  *analysis.Career
	// how is what a career says, and steps are its jobs and its length, in the order of the prompt.
	how   frame.How
	steps []value
	// leads: a level of people in charge of the fact that is led.
	leads, led bool
	// spans are the ranges of words that express the fact, each from and to.
	spans [][2]int
}

// value is the meaning of a phrase: a conjunction of facts.
type value []fact

// each returns the companies of a union, or else the fact itself.
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
	// span are the words for the people.
	span [2]int
}

// networkAsk is a condition on the asker's own network.
type networkAsk struct {
	degrees  []int
	strength bool
	// since is the minimum time since the last contact, or the maximum if recent is true.
	since  *quantity.Quantity
	recent bool
	email  bool
	// to are the people to be introduced to, nil if none.
	to value
}

// each returns a copy of v with f applied to every fact, including those of choices and careers.
func (v value) each(f func(*fact)) value {
	out := slices.Clone(v)
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

// allSpans returns the spans of all facts.
func (v value) allSpans() (spans [][2]int) {
	for _, f := range v {
		spans = append(spans, f.spans...)
		for _, c := range f.choice {
			spans = append(spans, c.allSpans()...)
		}
		if f.relate != nil {
			spans = append(append(spans, f.relate.who.allSpans()...), f.relate.jobs.allSpans()...)
		}
	}
	return spans
}

// isStory reports whether a fact is a career, a relation or the asker's network.
func (f fact) isStory() bool { return f.how != "" || f.relate != nil || f.network != nil }

// content returns the spans of all facts, without the words that tell a story.
func (v value) content() (spans [][2]int) {
	for _, f := range v {
		parts := append(slices.Clip(f.steps), f.choice...)
		if !f.isStory() {
			spans = append(spans, f.spans...)
		}
		if f.relate != nil {
			parts = append(parts, f.relate.who, f.relate.jobs)
		}
		if f.network != nil {
			parts = append(parts, f.network.to)
		}
		if f.event != nil {
			parts = append(parts, f.event.where)
		}
		for _, p := range parts {
			spans = append(spans, p.content()...)
		}
	}
	return spans
}

// ofJob reports whether a filter is about one job.
func ofJob(name query.FilterName) bool {
	return counterpart(name, past) != name || name == query.FilterTenureYears || isSeat(name)
}

// counterpart returns the counterpart of a filter for other jobs, or name itself if there is none.
func counterpart(name query.FilterName, to when) query.FilterName {
	prefix := [...]string{past: "past", anyTime: "any", previous: "previous"}[to]
	if name == "" || prefix == "" {
		return name
	}
	for _, p := range []string{prefix, "past"} {
		if other := prefixed(p, name); isFilter(other) {
			return other
		}
	}
	return name
}

// prefixed returns the name of a filter with a prefix: pastCompany.
func prefixed(prefix string, name query.FilterName) query.FilterName {
	return query.FilterName(prefix + strings.ToUpper(string(name[:1])) + string(name[1:]))
}

// isFilter reports whether the API has a filter with this name.
func isFilter(name query.FilterName) bool {
	return slices.ContainsFunc(query.FilterTable(), func(i query.FilterInfo) bool { return i.Name == name })
}

// onceAt requires an ended job at a place, if records have that place.
func onceAt(c *chart, args []arg) (value, bool) {
	var out value
	for _, f := range args[0].val {
		if !isPlace(f.name) {
			return nil, false
		}
		f.name = seat(f.name)
		if counterpart(f.name, past) == f.name {
			return noted(c, []arg{{word: noPastSeat}, args[0]})
		}
		f.when = past
		out = append(out, f)
	}
	return out, len(out) > 0
}

// homes returns the filters on where a person lives.
func homes() []query.FilterName {
	return []query.FilterName{
		query.FilterCountry, query.FilterState, query.FilterCity, query.FilterRegion, query.FilterMetro,
	}
}

// isPlace reports whether a filter is about where a person lives.
func isPlace(name query.FilterName) bool { return slices.Contains(homes(), name) }

// seat returns the company headquarters filter for a filter on where a person lives.
func seat(name query.FilterName) query.FilterName {
	if !isPlace(name) {
		return name
	}
	return prefixed("company", name)
}

// isSeat reports whether a filter is about a company headquarters.
func isSeat(name query.FilterName) bool {
	return slices.ContainsFunc(homes(), func(home query.FilterName) bool { return seat(home) == name })
}

// nothing returns the value of words that ask for nothing, and are reported as ignored.
func nothing(from, to int) value { return value{noteOf("", [][2]int{{from, to}})} }

// noteOf returns a fact that asks for nothing: its words are reported as ignored, with a note unless it is empty.
func noteOf(says string, spans [][2]int) fact {
	return fact{says: says, nobody: true, soft: true, spans: spans}
}

// noPastSeat is the note on places of earlier jobs.
const noPastSeat = "no record says in which city or region a person once worked"
