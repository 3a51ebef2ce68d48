package planner

import (
	"math"
	"slices"
	"strings"
	"time"

	"kith/index/analysis"
	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/grammar"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/quantity"
	"kith/query/prompt/rules/token"
)

// leaf is one reading of a run of words.
type leaf struct {
	sym      grammar.Symbol
	name     string
	from, to int
	feats    []feature
	value    value
	// sense is set for readings of the lexicon, to for corrected words.
	sense *lexicon.Sense
	// fixes are the words that are read as others.
	fixes []fix
}

// longest is the most words of a leaf.
const longest = 8

// reader makes the leaves of a prompt.
type reader struct {
	*Planner
	text     *text
	language *grammar.Language
	leaves   [][]*leaf // by first word
	terms    map[string][]prompt.Known
	today    time.Time
	// covered notes the words that something means by itself.
	covered []bool
	// instead are for each word those to read in its place.
	instead [][]substitute
}

// class adds the word classes and literals of a span.
func (r *reader) class(from, to int, key string) {
	for _, s := range r.classes(key) {
		r.add(&leaf{sym: s, from: from, to: to, feats: []feature{{featClass, 1}, {featWords, float64(to - from - 1)}}})
	}
	if s, ok := r.grammar.Literal(key); ok && to == from+1 {
		r.add(&leaf{sym: s, from: from, to: to})
	}
}

func (r *reader) add(l *leaf) {
	l.name = r.grammar.Name(l.sym)
	r.leaves[l.from] = append(r.leaves[l.from], l)
}

// read makes the leaves of everything but the vocabulary.
func (r *reader) read() {
	n := len(r.text.words)
	r.leaves, r.covered = make([][]*leaf, n), make([]bool, n)
	for i, w := range r.text.words {
		if w.mark != "" {
			r.mark(i, w.mark)
			continue
		}
		r.form(i)
		for to := i + 1; to <= n && to <= i+longest; to++ {
			phrase, ok := r.text.phrase(i, to)
			if !ok {
				break
			}
			r.class(i, to, phrase)
			if to-i <= lexicon.MaxWords && w.Kind == token.Word {
				r.senses(i, to)
			}
		}
	}
}

func (r *reader) mark(i int, mark string) {
	for _, s := range r.grammar.Classes[mark] {
		r.add(&leaf{sym: s, from: i, to: i + 1})
	}
	if s, ok := r.grammar.Literal(mark); ok {
		r.add(&leaf{sym: s, from: i, to: i + 1})
	}
}

// senses adds what the lexicon knows of a span.
func (r *reader) senses(from, to int) {
	isFunction := r.isFunction(from, to)
	for _, s := range r.lexicon.Senses(r.text.norms(from, to)) {
		if !isFunction || s.Type == lexicon.Filler && r.notes[s.Name] == "" {
			r.sense(from, to, s)
		}
	}
}

// sense adds one reading of the lexicon.
func (r *reader) sense(from, to int, s lexicon.Sense) {
	l := r.leafOf(from, to, s)
	if l == nil {
		return
	}
	r.add(l)
	for i := from; i < to; i++ {
		r.covered[i] = r.covered[i] || s.Type != lexicon.Modifier
	}
}

// leafOf is a reading of the lexicon, nil where its type has no category.
func (r *reader) leafOf(from, to int, s lexicon.Sense) *leaf {
	name, ok := category(s.Type)
	if !ok || s.Type == lexicon.Filler && r.notes[s.Name] == "-" {
		return nil
	}
	l := &leaf{sym: r.grammar.Symbol(name), from: from, to: to, sense: &s}
	l.value = r.valueOf(l, s)
	l.feats = append(r.shape(name, from, to), feature{r.feat("prior:" + name), s.Prior / 10})
	if s.NeedsCue {
		l.feats = append(l.feats, feature{featNeedsCue, 1})
	}
	return l
}

// shape are the features of how a span is written.
func (r *reader) shape(name string, from, to int) []feature {
	f := []feature{{r.feat("leaf:" + name), 1}, {featWords, float64(to - from - 1)}}
	if to == from+1 && name != "Filler" && r.grammarWord(from) && (from == 0 || !r.text.mixed || !r.text.words[from].Capital()) {
		f = append(f, feature{featGrammarWord, 1})
	}
	if r.text.mixed && isName(name) {
		if r.text.capital(from, to) {
			f = append(f, feature{featCapital, 1})
		} else {
			f = append(f, feature{featLower, 1})
		}
	}
	return f
}

// isName reports whether readings of a category are written with capitals.
func isName(category string) bool {
	switch category {
	case "Company", "School", "Place", "Nationality", "Name", "UnknownName":
		return true
	}
	return false
}

