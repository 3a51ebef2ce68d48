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
	return frameOf(p.tagger.Read(text), text)
}

func frameOf(read *tagger.Reading, text string) (f frame.Frame, ok bool) {
	var marks []frame.Mark
	for _, m := range read.Marks() {
		marks = append(marks, m.Mark)
	}
	f, err := frame.New(text, marks)
	return f, err == nil
}

// Plan implements [prompt.Planner]. It returns the vocabulary's errors.
func (p *Planner) Plan(ctx context.Context, v kith.Viewer, text string, mode prompt.Mode) (prompt.Plan, error) {
	c, err := p.Choose(ctx, v, text, mode)
	if c.Tagger {
		return c.Tagged, err
	}
	return c.Grammar, err
}

// Choice has the two readings of a prompt.
type Choice struct {
	// Grammar and Tagged are the plans of the readers. Features describe the readings; without any there is no choice:
	// the grammar's is taken.
	Grammar, Tagged prompt.Plan
	Features        map[string]float64
	// Tagger is whether the tagger's reading is taken.
	Tagger bool
}

// Choose reads a prompt with both readers. It returns the vocabulary's errors.
func (p *Planner) Choose(ctx context.Context, v kith.Viewer, text string, mode prompt.Mode) (Choice, error) {
	grammar, err := p.Best(ctx, v, text, mode)
	c := Choice{Grammar: grammar.Plan}
	if err != nil || grammar.Plan.Mode == prompt.Lookup || !leavesRest(grammar) { // it is exact in names and addresses
		return c, err
	}
	read := p.tagger.Read(text)
	f, ok := frameOf(read, text)
	if !ok || len(f.Marks) == 0 { // marks that are no frame are no reading
		return c, nil
	}
	if c.Tagged, err = p.Resolve(ctx, v, f, mode); err != nil {
		return c, err
	}
	c.Tagged.Reader = prompt.ByTagger
	c.Features = features(read, f, c.Tagged, grammar)
	c.Tagger = p.prefers(c.Features)
	return c, nil
}
