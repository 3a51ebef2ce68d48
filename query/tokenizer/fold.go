package tokenizer

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns s in its comparison form: compatibility decomposed (NFKD), without diacritics, in lower case, with
// letters that do not decompose spelled out (ł → l, ø → o, ß → ss, æ → ae, þ → th, …), then composed again so that
// Hangul stays in syllables. It keeps marks for vowels or consonants, as in Indic scripts and Japanese, and drops
// [Invisible] characters. Invalid UTF-8 becomes U+FFFD. Fold is idempotent.
func Fold(s string) string {
	if IsASCII(s) {
		return strings.ToLower(s)
	}
	return foldUnicode(s)
}

// foldRounds is the most rounds of folding: spelling out a letter may create a pair that composes. Two rounds were
// enough for every input that fuzzing found.
const foldRounds = 4

func foldUnicode(s string) string {
	if folded, ok := foldLatin(s); ok {
		return folded
	}
	for range foldRounds {
		folded := foldOnce(s)
		if folded == s {
			break
		}
		s = folded
	}
	return s
}

// latinEnd is the first code point after the Latin alphabets of Europe.
const latinEnd = 0x250

// latin holds the folded form of each character below latinEnd. None of them affects how its neighbours fold.
var latin = sync.OnceValue(func() *[latinEnd]string {
	var t [latinEnd]string
	for r := range rune(latinEnd) {
		t[r] = foldOnce(foldOnce(string(r)))
	}
	return &t
})

// foldLatin folds text if all its characters are below latinEnd.
func foldLatin(s string) (string, bool) {
	for _, r := range s {
		if r >= latinEnd {
			return "", false
		}
	}
	table := latin()
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range s {
		if r < utf8.RuneSelf {
			b.WriteByte(LowerByte(byte(r)))
		} else {
			b.WriteString(table[r])
		}
	}
	return b.String(), true
}

func foldOnce(s string) string {
	// The spacing acute accent serves as an apostrophe, but would decompose to a space.
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "´", "'")
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFKD.String(s) {
		switch {
		case r < utf8.RuneSelf:
			b.WriteByte(LowerByte(byte(r)))
		case isDiacritic(r), Invisible(r):
		default:
			writeFolded(&b, r)
		}
	}
	return norm.NFC.String(b.String())
}

func writeFolded(b *strings.Builder, r rune) {
	if plain, ok := spelledOut()[r]; ok {
		b.WriteString(plain)
		return
	}
	// Upper before lower folds the letters with two small forms (final sigma).
	b.WriteRune(unicode.ToLower(unicode.ToUpper(r)))
}

// spelledOut is the plain spelling of letters without a decomposition.
var spelledOut = sync.OnceValue(func() map[rune]string {
	return map[rune]string{
		'ß': "ss", 'ẞ': "ss",
		'æ': "ae", 'Æ': "ae",
		'œ': "oe", 'Œ': "oe",
		'ø': "o", 'Ø': "o",
		'ł': "l", 'Ł': "l",
		'đ': "d", 'Đ': "d", 'ð': "d", 'Ð': "d", 'ɖ': "d",
		'þ': "th", 'Þ': "th",
		'ı': "i",
		'ħ': "h", 'Ħ': "h",
		'ŧ': "t", 'Ŧ': "t",
		'ŋ': "ng", 'Ŋ': "ng",
		'ĸ': "k",
		'ə': "e", 'Ə': "e",
		'ʼ': "'", '’': "'", '‘': "'", 'ʻ': "'", '‛': "'", 'ʹ': "'", '′': "'", '`': "'",
		'‐': "-", '‑': "-", '‒': "-", '−': "-",
	}
})

// isDiacritic reports whether r only modifies the letter before it.
func isDiacritic(r rune) bool {
	switch {
	case r < 0x300:
		return false
	case r <= 0x36F, // Latin, Greek, Cyrillic
		r >= 0x483 && r <= 0x487,
		r >= 0x591 && r <= 0x5C7 && r != 0x5BE && r != 0x5C0 && r != 0x5C3 && r != 0x5C6, // Hebrew points
		r >= 0x64B && r <= 0x65F, r == 0x670, // Arabic vowels
		r >= 0x1AB0 && r <= 0x1AFF, r >= 0x1DC0 && r <= 0x1DFF,
		r >= 0x20D0 && r <= 0x20FF, r >= 0xFE00 && r <= 0xFE0F, r >= 0xFE20 && r <= 0xFE2F:
		return true
	}
	return false
}

// Invisible reports whether r shows nothing and separates no words: soft hyphens, joiners, direction marks and byte
// order marks. Text copied from a page or a chat has them anywhere.
func Invisible(r rune) bool {
	switch {
	case r < 0xAD:
		return false
	case r == 0xAD, r == 0x61C, r == 0x180E, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E,
		r >= 0x2060 && r <= 0x206F, r == 0xFEFF, r >= 0xE0000 && r <= 0xE007F:
		return true
	}
	return false
}

// Visible removes invisible characters from s.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		if Invisible(r) {
			return -1
		}
		return r
	}, s)
}

// Trimmed removes white space and invisible characters around s.
func Trimmed(s string) string {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || Invisible(r) })
}

// IsASCII reports whether s has only ASCII characters.
func IsASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// LowerByte returns an ASCII character in lower case.
func LowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
