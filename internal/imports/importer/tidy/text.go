package tidy

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"

	"kith/query/tokenizer"
)

// Text returns a text on one line, in Unicode NFC. It removes invisible and control
// characters and repeated white space, and resolves HTML entities and text that was
// decoded twice (JosÃ©). It returns "" for placeholders such as N/A, null and -.
func Text(s string) string {
	if s = Prose(s); !isOneSpaced(s) {
		s = strings.Join(strings.Fields(s), " ")
	}
	if IsNothing(s) {
		return ""
	}
	return s
}

// isOneSpaced reports whether a text is printable ASCII with single spaces between words.
func isOneSpaced(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == ' ' && (i == 0 || s[i-1] == ' ') {
			return false
		}
	}
	return true
}

// IsNothing reports whether a text is a placeholder for no value.
func IsNothing(s string) bool {
	if s == "" || len(s) >= 40 {
		return s == ""
	}
	isName, is := words().nothing[strings.ToLower(s)]
	if !is || !isName {
		return is
	}
	small, large := letters(s)
	return small == 0 || large == 0
}

// Prose cleans a text like [Text], but keeps line breaks, repeated spaces and placeholders.
func Prose(s string) string {
	if isPlain(s) {
		return strings.TrimSpace(s)
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = decodedOnce(s)
	if strings.IndexByte(s, '&') >= 0 && strings.IndexByte(s, ';') >= 0 {
		s = html.UnescapeString(s)
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	s = strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r == '\r':
			return '\n'
		case r == '\u200d' || r == '\u200c': // joins letters of some scripts
			return r
		case unicode.IsControl(r) || tokenizer.Invisible(r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		}
		return r
	}, s)
	return strings.TrimSpace(norm.NFC.String(s))
}

// isPlain reports whether a text is printable ASCII without ampersands.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c > '~' || c == '&' {
			return false
		}
	}
	return true
}

// decodedOnce undoes a decoding of UTF-8 as Windows-1252.
func decodedOnce(s string) string {
	if !strings.ContainsAny(s, "ÃÂÅÄâ") {
		return s
	}
	raw, err := charmap.Windows1252.NewEncoder().String(s)
	if err != nil || !utf8.ValidString(raw) || raw == s {
		return s
	}
	return raw
}

// withoutSymbols removes emoji, flags, stars and other symbols.
func withoutSymbols(s string) string {
	if tokenizer.IsASCII(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r < utf8.RuneSelf:
			return r
		case r == '\u200d' || r == '\u200c' || r == '\uFFFD', r >= 0xFE00 && r <= 0xFE0F, r >= 0x1F000,
			unicode.In(r, unicode.So, unicode.Sk, unicode.Sm, unicode.Cs, unicode.Co):
			if unicode.Is(unicode.Han, r) {
				return r
			}
			return ' '
		}
		return r
	}, s)
}

// letters counts the lower-case and upper-case letters of a text.
func letters(s string) (small, large int) {
	for _, r := range s {
		switch {
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			large++
		case unicode.IsLower(r):
			small++
		}
	}
	return small, large
}

// hasLetters reports whether a text has a letter or a digit.
func hasLetters(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}
