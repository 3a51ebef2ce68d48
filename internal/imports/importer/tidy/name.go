package tidy

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kith/query/tokenizer"
)

// Names are the parts of a name in a file. Any may be empty, and any may contain extra text.
type Names struct {
	Full, First, Middle, Last, Suffix string
	// Companies are companies of the same record, whose names may be in the name by mistake.
	Companies []string
}

// Name is a clean name. Full is empty if the parts name nobody.
type Name struct{ Full, First, Last string }

// Person builds a name from its parts. It removes forms of address, degrees, pronouns, emoji and the company, fixes the
// case, and splits the name if only the full name is given.
func Person(n Names) Name {
	if n.First == "" && n.Full == "" && isReversed(n.Last) {
		n.Full, n.Last = n.Last, ""
	}
	if n.First == "" && n.Last == "" {
		n.Full = familyFirst(n.Full)
	}
	companies := &employers{names: n.Companies}
	first, last := nameText(n.First, companies, wholeName), nameText(n.Last, companies, familyName)
	full, middle := nameText(n.Full, companies, wholeName), nameText(n.Middle, companies, wholeName)
	if first != "" && strings.EqualFold(first, last) && strings.Contains(first, " ") { // the full name in both
		full, first, last = first, "", ""
	}
	if first == "" && last != "" && full != "" && !strings.HasSuffix(strings.ToLower(full), strings.ToLower(last)) {
		first, full = full, "" // given name and surname
	}
	if last != "" {
		first = strings.TrimSpace(cutTail(first, last))
	}
	if words().nobody[strings.ToLower(first+" "+last)] {
		return Name{}
	}
	return ofParts(full, first, middle, last, n.Suffix)
}

// familyFirst moves a leading family name in capitals, as in DOE Jane, to the end.
func familyFirst(full string) string {
	ws := strings.Fields(full)
	if len(ws) < 2 || len(ws) > 3 || strings.ContainsAny(full, ",.|(") {
		return full
	}
	for i, w := range ws {
		small, large := letters(w)
		isCapitals := small == 0 && large >= 3
		isName := small > 0 && large == 1
		if i == 0 && !isCapitals || i > 0 && !isName {
			return full
		}
	}
	return strings.Join(append(ws[1:], ws[0]), " ")
}

// isReversed reports whether a name has the form Doe, Jane.
func isReversed(last string) bool {
	head, tail, ok := strings.Cut(last, ",")
	return ok && hasLetters(head) && hasLetters(tail)
}

// ofParts builds a name from clean parts.
func ofParts(full, first, middle, last, suffix string) Name {
	switch {
	case first != "" && last != "":
		return compose(first, middle, wholeLast(full, last), suffix)
	case last != "" && full == "" && isFamilyName(last):
		return Name{Full: last, Last: last}
	case first+last != "" && !strings.Contains(full, " "):
		full = strings.Join(strings.Fields(first+" "+middle+" "+last), " ")
	}
	return splitName(full, suffix)
}

// isFamilyName reports whether a text is a single word, or starts with a particle such as van.
func isFamilyName(last string) bool {
	head, _, several := strings.Cut(last, " ")
	return !several || words().particles[strings.ToLower(head)]
}

// wholeLast prepends the particles that only the full name has to the last name.
func wholeLast(full, last string) string {
	n := len(full) - len(last)
	if n < 2 || full[n:] != last || full[n-1] != ' ' {
		return last
	}
	if ws := strings.Fields(full[:n]); len(ws) > 1 {
		if split := splitName(full, ""); strings.HasSuffix(split.Last, " "+last) {
			return split.Last
		}
	}
	return last
}

// cutTail removes the last name from the end of the first name.
func cutTail(first, last string) string {
	n := len(first) - len(last)
	if n > 1 && strings.EqualFold(first[n:], last) && first[n-1] == ' ' {
		return first[:n]
	}
	return first
}

// compose joins parts that have their final case.
func compose(first, middle, last, suffix string) Name {
	if isEasternName(first) && isEasternName(last) {
		return Name{Full: last + first, First: first, Last: last}
	}
	ws := strings.Fields(last)
	generation := ""
	if g := suffixOf(ws[len(ws)-1]); g != "" && len(ws) > 1 {
		generation, last = g, strings.Join(ws[:len(ws)-1], " ")
	}
	if g := suffixOf(suffix); g != "" {
		generation = g
	}
	parts := slices.DeleteFunc([]string{first, middle, last, generation}, func(s string) bool { return s == "" })
	return Name{Full: strings.Join(parts, " "), First: first, Last: last}
}

func suffixOf(word string) string { return words().suffixes[strings.ToLower(strings.Trim(word, ".,"))] }

// splitName splits a full name that has its final case.
func splitName(full, suffix string) Name {
	if full == "" {
		return Name{}
	}
	ws := strings.Fields(full)
	if len(ws) == 1 {
		return splitEastern(full)
	}
	generation := suffixOf(suffix)
	if g := suffixOf(ws[len(ws)-1]); g != "" && len(ws) > 2 {
		generation, ws = g, ws[:len(ws)-1]
	}
	last := len(ws) - 1
	for last > 1 && words().particles[strings.ToLower(ws[last-1])] {
		last--
	}
	first := 1
	for first < last && isInitial(ws[first-1]) { // J. R. R., J. Robert
		first++
	}
	name := Name{First: strings.Join(ws[:first], " "), Last: strings.Join(ws[last:], " "), Full: strings.Join(ws, " ")}
	if generation != "" {
		name.Full += " " + generation
	}
	return name
}

func isInitial(word string) bool {
	word = strings.TrimSuffix(word, ".")
	return utf8.RuneCountInString(word) == 1
}

