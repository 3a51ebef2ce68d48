package semantic

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"kith/query/wordpiece"
)

// maxPhrase is the length of a phrase in bytes. Text beyond it is ignored.
const maxPhrase = 200

// appendPhrase appends the ids of the pieces of a phrase, like the model's tokenizer. It skips words that it cannot
// split.
func (t *Table) appendPhrase(ids []int, phrase string) []int {
	for word := range strings.FieldsSeq(spaced(phrase)) {
		ids = t.pieces.AppendWord(ids, word)
	}
	return ids
}

// spaced returns the phrase in lower case, without accents, with spaces around punctuation and ideographs.
func spaced(phrase string) string {
	if len(phrase) > maxPhrase {
		phrase = strings.ToValidUTF8(phrase[:maxPhrase], "")
	}
	var b strings.Builder
	b.Grow(len(phrase) + 8)
	for _, r := range norm.NFD.String(strings.ToLower(phrase)) {
		switch {
		case unicode.Is(unicode.Mn, r), r == utf8.RuneError:
		case isPunctuation(r), unicode.Is(unicode.Han, r):
			b.WriteByte(' ')
			b.WriteRune(r)
			b.WriteByte(' ')
		case unicode.IsSpace(r), unicode.IsControl(r):
			b.WriteByte(' ')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// isPunctuation includes the symbols of ASCII, as the model does.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return r > ' ' && r < 0x7f && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}
	return unicode.IsPunct(r)
}

// least is the length of a fragment that still means something; shorter ones begin or end any word.
const least = 3

// knows reports whether the pieces of a word say what it means: it is one piece, or no piece is shorter than least.
func (t *Table) knows(word string) bool {
	for part := range strings.FieldsSeq(spaced(word)) {
		for rest := part; rest != ""; {
			_, n := t.pieces.First(rest, len(rest) < len(part))
			if n == 0 || n < least && n < len(part) || len(part) > wordpiece.MaxWord {
				return false
			}
			rest = rest[n:]
		}
	}
	return true
}
