package tagger

import (
	"fmt"

	"kith/query/prompt/lexicon"
	"kith/query/wordpiece"
)

// Tagger reads prompts. It never changes and is safe for concurrent use.
type Tagger struct {
	vocabulary *wordpiece.Vocabulary
	lexicon    *lexicon.Lexicon
	model      *model
	chain      *chain
	// kinds are those of the model by their codes.
	kinds map[string]kind
}

// New reads the model in some 20 ms; it also looks words up in a lexicon. It panics if the binary is damaged.
func New(l *lexicon.Lexicon) *Tagger {
	vocabulary, m := wordpiece.New(), newModel(weights)
	if m.Pieces != vocabulary.Len() {
		panic(fmt.Sprintf("tagger: the model has %d pieces, the vocabulary %d", m.Pieces, vocabulary.Len()))
	}
	if m.Features != FeatureCount() {
		panic(fmt.Sprintf("tagger: the model has %d features, the lexicon %d: train it again", m.Features,
			FeatureCount()))
	}
	return &Tagger{vocabulary: vocabulary, lexicon: l, model: m, chain: newChain(m), kinds: m.kinds()}
}

// Read reads a prompt, which takes a few milliseconds. The model reads some 250 word pieces; the words after them ask
// for nothing.
func (t *Tagger) Read(prompt string) *Reading {
	r := &Reading{tagger: t, words: wordsOf(prompt)}
	in := t.encode(prompt, r.words)
	r.read = len(in.starts) - 1
	if r.read > 0 {
		r.scores = t.model.scoresOf(in)
		r.lattice = t.chain.run(r.scores, r.read, t.model.outputs())
	}
	return r
}
