package lexicon

import (
	"strings"

	"kith/index/analysis"
	"kith/query"
)

// readFieldsOfWork makes a title of every rank with every field of work, and
// takes the fields as words that may stand before the noun of a title.
func (l *Lexicon) readFieldsOfWork() {
	ranks := rows("ranks.tsv")
	for _, r := range rows("fields.tsv") {
		for _, f := range r.forms(0) {
			for _, field := range variants(f.text) {
				l.modifiers[analysis.PlaceKey(field)] = true
				for _, rank := range ranks {
					l.addRank(rank, field, f.needsCue)
				}
			}
		}
	}
}

func (l *Lexicon) addRank(rank row, field string, needsCue bool) {
	s := Sense{
		Type: Role, Name: rank.column(0) + "_" + identifier(field), Filter: query.FilterPosition, Prior: priorRankOfField,
		Values: rankValues(rank, field),
	}
	var title string
	if before := rank.forms(1); len(before) > 0 {
		title = before[0].text + " of " + field
	} else {
		title = field + " " + rank.forms(2)[0].text
	}
	s.Level, s.Function = analysis.Seniority(title), analysis.Function(title)
	for _, f := range rank.forms(1) {
		s := s
		s.NeedsCue = f.needsCue
		l.addNoun(f.text+" of "+field, s)
		l.add(plural(f.text)+" "+field, s)
		s.NeedsCue = s.NeedsCue || needsCue
		l.add(f.text+" "+field, s)
	}
	for _, f := range rank.forms(2) {
		s := s
		s.NeedsCue = f.needsCue || needsCue
		l.addNoun(field+" "+f.text, s)
	}
}

// rankValues writes the field in its normal form into the rank's alternatives.
func rankValues(rank row, field string) []string {
	normal := strings.Join(analysis.Title(field), " ")
	var out []string
	for _, v := range rank.list(3) {
		value, phrase := strings.CutPrefix(v, `"`)
		text := strings.ReplaceAll(strings.TrimSuffix(value, `"`), "F", normal)
		out = append(out, query.Alternative{Text: text, Phrase: phrase}.String())
	}
	return out
}

func (l *Lexicon) readHeads() {
	for _, r := range rows("heads.txt") {
		head := r.column(0)
		l.heads[head] = head
		l.heads[plural(head)] = head
		l.addNoun(head, Sense{Type: Head, Name: head, Filter: query.FilterPosition, Values: []string{quoted(analysis.Title(head))}, Prior: priorHead})
	}
	for _, r := range rows("modifiers.txt") {
		for _, f := range r.forms(0) {
			for _, v := range variants(f.text) {
				l.modifiers[analysis.PlaceKey(v)] = true
			}
		}
	}
	for m := range l.modifiers {
		l.add(m, Sense{Type: Modifier, Name: m, Prior: priorModifier})
	}
}

// titleByRule reads a noun of titles with words before it that may stand there.
func (l *Lexicon) titleByRule(tokens []string) []Sense {
	last := len(tokens) - 1
	head, ok := l.heads[tokens[last]]
	if !ok || last == 0 || !l.areModifiers(tokens[:last]) {
		return nil
	}
	title := strings.Join(tokens[:last], " ") + " " + head
	words := analysis.Title(title)
	values := []string{quoted(words)}
	if inv := inverted(words); inv != nil {
		values = append(values, quoted(inv))
	}
	return []Sense{{
		Type: Role, Name: identifier(title), Filter: query.FilterPosition, Values: values,
		Level: analysis.Seniority(title), Function: analysis.Function(title), Prior: priorTitleByRule, ByRule: true,
	}}
}

// areModifiers reports whether the words are modifiers one behind the other,
// of one to three words each; "and" may join them.
func (l *Lexicon) areModifiers(tokens []string) bool {
	if len(tokens) == 0 {
		return true
	}
	for n := min(3, len(tokens)); n > 0; n-- {
		if l.modifiers[strings.Join(tokens[:n], " ")] && l.areModifiers(tokens[n:]) {
			return true
		}
	}
	return tokens[0] == "and" && len(tokens) > 1 && l.areModifiers(tokens[1:])
}
