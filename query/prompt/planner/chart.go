package planner

import (
	"slices"

	"kith/query/prompt/grammar"
)

// edge is a phrase: a leaf, or a rule with its parts.
type edge struct {
	sym      grammar.Symbol
	from, to int
	score    float64
	leaf     *leaf
	rule     *grammar.Rule
	parts    []*edge
	skipped  int // fillers inside

	evaluated, ok bool
	val           value
}

// active is a rule whose first symbols have been found.
type active struct {
	rule    *grammar.Rule
	from    int
	score   float64
	parts   []*edge
	skipped int
}

const (
	// longestPhrase is the maximum number of words in a phrase.
	longestPhrase = 24
	// mostReadings is the maximum number of readings of one category per span, fewReadings that in
	// prompts of at least longPrompt words.
	mostReadings = 4
	fewReadings  = 1
	longPrompt   = 100
	// leafSize is the maximum number of leaf readings of one category per span.
	leafSize = 8
	// mostInside is the maximum number of consecutive fillers inside a phrase.
	mostInside = 2
	// mostEdges limits the work on one prompt.
	mostEdges = 60000
)

type cell struct {
	sym      grammar.Symbol
	from, to int
}

// chart finds all phrases of a prompt, bottom up (chart parser).
type chart struct {
	*Planner
	text    *text
	reader  *reader
	words   int
	cells   map[cell][]*edge
	starts  [][]*edge // edges of top categories, by first word
	waiting []map[grammar.Symbol][]active
	inside  []bool                    // words that a phrase may skip
	heads   []map[grammar.Symbol]bool // categories of the leaves, by first word
	edges   int
	// cellSize is the maximum number of readings of one category per span. It is smaller in long
	// prompts, whose phrases are mostly lists.
	cellSize int
	expect   []grammar.Set // by first word; complete once no phrase that ends there can be added
	begin    []grammar.Set // categories of phrases that can begin at a word, or after fillers
}

func (p *Planner) newChart(r *reader) *chart {
	n := len(r.text.words)
	c := &chart{
		Planner: p, text: r.text, reader: r, words: n, cells: map[cell][]*edge{}, starts: make([][]*edge, n+1),
		inside: make([]bool, n),
	}
	c.expect = make([]grammar.Set, n+1)
	c.cellSize = mostReadings
	if n >= longPrompt {
		c.cellSize = fewReadings
	}
	c.waiting = make([]map[grammar.Symbol][]active, n+1)
	for i := range c.waiting {
		c.waiting[i] = map[grammar.Symbol][]active{}
	}
	ending := make([][]*leaf, n+1)
	c.heads = make([]map[grammar.Symbol]bool, n)
	for at, leaves := range r.leaves {
		c.heads[at] = map[grammar.Symbol]bool{}
		for _, l := range leaves {
			c.heads[at][l.sym] = true
			ending[l.to] = append(ending[l.to], l)
			if l.to == l.from+1 && (l.name == "ARTICLE" || l.name == "Filler") {
				c.inside[l.from] = true
			}
		}
	}
	c.findBeginnings()
	for to := 1; to <= n; to++ {
		slices.SortStableFunc(ending[to], func(a, b *leaf) int { return b.from - a.from })
		for _, l := range ending[to] {
			c.add(&edge{sym: l.sym, from: l.from, to: to, leaf: l, score: p.weights.score(l.feats)})
		}
	}
	return c
}

// findBeginnings computes the categories of phrases that can begin at each word.
func (c *chart) findBeginnings() {
	c.begin = make([]grammar.Set, c.words+1)
	for at := c.words; at >= 0; at-- {
		c.begin[at] = c.grammar.NewSet()
		if at == c.words {
			continue
		}
		for sym := range c.heads[at] {
			c.begin[at].AddAll(c.grammar.Beginners[sym])
		}
		if c.inside[at] {
			c.begin[at].AddAll(c.begin[at+1])
		}
	}
}

// add adds an edge and all phrases that it completes.
func (c *chart) add(e *edge) {
	if !c.keep(e) {
		return
	}
	expected := c.expected(e.from)
	for _, r := range c.grammar.ByFirst[e.sym] {
		if expected.Has(r.LHS) {
			c.advance(active{rule: r, from: e.from}, e)
		}
	}
	at := e.from
	for skipped := 0; ; skipped++ {
		for _, a := range c.waiting[at][e.sym] {
			if e.to-a.from <= longestPhrase {
				a.skipped += skipped
				c.advance(a, e)
			}
		}
		if skipped == mostInside || at == 0 || !c.inside[at-1] {
			return
		}
		at--
	}
}

// expected returns the categories of useful phrases that begin at a word: top-level categories, and
// the first categories of symbols that active rules need there.
func (c *chart) expected(at int) grammar.Set {
	if c.expect[at] != nil {
		return c.expect[at]
	}
	out := slices.Clone(c.grammar.TopCorners)
	for from, skipped := at, 0; ; from, skipped = from-1, skipped+1 {
		for sym := range c.waiting[from] {
			out.AddAll(c.grammar.Corners[sym])
		}
		if skipped == mostInside || from == 0 || !c.inside[from-1] {
			break
		}
	}
	c.expect[at] = out
	return out
}

// keep reports whether an edge is among the best of its cell, and stores it.
func (c *chart) keep(e *edge) bool {
	key := cell{e.sym, e.from, e.to}
	list := c.cells[key]
	size := c.cellSize
	if e.leaf != nil {
		size = leafSize
	}
	if c.edges >= mostEdges || len(list) >= size && e.score <= list[len(list)-1].score {
		return false
	}
	for _, other := range list {
		if e.rule != nil && other.rule == e.rule && slices.Equal(other.parts, e.parts) {
			return false
		}
	}
	if _, ok := c.evaluate(e); !ok {
		return false
	}
	if len(list) >= size {
		list = list[:size-1]
	}
	at := len(list)
	for at > 0 && list[at-1].score < e.score {
		at--
	}
	c.cells[key] = slices.Insert(list, at, e)
	c.edges++
	if c.grammar.Tops[e.sym] {
		c.starts[e.from] = append(c.starts[e.from], e)
	}
	return true
}

// advance extends a rule by an edge, and completes the rule after its last symbol.
func (c *chart) advance(a active, e *edge) {
	n := len(a.parts) + 1
	if n < len(a.rule.RHS) && !c.begin[e.to].Has(a.rule.RHS[n]) {
		return
	}
	parts := append(slices.Clip(a.parts), e)
	score := a.score + e.score
	if n < len(a.rule.RHS) {
		next := a.rule.RHS[n]
		c.waiting[e.to][next] = append(c.waiting[e.to][next],
			active{rule: a.rule, from: a.from, score: score, parts: parts, skipped: a.skipped})
		return
	}
	if a.rule.Not != grammar.None && e.to < c.words && c.heads[e.to][a.rule.Not] {
		return
	}
	score += c.weights.w[c.weights.rules[a.rule]] + float64(a.skipped)*c.weights.w[featSkipInside]
	c.add(&edge{sym: a.rule.LHS, from: a.from, to: e.to, rule: a.rule, parts: parts, score: score, skipped: a.skipped})
}
