package lexicon

import (
	"slices"
	"strings"

	"kith/query/prompt/words"
	"kith/query/tokenizer"
)

// dictionary has English words for those of other languages, by stem.
type dictionary map[string][]translation

// translation is an English word or phrase for a word of a language, given by its code.
type translation struct{ english, language string }

// dictionaryLanguages returns the languages of the columns of dictionary.tsv after the first.
func dictionaryLanguages() []string { return []string{"de", "fr", "es", "it", "pt", "nl"} }

// longestForeign is the maximum number of words of an entry of the dictionary.
const longestForeign = 5

func readDictionary() dictionary {
	d := dictionary{}
	for _, r := range rows("dictionary.tsv") {
		for i, language := range dictionaryLanguages() {
			for _, f := range r.forms(i + 1) {
				key := stems(tokenizer.Tokens(f.text))
				d[key] = append(d[key], translation{r.column(0), language})
			}
		}
	}
	return d
}

// shortestRoot is the minimum number of letters of a stem.
const shortestRoot = 4

// stem cuts the endings for number and gender off a word, as far as the languages of the dictionary share them.
func stem(w string) string {
	for _, e := range [][2]string{
		{"innen", "in"}, {"eien", "ei"}, {"aux", "al"}, {"oes", "ao"}, {"ais", "al"}, {"eis", "el"},
	} {
		if root, ok := strings.CutSuffix(w, e[0]); ok && len(root) >= shortestStem {
			return stem(root + e[1])
		}
	}
	w = cutEnding(cutEnding(w, "s"), "n")
	for _, vowel := range []string{"a", "e", "i", "o"} {
		if root := cutEnding(w, vowel); root != w {
			if hard := strings.TrimSuffix(root, "h"); hard != root && len(hard) >= shortestRoot {
				return hard // banche, banca
			}
			return root
		}
	}
	return w
}

// cutEnding cuts a letter off, unless too little is left. Only an n after an e is an ending.
func cutEnding(w, letter string) string {
	root, ok := strings.CutSuffix(w, letter)
	if !ok || len(root) < shortestRoot || letter == "n" && !strings.HasSuffix(root, "e") {
		return w
	}
	return root
}

func stems(tokens []string) string {
	out := make([]string, len(tokens))
	for i, t := range tokens {
		out[i] = stem(t)
	}
	return strings.Join(out, " ")
}

// find returns the translation of a stem, in a language if it has one there.
func (d dictionary) find(key, language string) (translation, bool) {
	all := d[key]
	if i := slices.IndexFunc(all, func(t translation) bool { return t.language == language }); i >= 0 {
		return all[i], true
	}
	if len(all) > 0 {
		return all[0], true
	}
	return translation{}, false
}

// IsForeign reports whether the dictionary has a word, or the parts of a compound.
func (l *Lexicon) IsForeign(word string) bool {
	_, ok := l.dictionary.word(word, "")
	return ok
}

// LanguagesOf returns the codes of the languages in which the dictionary has a word.
func (l *Lexicon) LanguagesOf(word string) (codes []string) {
	for _, t := range l.dictionary[stem(word)] {
		if !slices.Contains(codes, t.language) {
			codes = append(codes, t.language)
		}
	}
	return codes
}

// word translates a single word.
func (d dictionary) word(w, language string) (translation, bool) {
	if t, ok := d.find(stem(w), language); ok {
		return t, true
	}
	return d.compound(w)
}

// shortestCompound is the minimum number of letters of a compound.
const shortestCompound = 8

// compound translates a German or Dutch compound of words that the dictionary has: Einkaufsleiter, fietsenwinkels.
func (d dictionary) compound(w string) (translation, bool) {
	for at := shortestStem; len(w) >= shortestCompound && at <= len(w)-shortestStem; at++ {
		last, ok := d.germanic(w[at:])
		if !ok {
			continue
		}
		for _, link := range []string{"", "s", "es", "en", "n", "er", "e"} {
			root, cut := strings.CutSuffix(w[:at], link)
			if first, ok := d.germanic(root); ok && cut && len(root) >= shortestStem {
				return translation{first.english + " " + last.english, last.language}, true
			}
		}
	}
	return translation{}, false
}

// germanic translates a part of a compound.
func (d dictionary) germanic(w string) (translation, bool) {
	for _, t := range d[stem(w)] {
		if t.language == "de" || t.language == "nl" {
			return t, true
		}
	}
	return translation{}, false
}

// English translates a phrase of another language, given by its code if it is known, into the order of English:
// directeur des achats, purchasing director. Words that the dictionary lacks stay as they are. It returns false if the
// dictionary has none of them.
func (l *Lexicon) English(tokens []string, language string) (english []string, ok bool) {
	isLink := func(word string) bool { return words.In(words.ForeignLinks, word) }
	if len(tokens) == 0 || isLink(tokens[0]) || isLink(tokens[len(tokens)-1]) {
		return nil, false
	}
	var parts []string
	german, found := false, false
	for i := 0; i < len(tokens); {
		t, n := l.next(tokens[i:], language)
		switch {
		case n > 0:
			parts = append(parts, t.english)
			german = t.language == "de" || t.language == "nl"
			found = true
		case !isLink(tokens[i]):
			parts = append(parts, tokens[i])
		}
		i += max(n, 1)
	}
	if found && (!german || l.isHead(parts[0])) {
		slices.Reverse(parts)
	}
	return strings.Fields(strings.Join(parts, " ")), found
}

// next translates the longest entry at the beginning of a phrase, and returns its number of words.
func (l *Lexicon) next(tokens []string, language string) (t translation, n int) {
	for n = min(longestForeign, len(tokens)); n > 1; n-- {
		if t, ok := l.dictionary.find(stems(tokens[:n]), language); ok {
			return t, n
		}
	}
	if len(l.entries[tokens[0]]) > 0 && !l.foreign[tokens[0]] && !slices.Contains(dictionaryLanguages(), language) {
		return t, 0
	}
	if t, ok := l.dictionary.word(tokens[0], language); ok {
		return t, 1
	}
	return t, 0
}

// isHead reports whether an English phrase ends with the noun of a title.
func (l *Lexicon) isHead(english string) bool {
	last := english[strings.LastIndexByte(english, ' ')+1:]
	return l.titles.heads[last] != "" || slices.ContainsFunc(l.entries[last], func(e entry) bool {
		return e.sense.Type == Role
	})
}

// Translated returns the meanings of a phrase of another language that no table has: those of its English translation.
// A title has its own words as further values.
func (l *Lexicon) Translated(tokens []string, language string) (all []Sense) {
	english, ok := l.English(tokens, language)
	if !ok {
		return nil
	}
	for _, s := range l.Senses(english) {
		switch s.Type {
		case Role, CRole, Head:
			s.Type = Role
			s.Values = appendTitle(s.Values, tokens)
		case Industry, CompanyKind, Function, Skill, FieldOfStudy, Degree, Leader, Seniority:
		default:
			continue
		}
		s.Prior--
		all = append(all, s)
	}
	return all
}

// appendTitle adds the normal form of a title to values.
func appendTitle(values, tokens []string) []string {
	return tokenizer.AppendNew(slices.Clone(values), titlePhrases([]string{strings.Join(tokens, " ")}))
}