// category is the category of a type of the lexicon.
func category(t lexicon.Type) (string, bool) {
	switch t {
	case lexicon.Role, lexicon.CRole:
		return "Role", true
	case lexicon.Founder:
		return "Founder", true
	case lexicon.Modifier:
		return "Modifier", true
	case lexicon.Seniority:
		return "Level", true
	case lexicon.Leader:
		return "Leader", true
	case lexicon.Function:
		return "Function", true
	case lexicon.Country, lexicon.State, lexicon.City, lexicon.Metro, lexicon.Region:
		return "Place", true
	case lexicon.Nationality:
		return "Nationality", true
	case lexicon.Industry:
		return "Industry", true
	case lexicon.SizeWord:
		return "SizeWord", true
	case lexicon.CompanyKind:
		return "Kind", true
	case lexicon.FundingStage:
		return "Stage", true
	case lexicon.Degree:
		return "Degree", true
	case lexicon.FieldOfStudy:
		return "Study", true
	case lexicon.Skill:
		return "Skill", true
	case lexicon.Language:
		return "Language", true
	case lexicon.SchoolAlias:
		return "School", true
	case lexicon.CompanyAlias:
		return "Company", true
	case lexicon.Judgement:
		return "Judgement", true
	case lexicon.PersonWord:
		return "PersonWord", true
	case lexicon.CompanyWord:
		return "CompanyWord", true
	case lexicon.Filler:
		return "Filler", true
	case lexicon.Head:
		return "Head", true
	case lexicon.Cue:
	}
	return "", false
}

// valueOf is what a reading of the lexicon asks for.
func (r *reader) valueOf(l *leaf, s lexicon.Sense) value {
	spans := [][2]int{{l.from, l.to}}
	if s.Type == lexicon.Judgement {
		v := value{{judge: s.Name, spans: spans}}
		if s.Name == lexicon.JudgeSerial {
			v = append(v, fact{name: query.FilterSeniority, values: []string{analysis.LevelFounder}, spans: spans})
		}
		return v
	}
	if note := r.notes[s.Name]; s.Type == lexicon.Filler && note != "" {
		return value{{says: note, nobody: true, soft: true, spans: spans}}
	}
	if s.Filter == "" {
		return nil
	}
	f := fact{
		name: s.Filter, values: s.Values, excluded: s.Excluded, keywords: s.Keywords, broader: s.Broader, level: s.Level, spans: spans,
	}
	if s.Filter == query.FilterSeniority && s.Type != lexicon.Founder {
		f.level = ""
	}
	return value{f}
}

// form adds what a word means by how it is written: numbers and addresses.
func (r *reader) form(i int) {
	w := r.text.words[i]
	one := func(name string, filter query.FilterName, v string) {
		l := &leaf{sym: r.grammar.Symbol(name), from: i, to: i + 1, feats: r.shape(name, i, i+1)}
		l.value = value{{name: filter, values: []string{v}, spans: [][2]int{{i, i + 1}}}}
		r.add(l)
		r.covered[i] = true
	}
	switch w.Kind {
	case token.Email:
		one("Email", query.FilterEmail, w.Text)
	case token.Profile:
		one("Profile", query.FilterSocialURL, w.Text)
	case token.URL, token.Domain:
		one("Site", query.FilterCompanyURL, w.Text)
	case token.Word, token.Number:
		r.quantity(i)
	}
}

// quantity adds the number that begins at a word.
func (r *reader) quantity(i int) {
	tokens, at := r.counted(i)
	q, n := quantity.Read(tokens)
	if n == 0 || q.Kind == quantity.Plain && q.Op == quantity.Equal && tokens[0].Kind != token.Number {
		return
	}
	from, to := i, at[n-1]+1
	if from > 0 && strings.Contains("<>=≥≤", r.text.words[from-1].mark) && r.text.words[from-1].mark != "" {
		from--
	}
	name := quantityNames[q.Kind]
	if q.Kind == quantity.Years && q.Experience {
		name = "Experience"
	}
	l := &leaf{sym: r.grammar.Symbol(name), from: from, to: to, feats: r.shape(name, from, to)}
	l.value = value{{number: &q, spans: [][2]int{{from, to}}}}
	r.add(l)
	for j := from; j < to; j++ {
		r.covered[j] = true
	}
}

//nolint:gochecknoglobals // a constant table
var quantityNames = map[quantity.Kind]string{
	quantity.Plain: "Number", quantity.Size: "Size", quantity.Years: "Years", quantity.Date: "Date",
	quantity.Ago: "Ago", quantity.Money: "Money", quantity.Distance: "Distance",
}

