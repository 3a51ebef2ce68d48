package analysis

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"kith/query"
	"kith/query/tokenizer"
)

// hasSpellings reports whether records may spell the words of a field as [respell] does. Names of people and places
// have forms of their own.
func hasSpellings(f query.Field) bool {
	return slices.Contains([]query.Field{
		query.Title, query.Company, query.CompanyIndustry, query.CompanyKeywords, query.School, query.Degree,
		query.FieldOfStudy, query.Skill, query.Text,
	}, f)
}

// respell returns other spellings of a text: umlauts with an e or without, Node.js as NodeJS and Node JS, and, for
// companies and skills, Wal-Mart as Walmart.
func respell(f query.Field, text string) []string {
	others := respellScripts(text)
	if umlauts := respellUmlauts(text); umlauts != "" {
		others = append(others, umlauts)
	}
	if f == query.Company || f == query.Skill {
		if joined := marksDropped(text); joined != "" {
			others = append(others, joined)
		}
	}
	return others
}

// marksDropped removes the hyphens, dots and slashes inside the words of a text (Wal-Mart → WalMart, E.ON → EON); ""
// if there are none.
func marksDropped(text string) string {
	if !strings.ContainsAny(text, "-‐‑./") {
		return ""
	}
	runes := []rune(text)
	kept := slices.Clone(runes[:1])
	for i := 1; i < len(runes); i++ {
		inside := i+1 < len(runes) && isWordRune(runes[i-1]) && isWordRune(runes[i+1])
		if !inside || !strings.ContainsRune("-‐‑./", runes[i]) {
			kept = append(kept, runes[i])
		}
	}
	if len(kept) == len(runes) {
		return ""
	}
	return string(kept)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// respellScripts returns the spellings of a text with a word that ends in JS; nil for other texts.
func respellScripts(text string) []string {
	const join = "\x00"
	ws := strings.Fields(text)
	found := false
	for i, w := range ws {
		stem, is := strings.CutSuffix(strings.ToLower(w), "js")
		if stem = strings.TrimSuffix(stem, "."); is && len(stem) > 1 {
			ws[i], found = stem+join+"js", true
		}
	}
	if !found {
		return nil
	}
	var others []string
	for _, mark := range []string{".", "", " "} {
		others = append(others, strings.ReplaceAll(strings.Join(ws, " "), join, mark))
	}
	return others
}

// respellUmlauts writes the umlauts of a text with an e (Müller → Mueller). In a text without umlauts it drops each
// e that may mark one, as folding does (Mueller → Muller). It returns "" if nothing changes.
func respellUmlauts(text string) string {
	composed := norm.NFC.String(text)
	if spelled := umlautsSpelled(composed); spelled != composed {
		return spelled
	}
	var b strings.Builder
	for i := range len(text) {
		if i == 0 || !standsForUmlaut(text, i) {
			b.WriteByte(text[i])
		}
	}
	if b.Len() == len(text) {
		return ""
	}
	return b.String()
}

// standsForUmlaut reports whether the e at i may mark the vowel before it as an umlaut: inside a word (not value),
// not after two vowels (Bauer) or after qu (request).
func standsForUmlaut(text string, i int) bool {
	at := func(i int) byte {
		if i < 0 || i >= len(text) {
			return ' '
		}
		return tokenizer.LowerByte(text[i])
	}
	return at(i) == 'e' && strings.IndexByte("aou", at(i-1)) >= 0 && strings.IndexByte("aeiouyq", at(i-2)) < 0 &&
		tokenizer.IsLetter(at(i+1))
}
