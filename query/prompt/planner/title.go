package planner

import (
	"cmp"
	"slices"
	"strings"

	"kith/query"
	"kith/query/gazetteer"
	"kith/query/prompt/lexicon"
	"kith/query/taxonomy"
)

// lead requires people in charge of a field of work.
func lead(_ *chart, args []arg) (value, bool) {
	var v value
	for i, a := range args {
		v = append(v, a.val.each(func(f *fact) { f.leads, f.led = i == 0, i > 0 })...)
	}
	return v, len(v) > 1
}

// inside combines a place with the place around it: Portland, Oregon.
func inside(c *chart, args []arg) (value, bool) {
	a, b := args[0].edge.place(), args[1].edge.place()
	if a == nil || b == nil || !a.LiesIn(*b) {
		return nil, false
	}
	f := args[0].val[0]
	f.values = []string{query.Alternative{Text: a.Qualified(), Phrase: true}.String()}
	f.spans = [][2]int{{args[0].edge.from, args[1].edge.to}}
	return value{f}, true
}

// place returns the place of an edge, nil if it is none.
func (e *edge) place() *gazetteer.NamedPlace {
	switch {
	case e.leaf != nil && e.leaf.sense != nil:
		return e.leaf.sense.Place
	case len(e.parts) > 0:
		return e.parts[0].place()
	}
	return nil
}

// titled builds a title from the words of a phrase, unless it is listed.
func titled(c *chart, args []arg) (value, bool) {
	first, last := args[0].edge, args[len(args)-1].edge
	if c.isListed(first.from, last.to) || c.hasPossessive(first.from, last.to) {
		return nil, false
	}
	instead := map[int]string{}
	for _, a := range args {
		for _, f := range a.edge.fixes() {
			instead[f.at] = f.word
		}
	}
	var norms []string
	for i := first.from; i < last.to; i++ {
		if w := c.text.words[i]; w.mark == "" && !c.inside[i] {
			norms = append(norms, cmp.Or(instead[i], w.Norm))
		}
	}
	if s, ok := compound(c.reader, [2]int{first.from, first.to}, [2]int{last.from, last.to}); ok {
		return value{factOf(s, [2]int{first.from, last.to})}, true
	}
	s := c.reader.title(norms, first.from, last.to)
	return value{{name: s.Filter, values: s.Values, spans: [][2]int{{first.from, last.to}}}},
		len(norms) > 1
}

// title reads the words of a span as a title in no table. One in another language has its English translation, too. For
// experts it is what they know.
func (r *reader) title(norms []string, from, to int) lexicon.Sense {
	if known, ok := r.lexicon.Expert(norms); ok {
		return known
	}
	own := lexicon.Title(norms)
	translated, ok := r.english(norms, from, to)
	if !ok {
		return own
	}
	s := lexicon.Title(translated)
	for _, known := range r.lexicon.Senses(translated) {
		if known.Type == lexicon.Role || known.Type == lexicon.CRole {
			s = known
			break
		}
	}
	s.Values = appendNew(slices.Clone(s.Values), own.Values...)
	return s
}

// english returns the translation of a span that may be in another language.
func (r *reader) english(norms []string, from, to int) ([]string, bool) {
	if !r.mayBeForeign(from, to) {
		return nil, false
	}
	return r.lexicon.English(norms, r.language.Code)
}

// isListed reports whether a span is a listed title.
func (c *chart) isListed(from, to int) bool {
	return slices.ContainsFunc(c.reader.leaves[from],
		func(l *leaf) bool { return l.to == to && l.sense != nil && l.name == "Role" })
}

// hasPossessive reports whether a word of a span, except the last, is possessive.
func (c *chart) hasPossessive(from, to int) bool {
	return slices.ContainsFunc(c.text.words[from:to-1], func(w word) bool { return w.Possessive })
}

// renamed builds a person's name from its first and last part.
func renamed(c *chart, args []arg) (value, bool) {
	first, last := args[0].edge, args[1].edge
	if last.to-last.from > 1 && first.to-first.from > 1 {
		return nil, false
	}
	f := args[0].val[0]
	f.values = []string{alternative(c.text.wording(first.from, first.to) + " " + c.text.wording(last.from, last.to))}
	f.spans = [][2]int{{min(first.from, last.from), max(first.to, last.to)}}
	return value{f}, true
}

// specifier reads titles by what stands beside them. General ones are only their noun if a topic says which trade is
// meant: a developer of wind farms makes no software.
type specifier struct {
	*reader
	facts value
}

func (s specifier) specified() value {
	s.facts = s.employed()
	if !slices.ContainsFunc(s.facts, func(f fact) bool { return f.general }) {
		return s.facts
	}
	return s.facts.each(func(f *fact) {
		if f.general && len(f.spans) == 1 && s.hasTopic(f.spans[0][1]) {
			f.values, f.excluded, f.keywords, f.broader = s.noun(f.spans[0][0], f.spans[0][1]), nil, nil, nil
		}
	})
}

// employed makes the school in front of a title of teaching or research an employer: Harvard professors.
func (s specifier) employed() value {
	return s.facts.each(func(f *fact) {
		if f.name == query.FilterSchool && len(f.spans) == 1 && s.isAcademic(f.spans[0][1]) {
			f.name = query.FilterCompany
		}
	})
}

// isAcademic reports whether a title of teaching or research begins at a word.
func (s specifier) isAcademic(from int) bool {
	return slices.ContainsFunc(s.facts, func(f fact) bool {
		if f.name != query.FilterPosition || f.not || len(f.spans) != 1 || f.spans[0][0] != from {
			return false
		}
		title := s.text.norms(from, f.spans[0][1])
		function := taxonomy.Function(strings.Join(title, " "))
		isLearner := slices.Contains([]string{"student", "students", "candidate", "candidates"}, title[len(title)-1])
		return (function == "education" || function == "research") && !isLearner
	})
}

// hasTopic reports whether some facts are about a topic, or about a trade that the words after a title name: of
// railways.
func (s specifier) hasTopic(title int) bool {
	return slices.ContainsFunc(s.facts, func(f fact) bool {
		switch f.name {
		case query.FilterKeywords, query.FilterCompanyKeywords:
			return !f.not && !f.soft
		case query.FilterCompanyIndustry:
			return !f.not && len(f.spans) > 0 && f.spans[0][0] == title+1 && s.has(title, "PARTICLE")
		}
		return false
	})
}

// noun returns the values for a title of the words of a span alone, whatever a table says.
func (s specifier) noun(from, to int) []string {
	norms := s.text.norms(from, to)
	values := lexicon.Title(norms).Values
	if english, ok := s.english(norms, from, to); ok {
		values = appendNew(slices.Clone(values), lexicon.Title(english).Values...)
	}
	return values
}
