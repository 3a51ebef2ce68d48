package planner

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/frame"
	"kith/query/prompt/words"
	"kith/query/taxonomy"
)

// wordingOf returns how the words of a kind are looked up.
func wordingOf(k frame.Kind) wording {
	if w, ok := kindRows().wordings[k]; ok {
		return w
	}
	return wording{filter: query.FilterPosition, tagged: "-"}
}

// meaning returns the value of a mark's words, whatever its attributes.
func (s *resolver) meaning(m marked) value {
	if !hasLetter(s.text.wording(m.from, m.to)) {
		return nothing(m.from, m.to)
	}
	switch m.Kind {
	case frame.Lead:
		return s.lead(m)
	case frame.Owner:
		return s.owns(m)
	case frame.Topic:
		return s.topic(m)
	case frame.Unsupported:
		return s.unsupported(m)
	case frame.Judgement:
		return s.judgement(m)
	case frame.Stage:
		if v := s.stages(m); v != nil {
			return v
		}
	case frame.Level:
		if e := s.around(m, "and_above", "Qual"); e != nil {
			return s.use(e)
		}
	}
	if e := s.best(m.from, m.to, wordingOf(m.Kind).categories...); e != nil {
		return s.use(e)
	}
	if v := s.elsewhere(m); v != nil {
		return v
	}
	if v := shorter(s, m); v != nil {
		return v
	}
	return s.worded(m)
}

// shorter returns the value of the words of a mark without general ones, or of what a kind of company is said to be of:
// a maker of toys. It returns nil if no table knows them.
func shorter(s *resolver, m marked) value {
	from, to := s.trimmed(m)
	if m.Kind == frame.Industry && to-from > 2 && words.In(words.Of, s.text.norm(from+1)) {
		from += 2
	}
	if from == m.from && to == m.to {
		return nil
	}
	e := s.best(from, to, wordingOf(m.Kind).categories...)
	if e == nil {
		return nil
	}
	return s.use(e).each(func(f *fact) { f.spans = [][2]int{{m.from, m.to}} })
}

// stages returns the value of a mark for a funding stage and those after or before it, nil if it has only one.
func (s *resolver) stages(m marked) value {
	if e := s.around(m, "stage_and_later", "Firms", "More", "Qual"); e != nil {
		return s.use(e)
	}
	e := s.best(m.from, m.to, wordingOf(m.Kind).categories...)
	if e == nil || m.Bound == "" {
		return nil
	}
	extend := later
	if m.Bound == frame.Max {
		extend = earlier
	}
	v, _ := extend(s.chart, []arg{{val: s.use(e)}})
	return v
}

// owns returns the value for owners and founders. People who run a company may be in charge of it only.
func (s *resolver) owns(m marked) value {
	args := []arg{{edge: m.edge()}, {word: taxonomy.LevelFounder}}
	if s.hasClass(m, "LEADS", "RUNS_A") {
		args = append(args, arg{word: taxonomy.LevelDirector}, arg{word: taxonomy.LevelVP},
			arg{word: taxonomy.LevelCXO})
	}
	v, _ := levels(s.chart, args)
	var others [][2]int // of a technical founder: technical
	for i := m.from; i < m.to; i++ {
		if !s.reader.grammarWord(i) && !isOwner(s.reader, i) {
			others = append(others, [2]int{i, i + 1})
		}
	}
	if len(others) < m.to-m.from {
		s.ignored = append(s.ignored, others...)
	}
	return v
}

// isOwner reports whether a word belongs to a word for owners.
func isOwner(r *reader, i int) bool {
	for from := max(0, i-mostAround); from <= i; from++ {
		for _, l := range r.leaves[from] {
			if l.to > i && slices.Contains([]string{"Founder", "OWNER", "OWNER_NOUN", "RUNS_A", "LEADS"}, l.name) {
				return true
			}
		}
	}
	return false
}

