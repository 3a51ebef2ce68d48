package planner

import (
	"slices"
	"strings"
	"time"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/grammar"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/quantity"
	"kith/query/prompt/token"
	"kith/query/taxonomy"
)

// leaf is one reading of a run of words.
type leaf struct {
	sym      grammar.Symbol
	name     string
	from, to int
	feats    []feature
	value    value
	// sense is set for readings from the lexicon, also of corrected words.
	sense *lexicon.Sense
	// known is true for a term of the dataset.
	known bool
	// fixes are the substituted words.
	fixes []fix
}

// longest is the maximum number of words of a leaf.
const longest = 8

// reader builds the leaves of a prompt.
type reader struct {
	*Planner
	text     *text
	language *grammar.Language
	leaves   [][]*leaf // by first word
	terms    map[string][]prompt.Known
	today    time.Time
	// covered marks words with a meaning of their own.
	covered []bool
	// instead are the substitutes of each word.
	instead [][]substitute
	// marked are the runs of words of a frame's marks; none for a prompt without a frame.
	marked [][2]int
	// tags are the probabilities of a tagger, by word; nil without one.
	tags []map[frame.Kind]float64
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

// read builds all leaves except those of the vocabulary.
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
			if phrase, ok := r.text.phrase(i, to); ok {
				r.class(i, to, phrase)
			}
			if to-i <= lexicon.MaxWords && w.Kind == token.Word && r.text.isLinked(i, to) {
				r.senses(i, to)
			}
		}
	}
}

func (r *reader) mark(i int, mark string) {
	for _, s := range r.grammar.Classes.Of(mark) {
		r.add(&leaf{sym: s, from: i, to: i + 1})
	}
	if s, ok := r.grammar.Literal(mark); ok {
		r.add(&leaf{sym: s, from: i, to: i + 1})
	}
}

// senses adds the lexicon's readings of a span.
func (r *reader) senses(from, to int) {
	isFunction := r.isFunction(from, to)
	senses := r.lexicon.Senses(r.text.norms(from, to))
	if len(senses) == 0 && !isFunction && r.mayBeForeign(from, to) {
		senses = r.lexicon.Translated(r.text.norms(from, to), r.language.Code)
	}
	for _, s := range senses {
		switch {
		case isFunction && (s.Type != lexicon.Filler || r.notes[s.Name] != ""):
		case s.Place != nil && to == from+1 && r.text.isContracted(from): // I'd is not Idaho
		default:
			r.sense(from, to, s)
		}
	}
}

// mayBeForeign reports whether a run may be in another language than English: in a prompt of one, or with a word that
// is not English.
func (r *reader) mayBeForeign(from, to int) bool {
	if r.language.Code != english {
		return true
	}
	for i := from; i < to; i++ {
		if w := r.text.norm(i); !r.lexicon.IsWord(w) && !r.grammarWord(i) && r.lexicon.Worth(w) == 0 &&
			r.lexicon.IsForeign(w) {
			return true
		}
	}
	return false
}

// sense adds one reading from the lexicon.
func (r *reader) sense(from, to int, s lexicon.Sense) {
	l := r.newLeaf(from, to, s)
	if l == nil {
		return
	}
	r.add(l)
	for i := from; i < to; i++ {
		r.covered[i] = r.covered[i] || s.Type != lexicon.Modifier
	}
}

// occupations adds unlisted words that end like nouns for occupations, in English and in the prompt's language.
func (r *reader) occupations() {
	for i, w := range r.text.words {
		if w.Kind != token.Word || w.mark != "" || r.covered[i] || r.grammarWord(i) || len(r.instead[i]) > 0 {
			continue
		}
		if r.text.mixed && i > 0 && w.Capital() {
			continue
		}
		for _, language := range slices.Compact([]string{english, r.language.Code}) {
			if s, ok := r.lexicon.Occupation(w.Norm, language); ok {
				r.add(r.newLeaf(i, i+1, s))
				break
			}
		}
	}
}

