// Package planner reads a prompt with the grammar of package grammar and returns the plan of
// the best-scoring derivation.
//
// The prompt is split into words (text), and each run of words gets readings (leaf). The chart combines
// them into phrases by the rules. The best sequences of phrases are ranked with features of the whole
// plan (decode, rank), and the facts of the winner become filters, conditions and steps (build).
package planner

import (
	"context"
	"fmt"
	"iter"
	"math"
	"sync"
	"time"

	"kith"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/grammar"
	"kith/query/prompt/lexicon"
)

// Planner plans prompts. It is safe for concurrent use.
type Planner struct {
	lexicon      *lexicon.Lexicon
	speller      func() *speller // built at the first correction
	vocab        prompt.Vocabulary
	grammar      *grammar.Grammar
	weights      *weights
	constructors map[string]constructor
	careers      map[string]careerForm
	notes        map[string]string // by name of a filler
	cueClasses   map[string]string // what word classes tell of careers and relations
	now          func() time.Time
	negations    []grammar.Symbol
	person       grammar.Symbol
	networkSym   grammar.Symbol
	asideSym     grammar.Symbol
}

var _ prompt.Planner = (*Planner)(nil)

// New returns a planner. The grammar and its weights are embedded: New panics if they are invalid.
// Without a vocabulary (nil) it knows only the companies, schools and names of the lexicon.
func New(lex *lexicon.Lexicon, vocab prompt.Vocabulary) *Planner {
	p := read()
	p.lexicon, p.vocab = lex, vocab
	p.speller = sync.OnceValue(func() *speller { return newSpeller(lex, p.grammar) })
	return &p
}

// read reads the grammar and its weights once, for all planners.
var read = sync.OnceValue(load)

// load returns a planner without a lexicon.
func load() Planner {
	g := grammar.Load()
	for _, noRule := range []string{"Money", "Distance", "Aside"} {
		g.Symbol(noRule)
	}
	g.Close()
	return Planner{
		grammar: g, weights: newWeights(g), constructors: constructors(), notes: readPairs("notes.tsv"),
		cueClasses: readPairs("cues.tsv"), careers: careerForms(), now: time.Now, person: g.Symbol("Person"),
		networkSym: g.Symbol("Network"), asideSym: g.Symbol("Aside"),
		negations: []grammar.Symbol{g.Symbol("NOT"), g.Symbol("NEVER")},
	}
}

// At returns the same planner with another clock.
func (p *Planner) At(now func() time.Time) *Planner {
	other := *p
	other.now = now
	return &other
}

// Plan implements [prompt.Planner]. It returns the vocabulary's errors.
func (p *Planner) Plan(ctx context.Context, v kith.Viewer, text string, mode prompt.Mode) (prompt.Plan, error) {
	d, err := p.derive(ctx, v, text, nil)
	if err != nil {
		return prompt.Plan{}, err
	}
	return d.plan(0, mode), nil
}

// Best returns the best reading of a prompt; without tags (nil) its plan is that of [Planner.Plan]. It returns the
// vocabulary's errors.
func (p *Planner) Best(
	ctx context.Context, v kith.Viewer, text string, mode prompt.Mode, tags *Tags,
) (Reading, error) {
	d, err := p.derive(ctx, v, text, tags)
	if err != nil {
		return Reading{}, err
	}
	r := Reading{Plan: d.plan(0, mode), Frame: d.frame(0), all: d}
	if len(d.best) > 0 {
		r.Score, r.Features = d.best[0].score, d.chart.features(d.best[0])
	}
	return r, nil
}

// runnerUp returns the plan of the best derivation that means something else than the first, as text, and how much
// lower its score is; ok is false if there is none.
func (d *derivations) runnerUp() (plan string, margin float64, ok bool) {
	if len(d.best) == 0 {
		return "", 0, false
	}
	first := d.plan(0, prompt.Auto).String()
	for i, other := range d.best[1:] {
		if plan = d.plan(i+1, prompt.Auto).String(); plan != first {
			return plan, d.best[0].score - other.score, true
		}
	}
	return "", 0, false
}

// Readings returns the n best readings of a prompt, best first, to fit weights and to explain. Tags may be nil.
func (p *Planner) Readings(ctx context.Context, v kith.Viewer, text string, n int, tags *Tags) ([]Reading, error) {
	d, err := p.derive(ctx, v, text, tags)
	if err != nil {
		return nil, err
	}
	var out []Reading
	seen := map[string]bool{}
	for i, b := range d.best {
		plan := d.plan(i, prompt.Auto)
		if key := plan.String(); !seen[key] && len(out) < n {
			seen[key] = true
			out = append(out, Reading{Plan: plan, Frame: d.frame(i), Score: b.score, Features: d.chart.features(b)})
		}
	}
	if len(out) == 0 {
		out = append(out, Reading{Plan: d.plan(0, prompt.Auto), Frame: d.frame(0)})
	}
	return out, nil
}

// Reading is one way to read a prompt.
type Reading struct {
	Plan prompt.Plan
	// Frame is what the reading marks. Its resolved plan need not be Plan: marks tell no preferences, for example.
	Frame frame.Frame
	// Score is the weighted sum of Features.
	Score    float64
	Features map[string]float64
	// all has the other readings; nil except from [Planner.Best].
	all *derivations
}

