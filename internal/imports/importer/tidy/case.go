package tidy

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Cased restores the case of a title or company name that is all lower case (vp of sales →
// VP of Sales) or all upper case. It leaves mixed case alone.
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

// caseWord returns a lower-case word in its usual case.
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

// dotted converts initials to upper case (u.s. → U.S.) and leaves domains alone.
func dotted(word string) string {
	for part := range strings.SplitSeq(strings.TrimSuffix(word, "."), ".") {
		if utf8.RuneCountInString(part) > 1 {
			return word
		}
	}
	return strings.ToUpper(word)
}

// caseWords applies a function to each word of a lower-case text. Words end at white space
// and punctuation, except apostrophes, full stops and ampersands.
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
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '\'' || r == '’' || r == '.' ||
		r == '&'
}

// capital capitalises a word.
func capital(word string) string {
	r, size := utf8.DecodeRuneInString(word)
	if size == 0 {
		return ""
	}
	return string(unicode.ToTitle(r)) + word[size:]
}

// nameWord returns a lower-case word of a name in its usual case: O'Neil, McDonald, Jean-Luc, J.K.
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

// clanName capitalises a word, and the name after Mc or Mac.
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

// isClan reports whether Mac and this name are written with two capitals.
func isClan(tail string) bool {
	switch tail {
	case "arthur", "donald", "dougall", "gregor", "intyre", "kenzie", "kinnon", "lean", "leod", "millan", "neil",
		"phail",
		"pherson", "tavish", "farlane", "donell", "donnell", "allister", "alister", "aulay", "bride", "callum",
		"cormack",
		"dermott", "ewan", "ewen", "innes", "iver", "kay", "lachlan", "laren", "manus", "naughton", "rae", "vicar",
		"william":
		return true
	}
	return false
}
