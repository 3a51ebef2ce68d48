package planner

import (
	"cmp"
	"slices"

	"kith/query/prompt/grammar"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/token"
)

// path is a derivation of the first words of a prompt: phrases and skipped words.
type path struct {
	before *path
	edge   *edge // nil for a skipped word
	at     int   // the first word that the last step covers
	top    grammar.Symbol
	score  float64
}

// beam is how many derivations are kept for each position.
const beam = 16

// decode returns the best derivations, best first.
func (c *chart) decode(r *reader, asides map[int][]*edge) []*path {
	states := make([][]*path, c.words+1)
	states[0] = []*path{{top: grammar.None}}
	for i := range c.words {
		list := prune(states[i])
		states[i] = list
		skip, to := c.skip(r, i)
		for _, s := range list {
			next := &path{before: s, at: i, top: s.top, score: s.score + skip}
			states[to] = append(states[to], next)
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

// skip is the cost of leaving a word out, and the word after it.
func (c *chart) skip(r *reader, i int) (float64, int) {
	w := r.text.words[i]
	id := featSkipUnknown
	switch {
	case w.mark != "":
		id = featSkipMark
	case c.inside[i] || r.isFiller(i):
		id = featSkipFiller
	case r.grammarWord(i):
		id = featSkipClass
	case r.covered[i]:
		id = featSkipContent
	case w.Kind == token.Word && w.Capital() && r.text.mixed:
		id = featSkipName
	}
	return c.weights.w[id], i + 1
}

// isFiller reports whether a word is part of a phrase that says nothing.
func (r *reader) isFiller(i int) bool {
	for from := max(0, i-lexicon.MaxWords+1); from <= i; from++ {
		for _, l := range r.leaves[from] {
			if l.to > i && l.sense != nil && (l.sense.Type == lexicon.Filler || l.sense.Type == lexicon.PersonWord) {
				return true
			}
		}
	}
	return false
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
