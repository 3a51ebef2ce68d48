package lexicon

import (
	"strings"

	"kith/query"
	"kith/query/prompt/words"
	"kith/query/taxonomy"
)

// readPeople reads the tables about people other than jobs: schools, degrees, fields of study, skills, languages.
func (l *Lexicon) readPeople() {
	for _, table := range []struct {
		rows   []row
		kind   Type
		filter query.FilterName
		prior  float64
		add    func(string, *Sense, float64, bool)
	}{
		{meant(taxonomy.PromptDegrees()), Degree, query.FilterDegree, 8, l.addNoun},
		{rows("degree_groups.tsv"), Degree, query.FilterDegree, 8, l.addNoun},
		{rows("studies.tsv"), FieldOfStudy, query.FilterFieldOfStudy, 4, l.addWord},
		{rows("skills.tsv"), Skill, query.FilterSkills, 5.5, l.addWord},
		{rows("languages.tsv"), Language, query.FilterSkills, 3, l.addWord},
		{rows("school_aliases.tsv"), SchoolAlias, query.FilterSchool, 7.5, l.addWord},
	} {
		for _, r := range table.rows {
			l.readAsked(r, table.kind, table.filter, func(f form, s *Sense) {
				table.add(f.text, s, weakened(table.prior, f), f.needsCue)
				if table.kind == Language {
					l.addSpeakers(f.text, s)
				}
			})
		}
	}
}

// addSpeakers adds phrases for speakers of a language, whose name alone is a nationality.
func (l *Lexicon) addSpeakers(language string, s *Sense) {
	l.addNoun(language+" speaker", s, priorListedTitle, false)
	l.addNoun(language+" native speaker", s, priorListedTitle, false)
	l.addNoun("native "+language+" speaker", s, priorListedTitle, false)
	for _, before := range words.All(words.BeforeLanguage) {
		l.addWord(before+" "+language, s, priorListedTitle, false)
	}
	for _, behind := range words.All(words.AfterLanguage) {
		l.addWord(language+" "+behind, s, priorListedTitle, false)
	}
}

// Expert reads a skill or a function and a noun for people who have it (Kubernetes experts, sales experts) as that
// skill or function. ok is false for other words.
func (l *Lexicon) Expert(tokens []string) (s Sense, ok bool) {
	last := len(tokens) - 1
	if last < 1 || !words.In(words.Experts, tokens[last]) {
		return Sense{}, false
	}
	for _, e := range l.entries[strings.Join(tokens[:last], " ")] {
		if e.sense.Type == Skill || e.sense.Type == Function {
			s = *e.sense
			s.Prior = priorTitleByRule + 1
			return s, true
		}
	}
	return Sense{}, false
}

// readAsked reads a line of filter values, optionally followed by a tab and spellings, and by a tab
// and a name if the line is a list of schools. Names of several words are spellings too, except in
// lists; without a second column, all names are.
func (l *Lexicon) readAsked(r row, kind Type, filter query.FilterName, add func(form, *Sense)) {
	asked := r.forms(0)
	var values []string
	for _, a := range asked {
		values = append(values, a.text)
	}
	s := &Sense{Type: kind, Name: identifier(asked[0].text), Filter: filter, Values: wholeNames(values)}
	if r.column(2) != "" {
		s.Name = r.column(2)
	}
	for _, f := range r.forms(1) {
		add(f, s)
	}
	for _, a := range asked {
		if r.column(1) == "" || r.column(2) == "" && strings.Contains(a.text, " ") {
			add(a, s)
		}
	}
}

// shortestStem is the minimum number of letters before the ending of an occupation.
const shortestStem = 3

// Occupation reads an unlisted word as a job title if it ends like the nouns for occupations of a
// language, given by its code: limnologists, Hörgeräteakustikerin. Frequent words do not count.
func (l *Lexicon) Occupation(word, language string) (Sense, bool) {
	if l.IsWord(word) {
		return Sense{}, false
	}
	for _, ending := range words.All(words.OccupationEndings + words.List(language)) {
		if len(word) >= len(ending)+shortestStem && strings.HasSuffix(word, ending) {
			return titleSense(word), true
		}
	}
	return Sense{}, false
}
