// Package wordpiece splits words into the word pieces of an English language model, BERT base uncased. A [Vocabulary]
// has a number for each piece. The package does not split text into words and does not fold letters: callers do.
package wordpiece

import (
	"embed"
	"strings"
	"sync"

	"kith/query/wordlist"
)

//go:embed data/pieces.txt.gz
var data embed.FS

const (
	// MaxWord is the length in bytes from which on a word has no pieces.
	MaxWord = 100
	// inside marks a piece that does not begin a word.
	inside = "##"
)

// Vocabulary is the list of pieces. It never changes and is safe for concurrent use.
type Vocabulary struct {
	ids map[string]int
	// longest is the length of the longest piece in bytes.
	longest int
}

// New returns the vocabulary, which the first call reads in some 10 ms.
func New() *Vocabulary { return read() }

var read = sync.OnceValue(func() *Vocabulary {
	names := strings.Split(wordlist.Text(data, "pieces.txt.gz"), "\n")
	v := &Vocabulary{ids: make(map[string]int, len(names))}
	for id, name := range names {
		v.ids[name] = id
		v.longest = max(v.longest, len(name))
	}
	return v
})

// IsWord reports whether a whole word is one piece: the frequent words of English, and names.
func (v *Vocabulary) IsWord(word string) bool {
	_, ok := v.ids[word]
	return ok
}

// Len is the number of pieces; their ids are smaller.
func (v *Vocabulary) Len() int { return len(v.ids) }

// AppendWord appends the ids of the pieces of one word, in lower case and without accents: from the left, always the
// longest known one. A word with an unknown part has none, and neither has one longer than [MaxWord].
func (v *Vocabulary) AppendWord(ids []int, word string) []int {
	before := len(ids)
	if len(word) > MaxWord {
		return ids
	}
	for rest := word; rest != ""; {
		id, n := v.First(rest, len(rest) < len(word))
		if n == 0 {
			return ids[:before]
		}
		ids, rest = append(ids, id), rest[n:]
	}
	return ids
}

// First returns the longest piece at the start of a text, and its length; 0 if there is none. isInside says whether
// the text continues a word.
func (v *Vocabulary) First(text string, isInside bool) (id, n int) {
	var buf [MaxWord + len(inside)]byte
	prefix := buf[:0]
	if isInside {
		prefix = append(prefix, inside...)
	}
	for n = min(len(text), v.longest, MaxWord); n > 0; n-- {
		if id, ok := v.ids[string(append(prefix, text[:n]...))]; ok {
			return id, n
		}
	}
	return 0, 0
}

// Names returns the pieces in the order of their ids. A piece inside a word begins with ##.
func (v *Vocabulary) Names() []string {
	out := make([]string, len(v.ids))
	for name, id := range v.ids {
		out[id] = name
	}
	return out
}
