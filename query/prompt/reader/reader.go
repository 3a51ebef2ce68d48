// Package reader reads prompts with what is embedded in Kith: the grammar, which knows constructions, and the tagger,
// which knows what words do in a sentence. It chooses one of their two readings. Both use one resolver for the values.
package reader

import (
	"context"
	"time"

	"kith"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/planner"
	"kith/query/prompt/reader/tagger"
)

// Planner plans prompts. It is safe for concurrent use.
type Planner struct {
	*planner.Planner // the grammar and the resolver
	tagger           *tagger.Tagger
	weights          map[string]float64
}

// New returns a planner. Model, grammar and weights are embedded: New panics if they are invalid. Without a vocabulary
// (nil) it knows only the companies, schools and names of the lexicon.
func New(lex *lexicon.Lexicon, vocab prompt.Vocabulary) *Planner {
	t, err := tagger.New(lex)
	if err != nil {
		panic(err)
	}
	weights, err := readWeights(choiceFile)
	if err != nil {
		panic(err)
	}
	return &Planner{Planner: planner.New(lex, vocab), tagger: t, weights: weights}
}

// At returns the same planner with another clock.
func (p *Planner) At(now func() time.Time) *Planner {
	other := *p
	other.Planner = p.Planner.At(now)
	return &other
}

// Tagged returns the tagger's marks of a prompt; ok is false if they are no frame.
func (p *Planner) Tagged(text string) (f frame.Frame, ok bool) {
	f, err := frame.New(text, marks(p.tagger.Read(text)))
	return f, err == nil
}

func marks(read *tagger.Reading) []frame.Mark {
	var all []frame.Mark
	for _, m := range read.Marks() {
		all = append(all, m.Mark)
	}
	return all
}

// Plan implements [prompt.Planner]. It returns the vocabulary's errors.
func (p *Planner) Plan(ctx context.Context, v kith.Viewer, text string, mode prompt.Mode) (prompt.Plan, error) {
	grammar, err := p.Best(ctx, v, text, mode)
	if err != nil || grammar.Plan.Mode == prompt.Lookup { // the grammar is exact in names and addresses
		return grammar.Plan, err
	}
	read := p.tagger.Read(text)
	f, err := frame.New(text, marks(read))
	if err != nil || len(f.Marks) == 0 { // marks that are no frame are no reading
		return grammar.Plan, nil //nolint:nilerr // the grammar has read the prompt
	}
	tagged, err := p.Resolve(ctx, v, f, mode)
	if err != nil || !p.prefers(read, f, tagged, grammar) {
		return grammar.Plan, err
	}
	tagged.Reader = prompt.ByTagger
	return tagged, nil
}
