package lexicon

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/gazetteer"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

// Priors of titles and of weak evidence.
const (
	priorChief       = 10
	priorListedTitle = 9
	priorHead        = 4
	priorWeak        = 2
)

// cued returns the prior of a spelling of a title, lower if it needs a cue.
func cued(prior float64, f form) float64 {
	if f.needsCue {
		return priorHead
	}
	return prior
}

// readTitles reads the tables about occupations.
func (l *Lexicon) readTitles() {
	roles := l.readRoles()
	l.readChiefs()
	l.readHeads()
	l.readLevels()
	l.readFunctions()
	l.readForeignRoles(roles)
}

// readRoles reads the titles in English and returns them by their first spelling.
func (l *Lexicon) readRoles() map[string]*Sense {
	all := rows("roles.tsv")
	values := map[string][]string{} // by first spelling
	for _, r := range all {
		if !strings.Contains(r.column(1), "@") {
			values[r.forms(0)[0].text] = l.titles.roleValues(r)
		}
	}
	listed := listedTitles(all)
	senses, byTitle := make([]*Sense, len(all)), map[string]*Sense{}
	for i, r := range all {
		title := r.forms(0)[0].text
		senses[i] = role(title, resolved(r, values))
		senses[i].Excluded = append(splitAlternatives(r.column(2)), otherFunctions(title, senses[i].Values, listed)...)
		senses[i].IsGeneral = isGeneral(r, title, senses[i].Values)
		values[title] = senses[i].Values // for the rows below
		l.addNoun(title, senses[i], priorListedTitle, false)
		byTitle[title] = senses[i]
	}
	// Other spellings come later: "ux writer" is primarily the UX writer, not a spelling of content designer.
	narrowest := narrowestRows(all, senses)
	for i, r := range all {
		for _, f := range spellings(r)[1:] {
			if narrow, known := narrowest[gazetteer.PlaceKey(f.text)]; known && narrow != i && !f.needsCue {
				continue
			}
			l.addNoun(f.text, l.titles.spelling(r, f, senses[i]), cued(priorListedTitle-0.1, f), f.needsCue)
		}
		for _, f := range others(r) {
			l.addNoun(f.text, l.titles.other(f.text), priorListedTitle-0.2, false)
		}
		for _, f := range spellings(r) {
			if field, isDeveloper := strings.CutSuffix(f.text, " developer"); isDeveloper {
				l.addNoun(field+" dev", senses[i], priorListedTitle-0.2, f.needsCue)
			}
			if field, isEngineer := strings.CutSuffix(f.text, " engineer"); isEngineer {
				l.addNoun(field+" eng", senses[i], priorListedTitle-0.2, f.needsCue)
			}
		}
	}
	return byTitle
}

// narrowestRows returns, for each spelling, the most specific row that has it. A search for SOC
// analysts wants no other security analysts, but a search for security analysts includes them.
func narrowestRows(all []row, senses []*Sense) map[string]int {
	narrowest := map[string]int{}
	for i, r := range all {
		for _, f := range spellings(r)[1:] {
			key := gazetteer.PlaceKey(f.text)
			if known, ok := narrowest[key]; !f.needsCue && (!ok || len(senses[i].Values) < len(senses[known].Values)) {
				narrowest[key] = i
			}
		}
	}
	return narrowest
}

// listedTitle is the normal form of a row's first spelling, and its functions.
type listedTitle struct {
	words     string
	functions []string
}

func listedTitles(all []row) map[string][]listedTitle {
	byNoun := map[string][]listedTitle{}
	for _, r := range all {
		words := taxonomy.Title(r.forms(0)[0].text)
		if len(words) < 2 {
			continue
		}
		t := listedTitle{words: strings.Join(words, " "), functions: taxonomy.FunctionsOf(r.forms(0)[0].text)}
		byNoun[words[len(words)-1]] = append(byNoun[words[len(words)-1]], t)
	}
	return byNoun
}

// isGeneral reports whether a row is for all titles of its noun, whose values refer to other rows.
func isGeneral(r row, title string, values []string) bool {
	return strings.Contains(r.column(1), "@") &&
		(slices.Contains(values, title) || slices.Contains(values, "="+title))
}

// otherFunctions returns the listed titles of other functions than that of a title that end in one of its values. They
// must be excluded: a sales operations manager is not an operations manager.
func otherFunctions(title string, values []string, byNoun map[string][]listedTitle) []string {
	function := taxonomy.Function(title)
	if function == "" || len(values) > fewValues {
		return nil
	}
	var out []string
	for _, v := range values {
		phrase, found := strings.CutPrefix(strings.TrimSuffix(v, `"`), `"`)
		if !found {
			continue
		}
		for _, t := range byNoun[phrase[strings.LastIndexByte(phrase, ' ')+1:]] {
			other := len(t.functions) > 0 && !slices.Contains(t.functions, function)
			if x := `"` + t.words + `"`; other && strings.HasSuffix(t.words, " "+phrase) && !slices.Contains(out, x) {
				out = append(out, x)
			}
		}
	}
	return out
}

// fewValues is the maximum number of values of a role that is narrow enough for titles of other functions to matter.
const fewValues = 20

func role(title string, values []string) *Sense {
	return &Sense{Type: Role, Name: identifier(title), Filter: query.FilterPosition, Values: values}
}

// spelling returns the sense of another spelling in a row. A field of work (revops) also matches titles that
// contain it. The spellings of a row without a noun are roles of their own (cardiologist; dermatologist).
func (t titleRules) spelling(r row, f form, s *Sense) *Sense {
	own := titlePhrases([]string{f.text})
	switch {
	case t.isField(r, f.text):
		field := *s
		field.Values = withoutLonger(append(own, s.Values...))
		return &field
	case r.column(1) == "" && nounClass(r.forms(0)[0].text) == "":
		return role(f.text, own)
	case !f.needsCue && !covered(own[0], s.Values):
		named := *s
		named.Values = append(slices.Clone(s.Values), wholeWord(own[0]))
		return &named
	}
	return s
}

