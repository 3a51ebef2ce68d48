package tidy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cased gives the capitals back to a title or a company's name that is all small
// (vp of sales → VP of Sales), and takes them from one that is all large. A text
// with both is as somebody meant it.
func Cased(s string) string {
	small, large := letters(s)
	switch {
	case small+large == 0:
		return s
	case small > 0 && large > 0:
		if cased := words().cased[strings.ToLower(s)]; strings.ToUpper(cased) == cased && cased != "" { // Cto
			return cased
		}
		return s
	case large > 0 && !strings.Contains(s, " ") && large <= 5: // ACME, KPMG, NASA
		return s
	}
	return caseWords(strings.ToLower(s), caseWord)
}

// caseWord writes one word of a text without capitals.
func caseWord(word string, first bool) string {
	if cased, ok := words().cased[word]; ok && (!first || cased != word) {
		return cased
	}
	if i := strings.IndexByte(word, '.'); i > 0 && i < len(word)-1 && strings.Trim(word, ".") != "" {
		return dotted(word)
	}
	if head, tail, ok := strings.Cut(word, "'"); ok && len(head) == 1 && len(tail) > 2 { // L'Oréal
		return capital(head) + "'" + capital(tail)
	}
	return capital(word)
}

// dotted writes initials large (u.s. → U.S.) and leaves a site as it is.
func dotted(word string) string {
	for part := range strings.SplitSeq(strings.TrimSuffix(word, "."), ".") {
		if utf8.RuneCountInString(part) > 1 {
			return word
		}
	}
	return strings.ToUpper(word)
}

// caseWords applies a function to each word of a text in small letters. Words end
// at white space and marks, but not at an apostrophe, a full stop or an ampersand.
func caseWords(s string, word func(word string, first bool) string) string {
	var b strings.Builder
	first := true
	for s != "" {
		n := strings.IndexFunc(s, inWord)
		if n != 0 {
			if n < 0 {
				n = len(s)
			}
			b.WriteString(s[:n])
			first = first || strings.ContainsAny(s[:n], "(|/:–—") && n > 1
			s = s[n:]
			continue
		}
		if n = strings.IndexFunc(s, func(r rune) bool { return !inWord(r) }); n < 0 {
			n = len(s)
		}
		b.WriteString(word(s[:n], first))
		first = false
		s = s[n:]
	}
	return b.String()
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\'' || r == '’' || r == '.' || r == '&'
}

// capital writes the first letter of a word large.
func capital(word string) string {
	r, size := utf8.DecodeRuneInString(word)
	if size == 0 {
		return ""
	}
	return string(unicode.ToTitle(r)) + word[size:]
}

// nameWord writes one word of a name in its case: O'Neil, McDonald, Jean-Luc,
// J.K. The word is in small letters.
func nameWord(word string) string {
	if head, tail, ok := strings.Cut(word, "-"); ok {
		return nameWord(head) + "-" + nameWord(tail)
	}
	if strings.Contains(word, ".") {
		parts := strings.Split(word, ".")
		for i, part := range parts {
			parts[i] = capital(part)
		}
		return strings.Join(parts, ".")
	}
	for _, mark := range []string{"'", "’"} {
		head, tail, ok := strings.Cut(word, mark)
		if ok && len(head) <= 2 && len(tail) > 1 { // O'Neil, D'Angelo, not Je'rome's
			return capital(head) + mark + nameWord(tail)
		}
	}
	return clanName(word)
}

// clanName writes a word large, and the name after Mc and Mac.
func clanName(word string) string {
	if tail, ok := strings.CutPrefix(word, "mc"); ok && len(tail) > 2 {
		return "Mc" + capital(tail)
	}
	if tail, ok := strings.CutPrefix(word, "mac"); ok && isClan(tail) {
		return "Mac" + capital(tail)
	}
	if strings.HasPrefix(word, "fitz") && len(word) > 6 && word != "fitzner" {
		return "Fitz" + word[len("fitz"):]
	}
	return capital(word)
}

// isClan lists what stands after Mac in names that are written with two capitals.
func isClan(tail string) bool {
	switch tail {
	case "arthur", "donald", "dougall", "gregor", "intyre", "kenzie", "kinnon", "lean", "leod", "millan", "neil", "phail",
		"pherson", "tavish", "farlane", "donell", "donnell", "allister", "alister", "aulay", "bride", "callum", "cormack",
		"dermott", "ewan", "ewen", "innes", "iver", "kay", "lachlan", "laren", "manus", "naughton", "rae", "vicar", "william":
		return true
	}
	return false
}
