package planner

import (
	"cmp"
	"slices"

	"kith/query/prompt/grammar"
	"kith/query/prompt/token"
)

// path is a derivation of the first words of a prompt: phrases and skipped words.
type path struct {
	before *path
	edge   *edge // nil for a skipped word
	at     int   // the first word that the last step covers
	top    grammar.Symbol
	score  float64
	skip   int // the feature of a skipped word
}

// beam is how many derivations are kept for each position.
const beam = 24

// decode returns the best derivations, best first.
func (c *chart) decode(r *reader, asides map[int][]*edge) []*path {
	states := make([][]*path, c.words+1)
	states[0] = []*path{{top: grammar.None}}
	for i := range c.words {
		list := prune(states[i])
		states[i] = list
		skip := c.skip(r, i)
		for _, s := range list {
			next := &path{before: s, at: i, top: s.top, score: s.score + c.weights.w[skip], skip: skip}
			states[i+1] = append(states[i+1], next)
			for _, e := range c.starts[i] {
				states[e.to] = append(states[e.to], c.follow(s, e))
			}
			for _, e := range asides[i] {
				states[e.to] = append(states[e.to], &path{before: s, edge: e, at: i, top: s.top, score: s.score + e.score})
			}
		}
	}
	return prune(states[c.words])
}

// follow appends a phrase to a derivation.
func (c *chart) follow(s *path, e *edge) *path {
	w := c.weights
	score := s.score + e.score + w.w[featPhrase] + w.w[w.pairs[[2]grammar.Symbol{s.top, e.sym}]]
	return &path{before: s, edge: e, at: e.from, top: e.sym, score: score}
}

// skip is the feature of leaving a word out.
func (c *chart) skip(r *reader, i int) int {
	w := r.text.words[i]
	id := featSkipUnknown
	switch {
	case w.mark != "":
		id = featSkipMark
	case c.inside[i]:
		id = featSkipFiller
	case r.excludes(i):
		id = featSkipNot
	case r.grammarWord(i):
		id = featSkipClass
	case r.covered[i]:
		id = featSkipContent
	case w.Kind == token.Word && w.Capital() && r.text.mixed:
		id = featSkipName
	}
	return id
}

// prune keeps the best derivations, each once for what it ends with.
func prune(list []*path) []*path {
	slices.SortStableFunc(list, func(a, b *path) int { return cmp.Compare(b.score, a.score) })
	if len(list) > beam {
		list = list[:beam]
	}
	return list
}

// phrases are the phrases of a derivation, in order.
func (p *path) phrases() (out []*edge) {
	for s := p; s != nil; s = s.before {
		if s.edge != nil {
			out = append(out, s.edge)
		}
	}
	slices.Reverse(out)
	return out
}