// hasClass reports whether some words of a mark have one of the word classes.
func (s *resolver) hasClass(m marked, classes ...string) bool {
	for from := m.from; from < m.to; from++ {
		for _, l := range s.reader.leaves[from] {
			if l.to <= m.to+1 && slices.Contains(classes, l.name) {
				return true
			}
		}
	}
	return false
}

// edge returns a phrase of a mark's words without a reading.
func (m marked) edge() *edge { return &edge{from: m.from, to: m.to} }

// best returns the likeliest phrase of a span among categories, nil if there is none. Articles around it do not count.
func (s *resolver) best(from, to int, categories ...string) (best *edge) {
	for ; from < to; from++ {
		for _, name := range categories {
			for _, e := range s.cells[cell{s.grammar.Symbol(name), from, to}] {
				if best == nil || e.score > best.score {
					best = e
				}
			}
		}
		if best != nil || !s.reader.hasReading(from, from+1, "ARTICLE") {
			break
		}
	}
	return best
}

// use returns the value of a phrase, and notes its corrections.
func (s *resolver) use(e *edge) value {
	v, _ := s.evaluate(e)
	s.fixes = append(s.fixes, e.fixes()...)
	for i := e.from; i < e.to; i++ {
		s.used[i] = true
	}
	return v
}

// elsewhere returns the value of words that the tables or the dataset know as another kind only, such as the names of a
// school that is somebody's employer. It returns nil if they know none.
func (s *resolver) elsewhere(m marked) value {
	var others []string
	switch m.Kind {
	case frame.Company:
		others = []string{"Schools"}
	case frame.School:
		others = []string{"Companies"}
	case frame.Function:
		others = []string{"Title"}
	case frame.Stage:
		others = []string{"Firms"}
	}
	if e := s.best(m.from, m.to, others...); e != nil {
		v := s.use(e)
		if m.Kind == frame.Company || m.Kind == frame.School {
			v, _ = as(s.chart, []arg{{word: string(wordingOf(m.Kind).filter)}, {val: v}})
		}
		return v
	}
	if e := s.best(m.from, m.to, "Place"); e != nil && m.Kind == frame.School { // the schools named after it
		v, _ := campus(s.chart, []arg{{val: s.use(e), edge: e}})
		return v
	}
	return nil
}

// worded searches for the words of a mark as they are written.
func (s *resolver) worded(m marked) value {
	if wordingOf(m.Kind).filter == query.FilterPosition {
		return newTitle{s, m}.value()
	}
	from, to := s.trimmed(m)
	if m.Kind == frame.Degree && to == from+1 && s.reader.grammarWord(from) { // with a degree in history: any degree
		return nothing(m.from, m.to)
	}
	said := alternative(s.text.wording(from, to))
	f := fact{name: wordingOf(m.Kind).filter, values: []string{said}, spans: [][2]int{{m.from, m.to}}}
	switch m.Kind {
	case frame.Company, frame.School, frame.Name, frame.Place:
		f.nobody = true
	default:
		if english, ok := s.reader.english(s.text.norms(from, to), from, to); ok {
			f.values = appendNew(f.values, alternative(strings.Join(english, " ")))
		}
	}
	if m.Kind == frame.Name {
		f.values = appendNew(f.values, s.reader.nearNames(m.from, m.to)...)
	}
	return value{f}
}

// trimmed returns the words of a mark without the articles before them and the general words after them: the wine
// trade, a forklift licence, sales people.
func (s *resolver) trimmed(m marked) (from, to int) {
	from, to = m.from, m.to
	for from < to-1 && s.reader.hasReading(from, from+1, "ARTICLE") {
		from++
	}
	for to-from > 1 && (slices.Contains(wordingOf(m.Kind).general, s.text.norm(to-1)) ||
		m.Kind == frame.Industry && s.has(to-1, "CompanyWord") || m.Kind == frame.Title && s.has(to-1, "PersonWord")) {
		to--
	}
	return from, to
}

