package tagger

import "math"

// chain is the conditional random field: it scores which tag follows which.
type chain struct {
	// follow and first have scores; may and mayFirst are e to their power, 0 for what cannot be.
	follow, may     [][]float64
	first, mayFirst []float64
}

func newChain(m *model) *chain {
	size := len(m.Tags)
	c := &chain{first: make([]float64, size), mayFirst: make([]float64, size)}
	for i, tag := range m.Tags {
		follow := make([]float64, size)
		for j, next := range m.Tags {
			follow[j] = float64(m.follow[i*size+j])
			if next[0] == 'I' && tag[1:] != next[1:] {
				follow[j] = math.Inf(-1)
			}
		}
		c.follow, c.may = append(c.follow, follow), append(c.may, powers(follow, 0))
		c.first[i] = float64(m.first[i])
		if tag[0] == 'I' {
			c.first[i] = math.Inf(-1)
		}
	}
	c.mayFirst = powers(c.first, 0)
	return c
}

// powers returns e to the power of scores, reduced by an amount.
func powers(scores []float64, less float64) []float64 {
	out := make([]float64, len(scores))
	for i, s := range scores {
		out[i] = math.Exp(s - less)
	}
	return out
}

// lattice has the probabilities of all sequences of tags of a prompt.
type lattice struct {
	chain *chain
	// scores are those of the tags of words, and emit e to their power over that of the largest.
	scores, emit [][]float64
	// forward and backward are scaled: their product is the probability of a tag. scale has the factors.
	forward, backward [][]float64
	scale             []float64
	// logSum is the logarithm of the sum over all sequences.
	logSum float64
}

// run computes the lattice of some words; each has a number of outputs, of which the tags are the first.
func (c *chain) run(outputs []float32, words, of int) *lattice {
	l := &lattice{chain: c, scale: make([]float64, words)}
	for w := range words {
		scores, most := make([]float64, len(c.first)), math.Inf(-1)
		for i := range scores {
			scores[i] = float64(outputs[w*of+i])
			most = max(most, scores[i])
		}
		l.scores, l.emit = append(l.scores, scores), append(l.emit, powers(scores, most))
		l.logSum += most
	}
	l.runForward()
	l.runBackward()
	return l
}

func (l *lattice) runForward() {
	for w, emit := range l.emit {
		row := make([]float64, len(emit))
		if w == 0 {
			copy(row, l.chain.mayFirst)
		} else {
			for i, p := range l.forward[w-1] {
				for j, may := range l.chain.may[i] {
					row[j] += p * may
				}
			}
		}
		for i, e := range emit {
			row[i] *= e
			l.scale[w] += row[i]
		}
		for i := range row {
			row[i] /= l.scale[w]
		}
		l.forward = append(l.forward, row)
		l.logSum += math.Log(l.scale[w])
	}
}

func (l *lattice) runBackward() {
	words := len(l.emit)
	l.backward = make([][]float64, words)
	for w := words - 1; w >= 0; w-- {
		row := make([]float64, len(l.emit[w]))
		for i := range row {
			row[i] = 1
			if w < words-1 {
				row[i] = l.after(w, i, nil)
			}
		}
		l.backward[w] = row
	}
}

// after is the scaled probability of what follows the tag of a word; the next tag is none that except accepts.
func (l *lattice) after(word, tag int, except func(tag int) bool) float64 {
	sum := 0.0
	for next, may := range l.chain.may[tag] {
		if except == nil || !except(next) {
			sum += may * l.emit[word+1][next] * l.backward[word+1][next]
		}
	}
	return sum / l.scale[word+1]
}

// probability is that of a tag of a word.
func (l *lattice) probability(word, tag int) float64 {
	return l.forward[word][tag] * l.backward[word][tag]
}

// span is the logarithm of the probability that the words from one to before another have a tag at the beginning,
// another tag in between, and not that one after.
func (l *lattice) span(from, to, begin, inside int) float64 {
	p, tag := l.forward[from][begin], begin
	for w := from + 1; w < to; w++ {
		p *= l.chain.may[tag][inside] * l.emit[w][inside] / l.scale[w]
		tag = inside
	}
	if to < len(l.emit) {
		p *= l.after(to-1, tag, func(next int) bool { return next == inside })
	}
	return math.Log(p)
}

// path is the logarithm of the probability of a sequence of tags.
func (l *lattice) path(tags []int) float64 {
	sum := l.chain.first[tags[0]] - l.logSum
	for w, tag := range tags {
		sum += l.scores[w][tag]
		if w > 0 {
			sum += l.chain.follow[tags[w-1]][tag]
		}
	}
	return sum
}

// best returns the most probable sequence of tags.
func (l *lattice) best() []int {
	size := len(l.chain.first)
	score, back := make([]float64, size), make([][]int, len(l.scores))
	for w, scores := range l.scores {
		next, from := make([]float64, size), make([]int, size)
		for j := range next {
			next[j] = l.chain.first[j]
			if w > 0 {
				next[j] = math.Inf(-1)
				for i, s := range score {
					if s += l.chain.follow[i][j]; s > next[j] {
						next[j], from[j] = s, i
					}
				}
			}
			next[j] += scores[j]
		}
		score, back[w] = next, from
	}
	last := 0
	for i, s := range score {
		if s > score[last] {
			last = i
		}
	}
	path := make([]int, len(l.scores))
	for w := len(path) - 1; w >= 0; w-- {
		path[w] = last
		last = back[w][last]
	}
	return path
}
