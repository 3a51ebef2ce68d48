package lexicon

import (
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
)

// Priors of titles.
const (
	priorListedTitle = 9
	priorRankOfField = 8.5
	priorTitleByRule = 6
	priorHead        = 4
	priorModifier    = 2
)

// readTitles reads everything that says what people do.
func (l *Lexicon) readTitles() {
	l.readFieldsOfWork()
	l.readRoles()
	l.readCRoles()
	l.readHeads()
	l.readLevels()
	l.readFunctions()
}

// roleBook resolves references between roles.
type roleBook struct {
	values map[string][]string
}

func (l *Lexicon) readRoles() {
	all := rows("roles.tsv")
	book := roleBook{values: map[string][]string{}}
	for _, r := range all {
		if !strings.Contains(r.column(1), "@") {
			book.values[r.forms(0)[0].text] = roleValues(r)
		}
	}
	// The roles whose first spelling a form is come first: "ux writer" is the
	// UX writer, not a spelling of content designer.
	for _, first := range []bool{true, false} {
		for _, r := range all {
			forms := r.forms(0)
			if first {
				forms = forms[:1]
			} else {
				forms = forms[1:]
			}
			l.addRole(r, forms, book.of(r), first)
		}
	}
}

func (l *Lexicon) addRole(r row, forms []form, values []string, first bool) {
	name := identifier(r.forms(0)[0].text)
	title := r.forms(0)[0].text
	s := Sense{
		Type: Role, Name: name, Filter: query.FilterPosition, Values: values, Excluded: splitAlternatives(r.column(2)),
		Level: analysis.Seniority(title), Function: analysis.Function(title), Prior: priorListedTitle,
	}
	if !first {
		s.Prior -= 0.1
	}
	for _, f := range forms {
		s := s
		s.NeedsCue = f.needsCue
		if f.needsCue {
			s.Prior = priorHead
		}
		l.addNoun(f.text, s)
	}
}

// roleValues is what the position filter asks for: the second column, or the
// spellings as phrases in their normal form.
func roleValues(r row) []string {
	if v := splitAlternatives(r.column(1)); len(v) > 0 {
		return v
	}
	var titles []string
	for _, f := range r.forms(0) {
		if !f.needsCue && !isPluralOf(f.text, r) {
			titles = append(titles, f.text)
		}
	}
	return withInversions(withoutLonger(titlePhrases(titles)))
}

// isPluralOf reports whether a form is the plural of another form of the row.
func isPluralOf(text string, r row) bool {
	return slices.ContainsFunc(r.forms(0), func(f form) bool { return plural(f.text) == text })
}

// withoutLonger drops the phrases that hold another phrase of the list whole.
func withoutLonger(phrases []string) []string {
	return slices.DeleteFunc(slices.Clone(phrases), func(p string) bool {
		return slices.ContainsFunc(phrases, func(other string) bool {
			return other != p && strings.Contains(" "+strings.Trim(p, `"`)+" ", " "+strings.Trim(other, `"`)+" ")
		})
	})
}

// maxInversions bounds how many phrases are also asked for in the order
// "Engineer, Backend".
const maxInversions = 4

func withInversions(phrases []string) []string {
	out := slices.Clone(phrases)
	for _, p := range phrases[:min(len(phrases), maxInversions)] {
		if inv := inverted(strings.Fields(strings.Trim(p, `"`))); inv != nil && !slices.Contains(out, quoted(inv)) {
			out = append(out, quoted(inv))
		}
	}
	return out
}

// inverted turns "backend engineer" into "engineer backend", the normal form of
// "Engineer, Backend"; nil where the two would not mean the same.
func inverted(words []string) []string {
	for _, base := range [][]string{
		{"product", "manager"},
		{"program", "manager"},
		{"project", "manager"},
		{"account", "executive"},
		{"account", "manager"},
		{"customer", "success", "manager"},
		{"software", "engineer"},
		{"data", "scientist"},
		{"data", "analyst"},
		{"engineer"},
		{"developer"},
		{"designer"},
		{"counsel"},
		{"recruiter"},
		{"architect"},
		{"scientist"},
	} {
		n := len(words) - len(base)
		if n > 0 && slices.Equal(words[n:], base) {
			return append(slices.Clone(base), words[:n]...)
		}
	}
	return nil
}

