package rules

import (
	"cmp"
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/rules/cue"
)

// builder makes the filters of a plan of facts.
type builder struct {
	p          *parser
	filters    map[query.FilterName]*filter
	conditions []prompt.Condition
}

// filter is one filter that is being made.
type filter struct {
	lists    []alternatives
	excluded []string
	spans    [][2]int
	// notSpans are those of what is excluded; they count where nothing is wanted.
	notSpans [][2]int
}

// alternatives are values of which one must hold.
type alternatives struct {
	values []string
	// all are the values before the needless ones were left out.
	all []string
	// alone is true of one value that must hold on its own.
	alone bool
}

func newBuilder(p *parser) *builder {
	return &builder{p: p, filters: map[query.FilterName]*filter{}}
}

// build sorts the facts into filters and conditions.
func (b *builder) build(facts []fact) {
	for len(facts) > 0 {
		list := facts[0].list
		var same, rest []fact
		for _, f := range facts {
			if f.list == list {
				same = append(same, f)
			} else {
				rest = append(rest, f)
			}
		}
		b.list(same)
		facts = rest
	}
}

// list adds facts that are alternatives of each other.
func (b *builder) list(facts []fact) {
	for i := range facts {
		facts[i] = b.p.settle(facts[i])
	}
	if facts[0].query != nil {
		b.addQueries(facts)
		return
	}
	if facts[0].not {
		for _, f := range facts {
			b.exclude(f)
		}
		return
	}
	if one := facts[0]; one.apart && len(one.values) > 1 {
		b.condition(string(one.name)+": "+strings.Join(one.values, ", "), b.p.compile(one), one.spans)
		return
	}
	facts = unified(facts)
	narrows := b.narrow(facts)
	switch {
	case mixed(facts) && facts[0].both:
		for _, f := range facts {
			b.list([]fact{f})
		}
		return
	case mixed(facts):
		b.either(facts)
		return
	case narrows:
		b.either(facts) // and the filter, which everyone of them satisfies
	}
	b.wanted(facts)
	b.left(facts)
}

// mixed reports whether facts are for different filters.
func mixed(facts []fact) bool {
	return slices.ContainsFunc(facts, func(f fact) bool { return f.filter() != facts[0].filter() })
}

func (b *builder) filter(name query.FilterName) *filter {
	f := b.filters[name]
	if f == nil {
		f = &filter{}
		b.filters[name] = f
	}
	return f
}

// wanted adds facts for one filter.
func (b *builder) wanted(facts []fact) {
	f := b.filter(facts[0].filter())
	both := slices.ContainsFunc(facts, func(f fact) bool { return f.both }) || b.bounds(facts)
	a := alternatives{alone: facts[0].apart}
	for _, one := range facts {
		if both {
			f.lists = append(f.lists, alternatives{values: one.values, alone: one.apart})
		}
		a.values = appendNew(a.values, one.values...)
		f.spans = append(f.spans, one.spans...)
	}
	for _, one := range facts {
		for _, x := range one.excluded {
			if !mentioned(facts, x) {
				f.excluded = appendNew(f.excluded, x)
			}
		}
	}
	if again := slices.ContainsFunc(f.lists, func(l alternatives) bool { return slices.Equal(l.all, a.values) }); !both && !again {
		a.all = a.values
		a.values = reduced(a.values)
		f.lists = append(f.lists, a)
	}
}

// bounds reports whether facts are a lower and an upper bound of one number, not
// alternatives: fewer than 50 or more than 500.
func (b *builder) bounds(facts []fact) bool {
	lower, upper := false, false
	for _, f := range facts {
		if len(f.values) != 1 {
			return false
		}
		lower = lower || strings.HasPrefix(f.values[0], ">") || strings.HasSuffix(f.values[0], "+") && !strings.Contains(f.values[0], " ")
		upper = upper || strings.HasPrefix(f.values[0], "<")
	}
	return lower && upper && !b.p.orBetween(facts[0].spans[0], facts[len(facts)-1].spans[0])
}

// mentioned reports whether some alternative has a word that is excluded for
// the sake of another.
func mentioned(facts []fact, excluded string) bool {
	return slices.ContainsFunc(facts, func(f fact) bool {
		return slices.ContainsFunc(f.values, func(v string) bool { return strings.Contains(v, strings.Trim(excluded, `"`)) })
	})
}

