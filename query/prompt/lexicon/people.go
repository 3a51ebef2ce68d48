package lexicon

import "kith/query"

// readPeople reads what is said of people beside their jobs: schools, degrees,
// fields of study, skills, languages.
func (l *Lexicon) readPeople() {
	for _, table := range []struct {
		file   string
		kind   Type
		filter query.FilterName
		prior  float64
		nouns  bool
	}{
		{"degrees.tsv", Degree, query.FilterDegree, 8, true},
		{"studies.tsv", FieldOfStudy, query.FilterFieldOfStudy, 4, false},
		{"skills.tsv", Skill, query.FilterSkills, 5.5, false},
		{"languages.tsv", Language, query.FilterSkills, 3, false},
		{"school_aliases.tsv", SchoolAlias, query.FilterSchool, 7.5, false},
	} {
		for _, r := range rows(table.file) {
			l.addPersonal(r, table.kind, table.filter, table.prior, table.nouns)
		}
	}
}

// addPersonal adds a line: what the filter asks for, then the spellings, which
// are the same where there is no second column.
func (l *Lexicon) addPersonal(r row, kind Type, filter query.FilterName, prior float64, nouns bool) {
	asked := r.forms(0)
	var values []string
	for _, a := range asked {
		values = append(values, a.text)
	}
	s := Sense{Type: kind, Name: identifier(asked[0].text), Filter: filter, Values: wholeNames(values)}
	forms := r.forms(1)
	if r.column(1) == "" {
		forms = asked
	}
	for _, f := range forms {
		p := prior
		if f.needsCue {
			p = priorModifier
		}
		if nouns {
			l.addNoun(f.text, withPrior(s, p, f.needsCue))
			continue
		}
		for _, v := range variants(f.text) {
			l.add(v, withPrior(s, p, f.needsCue))
		}
	}
}
