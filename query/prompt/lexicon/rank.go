package lexicon

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/gazetteer"
	"kith/query/prompt/words"
	"kith/query/taxonomy"
)

// Priors of unlisted titles.
const (
	priorRankOfField = 8.5
	priorTitleByRule = 6.5
)

// titleRules read unlisted titles: a rank with a field of work, or the noun of a title with suitable words before it.
type titleRules struct {
	// heads are the nouns of titles, keyed by singular and plural.
	heads map[string]string
	// modifiers can precede a noun. fields are fields of work that people direct; the value says whether they need a
	// cue.
	modifiers, fields map[string]bool
	// before and behind are the ranks as written before and after a field.
	before, behind map[string]rank
}

// rank is a rank under one spelling.
type rank struct {
	row      row
	needsCue bool
}

func newTitleRules() titleRules {
	t := titleRules{
		heads: map[string]string{}, modifiers: map[string]bool{}, fields: map[string]bool{},
		before: map[string]rank{}, behind: map[string]rank{},
	}
	for _, r := range rows("ranks.tsv") {
		for i, side := range []map[string]rank{t.before, t.behind} {
			for _, f := range r.forms(i + 1) {
				key := gazetteer.PlaceKey(f.text)
				side[key] = rank{r, f.needsCue}
				side[plural(key)] = rank{r, f.needsCue}
			}
		}
	}
	for _, r := range rows("fields.tsv") {
		t.addFields(r.forms(0), true)
	}
	for _, r := range rows("modifiers.txt") {
		t.addFields(r.forms(0), false)
	}
	return t
}

func (t titleRules) addFields(forms []form, directed bool) {
	for _, f := range forms {
		for _, v := range variants(f.text) {
			key := gazetteer.PlaceKey(v)
			t.modifiers[key] = true
			if directed {
				t.fields[key] = f.needsCue
			}
		}
	}
}

// readHeads reads the nouns of titles, and adds senses for them and for their modifiers.
func (l *Lexicon) readHeads() {
	for _, r := range rows("heads.txt") {
		head := r.column(0)
		l.titles.heads[head] = head
		l.titles.heads[plural(head)] = head
		for _, typo := range r.list(1) {
			l.titles.heads[typo], l.titles.heads[plural(typo)] = head, head
		}
		l.addNoun(head, &Sense{
			Type: Head, Name: head, Filter: query.FilterPosition, Values: []string{quoted(taxonomy.Title(head))},
		}, priorHead, false)
	}
	for m := range l.titles.modifiers {
		l.add(m, &Sense{Type: Modifier, Name: m}, priorWeak, false)
	}
}

// read returns the title that the rules build from the words, if any.
func (t titleRules) read(tokens []string) []Sense {
	if s, ok := t.rankOf(tokens); ok {
		return []Sense{s}
	}
	return t.byHead(tokens)
}

// rankOf reads a rank with a field of work before or after it.
func (t titleRules) rankOf(tokens []string) (Sense, bool) {
	for n := 1; n <= 3 && n < len(tokens); n++ {
		if r, ok := t.before[strings.Join(tokens[:n], " ")]; ok {
			if s, ok := t.ranked(r, tokens[n:]); ok {
				return s, true
			}
		}
	}
	for n := min(3, len(tokens)-1); n > 0; n-- {
		at := len(tokens) - n
		r, ok := t.behind[strings.Join(tokens[at:], " ")]
		if !ok {
			continue
		}
		if needsCue, isField := t.fields[strings.Join(tokens[:at], " ")]; isField {
			return r.sense(tokens[:at], r.needsCue || needsCue, false), true
		}
	}
	return Sense{}, false
}

// ranked reads the words after a rank: a field of work or, after "of", words that may be part of one.
func (t titleRules) ranked(r rank, field []string) (Sense, bool) {
	of := field[0] == "of"
	if of {
		field = field[1:]
	}
	if len(field) == 0 {
		return Sense{}, false
	}
	needsCue, isField := t.fields[strings.Join(field, " ")]
	switch {
	case isField && of:
		return r.sense(field, false, false), true
	case isField:
		return r.sense(field, r.needsCue || needsCue, false), true
	case of && t.areModifiers(field):
		return r.sense(field, false, true), true
	}
	return Sense{}, false
}

