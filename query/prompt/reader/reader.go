// Package reader reads prompts with what is embedded in Kith: the grammar, which knows constructions, and the tagger,
// which knows what words do in a sentence. It chooses one of their two readings. Both use one resolver for the values.
package reader

import (
	"cmp"
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
	weights          map[string]float64 // of the choice
	sureness         map[string]float64 // weights and bounds of the confidence
}

// New returns a planner. Model, grammar and weights are embedded: New panics if they are invalid. Without a vocabulary
// (nil) it knows only the companies, schools and names of the lexicon.
func New(lex *lexicon.Lexicon, vocab prompt.Vocabulary) *Planner {
	return &Planner{
		Planner: planner.New(lex, vocab), tagger: tagger.New(lex), weights: readWeights("choice.tsv", choiceFile),
		sureness: readWeights("confidence.tsv", confidenceFile),
	}
}

// At returns the same planner with another clock.
func (p *Planner) At(now func() time.Time) *Planner {
	other := *p
	other.Planner = p.Planner.At(now)
	return &other
}

// tag returns what both readers read of a prompt, and the tagger's reading.
func (p *Planner) tag(text string) (string, *tagger.Reading) {
	text = withoutCourtesy(text)
	return text, p.tagger.Read(text)
}

// frameOf returns the tagger's reading as a frame, with what the grammar is exact in. The tagger reads each mark by
// itself: an alternative to the mark before it has its time and is excluded with it, in all prompts but some one in a
// hundred.
func frameOf(read *tagger.Reading, text string, grammar []frame.Mark) (f frame.Frame, ok bool) {
	var marks []frame.Mark
	for _, m := range read.Marks() {
		m = asExact(m, grammar)
		if n := len(marks); n > 0 && m.Join == frame.Or && marks[n-1].Kind == m.Kind && marks[n-1].Step == m.Step {
			m.Not, m.Time = m.Not || marks[n-1].Not, cmp.Or(m.Time, marks[n-1].Time)
		}
		marks = append(marks, m)
	}
	f, err := frame.New(text, marks)
	return f, err == nil
}

// asExact returns a mark of the tagger with what the grammar says of its words in a mark of that kind: that they are
// excluded, and how far the network goes. What no record has is not excluded: it is asked for by nobody.
func asExact(m frame.Mark, grammar []frame.Mark) frame.Mark {
	for _, g := range grammar {
		if g.From >= m.To || m.From >= g.To || g.Kind != m.Kind || g.Step != m.Step || g.Kind == frame.Unsupported {
			continue
		}
		m.Not = m.Not || g.Not
		m.Reach = g.Reach
	}
	return m
}

// Plan implements [prompt.Planner]. It returns the vocabulary's errors.
func (p *Planner) Plan(ctx context.Context, v kith.Viewer, text string, mode prompt.Mode) (prompt.Plan, error) {
	c, err := p.Choose(ctx, v, text, mode)
	if err != nil {
		return prompt.Plan{}, err
	}
	plan := c.Plan()
	plan.Probability, plan.Confidence = p.confidence(c.Evidence)
	return plan.WithReadings(c.others), nil
}

// Choice has the readings of a prompt.
type Choice struct {
	// Grammar and Tagged are the plans of the readers. Features describe the readings; without any there is no choice:
	// the grammar's is taken.
	Grammar, Tagged prompt.Plan
	Features        map[string]float64
	// Marked is the prompt as the tagger marks it; without marks the tagger has no reading.
	Marked frame.Frame
	// Tagger is whether the tagger's reading is taken.
	Tagger bool
	// Evidence is what the probability that the chosen reading is right depends on.
	Evidence map[string]float64
	// others are the readings that were not chosen, likeliest first, if the chosen one is not surely right.
	others []prompt.Plan
}

// Plan returns the plan of the reading that is taken.
func (c Choice) Plan() prompt.Plan {
	if c.Tagger {
		return c.Tagged
	}
	return c.Grammar
}

// Choose reads a prompt with both readers. It returns the vocabulary's errors.
func (p *Planner) Choose(ctx context.Context, v kith.Viewer, text string, mode prompt.Mode) (Choice, error) {
	text, read := p.tag(text)
	grammar, err := p.Best(ctx, v, text, mode, tagsOf(read))
	c := Choice{Grammar: grammar.Plan}
	if err != nil {
		return c, err
	}
	own, _ := frameOf(read, text, nil)
	both := compare(read, own, grammar)
	f, ok := frameOf(read, text, grammar.Frame.Marks)
	if ok {
		c.Marked = f
	}
	if len(c.Marked.Marks) > 0 && both.ahead >= sameMarks && !hasIdentifier(c.Grammar) {
		if c.Tagged, err = p.Resolve(ctx, v, f, mode); err != nil {
			return c, err
		}
		c.Tagged.Reader = prompt.ByTagger
		c.Features = features(both, c.Tagged, grammar)
		c.Tagger = p.prefers(c.Features)
	}
	c.Evidence = evidence(c, grammar, both)
	_, level := p.confidence(c.Evidence)
	if level == prompt.High {
		return c, nil
	}
	c.others = others(c, grammar, level, mode)
	return c, nil
}

// furthest is the largest distance in score at which a reading of the grammar is an alternative.
const furthest = 3

// others returns the readings beside the chosen one: that of the other reader, then the next ones of the grammar. A
// reading that is probably wrong always has an alternative, if only the words as text.
func others(c Choice, grammar planner.Reading, level prompt.Confidence, mode prompt.Mode) (out []prompt.Plan) {
	chosen := c.Plan().Asks()
	add := func(plan prompt.Plan) {
		if plan.Asks() != chosen {
			out = append(out, plan)
		}
	}
	if c.Tagger {
		add(c.Grammar)
	} else if c.Features != nil {
		add(c.Tagged)
	}
	for plan := range grammar.Others(furthest, mode) {
		if add(plan); len(out) > 2*prompt.MaxAlternatives { // some ask for the same
			break
		}
	}
	if level == prompt.Low && len(out) == 0 {
		add(grammar.AsText(mode))
	}
	return out
}

// tagsOf returns what the grammar uses of a tagger's reading.
func tagsOf(read *tagger.Reading) *planner.Tags {
	t := &planner.Tags{Marks: read.Marks()}
	for i, w := range read.Words() {
		t.Words = append(t.Words, planner.Tagged{From: w.From, To: w.To, P: read.Kinds(i)})
	}
	return t
}

// Readings returns the n best readings of the grammar, with the tagger's probabilities, best first.
func (p *Planner) Readings(ctx context.Context, v kith.Viewer, text string, n int) ([]planner.Reading, error) {
	text, read := p.tag(text)
	return p.Planner.Readings(ctx, v, text, n, tagsOf(read))
}

// Explain explains the best reading of the grammar, with the tagger's probabilities.
func (p *Planner) Explain(ctx context.Context, v kith.Viewer, text string) (planner.Explanation, error) {
	text, read := p.tag(text)
	return p.Planner.Explain(ctx, v, text, tagsOf(read))
}
