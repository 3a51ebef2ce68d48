// Package rules is the deterministic planner: it reads a prompt with the words
// of the lexicon and of the directory's own vocabulary, and makes filters,
// conditions and steps of it. The same prompt gives the same plan, in about a
// millisecond besides the one look-up.
//
// A prompt goes through token (words and numbers), segment (what each word is),
// the parser of this package (what the words say of each other: facts) and the
// builder (facts to filters). Where to look:
//
//	the parser           parser, scope, fact; cues (words of grammar), content (words that mean something)
//	who they are         role, title, promoted, owner, recruits; name, address
//	where they work      industry, trade, law, cause, customers, service, founding
//	which job            employer, former, leaving, over, lately, terms; career (consecutive jobs)
//	where they live      place, within, native
//	what they know       experience, project, led, topic, worded; campus, taught, tongues
//	numbers              number, time, dates
//	what is left out     negate, unwanted; unanswered, likened, easy (no record tells)
//	what only orders     judgement, preferred
//	alternatives         list, also, split, pairs, clauses, bracket, bulleted
//	about the asker      courtesy, statement, speaker, told, asker, based, purpose, occasion, willing, vacancy
//	steps, relations     complex, reference, relate
//	misspelt and short   correct, shorthand
//	the plan             build, narrow, reduce, source; outcome (criteria, text search, mode)
//	why it was so read   trace, tracetext
package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// Rules is the planner. It is safe for concurrent use.
type Rules struct {
	lex   *lexicon.Lexicon
	vocab prompt.Vocabulary
	now   func() time.Time
}

var _ prompt.Planner = (*Rules)(nil)

// New returns the planner. Without a vocabulary (nil) it knows no companies,
// schools and names but those of the lexicon.
func New(lex *lexicon.Lexicon, vocab prompt.Vocabulary) *Rules {
	return &Rules{lex: lex, vocab: vocab, now: time.Now}
}

// At returns the same planner with another clock, which "in the last year" and
// "founded five years ago" are counted back from.
func (r *Rules) At(now func() time.Time) *Rules {
	return &Rules{lex: r.lex, vocab: r.vocab, now: now}
}

// Plan implements [prompt.Planner]. Its error is the vocabulary's.
func (r *Rules) Plan(ctx context.Context, text string, mode prompt.Mode) (prompt.Plan, error) {
	reading, err := r.read(ctx, text)
	if err != nil {
		return prompt.Plan{}, err
	}
	return reading.plan(mode), nil
}

// reading is a prompt and what its words are.
type reading struct {
	runes   []rune
	lattice *segment.Lattice
	spans   []segment.Span
	score   float64
	known   vocabulary
	near    map[string][]string
	now     time.Time
	// before and behind are the courtesies around the prompt.
	before, behind []string
}

// written is the text of tokens.
func (r *reading) written(tokens []token.Token) []string {
	if len(tokens) == 0 {
		return nil
	}
	return []string{string(r.runes[tokens[0].From:tokens[len(tokens)-1].To])}
}

// read cuts a prompt and chooses what its words are.
func (r *Rules) read(ctx context.Context, text string) (*reading, error) {
	tokens := token.Split(text)
	before, behind := r.courtesy(tokens)
	asked := tokens[before : len(tokens)-behind]
	if before > 0 {
		asked[0].Gap = ""
	}
	lattice := segment.New(r.lex, asked)
	known, err := r.lookUp(ctx, lattice)
	if err != nil {
		return nil, err
	}
	lattice.Learn(known)
	if plain, changed := inPlainWords(lattice); changed {
		lattice = segment.New(r.lex, plain)
		lattice.Learn(known)
	}
	out := &reading{runes: []rune(text), lattice: lattice, known: vocabulary{}, near: map[string][]string{}, now: r.now()}
	out.before, out.behind = out.written(tokens[:before]), out.written(tokens[len(tokens)-behind:])
	for _, k := range known {
		out.learn(k)
	}
	out.spans, out.score = lattice.Best()
	r.spellOut(out, known)
	r.correct(out, known)
	return out, nil
}

// inPlainWords are the tokens with "and" for an ampersand between words, and those of
// [segment.Lattice.Plain]; changed is false where there are none of these.
func inPlainWords(lattice *segment.Lattice) (tokens []token.Token, changed bool) {
	plain, ands := lattice.Plain(), lattice.Ampersands()
	if len(plain)+len(ands) == 0 {
		return nil, false
	}
	if len(lattice.Tokens)+len(ands) > token.Max {
		ands = nil
	}
	for i, t := range lattice.Tokens {
		w, changed := plain[i]
		if changed && w == "" {
			continue
		}
		if changed {
			t.Norm = w
		}
		if slices.Contains(ands, i) {
			tokens = append(tokens, token.Token{Text: "and", Norm: "and", From: t.From - 2, To: t.From - 1, Gap: strings.TrimSuffix(t.Gap, "&"), Spaced: true})
			t.Gap = ""
		}
		tokens = append(tokens, t)
	}
	return tokens, true
}

// learn keeps what the vocabulary knows: terms as they were asked for, and the
// names that others may be misspellings of.
func (r *reading) learn(k prompt.Known) {
	switch {
	case k.Distance == 0:
		r.known.add(k)
	case k.Kind == prompt.FirstName || k.Kind == prompt.LastName:
		if !slices.Contains(r.near[k.For], k.Term) {
			r.near[k.For] = append(r.near[k.For], k.Term)
		}
	}
}

// vocabulary is what the look-up of a prompt found, by kind and term.
type vocabulary map[prompt.Kind]map[string]int

func (v vocabulary) add(k prompt.Known) {
	if v[k.Kind] == nil {
		v[k.Kind] = map[string]int{}
	}
	v[k.Kind][k.Term] = k.People
}

func (v vocabulary) knows(kind prompt.Kind, term string) bool {
	_, ok := v[kind][term]
	return ok
}

// lookUp asks the vocabulary once about all spans.
func (r *Rules) lookUp(ctx context.Context, lattice *segment.Lattice) ([]prompt.Known, error) {
	if r.vocab == nil {
		return nil, nil
	}
	terms, near := lattice.Asked()
	if len(terms) == 0 {
		return nil, nil
	}
	known, err := r.vocab.Known(ctx, terms, near)
	if err != nil {
		return nil, fmt.Errorf("looking the words of a prompt up: %w", err)
	}
	return known, nil
}

// parsed is what was read, parsed; firm asks for what is only preferred as well.
func (r *reading) parsed(firm bool) *parser {
	p := newParser(r.runes, r.lattice.Tokens, slices.Clone(r.spans), r.known, r.now)
	p.near, p.others, p.firm = r.near, r.lattice.From, firm
	p.parse()
	return p
}

// plan makes the plan of what was read.
func (r *reading) plan(mode prompt.Mode) prompt.Plan {
	p := r.parsed(false)
	if p.onlyPrefers() {
		p = r.parsed(true)
	}
	b := newBuilder(p)
	b.build(p.facts)
	plan := prompt.Plan{Mode: mode}
	plan.Filters, plan.Conditions = b.finish()
	if !p.firm && slices.Contains(p.notes, preferredNote) {
		plan.Preferred = r.wishes(plan.Filters)
	}
	p.addCriteria(&plan)
	p.addSteps(&plan)
	p.fallBack(&plan)
	p.alike(&plan)
	p.settleMode(&plan, mode)
	plan.Ignored = slices.Concat(r.before, plan.Ignored, r.behind)
	return plan
}