func (b *builder) exclude(one fact) {
	if len(one.narrow) > 0 {
		spans := slices.Concat(one.narrowSpans, one.spans)
		b.condition("not "+b.p.source(spans).Text, query.Not{Part: b.p.compile(one)}, spans)
		return
	}
	f := b.filter(one.filter())
	f.excluded = appendNew(f.excluded, reduced(one.values)...)
	f.notSpans = append(f.notSpans, one.spans...)
}

// left excludes who is still there: of one company or title by a filter, of
// several by a condition.
func (b *builder) left(facts []fact) {
	if !facts[0].gone || facts[0].when != past {
		return
	}
	name := facts[0].name
	role := name == query.FilterPosition || name == query.FilterSeniority && b.p.isFounder(facts[0])
	if name != query.FilterCompany && (!role || b.p.hasPastCompany()) || b.p.heldAgain(facts) {
		return
	}
	if len(facts) == 1 || facts[0].both {
		for _, one := range facts {
			f := b.filter(name)
			f.excluded = appendNew(f.excluded, reduced(one.values)...)
			f.notSpans = append(f.notSpans, one.spans...)
		}
		return
	}
	var parts []query.Query
	var spans [][2]int
	for _, one := range facts {
		parts = append(parts, b.p.andLeft(one))
		spans = append(spans, one.spans...)
	}
	b.condition("left one of them and is not there now", query.Or{Parts: parts}, spans)
}

// heldAgain reports whether the prompt asks for a present job of the same title as
// that which is over: previously CFO at a startup, now CFO of a bank.
func (p *parser) heldAgain(over []fact) bool {
	return slices.ContainsFunc(p.facts, func(f fact) bool {
		return f.name == over[0].name && f.when == current && !f.not && slices.Equal(f.values, over[0].values)
	})
}

// andLeft asks for what a fact says of an ended job, and that it does not hold
// any more.
func (p *parser) andLeft(f fact) query.Query {
	held := f
	held.when, held.excluded = current, nil
	return query.And{Parts: []query.Query{p.compile(f), query.Not{Part: p.compile(held)}}}
}

// either asks for any of facts for different filters.
func (b *builder) either(facts []fact) {
	var parts []query.Query
	var says []string
	var spans [][2]int
	for _, f := range facts {
		if f.gone && f.when == past && f.name == query.FilterCompany {
			parts = append(parts, b.p.andLeft(f))
		} else {
			parts = append(parts, b.p.compile(f))
		}
		text := cmp.Or(f.says, b.p.source(f.spans).Text)
		if len(f.narrow) > 0 {
			text = strings.ReplaceAll(strings.Join(f.narrow, " or "), wordMark, "") + " " + text
		}
		says = append(says, text)
		spans = append(append(spans, f.narrowSpans...), f.spans...)
	}
	b.condition(strings.Join(says, ", or "), query.Or{Parts: parts}, spans)
}

func (b *builder) condition(says string, q query.Query, spans [][2]int) {
	b.conditions = append(b.conditions, prompt.Condition{Source: b.p.source(spans), Says: says, Query: q})
}

func (b *builder) addQueries(facts []fact) {
	for i := 0; i < len(facts); i++ {
		f := facts[i]
		q, says, spans := f.query, f.says, f.spans
		for ; i+1 < len(facts) && b.p.cueBefore(facts[i+1].spans[0][0], cue.Or); i++ {
			next := facts[i+1]
			q, says, spans = query.Or{Parts: []query.Query{q, next.query}}, says+", or "+next.says, slices.Concat(spans, next.spans)
		}
		if f.not {
			q, says = query.Not{Part: q}, "not "+says
		}
		b.condition(says, q, spans)
	}
}

// hasPastCompany reports whether some fact asks for a company that was left.
func (p *parser) hasPastCompany() bool {
	return slices.ContainsFunc(p.facts, func(f fact) bool { return f.name == query.FilterCompany && f.when == past && !f.not })
}