// vocabulary adds what the directory knows of spans.
func (r *reader) vocabulary() {
	for i, w := range r.text.words {
		if w.mark != "" || w.Kind != token.Word {
			continue
		}
		for to := i + 1; to <= len(r.text.words) && to <= i+lexicon.MaxWords; to++ {
			key, ok := r.text.key(i, to)
			if !ok {
				break
			}
			if r.isFunction(i, to) {
				continue
			}
			for _, k := range r.terms[key] {
				r.term(i, to, k)
			}
			if company := companyTerm(r.text.said(i, to)); company != key {
				for _, k := range r.terms[company] {
					if k.Kind == prompt.Company && k.Distance == 0 {
						r.term(i, to, k)
					}
				}
			}
		}
	}
	r.names()
}

// term adds a reading as a term of the directory, or as a misspelling of one.
func (r *reader) term(from, to int, k prompt.Known) {
	if k.Distance == 0 {
		if l := r.leafOfTerm(from, to, k, r.text.said(from, to)); l != nil {
			r.add(l)
			for i := from; i < to; i++ {
				r.covered[i] = true
			}
		}
		return
	}
	if min(len(k.For), len(k.Term)) < shortestEdited && !transposed(k.For, k.Term) {
		return
	}
	if l := r.leafOfTerm(from, to, k, k.Term); l != nil {
		r.addFixed(l, version{from: from, to: to, fixes: []fix{{from, substitute{k.Term, k.Distance}}}})
	}
}

// leafOfTerm is a reading as a term of the directory that is asked for as said.
func (r *reader) leafOfTerm(from, to int, k prompt.Known, said string) *leaf {
	name, filter, v := "", query.FilterName(""), alternative(said)
	switch k.Kind {
	case prompt.Company:
		name, filter = "Company", query.FilterCompany
	case prompt.School:
		name, filter = "School", query.FilterSchool
	case prompt.Skill:
		name, filter, v = "Skill", query.FilterSkills, quoted(k.Term)
	case prompt.Industry:
		name, filter, v = "Industry", query.FilterCompanyIndustry, quoted(k.Term)
	case prompt.Keyword:
		name, filter, v = "Keyword", query.FilterCompanyKeywords, quoted(k.Term)
	case prompt.Title:
		name, filter, v = "Role", query.FilterPosition, quoted(k.Term)
	default:
		return nil
	}
	l := &leaf{sym: r.grammar.Symbol(name), from: from, to: to}
	l.value = value{{name: filter, values: []string{v}, spans: [][2]int{{from, to}}}}
	if k.Kind == prompt.Title {
		l.value[0].level = analysis.Seniority(k.Term)
	}
	l.feats = append(r.shape(name, from, to), feature{r.feat("known:" + name), 1},
		feature{r.feat("people:" + name), math.Min(2, math.Log10(float64(k.People)+1)/2)})
	return l
}

// names adds people's names: two to four words of which the directory knows some
// as first and last names.
func (r *reader) names() {
	is := func(i int, kind prompt.Kind) bool {
		return i < len(r.text.words) && r.text.words[i].mark == "" && slices.ContainsFunc(r.terms[r.text.norm(i)], func(k prompt.Known) bool {
			return k.Kind == kind && k.Distance == 0
		})
	}
	for i, w := range r.text.words {
		if w.mark != "" || w.Kind != token.Word {
			continue
		}
		for to := i + 1; to <= len(r.text.words) && to <= i+4; to++ {
			if r.text.words[to-1].mark != "" || r.text.words[to-1].Kind != token.Word {
				break
			}
			found := 0.0
			for j := i; j < to; j++ {
				if is(j, prompt.FirstName) || is(j, prompt.LastName) {
					found++
				}
			}
			capital := r.text.capital(i, to) && r.text.mixed
			alone := !r.text.mixed && to-i > 1 && to-i < 4 && r.wholePrompt(i, to)
			if found == 0 && (!capital || to-i < 2) && !alone || r.grammarInside(i, to) {
				continue
			}
			l := &leaf{sym: r.grammar.Symbol("Name"), from: i, to: to}
			l.value = value{{name: query.FilterPersonName, values: []string{alternative(r.text.said(i, to))}, spans: [][2]int{{i, to}}}}
			l.feats = append(r.shape("Name", i, to), feature{featNameKnown, found / float64(to-i)})
			if r.text.mixed && !r.text.capital(i, to) {
				l.feats = append(l.feats, feature{featNameLower, 1})
			}
			if to-i == 1 {
				l.feats = append(l.feats, feature{featNameOne, 1})
			}
			if is(i, prompt.FirstName) && is(to-1, prompt.LastName) && to-i > 1 {
				l.feats = append(l.feats, feature{featNameFull, 1})
			}
			r.add(l)
		}
	}
}