// of resolves the references of a row.
func (b roleBook) of(r row) []string {
	var out []string
	for _, v := range splitAlternatives(r.column(1)) {
		ref, isRef := strings.CutPrefix(v, "@")
		if !isRef {
			out = append(out, v)
			continue
		}
		for _, one := range b.values[ref] {
			if !slices.Contains(out, one) {
				out = append(out, one)
			}
		}
	}
	if len(out) == 0 {
		return b.values[r.forms(0)[0].text]
	}
	return out
}

// splitAlternatives cuts a column at its commas, which quotes do not hold here.
func splitAlternatives(column string) []string {
	var out []string
	for v := range strings.SplitSeq(column, ",") {
		if v = strings.TrimSpace(v); v != "" {
			out = append(out, v)
		}
	}
	return out
}

func (l *Lexicon) readCRoles() {
	for _, r := range rows("c_roles.tsv") {
		first := r.forms(0)[0].text
		values := splitAlternatives(r.column(1))
		if values == nil {
			values = []string{quoted(analysis.Title(first))}
		}
		s := Sense{
			Type: CRole, Name: identifier(first), Filter: query.FilterPosition, Values: values,
			Level: analysis.LevelCXO, Function: analysis.Function(first), Prior: 10,
		}
		for _, f := range r.forms(0) {
			s := s
			s.NeedsCue = f.needsCue
			l.addNoun(f.text, s)
		}
	}
	founder := Sense{
		Type: Founder, Name: "founder", Filter: query.FilterSeniority, Values: []string{analysis.LevelFounder},
		Level: analysis.LevelFounder, Prior: 10,
	}
	for _, text := range []string{
		"founder", "cofounder", "co-founder", "founder and ceo", "founder/ceo", "ceo and founder", "cofounder and ceo", "founding ceo",
		"technical founder", "startup founder", "tech founder", "founder & cto", "cofounder and cto", "solo founder", "company founder",
		"founding team member", "founder ceo", "ceo founder", "first time founder", "female founder", "solo technical founder", "technical cofounder",
	} {
		l.addNoun(text, founder)
	}
}

// addNoun adds a form, its variants and the plurals of all.
func (l *Lexicon) addNoun(text string, s Sense) {
	for _, v := range variants(analysis.Fold(text)) {
		l.add(v, s)
		if p := plural(v); p != "" {
			l.add(p, s)
		}
	}
}

// identifier is a text as the name of a sense.
func identifier(text string) string { return strings.Join(analysis.Tokens(text), "_") }

func (l *Lexicon) readLevels() {
	for _, table := range []struct {
		file  string
		kind  Type
		prior float64
	}{{"seniority.tsv", Seniority, 8}, {"leaders.tsv", Leader, 8}} {
		for _, r := range rows(table.file) {
			levels := splitAlternatives(r.column(0))
			for _, f := range r.forms(1) {
				s := Sense{
					Type: table.kind, Name: strings.Join(levels, "_"), Filter: query.FilterSeniority, Values: levels, Level: levels[0],
					Prior: table.prior, NeedsCue: f.needsCue,
				}
				if f.needsCue {
					s.Prior = priorHead
				}
				l.add(f.text, s)
			}
		}
	}
}

func (l *Lexicon) readFunctions() {
	nouns := append([]form{{}}, rows("function_nouns.txt")[0].forms(0)...)
	for _, r := range rows("functions.tsv") {
		function := r.column(0)
		for _, f := range r.forms(1) {
			s := Sense{
				Type: Function, Name: function, Filter: query.FilterFunction, Values: []string{function}, Function: function,
			}
			for _, n := range nouns {
				s := s
				s.Prior, s.NeedsCue = 7, false
				if n.text == "" {
					s.Prior, s.NeedsCue = 4, f.needsCue
				}
				for _, v := range variants(f.text) {
					l.add(v+" "+n.text, s)
				}
			}
		}
	}
}
