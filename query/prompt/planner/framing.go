package planner

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/grammar"
	"kith/query/prompt/quantity"
	"kith/query/prompt/token"
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
		if possessive := strings.TrimRight(text[m.From:m.To], "sS"); last.Possessive && strings.TrimRight(possessive, "'’") != "" {
			m.To = m.From + len(strings.TrimRight(possessive, "'’"))
		}
		marks = append(marks, m)
	}
	f, err := frame.New(text, marks)
	if err != nil { // a reading that marks cannot tell is one without marks
		return frame.Frame{Prompt: text}
	}
	return f
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
	args := x.Args
	word := ""
	if len(args) > 0 {
		word = args[0].Word
	}
	switch x.Call {
	case "drop", "nothing":
		return
	case "past", "ended", "any", "previous", "now":
		if as.Time == "" {
			as.Time = map[string]frame.Time{
				"past": frame.Past, "ended": frame.Past, "any": frame.Any, "previous": frame.Previous,
			}[x.Call]
		}
	case "not":
		as.Not = !as.Not
	case "seat":
		as.Side = frame.CompanySide
	case "once_at":
		as.Side = frame.AnySide
	case "campus":
		as.Kind = frame.School
	case "as", "unknown", "said", "values", "range", "year", "lead", "levels", "note", "renamed", "aged":
		w.valued(e, x, as, word)
		return
	case "career", "some", "promoted", "with", "network", "event":
		w.told(e, x, as, word)
		return
	}
	for i, a := range args {
		inner := as
		switch {
		case i > 0 && slices.Contains([]string{"union", "either", "beside", "apart"}, x.Call):
			inner.Join = frame.Or
		case i > 0 && x.Call == "both":
			inner.Join = frame.Both
		case x.Call == "merge" && i > 0:
			inner.Join = ""
		}
		w.expression(e, a, inner)
	}
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
	kind := filterKinds()[query.FilterName(word)]
	switch x.Call {
	case "range", "year", "aged":
		if x.Call == "aged" {
			kind = frame.Founded
		}
		if word == string(query.FilterTenureYears) {
			as.Side = frame.TenureSide
		}
		as.Kind = kind
		for _, l := range w.covered(e, x) {
			w.number(l, as)
		}
	case "lead":
		w.leads(e, x, as)
	case "levels":
		if p := e.part(x.Args[0]); p != nil && len(x.Args) > 1 && x.Args[1].Word == "founder" {
			w.mark(frame.Owner, p.from, p.to, as)
		} else if p != nil {
			w.mark(frame.Level, p.from, p.to, as)
		}
	case "note":
		for _, p := range w.covered(e, x) {
			w.mark(frame.Unsupported, p.from, p.to, frame.Mark{})
		}
	case "renamed":
		w.mark(frame.Name, e.from, e.to, as)
	default:
		as.Kind = kind
		found := w.covered(e, x)
		for i, p := range found {
			if i > 0 && p.from == found[i-1].from {
				continue
			}
			if x.Call == "said" || x.Call == "values" || len(p.leaves(w.names()...)) == 0 {
				w.mark(kind, p.from, p.to, as)
				continue
			}
			w.phrase(p, as)
		}
		if len(found) == 0 {
			w.mark(kind, e.from, e.to, as)
		}
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

// leads marks the field of people in charge of it.
func (w *framer) leads(e *edge, x grammar.Expr, as frame.Mark) {
	parts := w.covered(e, x)
	for _, p := range parts {
		name := w.grammar.Name(p.sym)
		if name == "Leader" || name == "Level" || name == "LEADS" {
			continue
		}
		w.mark(frame.Lead, p.from, p.to, as)
	}
}

// number marks the numbers of a quantity, with their bounds.
func (w *framer) number(e *edge, as frame.Mark) {
	if e.leaf == nil {
		for _, p := range e.parts {
			w.number(p, as)
		}
		return
	}
	if len(e.val) != 1 || e.val[0].number == nil {
		return
	}
	q, runs := *e.val[0].number, w.numbersIn(e.from, e.to)
	switch op := q.Op; {
	case q.Kind == quantity.Ago:
		as.Bound = frame.Last
	case op == quantity.Between && len(runs) < 2:
		as.Bound = frame.About
		if q.Kind == quantity.Date {
			as.Bound = frame.Equal
		}
	case op == quantity.AtLeast || op == quantity.More || op == quantity.Between || as.Kind == frame.Years && q.Open:
		as.Bound = frame.Min
	case op == quantity.AtMost || op == quantity.Less:
		as.Bound = frame.Max
	default:
		as.Bound = frame.Equal
	}
	if len(runs) == 0 {
		runs = [][2]int{{e.from, e.to}}
	}
	for i, r := range runs[:min(2, len(runs))] {
		if i == 1 {
			as.Bound = frame.Max
		}
		w.mark(as.Kind, r[0], r[1], as)
	}
}

// numbersIn returns the runs of words within a span that are numbers.
func (w *framer) numbersIn(from, to int) (out [][2]int) {
	for i := from; i < to; i++ {
		tokens := []token.Token{w.text.words[i].Token}
		if english := w.reader.language.Says[w.text.norm(i)]; english != "" {
			tokens[0].Text, tokens[0].Norm = english, english
		}
		q, n := quantity.Read(tokens)
		isNumber := w.text.words[i].Kind == token.Number || n > 0 && q.A > 0
		if w.text.words[i].mark != "" || !isNumber {
			continue
		}
		if len(out) > 0 && out[len(out)-1][1] == i && w.text.words[i].Kind != token.Number {
			out[len(out)-1][1] = i + 1
			continue
		}
		out = append(out, [2]int{i, i + 1})
	}
	return out
}

// careerHows returns what the forms of careers, and the kinds of relations, are in marks.
func careerHows() map[string]frame.How {
	return map[string]frame.How{
		"first": frame.First, "started": frame.First, "previous": frame.Before, "turn": frame.Then, "turn_now": frame.Then,
		"moved": frame.Moved, "promoted": frame.Promoted, "together": frame.AtLeast, "back": frame.Returned,
		"back_via": frame.Returned, "only": frame.Only, "one_employer": frame.Only, "stayed": frame.Stay,
		"before": frame.Stay, "left_within": frame.Stay, "never_longer": frame.Stay, "count": frame.Count,
		"out_of_work": frame.None, "break": frame.Other,
		string(prompt.WorkedWith): frame.WorkedWith, string(prompt.FormerColleague): frame.WorkedWith,
		string(prompt.SameSchool): frame.StudiedWith, string(prompt.Knows): frame.Knows,
	}
}

// told marks a career, a relation, the network or an event: the words that say it, and the steps.
func (w *framer) told(e *edge, x grammar.Expr, as frame.Mark, word string) {
	if x.Call == "event" {
		w.happened(e, x, as, word)
		return
	}
	if x.Call == "network" && word != "introduce" {
		as.Reach = map[string]frame.Reach{"second": frame.FriendsOf, "all": frame.WholeNetwork}[word]
		if as.Reach == "" {
			as.Reach = frame.Known
		}
		w.cue(frame.Network, e, as)
		return
	}
	as.How = careerHows()[word]
	steps := x.Args[1:]
	switch {
	case x.Call == "network":
		as.How = frame.Intro
	case x.Call == "some":
		as.How, steps = frame.AtLeast, x.Args[1:]
	case x.Call == "promoted":
		as.How, steps = frame.Promoted, nil
	case as.How == "":
		as.How = frame.Other
	}
	w.cue(frame.Cue, e, as)
	inner := frame.Mark{Time: as.Time, Step: 0}
	for _, a := range steps {
		parts := w.covered(e, a)
		if len(parts) == 0 {
			continue
		}
		if v := parts[0].val; len(v) == 1 && v[0].number != nil && v[0].name == "" {
			w.number(parts[0], frame.Mark{Kind: frame.Years, Side: frame.TenureSide})
			continue
		}
		if inner.Step++; x.Call == "with" || x.Call == "network" || inner.Step > frame.MaxStep {
			inner.Step = 1
		}
		w.expression(e, a, inner)
	}
}

// cue marks the words of a phrase that are grammar: the first run of them with more than prepositions. Where they tell
// a number of jobs, the number is among them.
func (w *framer) cue(kind frame.Kind, e *edge, as frame.Mark) {
	as.Kind = ""
	from, to, isSaid := -1, -1, false
	for _, p := range e.parts {
		isClass := p.leaf != nil && len(p.val) == 0 && w.isClassName(p.sym) ||
			(as.How == frame.Count || as.How == frame.AtLeast) && (len(p.val) == 0 || p.val[0].number != nil)
		switch {
		case !isClass && isSaid:
			w.mark(kind, from, to, as)
			return
		case !isClass:
			from = -1
			continue
		case from < 0:
			from = p.from
		}
		to, isSaid = p.to, isSaid || !slices.Contains(joining(), w.grammar.Name(p.sym))
	}
	if from >= 0 {
		w.mark(kind, from, to, as)
	}
}

// isClassName reports whether a category is a word class.
func (w *framer) isClassName(s grammar.Symbol) bool {
	name := w.grammar.Name(s)
	return strings.ToUpper(name) == name && name[0] != '"'
}

// joining returns the word classes that say nothing by themselves.
func joining() []string {
	return []string{
		"AT", "FOR", "IN", "OF", "WITH", "FROM", "BY", "TO_WORD", "THAT", "WHO", "WHERE", "IS", "WORK", "ANY", "HAD", "AS",
	}
}

// happened marks the time of an event. Its job is marked by the rule's other constructors.
func (w *framer) happened(e *edge, x grammar.Expr, as frame.Mark, word string) {
	as.Event = map[string]frame.Event{
		"left": frame.Left, "joined": frame.Joined, "hired": frame.Joined, "became": frame.Became, "took_at_latest": frame.Became,
		"since": frame.Joined, "since_at_latest": frame.Joined,
	}[word]
	if as.Event == "" {
		as.Event = frame.Held
	}
	for _, p := range w.covered(e, x.Args[1]) {
		from := p.from
		for from < p.to-1 && w.text.words[from].Kind != token.Number && w.reader.has(from, "IN") {
			from++
		}
		w.mark(frame.When, from, p.to, frame.Mark{Event: as.Event, Not: as.Not})
	}
}
