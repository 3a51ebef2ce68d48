package planner

import (
	"slices"

	"kith/query/prompt/grammar"
	"kith/query/prompt/token"
)

// path is a derivation of the first words of a prompt: phrases and skipped words.
type path struct {
	before *path
	edge   *edge // nil for a skipped word
	at     int   // first word of the last step
	top    grammar.Symbol
	score  float64
	skip   int // feature of a skipped word
}

// beam is the number of derivations kept for each position (beam search).
const beam = 24

// decode returns the best derivations, best first.
func (c *chart) decode(asides map[int][]*edge) []*path {
	states := make([][]*path, c.words+1)
	states[0] = []*path{{top: grammar.None}}
	w := c.weights
	for i := range c.words {
		skip, nothing := c.skip(i), w.w[featTagSkip]*c.reader.logNothing(i, i+1)
		for _, s := range states[i] {
			score := s.score + w.w[skip] + nothing
			if s.before != nil && s.edge == nil {
				score += w.w[featSkipRun]
			}
			states[i+1] = push(states[i+1], path{before: s, at: i, top: s.top, score: score, skip: skip})
			for _, e := range c.starts[i] {
				score := s.score + e.score + w.w[featPhrase] + w.w[w.pairs[[2]grammar.Symbol{s.top, e.sym}]]
				states[e.to] = push(states[e.to], path{before: s, edge: e, at: i, top: e.sym, score: score})
			}
			for _, e := range asides[i] {
				states[e.to] = push(states[e.to], path{before: s, edge: e, at: i, top: s.top, score: s.score + e.score})
			}
		}
	}
	return states[c.words]
}

// push inserts a derivation into the best of a position, after those with the same score.
func push(list []*path, p path) []*path {
	at := len(list)
	for at > 0 && list[at-1].score < p.score {
		at--
	}
	if at == beam {
		return list
	}
	if len(list) == beam {
		list = list[:beam-1]
	}
	kept := p // allocate only what is kept
	return slices.Insert(list, at, &kept)
}

// skip returns the feature for skipping a word.
func (c *chart) skip(i int) int {
	r, w := c.reader, c.text.words[i]
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

// phrases returns the phrases of a derivation, in order.
func (p *path) phrases() (out []*edge) {
	for s := p; s != nil; s = s.before {
		if s.edge != nil {
			out = append(out, s.edge)
		}
	}
	slices.Reverse(out)
	return out
}