// lead returns the value for people in charge of a field: as the phrase around the mark says, else from director on.
func (s *resolver) lead(m marked) value {
	if e := s.around(m, "lead_of", "Title"); e != nil {
		return s.use(e)
	}
	field := m
	field.Kind = frame.Function
	v, _ := lead(s.chart, []arg{
		{val: value{{
			name: query.FilterSeniority, values: []string{"director", "vp", "cxo"}, spans: [][2]int{{m.from, m.to}},
		}}}, {val: s.meaning(field)},
	})
	return v
}

// mostAround is the maximum number of words around a mark that tell how to read it.
const mostAround = 6

// around returns the likeliest phrase of a rule and one of some categories that has the words of a mark as a part, and
// no word of another mark. It returns nil if there is none.
func (s *resolver) around(m marked, rule string, categories ...string) (best *edge) {
	s.each(m, categories, func(e *edge) {
		if e.rule != nil && e.rule.Name == rule && e.hasPart(m.from, m.to) && s.isFree(e.from, e.to, m) &&
			(best == nil || e.score > best.score) {
			best = e
		}
	})
	return best
}

// each calls yield for the phrases of some categories that have all words of a mark and few around it.
func (s *resolver) each(m marked, categories []string, yield func(*edge)) {
	for from := max(0, m.from-mostAround); from <= m.from; from++ {
		for to := m.to; to <= min(s.words, m.to+mostAround); to++ {
			for _, name := range categories {
				for _, e := range s.cells[cell{s.grammar.Symbol(name), from, to}] {
					yield(e)
				}
			}
		}
	}
}

// hasPart reports whether a part of a phrase covers a span.
func (e *edge) hasPart(from, to int) bool {
	return slices.ContainsFunc(e.parts, func(p *edge) bool { return p.from == from && p.to == to })
}

// isFree reports whether a span has words of no other mark than the given one.
func (s *resolver) isFree(from, to int, m marked) bool {
	return s.allows(from, to, func(i int, _ marked) bool { return m.has(i) })
}

// topic returns the value of a topic, which is looked for in the whole profile.
func (s *resolver) topic(m marked) value {
	if e := s.best(m.from, m.to, wordingOf(frame.Topic).categories...); e != nil {
		v, _ := as(s.chart, []arg{{word: string(query.FilterKeywords)}, {val: s.use(e)}})
		return v
	}
	return s.worded(m)
}

// judgement returns the value of a judgement. One that no record supports gives a note.
func (s *resolver) judgement(m marked) value {
	if s.isInNetwork(m) {
		return nil
	}
	for n := m.to - m.from; n > 0; n-- {
		for from := m.from; from+n <= m.to; from++ {
			if e := s.best(from, from+n, "Judgement"); e != nil {
				return s.use(e)
			}
		}
	}
	return value{{judge: "unknown", spans: [][2]int{{m.from, m.to}}}}
}

// unsupported returns a note about words that no record can answer: that of the smallest phrase around them that has
// one. Without any they are only ignored.
func (s *resolver) unsupported(m marked) value {
	var best *edge
	s.each(m, []string{"Filler", "Qual", "More", "Person"}, func(e *edge) {
		isNote := len(e.val) > 0 && !slices.ContainsFunc(e.val, func(f fact) bool { return f.says == "" })
		if isNote && s.isFree(e.from, e.to, m) && (best == nil || e.to-e.from < best.to-best.from) {
			best = e
		}
	})
	if best != nil {
		return s.use(best)
	}
	return nothing(m.from, m.to)
}

// isWish reports whether the words around a mark make it a preference: ideally, a plus.
func (s *resolver) isWish(m marked) bool {
	found := false
	s.each(m, []string{"Qual"}, func(e *edge) {
		found = found || e.rule != nil && e.rule.Expr.Call == "soft" && s.isFree(e.from, e.to, m)
	})
	return found
}