// covered reports whether one of the values already matches everyone with the phrase in the title.
func covered(phrase string, values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool {
		return strings.Contains(" "+strings.Trim(phrase, `"`)+" ", " "+strings.Trim(v, `"`)+" ")
	})
}

// wholeWord returns a phrase, or for a single word the exact title: a product designer is a
// designer, but not everyone with "designer" in the title is one.
func wholeWord(phrase string) string {
	if strings.HasPrefix(phrase, `"`) {
		return phrase
	}
	return "=" + phrase
}

// isField reports whether a spelling, in a row of titles with a noun, is only their field.
func (t titleRules) isField(r row, text string) bool {
	return nounClass(text) == "" && nounClass(r.forms(0)[0].text) != "" && t.modifiers[gazetteer.PlaceKey(text)]
}

// spellings returns the forms of a row that mean the same as the first. The rules for titles handle
// forms with another noun (an analyst if the first is a manager). A "!" before a form keeps it.
func spellings(r row) []form {
	forms := r.forms(0)
	kept := forms[:1:1]
	class := nounClass(forms[0].text)
	for _, f := range forms[1:] {
		text, forced := strings.CutPrefix(f.text, "!")
		if forced || sameNoun(class, nounClass(text)) {
			kept = append(kept, form{text: text, needsCue: f.needsCue})
		}
	}
	return kept
}

// others returns the forms of a row of several words whose noun differs from the first: separate
// titles in the same field of work.
func others(r row) []form {
	kept := spellings(r)
	return slices.DeleteFunc(r.forms(0), func(f form) bool {
		return f.needsCue || !strings.Contains(f.text, " ") || strings.HasPrefix(f.text, "!") || slices.Contains(kept,
			f)
	})
}

// other returns the sense of such a title: a rank in a field of work, or the title as written.
func (t titleRules) other(title string) *Sense {
	s, isRank := t.rankOf(tokenizer.Tokens(title))
	if !isRank {
		s = titleSense(title)
	}
	s.ByRule = false
	return &s
}

// roleValues returns the values for the position filter: the second column, or the spellings as phrases in
// normal form. It keeps only values with the noun of the first spelling, and drops mere fields of work.
func (t titleRules) roleValues(r row) []string {
	first := r.forms(0)[0].text
	class := nounClass(first)
	var out []string
	for _, v := range splitAlternatives(r.column(1)) {
		value, forced := strings.CutPrefix(v, "!")
		text := strings.Trim(value, `"`)
		if forced || sameNoun(class, nounClass(text)) && !t.isField(r, text) {
			out = append(out, value)
		}
	}
	if len(out) > 0 {
		return out
	}
	titles := []string{first}
	for _, f := range spellings(r)[1:] {
		if class != "" && !f.needsCue && !t.isField(r, f.text) {
			titles = append(titles, f.text)
		}
	}
	return withInversions(withoutLonger(titlePhrases(titles)))
}

// withoutLonger drops phrases that contain another phrase of the list.
func withoutLonger(phrases []string) []string {
	return slices.DeleteFunc(slices.Clone(phrases), func(p string) bool {
		return slices.ContainsFunc(phrases, func(other string) bool {
			return len(other) < len(p) && strings.Contains(" "+strings.Trim(p, `"`)+" ", " "+strings.Trim(other,
				`"`)+" ")
		})
	})
}

// resolved returns the values of a row, with references to other rows replaced.
func resolved(r row, values map[string][]string) []string {
	if !strings.Contains(r.column(1), "@") {
		return values[r.forms(0)[0].text]
	}
	var out []string
	for _, v := range splitAlternatives(r.column(1)) {
		ref, isRef := strings.CutPrefix(v, "@")
		if !isRef {
			out = append(out, strings.TrimPrefix(v, "!"))
			continue
		}
		out = tokenizer.AppendNew(out, values[ref])
	}
	return withoutLonger(out)
}

// splitAlternatives splits a column at its commas. Quotes do not protect commas here.
func splitAlternatives(column string) []string { return split(column, ",") }

// readChiefs reads the chief officers and the founders.
func (l *Lexicon) readChiefs() {
	for _, r := range rows("c_roles.tsv") {
		first := r.forms(0)[0].text
		values := splitAlternatives(r.column(1))
		if values == nil {
			values = []string{quoted(taxonomy.Title(first))}
		}
		s := &Sense{Type: CRole, Name: identifier(first), Filter: query.FilterPosition, Values: values}
		for _, f := range r.forms(0) {
			l.addNoun(f.text, s, priorChief, f.needsCue)
		}
	}
	founder := &Sense{
		Type: Founder, Name: "founder", Filter: query.FilterSeniority, Values: []string{taxonomy.LevelFounder},
	}
	for _, r := range rows("founders.txt") {
		for _, f := range r.forms(0) {
			l.addNoun(f.text, founder, priorChief, f.needsCue)
		}
	}
}

func (l *Lexicon) readLevels() {
	for _, table := range []struct {
		file string
		kind Type
	}{{"seniority.tsv", Seniority}, {"leaders.tsv", Leader}} {
		for _, r := range rows(table.file) {
			levels := splitAlternatives(r.column(0))
			s := &Sense{
				Type: table.kind, Name: strings.Join(levels, "_"), Filter: query.FilterSeniority, Values: levels,
			}
			for _, f := range r.forms(1) {
				l.add(f.text, s, cued(8, f), f.needsCue)
			}
		}
	}
}
