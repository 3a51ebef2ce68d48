package semantic

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Limits of a phrase. Text beyond them is ignored, and so are longer words.
const (
	maxPhrase = 200 // bytes
	maxWord   = 100
)

// appendPhrase appends the ids of the pieces of a phrase, like the model's tokenizer. It skips words that it cannot
// split.
func (t *Table) appendPhrase(ids []int, phrase string) []int {
	for word := range strings.FieldsSeq(spaced(phrase)) {
		ids = t.appendWord(ids, word)
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

// appendWord appends the pieces of one word: from the left, always the longest known one. A word with an unknown part
// has none.
func (t *Table) appendWord(ids []int, word string) []int {
	before := len(ids)
	if len(word) > maxWord {
		return ids
	}
	var buf [maxWord + len(inside)]byte
	prefix := buf[:0]
	for word != "" {
		id, n := t.first(prefix, word)
		if n == 0 {
			return ids[:before]
		}
		ids, word, prefix = append(ids, id), word[n:], append(buf[:0], inside...)
	}
	return ids
}

// least is the length of a fragment that still means something; shorter ones begin or end any word.
const least = 3

// knows reports whether the pieces of a word say what it means: it is one piece, or no piece is shorter than least.
func (t *Table) knows(word string) bool {
	for part := range strings.FieldsSeq(spaced(word)) {
		var buf [maxWord + len(inside)]byte
		prefix := buf[:0]
		for rest := part; rest != ""; {
			_, n := t.first(prefix, rest)
			if n == 0 || n < least && n < len(part) || len(part) > maxWord {
				return false
			}
			rest, prefix = rest[n:], append(buf[:0], inside...)
		}
	}
	return true
}

// inside marks a piece that does not begin a word.
const inside = "##"

// first returns the longest piece at the start of a text, and its length.
func (t *Table) first(prefix []byte, text string) (id, n int) {
	for n = min(len(text), t.longest); n > 0; n-- {
		if id, ok := t.ids[string(append(prefix, text[:n]...))]; ok {
			return id, n
		}
	}
	return 0, 0
}