// unified brings alternatives to one filter where one takes them all: countries
// and regions, cities and metro areas.
func unified(facts []fact) []fact {
	if !mixed(facts) {
		return facts
	}
	for _, wide := range []struct {
		name query.FilterName
		take []query.FilterName
	}{
		{query.FilterCountry, []query.FilterName{query.FilterRegion}},
		{query.FilterRegion, []query.FilterName{query.FilterCountry, query.FilterState}},
		{query.FilterCity, []query.FilterName{query.FilterMetro}},
		{query.FilterCompanyCountry, []query.FilterName{query.FilterCompanyRegion}},
		{query.FilterCompanyRegion, []query.FilterName{query.FilterCompanyCountry, query.FilterCompanyState}},
		{query.FilterCompanyCity, []query.FilterName{query.FilterCompanyMetro}},
	} {
		if !slices.ContainsFunc(facts, func(f fact) bool { return f.name != wide.name && !slices.Contains(wide.take, f.name) }) {
			out := slices.Clone(facts)
			for i := range out {
				out[i].name = wide.name
			}
			return out
		}
	}
	return facts
}

func appendNew(list []string, more ...string) []string {
	for _, m := range more {
		if !slices.Contains(list, m) {
			list = append(list, m)
		}
	}
	return list
}

// settle chooses between the industries and the keywords that mean the same by
// what the directory has.
func (p *parser) settle(f fact) fact {
	if f.name != query.FilterCompanyIndustry || len(f.keywords) == 0 && len(f.broader) == 0 {
		return f
	}
	known := func(kind prompt.Kind, values []string) []string {
		return slices.DeleteFunc(slices.Clone(values), func(v string) bool {
			return !p.known.knows(kind, analysis.PlaceKey(strings.Trim(v, `"`)))
		})
	}
	switch labels, words := known(prompt.Industry, f.values), known(prompt.Keyword, f.keywords); {
	case len(labels) > 0:
	case len(words) > 0 || len(f.values) == 0 && len(f.keywords) > 0:
		f.name, f.values = query.FilterCompanyKeywords, f.keywords
	case len(known(prompt.Industry, f.broader)) > 0:
		f.values = f.broader
	}
	return f
}

// value are the alternatives of the filter in the filter grammar; rest is what
// the grammar cannot add to them.
func (f *filter) value() (parts []string, rest []alternatives) {
	var plain *alternatives
	for i := range f.lists {
		a := f.lists[i]
		switch {
		case len(a.values) == 1 && (len(f.lists) > 1 || a.alone):
			parts = appendNew(parts, "+"+a.values[0])
		case plain == nil:
			plain = &f.lists[i]
		default:
			rest = append(rest, a)
		}
	}
	if plain != nil {
		parts = append(slices.Clone(plain.values), parts...)
	}
	for _, x := range f.excluded {
		parts = append(parts, "-"+x)
	}
	return parts, rest
}

// fits reports whether a value is within what a filter may have.
func fits(value string, parts int) bool {
	return parts <= query.MaxAlternatives && len([]rune(value)) <= query.MaxFilterLength
}

// finish returns the filters, in the order of the filter table, and the
// conditions.
func (b *builder) finish() ([]prompt.Filter, []prompt.Condition) {
	var filters []prompt.Filter
	for _, info := range query.FilterTable() {
		f := b.filters[info.Name]
		if f == nil {
			continue
		}
		parts, rest := f.value()
		value := strings.Join(parts, ", ")
		spans := f.spans
		if len(f.lists) == 0 {
			spans = f.notSpans
		}
		if fits(value, len(parts)) {
			filters = append(filters, prompt.Filter{
				Source: b.p.source(spans), Name: info.Name, Value: value, Excluded: len(f.lists) == 0,
			})
		} else {
			b.long(info.Name, f, spans)
		}
		for _, a := range rest {
			also := fact{name: info.Name, values: a.values}
			b.condition(string(info.Name)+": "+strings.Join(a.values, ", "), b.p.compile(also), spans)
		}
	}
	return filters, b.conditions
}

// long makes conditions of a filter with more alternatives than one may have.
func (b *builder) long(name query.FilterName, f *filter, spans [][2]int) {
	text := string(name) + ": " + b.p.source(spans).Text
	for _, a := range f.lists {
		b.condition(text, b.p.anyOf(name, a.values), spans)
	}
	if len(f.excluded) > 0 {
		b.condition("not "+text, query.Not{Part: b.p.anyOf(name, f.excluded)}, append(slices.Clone(spans), f.notSpans...))
	}
}

// anyOf is the query for any of alternatives, however many.
func (p *parser) anyOf(name query.FilterName, values []string) query.Query {
	var parts []query.Query
	for chunk := range slices.Chunk(values, query.MaxAlternatives/10) {
		parts = append(parts, p.compile(fact{name: name, values: chunk}))
	}
	return query.Or{Parts: parts}
}
