package planner

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/frame"
	"kith/query/prompt/grammar"
	"kith/query/taxonomy"
)

// frame returns what a derivation reads, as marks.
func (d *derivations) frame(n int) frame.Frame {
	w := framer{chart: d.chart}
	if n >= len(d.best) {
		return w.frame()
	}
	for _, e := range d.best[n].path.phrases() {
		w.phrase(e, frame.Mark{})
	}
	for _, f := range d.best[n].value {
		if f.nobody && f.soft && f.says == "" && f.name == "" { // withdrawn by the asker
			w.marks = slices.DeleteFunc(w.marks, func(m frame.Mark) bool {
				return slices.ContainsFunc(f.spans, func(s [2]int) bool { return m.From < s[1] && s[0] < m.To })
			})
		}
	}
	return w.frame()
}

// framer turns the phrases of a derivation into marks. The constructors of their rules say the attributes.
type framer struct {
	*chart
	marks []frame.Mark // with ranges of words
}

// frame returns the marks so far, without those that overlap an earlier one.
func (w *framer) frame() frame.Frame {
	text := string(w.text.runes)
	bytes := func(codePoint int) int { return len(string(w.text.runes[:codePoint])) }
	slices.SortStableFunc(w.marks, func(a, b frame.Mark) int { return a.From - b.From })
	w.joinLevels()
	var marks []frame.Mark
	end := 0
	for i, m := range w.marks {
		for m.From < m.To && w.text.words[m.From].mark != "" {
			m.From++
		}
		for m.To > m.From && w.text.words[m.To-1].mark != "" {
			m.To--
		}
		if m.From < end || m.From >= m.To {
			continue
		}
		end = m.To
		if m.Join != "" && (len(marks) == 0 || i == 0) {
			m.Join = ""
		}
		last := w.text.words[m.To-1]
		m.From = bytes(w.text.words[m.From].From)
		m.To = bytes(last.To)
		if name := strings.TrimRight(strings.TrimRight(text[m.From:m.To], "sS"), "'’"); last.Possessive && name != "" {
			m.To = m.From + len(name)
		}
		marks = append(marks, m)
	}
	f, err := frame.New(text, marks)
	if err != nil { // a reading that marks cannot tell is one without marks
		return frame.Frame{Prompt: text}
	}
	return f
}

// joinLevels makes a level right before a title a part of the title.
func (w *framer) joinLevels() {
	for i := len(w.marks) - 2; i >= 0; i-- {
		level, title := w.marks[i], w.marks[i+1]
		level.Kind, level.To = frame.Title, title.To
		if w.marks[i].Kind != frame.Level || w.marks[i].To != title.From {
			continue
		}
		if title.From = level.From; title == level {
			w.marks[i] = title
			w.marks = slices.Delete(w.marks, i+1, i+2)
		}
	}
}

// mark adds a mark with the attributes of its context. A kind takes only those that it can have.
func (w *framer) mark(kind frame.Kind, from, to int, as frame.Mark) {
	m := frame.Mark{
		Kind: kind, From: from, To: to, Step: as.Step, Not: as.Not, Join: as.Join, Optional: as.Optional, Bound: as.Bound,
		Event: as.Event, How: as.How, Reach: as.Reach,
	}
	switch {
	case kind == frame.Place || kind == frame.Years:
		m.Side = as.Side
	case ofJob(wordedIn(kind)) || kind == frame.Level || kind == frame.Lead || kind == frame.Owner || kind == frame.Size ||
		kind == frame.Founded || kind == frame.Function:
		m.Time = as.Time
	}
	if kind == frame.Cue || kind == frame.Network {
		m.Step, m.Join = 0, ""
	}
	w.marks = append(w.marks, m)
}

// phrase marks the words of a phrase; as has the attributes of the phrases around it.
func (w *framer) phrase(e *edge, as frame.Mark) {
	switch {
	case e.leaf != nil:
		w.leaf(e, as)
	case w.grammar.Name(e.sym) == "Title" && e.rule.Name != "lead_of" && len(e.val) > 0:
		w.mark(frame.Title, e.from, e.to, as)
	case e.rule.Name == "place_in_place" || e.rule.Name == "based_companies" && len(e.parts) == 2:
		w.mark(frame.Place, e.from, e.to, as)
	case e.rule.Expr.Call == "" && e.rule.Expr.Part == 0:
		for _, p := range e.parts {
			w.phrase(p, as)
		}
	default:
		w.expression(e, e.rule.Expr, as)
	}
}

// leafKinds returns the kinds of the categories of leaves.
func leafKinds() map[string]frame.Kind {
	return map[string]frame.Kind{
		"Role": frame.Title, "Head": frame.Title, "Founder": frame.Owner, "Level": frame.Level, "Leader": frame.Level,
		"Function": frame.Function, "Place": frame.Place, "Nationality": frame.Place, "Industry": frame.Industry,
		"Kind": frame.Industry, "Keyword": frame.Industry, "Stage": frame.Stage, "Degree": frame.Degree, "Study": frame.Study,
		"Skill": frame.Skill, "Language": frame.Skill, "School": frame.School, "Company": frame.Company,
		"Site": frame.Company, "Judgement": frame.Judgement, "Name": frame.Name, "Email": frame.Name, "Profile": frame.Name,
	}
}

// leaf marks the words of a leaf. A kind of the context, such as the filter for unknown words, comes first.
func (w *framer) leaf(e *edge, as frame.Mark) {
	switch {
	case len(e.val) == 0:
	case as.Kind != "":
		w.mark(as.Kind, e.from, e.to, as)
	case e.leaf.name == "SizeWord":
		as.Bound = frame.Word
		w.mark(frame.Size, e.from, e.to, as)
	case leafKinds()[e.leaf.name] != "":
		w.mark(leafKinds()[e.leaf.name], e.from, e.to, as)
	case e.val[0].says != "":
		w.mark(frame.Unsupported, e.from, e.to, as)
	}
}

