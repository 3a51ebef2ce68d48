package analysis

import (
	"slices"
	"strings"

	"kith/query/tokenizer"
)

// NameTokens returns the words of a person's name, without leading forms of address (Dr., Mrs.) and without degrees
// after a comma (PhD, CPA). One or two other words after a comma are the first name: "Doe, Jane".
func NameTokens(name string) []string {
	drop := words().honorifics
	tokens := nameAroundComma(name, drop)
	for len(tokens) > 1 && drop[tokens[0]] && len(tokens[0]) > 1 && !beginsName(tokens[0]) {
		tokens = tokens[1:]
	}
	return tokens
}

// beginsName reports whether the letters of a degree begin a name instead: the family name Ma, or the initials of J.
// D. Salinger.
func beginsName(t string) bool { return t == "ma" || t == "jd" }

func nameAroundComma(name string, drop map[string]bool) []string {
	before, after, found := strings.Cut(name, ",")
	tokens := tokenizer.Tokens(before)
	if !found {
		return tokens
	}
	behind := tokenizer.Tokens(strings.NewReplacer("ph.d", "phd", "ph d", "phd").Replace(tokenizer.Fold(after)))
	for n := len(behind); n > 0 && drop[behind[n-1]]; n-- {
		behind = behind[:n-1]
	}
	if len(behind) > 2 || len(behind) == 0 {
		return append(tokens, behind...)
	}
	return append(behind, tokens...)
}

// nameKey is a whole name as one term: its words, sorted.
func nameKey(tokens []string) string {
	if slices.IsSorted(tokens) {
		return joinTerm(tokens)
	}
	tokens = slices.Clone(tokens)
	slices.Sort(tokens)
	return joinTerm(tokens)
}

// nameForms returns the words and other forms of a person's name: nicknames and the names they stand for, except for
// the last word (Robert, Rob, Bob); initials, single (J, K) and joined (JK); neighbours of three words joined
// (Jean-Luc, Jeanluc); and other spellings of umlauts (Müller, Mueller). Each form appears once, the name's own words
// first.
func nameForms(name string, tokens []string) []string {
	f := forms{all: append(make([]string, 0, 2*len(tokens)+6), tokens...)}
	nicks := words().nicknames
	for i, t := range tokens {
		if i < len(tokens)-1 || i == 0 {
			for _, n := range nicks[t] {
				f.add(n)
			}
		}
		if len(tokens) > 1 {
			f.add(initial(t))
		}
		f.add(withoutE(t))
	}
	f.addJoined(tokens)
	f.spelledOut(name)
	if spelled := umlautsSpelled(name); spelled != name {
		for _, t := range NameTokens(spelled) {
			f.add(t)
		}
	}
	return f.all
}

// forms are words without duplicates.
type forms struct{ all []string }

func (f *forms) add(form string) {
	if form != "" && !slices.Contains(f.all, form) {
		f.all = append(f.all, form)
	}
}

// addJoined adds other spellings of three words: joined initials (JK Rowling), and neighbours as one word (Jeanluc
// Picard, Kim Minjun).
func (f *forms) addJoined(tokens []string) {
	if len(tokens) != 3 || !alphabetic(tokens) {
		return
	}
	f.add(initial(tokens[0]) + initial(tokens[1]))
	f.add(tokens[0] + tokens[1])
	f.add(tokens[1] + tokens[2])
}

// spelledOut adds the letters of joined initials: J.K., JD.
func (f *forms) spelledOut(name string) {
	for word := range strings.FieldsSeq(name) {
		for _, letter := range splitInitials(word) {
			f.add(letter)
		}
	}
}

// splitInitials returns the letters of joined initials; nil for other words.
func splitInitials(word string) []string {
	letters := strings.ReplaceAll(word, ".", "")
	if len(letters) < 2 || len(letters) > 3 || strings.Trim(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return nil
	}
	return strings.Split(tokenizer.Fold(letters), "")
}