// wholePrompt reports whether a span is all of a prompt, and none of it means anything.
func (r *reader) wholePrompt(from, to int) bool {
	return from == 0 && to == len(r.text.words) && !slices.Contains(r.covered, true)
}

// grammarInside reports whether a word of grammar stands in a span, but for the
// particles of names.
func (r *reader) grammarInside(from, to int) bool {
	for i := from; i < to; i++ {
		if r.grammarWord(i) && (i == from || i == to-1 || !r.has(i, "PARTICLE")) {
			return true
		}
	}
	return false
}

// has reports whether a word is in a class by itself.
func (r *reader) has(i int, class string) bool {
	return slices.Contains(r.grammar.Classes[r.text.norm(i)], r.grammar.Symbol(class))
}

// grammarWord reports whether a word is one of grammar by itself.
func (r *reader) grammarWord(i int) bool {
	w := r.text.norm(i)
	if len(r.classes(w)) > 0 {
		return true
	}
	for _, l := range r.leaves[i] {
		if l.sense != nil && l.to == i+1 && l.sense.Type == lexicon.Filler {
			return true
		}
	}
	return false
}

// unknown adds runs of words that may be a name or a topic in the slots of the grammar
// that take such: every run of up to four words that begins and ends outside grammar.
func (r *reader) unknown() {
	n := len(r.text.words)
	for i := range r.text.words {
		for to := i + 1; to <= n && to <= i+5; to++ {
			w := r.text.words[to-1]
			if w.mark != "" || w.Kind == token.Email || w.Kind == token.Profile {
				break
			}
			if !r.grammarInside(i, to) {
				r.run(i, to)
			}
		}
	}
}

// run adds one run of words as a name and as a topic.
func (r *reader) run(from, to int) {
	covered, joining := 0.0, 0.0
	for i := from; i < to; i++ {
		if r.covered[i] {
			covered++
		}
		if r.grammarWord(i) && !r.has(i, "PARTICLE") {
			joining++
		}
	}
	whole := feature{featUnknownCovered, covered}
	if to-from > 1 && r.wholeName(from, to) {
		whole = feature{featWholeName, 1}
	}
	names := []string{"UnknownWords"}
	if w := r.text.words[from]; w.Kind == token.Word && (!r.text.mixed || r.text.capital(from, to)) {
		names = append(names, "UnknownName")
	}
	for _, name := range names {
		l := &leaf{sym: r.grammar.Symbol(name), from: from, to: to}
		l.value = value{{values: []string{alternative(r.text.said(from, to))}, spans: [][2]int{{from, to}}}}
		l.feats = append(r.shape(name, from, to), whole, feature{featUnknownGrammar, joining})
		r.add(l)
	}
}

// wholeName reports whether a span is all of a run of words with capitals, in a prompt
// that tells names by them.
func (r *reader) wholeName(from, to int) bool {
	capital := func(i int) bool {
		return i >= 0 && i < len(r.text.words) && r.text.words[i].mark == "" && r.text.words[i].Kind == token.Word && r.text.words[i].Capital()
	}
	return r.text.mixed && capital(from) && capital(to-1) && r.text.capital(from, to) && !capital(to) && (!capital(from-1) || from == 1)
}

// asked are the terms of a prompt to look up, and those to look up misspelt.
func (r *reader) asked() (terms, near []string) {
	seen := map[string]bool{}
	ask := func(term string) {
		if term != "" && !seen[term] && len(terms) < prompt.MaxTerms {
			seen[term] = true
			terms = append(terms, term)
		}
	}
	for n := 1; n <= lexicon.MaxWords; n++ {
		for i := 0; i+n <= len(r.text.words); i++ {
			key, ok := r.text.key(i, i+n)
			if !ok || r.text.words[i].Kind != token.Word {
				continue
			}
			ask(key)
			ask(companyTerm(r.text.said(i, i+n)))
			if n == 1 && !r.covered[i] && len(key) >= 4 && len(near) < prompt.MaxNear && !r.grammarWord(i) && !r.lexicon.IsWord(key) {
				near = append(near, key)
			}
		}
	}
	n := 0
	r.versions(func(v version) {
		if n++; n <= mostAsked {
			ask(strings.Join(v.norms, " "))
		}
	})
	for _, leaves := range r.leaves {
		for _, l := range leaves {
			if l.sense == nil || l.sense.Type != lexicon.Industry {
				continue
			}
			for _, v := range slices.Concat(l.sense.Values, l.sense.Keywords, l.sense.Broader) {
				ask(analysis.PlaceKey(v))
			}
		}
	}
	return terms, near
}
