package rules

import (
	"maps"
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
)

// narrow makes filters of the ranks that stand before titles, where one holds
// for all of the list. It reports whether no filter can say it: where they
// differ, or levels and words are alternatives.
func (b *builder) narrow(facts []fact) (differ bool) {
	first := facts[0].narrow
	for i := range facts {
		ownLevel := i > 0 && facts[i].name == query.FilterSeniority // senior managers and directors
		if len(facts[i].narrow) == 0 && !ownLevel {
			facts[i].narrow = first
		}
		differ = differ || !slices.Equal(facts[i].narrow, first)
	}
	if differ || len(first) == 0 {
		return differ
	}
	levels, words := ranks(facts[0])
	level := facts[0]
	level.excluded, level.spans = nil, nil
	for _, f := range facts {
		level.spans = append(level.spans, f.narrowSpans...)
	}
	switch {
	case len(words) == 0:
		level.name, level.values = query.FilterSeniority, levels
	case len(words) == 1 && len(levels) == 0:
		level.name, level.values = query.FilterPosition, words
	default:
		return true
	}
	b.wanted([]fact{level})
	return false
}

// ranks are the ranks before a title as levels, and as words that the title
// must have. A senior manager is of the level of managers, so that only the
// word tells them apart.
func ranks(f fact) (levels, words []string) {
	for _, r := range f.narrow {
		word, isWord := strings.CutPrefix(r, wordMark)
		switch {
		case isWord:
			words = append(words, word)
		case r == analysis.LevelSenior && aboveLead(f.level):
			words = append(words, r)
		case r == analysis.LevelEntry && aboveLead(f.level):
			words = append(words, "junior")
		default:
			levels = append(levels, r)
		}
	}
	return levels, words
}

func aboveLead(level string) bool {
	switch level {
	case analysis.LevelManager, analysis.LevelDirector, analysis.LevelVP, analysis.LevelCXO, analysis.LevelPartner:
		return true
	}
	return false
}

// compile is the query of one fact.
func (p *parser) compile(f fact) query.Query {
	value := strings.Join(reduced(f.values), ", ")
	for _, x := range f.excluded {
		value += ", -" + x
	}
	filters := query.Filters{f.filter(): value}
	levels, words := ranks(f)
	var parts []query.Query
	if len(levels) > 0 {
		narrow := maps.Clone(filters)
		narrow[moved(query.FilterSeniority, f.when)] = strings.Join(levels, ", ")
		parts = append(parts, p.filtered(narrow))
	}
	for _, w := range words {
		narrow := maps.Clone(filters)
		if name := moved(query.FilterPosition, f.when); narrow[name] == "" {
			narrow[name] = w
		} else {
			narrow[name] += ", +" + w
		}
		parts = append(parts, p.filtered(narrow))
	}
	switch len(parts) {
	case 0:
		return p.filtered(filters)
	case 1:
		return parts[0]
	}
	return query.Or{Parts: parts}
}

// filtered is the query of filters; no one where they are none.
func (p *parser) filtered(filters query.Filters) query.Query {
	compiled, problems := analysis.Compile(filters, p.now)
	if len(problems) > 0 {
		return query.None{}
	}
	return compiled.Query
}