// splitEastern splits a name without spaces in a script that puts the family name first.
// Any other word is a first name.
func splitEastern(full string) Name {
	runes := []rune(full)
	if !isEasternName(full) || len(runes) < 2 || len(runes) > 4 {
		return Name{Full: full, First: full}
	}
	n := 1
	if len(runes) == 4 {
		n = 2
	}
	return Name{Full: full, First: string(runes[n:]), Last: string(runes[:n])}
}

// field is the kind of a name field.
type field bool

const (
	wholeName  field = false // or a first name
	familyName field = true
)

func isEasternName(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return !unicode.In(r, unicode.Han, unicode.Hangul) })
}

// nameText cleans one field of a name and fixes its case.
func nameText(s string, companies *employers, of field) string {
	s = Text(s)
	if s == "" || words().nobody[strings.ToLower(s)] {
		return ""
	}
	s = withoutBrackets(withoutSymbols(s))
	s = aroundComma(beforeBar(s))
	ws := withoutScripts(strings.Fields(s))
	ws = withoutPronouns(ws)
	ws = withoutPrefixes(ws)
	ws = withoutLetters(ws)
	ws = withoutCompany(ws, companies, of)
	s = strings.Trim(strings.Join(ws, " "), " ,;:|/\\-–—_*~.\"“”«»<>")
	if last := len(ws) - 1; last >= 0 && strings.HasSuffix(ws[last], ".") && !strings.HasSuffix(s, ".") &&
		isInitialOrSuffix(ws[last]) {
		s += "."
	}
	if !hasLetters(s) || IsNothing(s) {
		return ""
	}
	if strings.Contains(s, "@") {
		return ofAddress(s)
	}
	return casedName(s, of)
}

func isInitialOrSuffix(word string) bool {
	return isInitial(word) || suffixOf(word) != "" || strings.Count(word, ".") > 1
}

// ofAddress derives a name from jane.doe@example.com.
func ofAddress(address string) string {
	local, _, _ := strings.Cut(address, "@")
	local, _, _ = strings.Cut(local, "+")
	ws := strings.FieldsFunc(local, func(r rune) bool { return r == '.' || r == '_' || r == '-' })
	for _, w := range ws {
		if strings.ContainsFunc(w, func(r rune) bool { return !unicode.IsLetter(r) }) {
			return ""
		}
	}
	if len(ws) < 2 || len(ws) > 3 || utf8.RuneCountInString(ws[len(ws)-1]) < 2 {
		return ""
	}
	return casedName(strings.ToLower(strings.Join(ws, " ")), wholeName)
}

// casedName fixes the case of a name: of all words if all have the same case, otherwise only of words without capitals.
func casedName(s string, of field) string {
	small, large := letters(s)
	mixed := small > 0 && large > 0
	ws := strings.Fields(s)
	for i, w := range ws {
		ws[i] = casedNameWord(w, i == 0 && (of == wholeName || len(ws) == 1), mixed)
	}
	return strings.Join(ws, " ")
}

func casedNameWord(w string, first, mixed bool) string {
	small, large := letters(w)
	switch {
	case small > 0 && large > 0:
		if !hasLowerPart(w) { // it is probably intended
			return w
		}
		return nameParts(w)
	case small+large == 0:
		return w
	}
	return oneCaseWord(w, first, mixed)
}

// oneCaseWord fixes a word that is all lower or all upper case.
func oneCaseWord(w string, first, mixed bool) string {
	lower := strings.ToLower(w)
	isSmall, particle := lower == w, words().particles[lower]
	switch {
	case particle && (isSmall && mixed || !first):
		return lower
	case suffixOf(w) != "" && !first:
		return suffixOf(w)
	case !isSmall && initials(w, mixed):
		return w
	case particle && strings.HasSuffix(lower, "'"):
		return lower
	}
	return nameWord(lower)
}

func hasLowerPart(w string) bool {
	for part := range strings.SplitSeq(w, "-") {
		if small, large := letters(part); small > 0 && large == 0 && !words().particles[part] {
			return true
		}
	}
	return false
}

// nameParts capitalises the lower-case parts of a double name.
func nameParts(w string) string {
	parts := strings.Split(w, "-")
	for i, p := range parts {
		if small, large := letters(p); small > 0 && large == 0 && len(p) > 1 && i > 0 && len(parts) == 2 {
			if isEastern(parts[0]) { // Min-jun
				continue
			}
			parts[i] = nameWord(p)
		}
	}
	return strings.Join(parts, "-")
}

// isEastern reports whether a first syllable is short, as in Korean and Chinese names.
func isEastern(syllable string) bool {
	return len(syllable) <= 5 && !strings.ContainsAny(syllable, "éèëïôâ") && endsOpen(syllable)
}

func endsOpen(s string) bool {
	switch s[len(s)-1] {
	case 'g', 'n', 'o', 'i', 'u', 'k', 'l':
		return !strings.EqualFold(s, "jean") && !strings.EqualFold(s, "ann") && !strings.EqualFold(s, "karl") &&
			!strings.EqualFold(s, "juan")
	}
	return false
}

// initials reports whether capitals are initials: JD, J., AJ in a mixed-case name; in a
// name all in capitals, only without a vowel.
func initials(w string, mixed bool) bool {
	if strings.Contains(w, ".") {
		return len(strings.ReplaceAll(w, ".", "")) <= 3
	}
	if n := utf8.RuneCountInString(w); n != 2 || !tokenizer.IsASCII(w) {
		return n == 1
	}
	return mixed || !strings.ContainsAny(w, "AEIOUY")
}
