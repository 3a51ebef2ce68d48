package lexicon

import (
	"maps"
	"slices"
	"strings"

	"kith/query/gazetteer"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

// readForeignRoles reads the titles of other languages. Each matches people with the title in any
// of the languages, in either gender, or in English.
func (l *Lexicon) readForeignRoles(english map[string]*Sense) {
	roles := rows("foreign_roles.tsv")
	for i, r := range slices.Concat(roles, rows("foreign_trades.tsv")) {
		s := foreignRole(r, english)
		for _, f := range slices.Concat(r.forms(1), r.forms(2)) {
			key := gazetteer.PlaceKey(f.text)
			if isOtherTitle(l.entries[key], r.column(0)) {
				continue
			}
			if i >= len(roles) && len(l.entries[key]) == 0 {
				l.further[key], l.further[plural(key)] = true, true
			}
			l.foreign[key] = true
			l.addNoun(f.text, s, cued(priorListedTitle-0.05, f), f.needsCue)
		}
	}
}

// foreignRole returns the sense of a row: the English titles and the row's own.
func foreignRole(r row, english map[string]*Sense) *Sense {
	var values, excluded, own []string
	for _, v := range splitAlternatives(r.column(0)) {
		if title, isRef := strings.CutPrefix(v, "@"); isRef {
			values, excluded = append(values, english[title].Values...), append(excluded, english[title].Excluded...)
			continue
		}
		values = append(values, v)
	}
	for _, f := range r.forms(1) {
		if f.needsCue {
			values = append(values, "="+strings.Join(taxonomy.Title(f.text), " "))
		} else {
			own = append(own, f.text)
		}
	}
	values = tokenizer.AppendNew(values, titlePhrases(own))
	s := role(strings.Trim(splitAlternatives(r.column(0))[0], `@"`), withoutLonger(values))
	s.Name, s.Excluded = identifier(slices.Concat(r.forms(1), r.forms(2))[0].text), excluded
	return s
}

// isOtherTitle reports whether one of the meanings of a text, without a cue, is a title or the noun of one, other than
// the English titles it translates.
func isOtherTitle(meanings []entry, meant string) bool {
	return slices.ContainsFunc(meanings, func(e entry) bool {
		switch e.sense.Type {
		case Role:
			title := "@" + strings.ReplaceAll(e.sense.Name, "_", " ")
			return !e.needsCue && !slices.Contains(splitAlternatives(meant), title)
		case CRole, Founder, Head, Leader:
			return !e.needsCue
		}
		return false
	})
}

// readForeignWords reads the foreign spellings of words in other tables. It skips rows whose meaning is in no table.
func (l *Lexicon) readForeignWords() {
	type named struct {
		kind Type
		name string
	}
	senses := map[named]entry{}
	for _, spelling := range slices.Sorted(maps.Keys(l.entries)) {
		for _, e := range l.entries[spelling] {
			key := named{e.sense.Type, strings.ToLower(e.sense.Name)}
			if known, ok := senses[key]; !ok || e.prior > known.prior {
				senses[key] = e
			}
		}
	}
	for _, r := range rows("foreign_words.tsv") {
		e, ok := senses[named{Type(r.column(0)), strings.ToLower(identifier(r.column(1)))}]
		if !ok {
			continue
		}
		for _, f := range r.forms(2) {
			key := gazetteer.PlaceKey(f.text)
			if len(l.entries[key]) == 0 {
				l.foreign[key], l.further[key] = true, true
			} else if l.IsWord(key) || l.isOtherWord(key) {
				f.needsCue = true
			}
			l.add(f.text, e.sense, weakened(e.prior, f), f.needsCue)
		}
	}
}
