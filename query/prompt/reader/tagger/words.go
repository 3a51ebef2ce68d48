package tagger

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"kith/query/wordpiece"
)

// Word is a word of a prompt: a run of letters and digits, or another visible character.
type Word struct {
	// From and To are its range in the prompt, in bytes.
	From, To int
}

// wordsOf returns the words of a prompt.
func wordsOf(prompt string) []Word {
	var words []Word
	start := -1
	for i, size := 0, 0; i < len(prompt); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(prompt[i:])
		if unicode.In(r, unicode.L, unicode.M, unicode.N) {
			if start < 0 {
				start = i
			}
			continue
		}
		if start >= 0 {
			words = append(words, Word{From: start, To: i})
			start = -1
		}
		if !unicode.IsSpace(r) {
			words = append(words, Word{From: i, To: i + size})
		}
	}
	if start >= 0 {
		words = append(words, Word{From: start, To: len(prompt)})
	}
	return words
}

// Numbers of BERT's vocabulary that are no pieces of words.
const (
	unknownPiece = 100
	beginPiece   = 101
	endPiece     = 102
)

// input is a prompt in the form that the encoder reads.
type input struct {
	// pieces has the pieces of all words, between a begin and an end.
	pieces []int
	// shapes and features have those of the word of each piece.
	shapes   []int
	features [][]int
	// starts has the position of each word's first piece, and the end of the last word.
	starts []int
}

// encode splits words into pieces, and leaves out the words after the most pieces that the model reads.
func (t *Tagger) encode(prompt string, words []Word) input {
	texts := make([]string, len(words))
	for i, w := range words {
		texts[i] = prompt[w.From:w.To]
	}
	known, hasCapitals := Features(t.lexicon, texts), strings.ToLower(prompt) != prompt
	var in input
	in.add([]int{beginPiece}, t.model.Shapes-1, nil)
	in.starts = append(in.starts, 1)
	var buffer [wordpiece.MaxWord]int
	for i, text := range texts {
		pieces := t.vocabulary.AppendWord(buffer[:0], folded(text))
		if len(pieces) == 0 {
			pieces = append(pieces, unknownPiece)
		}
		if len(in.pieces)+len(pieces) >= t.model.Positions {
			break
		}
		in.add(pieces, shapeOf(text, hasCapitals), known[i])
		in.starts = append(in.starts, len(in.pieces))
	}
	in.add([]int{endPiece}, t.model.Shapes-1, nil)
	return in
}

// add adds the pieces of a word.
func (in *input) add(pieces []int, shape int, features []int) {
	for _, p := range pieces {
		in.pieces = append(in.pieces, p)
		in.shapes = append(in.shapes, shape)
		in.features = append(in.features, features)
	}
}

// folded is a word in lower case without accents.
func folded(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(strings.ToLower(word)))
}

// The shapes of words, as in scripts/reader/pieces.py. Words without capitals have another shape in prompts without
// any.
const (
	shapeLower = iota
	shapeLowerOnly
	shapeCapital
	shapeCapitals
	shapeMixed
	shapeDigits
	shapeLettersDigits
	shapeSign
)

func shapeOf(word string, hasCapitals bool) int {
	is := func(tables ...*unicode.RangeTable) bool {
		return strings.ContainsFunc(word, func(r rune) bool { return unicode.In(r, tables...) })
	}
	switch {
	case !is(unicode.L, unicode.N):
		return shapeSign
	case !is(unicode.L):
		return shapeDigits
	case is(unicode.N):
		return shapeLettersDigits
	}
	_, first := utf8.DecodeRuneInString(word)
	switch lower := strings.ToLower(word); {
	case word == lower && hasCapitals:
		return shapeLower
	case word == lower:
		return shapeLowerOnly
	case word == strings.ToUpper(word) && len(word) > first:
		return shapeCapitals
	case word[first:] == strings.ToLower(word[first:]):
		return shapeCapital
	}
	return shapeMixed
}