// newLeaf returns a reading from the lexicon, nil if its type has no category.
func (r *reader) newLeaf(from, to int, s lexicon.Sense) *leaf {
	name, ok := leafRows().categories[s.Type]
	if !ok || s.Type == lexicon.Filler && r.notes[s.Name] == "-" {
		return nil
	}
	l := &leaf{sym: r.grammar.Symbol(name), from: from, to: to, sense: &s}
	if s.Type == lexicon.State && r.isJustGrammar(from, to) {
		return nil
	}
	l.value = r.senseValue(l, s)
	l.feats = append(r.shape(name, from, to), feature{r.feat("prior:" + name), s.Prior / 10})
	if s.ByRule {
		l.feats = append(l.feats, feature{featMadeTitle, 1})
	}
	if s.NeedsCue {
		l.feats = append(l.feats, feature{featNeedsCue, 1})
		if name == "Place" && from > 0 && (r.endsWith(from-1, "IN") || r.endsWith(from-1, "LIVES")) {
			l.feats = append(l.feats, feature{featCuedPlace, 1})
		}
	}
	return l
}

// isJustGrammar reports whether the code of a state is a grammar word: in lower case, and not after
// a place, a comma or a preposition of place.
func (r *reader) isJustGrammar(from, to int) bool {
	if to > from+1 || r.text.words[from].Capital() || !r.grammarWord(from) {
		return false
	}
	return from == 0 || r.text.words[from-1].mark != "," && !r.endsWith(from-1, "Place") && !r.endsWith(from-1, "IN")
}

// endsWith reports whether a phrase of a class ends with a word.
func (r *reader) endsWith(at int, class string) bool {
	sym := r.grammar.Symbol(class)
	for from := max(0, at-longest+1); from <= at; from++ {
		if slices.ContainsFunc(r.leaves[from], func(l *leaf) bool { return l.to == at+1 && l.sym == sym }) {
			return true
		}
	}
	return false
}

// shape returns the features of how a span is written.
func (r *reader) shape(name string, from, to int) []feature {
	f := []feature{{r.feat("leaf:" + name), 1}, {featWords, float64(to - from - 1)}}
	if to == from+1 && name != "Filler" && r.grammarWord(from) &&
		(from == 0 || !r.text.mixed || !r.text.words[from].Capital()) {
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

// isName reports whether names of a category are capitalised.
func isName(category string) bool {
	return slices.Contains([]string{"Company", "School", "Place", "Nationality", "Name", "UnknownName"}, category)
}

// senseValue returns the value of a reading from the lexicon.
func (r *reader) senseValue(l *leaf, s lexicon.Sense) value {
	spans := [][2]int{{l.from, l.to}}
	if s.Type == lexicon.Judgement && s.Name == lexicon.JudgeNewToRole {
		return value{{name: query.FilterTenureYears, values: []string{"<1"}, spans: spans}}
	}
	if s.Type == lexicon.Judgement {
		v := value{{judge: s.Name, spans: spans}}
		if s.Name == lexicon.JudgeSerial {
			v = append(v, fact{name: query.FilterSeniority, values: []string{taxonomy.LevelFounder}, spans: spans})
		}
		return v
	}
	if note := r.notes[s.Name]; s.Type == lexicon.Filler && note != "" {
		return value{noteOf(note, spans)}
	}
	if s.Filter == "" {
		return nil
	}
	return value{factOf(s, [2]int{l.from, l.to})}
}

// factOf returns the filter of a meaning, for the words of a span.
func factOf(s lexicon.Sense, span [2]int) fact {
	return fact{
		not:  s.Name == lexicon.NoDegree,
		name: s.Filter, values: s.Values, excluded: s.Excluded, keywords: s.Keywords, broader: s.Broader,
		general: s.IsGeneral, spans: [][2]int{span},
	}
}

// form adds readings based on the form of a word: numbers and addresses.
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
	tokens, at := r.translateNumbers(i)
	q, n := quantity.Read(tokens)
	if n == 0 || q.Kind == quantity.Plain && q.Op == quantity.Equal && tokens[0].Kind != token.Number {
		return
	}
	q = inYear(q, r.today)
	from, to := i, at[n-1]+1
	if from > 0 && strings.Contains("<>=≥≤", r.text.words[from-1].mark) && r.text.words[from-1].mark != "" {
		from--
	}
	name := [...]string{
		quantity.Plain: "Number", quantity.Size: "Size", quantity.Years: "Years", quantity.Date: "Date",
		quantity.Ago: "Ago", quantity.Money: "Money", quantity.Distance: "Distance",
	}[q.Kind]
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