// part returns the phrase that an argument refers to, nil if it is absent or no reference.
func (e *edge) part(x grammar.Expr) *edge {
	if i := slices.Index(e.rule.At, x.Part); x.Part > 0 && i >= 0 {
		return e.parts[i]
	}
	return nil
}

// expression marks the words of the parts that an expression of a phrase's rule refers to.
func (w *framer) expression(e *edge, x grammar.Expr, as frame.Mark) {
	if x.Call == "" {
		if p := e.part(x); p != nil {
			w.phrase(p, as)
		}
		return
	}
	word := ""
	if len(x.Args) > 0 {
		word = x.Args[0].Word
	}
	switch x.Call {
	case "drop", "nothing":
	case "as", "unknown", "said", "values", "range", "year", "lead", "levels", "note", "renamed", "aged":
		w.valued(e, x, as, word)
	case "career", "some", "promoted", "with", "network", "event":
		w.told(e, x, as, word)
	default:
		as = attributedBy(x.Call, as)
		for i, a := range x.Args {
			inner := as
			if i > 0 {
				inner.Join = joinOf(x.Call, as.Join)
			}
			w.expression(e, a, inner)
		}
	}
}

// attributedBy returns attributes with the one that a constructor adds. The innermost time counts.
func attributedBy(call string, as frame.Mark) frame.Mark {
	times := map[string]frame.Time{
		"past": frame.Past, "ended": frame.Past, "any": frame.Any, "previous": frame.Previous,
	}
	switch call {
	case "not":
		as.Not = !as.Not
	case "seat":
		as.Side = frame.CompanySide
	case "once_at":
		as.Side = frame.AnySide
	case "campus":
		as.Kind = frame.School
	}
	if as.Time == "" {
		as.Time = times[call]
	}
	return as
}

// joinOf returns how the later arguments of a constructor continue the first.
func joinOf(call string, outer frame.Join) frame.Join {
	switch call {
	case "union", "either", "beside", "apart":
		return frame.Or
	case "both":
		return frame.Both
	case "merge":
		return ""
	}
	return outer
}

// filterKinds returns the kinds of filters that rules name.
func filterKinds() map[query.FilterName]frame.Kind {
	return map[query.FilterName]frame.Kind{
		query.FilterPosition: frame.Title, query.FilterCompany: frame.Company, query.FilterCompanyKeywords: frame.Industry,
		query.FilterCompanyIndustry: frame.Industry, query.FilterKeywords: frame.Topic, query.FilterSkills: frame.Skill,
		query.FilterSchool: frame.School, query.FilterFieldOfStudy: frame.Study, query.FilterDegree: frame.Degree,
		query.FilterPersonName: frame.Name, query.FilterCity: frame.Place, query.FilterCompanySize: frame.Size,
		query.FilterExperienceYears: frame.Years, query.FilterTenureYears: frame.Years,
		query.FilterCompanyFoundedYear: frame.Founded, query.FilterGraduationYear: frame.Graduated,
		query.FilterCompanyType: frame.Industry, query.FilterSeniority: frame.Level,
	}
}

// valued marks the words of a constructor that names a filter or makes a value of its own.
func (w *framer) valued(e *edge, x grammar.Expr, as frame.Mark, word string) {
	switch x.Call {
	case "range", "year", "aged":
		as.Kind = filterKinds()[query.FilterName(word)]
		if x.Call == "aged" {
			as.Kind = frame.Founded
		}
		if word == string(query.FilterTenureYears) {
			as.Side = frame.TenureSide
		}
		for _, l := range w.covered(e, x) {
			w.number(l, as)
		}
	case "lead":
		w.leads(e, x, as)
	case "levels":
		kind := frame.Level
		if len(x.Args) > 1 && x.Args[1].Word == taxonomy.LevelFounder {
			kind = frame.Owner
		}
		if p := e.part(x.Args[0]); p != nil {
			w.mark(kind, p.from, p.to, as)
		}
	case "note":
		for _, p := range w.covered(e, x) {
			w.mark(frame.Unsupported, p.from, p.to, frame.Mark{})
		}
	case "renamed":
		w.mark(frame.Name, e.from, e.to, as)
	default:
		as.Kind = filterKinds()[query.FilterName(word)]
		w.worded(e, x, as)
	}
}

// worded marks the words that a constructor moves to a filter: the whole phrase if it names no part.
func (w *framer) worded(e *edge, x grammar.Expr, as frame.Mark) {
	found := w.covered(e, x)
	for i, p := range found {
		switch {
		case i > 0 && p.from == found[i-1].from:
		case x.Call == "said" || x.Call == "values" || len(p.leaves(w.names()...)) == 0:
			w.mark(as.Kind, p.from, p.to, as)
		default:
			w.phrase(p, as)
		}
	}
	if len(found) == 0 {
		w.mark(as.Kind, e.from, e.to, as)
	}
}

// names returns the names of the categories of leaves that have values.
func (w *framer) names() []string {
	out := []string{"UnknownName", "UnknownWords", "PlainName"}
	for name := range leafKinds() {
		out = append(out, name)
	}
	return out
}

// covered returns the parts that an expression refers to, at any depth.
func (w *framer) covered(e *edge, x grammar.Expr) (out []*edge) {
	if p := e.part(x); p != nil {
		return []*edge{p}
	}
	for _, a := range x.Args {
		out = append(out, w.covered(e, a)...)
	}
	return out
}