// Margin returns how much higher the score of a reading from [Planner.Best] is than that of the next one with another
// meaning, infinite if there is none. It makes the plans of the next ones.
func (r Reading) Margin() float64 {
	if _, margin, ok := r.all.runnerUp(); ok {
		return margin
	}
	return math.Inf(1)
}

// Others returns the plans of the next readings, likeliest first, up to a distance in score. Those that ask for the
// same are among them.
func (r Reading) Others(within float64, mode prompt.Mode) iter.Seq[prompt.Plan] {
	return func(yield func(prompt.Plan) bool) {
		for i := 1; i < len(r.all.best) && r.all.best[0].score-r.all.best[i].score <= within; i++ {
			if !yield(r.all.plan(i, mode)) {
				return
			}
		}
	}
}

// AsText returns the plan that searches for the words of the prompt, whatever they mean.
func (r Reading) AsText(mode prompt.Mode) prompt.Plan { return r.all.plan(len(r.all.best), mode) }

// IsForeign reports whether the words of grammar in the prompt are not English.
func (r Reading) IsForeign() bool {
	g := r.all.reader.grammar
	return r.all.reader.language != g.Languages[english]
}

// features returns the features of a derivation by name.
func (c *chart) features(d ranked) map[string]float64 {
	out := map[string]float64{}
	add := func(id int, v float64) { out[c.weights.names[id]] += v }
	for _, f := range d.feats {
		add(f.id, f.v)
	}
	for s := d.path; s.before != nil; s = s.before {
		if s.edge == nil {
			add(s.skip, 1)
			add(featTagSkip, c.reader.logNothing(s.at, s.at+1))
			if s.before.before != nil && s.before.edge == nil {
				add(featSkipRun, 1)
			}
			continue
		}
		if s.edge.sym != c.asideSym {
			add(featPhrase, 1)
			add(c.weights.pairs[[2]grammar.Symbol{s.before.top, s.edge.sym}], 1)
		}
		c.edgeFeatures(s.edge, add)
	}
	return out
}

func (c *chart) edgeFeatures(e *edge, add func(int, float64)) {
	if e.leaf != nil {
		for _, f := range e.leaf.feats {
			add(f.id, f.v)
		}
		return
	}
	add(c.weights.rules[e.rule], 1)
	if e.skipped > 0 {
		add(featSkipInside, float64(e.skipped))
	}
	for _, p := range e.parts {
		c.edgeFeatures(p, add)
	}
}

// derivations are the best readings of a prompt, best first.
type derivations struct {
	reader *reader
	chart  *chart
	best   []ranked
}

// derive finds the best readings of a prompt.
func (p *Planner) derive(ctx context.Context, v kith.Viewer, text string, tags *Tags) (*derivations, error) {
	r, err := p.readPrompt(ctx, v, text, nil)
	if err != nil {
		return nil, err
	}
	if tags != nil {
		r.tag(tags)
	}
	c := p.newChart(r)
	return &derivations{reader: r, chart: c, best: c.rank(c.decode(c.asides()))}, nil
}

// readPrompt builds the leaves of a prompt. The words of marks, as ranges of code points, are looked up before others
// and corrected more freely.
func (p *Planner) readPrompt(ctx context.Context, v kith.Viewer, text string, marks [][2]int) (*reader, error) {
	r := &reader{Planner: p, text: splitText(text), today: p.now(), terms: map[string][]prompt.Known{}}
	r.language = p.detectLanguage(r.text)
	r.text.splitWords(r.language)
	for _, m := range marks {
		if from, to := r.text.wordsIn(m[0], m[1]); to > from {
			r.marked = append(r.marked, [2]int{from, to})
		}
	}
	r.read()
	r.substitutes()
	r.respell()
	if p.vocab != nil && len(r.text.words) > 0 {
		terms, near := r.termsToLookUp()
		known, err := p.vocab.Known(ctx, v, terms, near)
		if err != nil {
			return nil, fmt.Errorf("looking the words of a prompt up: %w", err)
		}
		for _, k := range known {
			r.terms[k.For] = append(r.terms[k.For], k)
		}
	}
	r.keepKnown()
	r.vocabulary()
	r.contest()
	r.addSubstituted()
	r.occupations()
	r.unknown()
	return r, nil
}

// plan returns the plan of the nth best derivation; without it, a search for the words of the prompt.
func (d *derivations) plan(n int, mode prompt.Mode) (plan prompt.Plan) {
	if n < len(d.best) {
		plan = d.reader.build(d.best[n].value, mode)
		d.reader.reportUnused(&plan, d.best[n])
		var fixes []fix
		for _, e := range d.best[n].path.phrases() {
			fixes = append(fixes, e.fixes()...)
		}
		plan.Corrections = d.reader.corrections(fixes)
		plan = orText(d.reader, plan, mode)
	} else {
		plan = d.reader.textSearch(mode)
	}
	plan.Reader = prompt.ByGrammar
	return plan
}