// initialsTogether maps each word of joined initials in a name to its letters. In a name all in capitals, only full
// stops mark initials.
func initialsTogether(name string) map[string][]string {
	capitals := name == strings.ToUpper(name)
	var all map[string][]string
	for word := range strings.FieldsSeq(name) {
		letters := splitInitials(strings.TrimSuffix(word, ","))
		if letters == nil || capitals && !strings.Contains(word, ".") {
			continue
		}
		if all == nil {
			all = map[string][]string{}
		}
		all[strings.Join(letters, "")] = tokenizer.AppendNew(nil, letters)
	}
	return all
}

// initial returns the first letter of a word with several letters; "" for others.
func initial(t string) string {
	if len(t) < 2 || !tokenizer.IsLetter(t[0]) {
		return ""
	}
	return t[:1]
}

// alphabetic reports whether all words are in Latin letters, where names can be shortened.
func alphabetic(tokens []string) bool {
	return !slices.ContainsFunc(tokens, func(t string) bool { return !tokenizer.IsLetter(t[0]) })
}

// maxNameVariants is the most words of a name with variants.
const maxNameVariants = 4

// nameVariants returns whole names, as [nameKey] writes them, that a record may have instead of the longer name: with
// initials, without middle names, without the last of three names, without a suffix, or with two words joined. They
// are matched whole, so they do not match a namesake with another middle name.
func nameVariants(tokens []string) []string {
	if n := len(tokens); n > 2 && isSuffix(tokens[n-1]) {
		tokens = tokens[:n-1]
	}
	n := len(tokens)
	if n < 2 || n > maxNameVariants || !alphabetic(tokens) {
		return nil
	}
	f := forms{}
	varied := make([]string, 0, n)
	var vary func(i int)
	vary = func(i int) {
		if i == n-1 {
			f.add(nameKey(append(varied, tokens[i])))
			return
		}
		at := len(varied)
		for _, t := range []string{tokens[i], initial(tokens[i])} {
			if t != "" {
				varied = append(varied[:at], t)
				vary(i + 1)
			}
		}
		if i > 0 {
			varied = varied[:at]
			vary(i + 1)
		}
	}
	vary(0)
	f.add(nameKey(append(slices.Clone(tokens[:n-1]), initial(tokens[n-1]))))
	if n == 3 {
		f.add(nameKey(tokens[:2]))
		f.add(nameKey([]string{tokens[0] + tokens[1], tokens[2]}))
		f.add(nameKey([]string{tokens[0], tokens[1] + tokens[2]}))
	}
	return f.all
}

// isSuffix lists suffixes that follow a name without a comma.
func isSuffix(t string) bool { return slices.Contains([]string{"jr", "sr", "ii", "iii", "iv"}, t) }

// umlautsSpelled writes ä, ö, ü and ø with an e, and å as aa.
func umlautsSpelled(s string) string {
	if tokenizer.IsASCII(s) {
		return s
	}
	return words().umlauts.Replace(s)
}

// withoutE reverses [umlautsSpelled] in a folded word; "" if nothing changes.
func withoutE(t string) string {
	if len(t) < 4 || !strings.Contains(t, "e") && !strings.Contains(t, "aa") {
		return ""
	}
	plain := words().withoutE.Replace(t)
	if plain == t {
		return ""
	}
	return plain
}

// newNicknames reads lines of a name and its nicknames, and maps in both directions.
func newNicknames(entries []string) map[string][]string {
	m := make(map[string][]string, 2*len(entries))
	add := func(from, to string) {
		if from != to && !slices.Contains(m[from], to) {
			m[from] = append(m[from], to)
		}
	}
	for _, line := range entries {
		name, nicks, _ := strings.Cut(line, "\t")
		for nick := range strings.SplitSeq(nicks, "|") {
			add(name, nick)
			add(nick, name)
		}
	}
	return m
}