// sense returns the sense of the rank in a field.
func (r rank) sense(field []string, needsCue, byRule bool) Sense {
	s := Sense{
		Type: Role, Name: r.row.column(0) + "_of_" + strings.Join(field, "_"), Filter: query.FilterPosition,
		Values: r.values(field), Prior: priorRankOfField, NeedsCue: needsCue, ByRule: byRule,
	}
	if byRule {
		s.Prior = priorTitleByRule
	}
	if needsCue {
		s.Prior = priorHead
	}
	return s
}

// values inserts the normal form of the field into the rank's alternatives.
func (r rank) values(field []string) []string {
	normal := strings.Join(taxonomy.Title(strings.Join(field, " ")), " ")
	var out []string
	for _, v := range r.row.list(3) {
		value, phrase := strings.CutPrefix(v, `"`)
		text := strings.ReplaceAll(strings.TrimSuffix(value, `"`), "F", normal)
		out = append(out, query.Alternative{Text: text, Phrase: phrase}.String())
	}
	return out
}

// byHead reads the noun of a title with its modifiers.
func (t titleRules) byHead(tokens []string) []Sense {
	last := len(tokens) - 1
	head, ok := t.heads[tokens[last]]
	// Hiring modifies some nouns only, and is the verb before others: hospitals hiring nurses.
	isVerb := tokens[0] == "hiring" && !words.In(words.HiringNouns, classOf(head))
	if !ok || words.In(words.LevelsBefore, tokens[0]) || words.In(words.RanksBefore, tokens[0]) || isVerb ||
		!t.areModifiers(tokens[:last]) {
		return nil
	}
	title := strings.Join(tokens[:last], " ") + " " + head
	return []Sense{titleSense(title)}
}

// Title reads any words as a job title, for a span that the grammar takes for one: the title as written, as a phrase.
func Title(tokens []string) Sense { return titleSense(strings.Join(tokens, " ")) }

func titleSense(title string) Sense {
	values := withInversions([]string{quoted(taxonomy.Title(title))})
	return Sense{
		Type: Role, Name: identifier(title), Filter: query.FilterPosition, Values: values,
		Prior: priorTitleByRule, ByRule: true,
	}
}

// areModifiers reports whether the words are a sequence of modifiers of one to three words each; "and" may join them.
func (t titleRules) areModifiers(tokens []string) bool {
	if len(tokens) == 0 {
		return true
	}
	for n := min(3, len(tokens)); n > 0; n-- {
		if t.modifiers[strings.Join(tokens[:n], " ")] && t.areModifiers(tokens[n:]) {
			return true
		}
	}
	return tokens[0] == "and" && len(tokens) > 1 && t.areModifiers(tokens[1:])
}

// readFunctions reads the functions.
func (l *Lexicon) readFunctions() {
	for _, r := range meant(taxonomy.PromptFunctions()) {
		function := r.column(0)
		s := &Sense{Type: Function, Name: function, Filter: query.FilterFunction, Values: []string{function}}
		for _, f := range r.forms(1) {
			l.addWord(f.text, s, priorHead, f.needsCue)
		}
	}
}

// functionTeam reads "the finance team", with or without the article: a function and a noun for everyone in it.
func (l *Lexicon) functionTeam(tokens []string) []Sense {
	if tokens[0] == "the" {
		tokens = tokens[1:]
	}
	for n := 1; n <= 2 && n < len(tokens); n++ {
		at := len(tokens) - n
		if !words.In(words.FunctionNouns, strings.Join(tokens[at:], " ")) {
			continue
		}
		list := l.entries[strings.Join(tokens[:at], " ")]
		i := slices.IndexFunc(list, func(e entry) bool { return e.sense.Type == Function })
		if i >= 0 {
			s := *list[i].sense
			s.Prior = 7.5
			return []Sense{s}
		}
	}
	return nil
}
