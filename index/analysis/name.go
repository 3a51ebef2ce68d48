package analysis

import (
	"slices"
	"strings"
)

// NameTokens returns the words of a person's name, without forms of address in
// front (Dr., Mrs.) and letters behind a comma (PhD, CPA).
func NameTokens(name string) []string {
	drop := words().honorifics
	tokens := Tokens(name)
	if before, after, found := strings.Cut(name, ","); found {
		if behind := Tokens(after); !slices.ContainsFunc(behind, func(t string) bool { return !drop[t] && t != "ph" && t != "d" }) {
			tokens = Tokens(before)
		}
	}
	for len(tokens) > 1 && drop[tokens[0]] && len(tokens[0]) > 1 && tokens[0] != "ma" {
		tokens = tokens[1:]
	}
	return tokens
}

// NameKey is the whole name in one term: its words, sorted.
func NameKey(name string) string { return nameKey(NameTokens(name)) }

func nameKey(tokens []string) string {
	if slices.IsSorted(tokens) {
		return termOf(tokens)
	}
	tokens = slices.Clone(tokens)
	slices.Sort(tokens)
	return termOf(tokens)
}

// NameForms returns what else a person may be called by: the words of the
// name, for each but the last its nicknames or the names it is a nickname of
// (Robert, Rob, Bob) and its initial, and the other spelling of umlauts (Müller,
// Mueller). Each form once, the name's own words first.
func NameForms(name string) []string { return nameForms(name, NameTokens(name)) }

func nameForms(name string, tokens []string) []string {
	forms := slices.Clone(tokens)
	add := func(form string) {
		if form != "" && !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	nicks := words().nicknames
	for i, t := range tokens {
		if i < len(tokens)-1 || i == 0 {
			for _, n := range nicks[t] {
				add(n)
			}
		}
		if i < len(tokens)-1 && len(t) > 1 && isLetter(t[0]) {
			add(t[:1])
		}
		add(withoutE(t))
	}
	if spelled := umlautsSpelled(name); spelled != name {
		for _, t := range NameTokens(spelled) {
			add(t)
		}
	}
	return forms
}

// umlautsSpelled writes ä, ö and ü with an e, and å and ø as aa and oe.
func umlautsSpelled(s string) string {
	if isASCII(s) {
		return s
	}
	return words().umlauts.Replace(s)
}

// withoutE undoes [umlautsSpelled] in a folded word; "" where nothing changes.
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

// newNicknames reads lines of a name and its nicknames, and maps both ways.
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
