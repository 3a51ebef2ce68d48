package llm

import (
	"slices"
	"strings"
	"unicode"

	"kith/query/prompt"
)

// gap joins the separate parts of a quotation.
const gap = "…"

// quotes finds quotations in a prompt.
type quotes struct {
	runes, lower []rune
	// covered is true for quoted code points.
	covered []bool
}

func newQuotes(text string) *quotes {
	q := &quotes{runes: []rune(text)}
	for _, r := range q.runes {
		q.lower = append(q.lower, unicode.ToLower(r))
	}
	q.covered = make([]bool, len(q.runes))
	return q
}

// source finds a text in the prompt, by whole words and ignoring case, and marks it as covered. It
// reports false if the prompt does not contain the text.
func (q *quotes) source(text string) (prompt.Source, bool) {
	var parts []string
	var at [][2]int
	from := 0
	for part := range strings.SplitSeq(strings.ReplaceAll(text, "...", gap), gap) {
		wanted := []rune(strings.TrimSpace(part))
		i := q.find(wanted, from)
		if i < 0 {
			return prompt.Source{}, false
		}
		from = i + len(wanted)
		parts, at = append(parts, string(q.runes[i:from])), append(at, [2]int{i, from})
	}
	for _, s := range at {
		for i := s[0]; i < s[1]; i++ {
			q.covered[i] = true
		}
	}
	return prompt.Source{Text: strings.Join(parts, " "+gap+" "), Span: [2]int{at[0][0], from}}, true
}

// find returns the first position of whole words at or after a code point, or -1.
func (q *quotes) find(wanted []rune, from int) int {
	if len(wanted) == 0 {
		return -1
	}
	low := make([]rune, len(wanted))
	for i, r := range wanted {
		low[i] = unicode.ToLower(r)
	}
	for i := from; i+len(low) <= len(q.lower); i++ {
		if slices.Equal(q.lower[i:i+len(low)], low) && q.boundary(i) && q.boundary(i+len(low)) {
			return i
		}
	}
	return -1
}

// boundary reports whether a position is not inside a word.
func (q *quotes) boundary(i int) bool {
	return i == 0 || i == len(q.runes) || !isWord(q.runes[i-1]) || !isWord(q.runes[i])
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// touches reports whether part of a source was quoted.
func (q *quotes) touches(s prompt.Source) bool {
	for i := max(s.Span[0], 0); i < min(s.Span[1], len(q.covered)); i++ {
		if q.covered[i] && isWord(q.runes[i]) {
			return true
		}
	}
	return false
}

// rest returns the words that were not quoted, in order.
func (q *quotes) rest() []string {
	var words []string
	for i := 0; i < len(q.runes); i++ {
		if !isWord(q.runes[i]) {
			continue
		}
		from, quoted := i, false
		for ; i < len(q.runes) && isWord(q.runes[i]); i++ {
			quoted = quoted || q.covered[i]
		}
		if !quoted {
			words = append(words, string(q.runes[from:i]))
		}
	}
	return words
}
