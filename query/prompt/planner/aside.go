package planner

import "slices"

// asides returns, by first word, the sentences and clauses of a prompt that may be statements about
// the asker or the reason, and ask for nothing. A clause begins after a mark or at a word such as
// because. It ends at a mark or with the sentence.
func (c *chart) asides() map[int][]*edge {
	out := map[int][]*edge{}
	totals := c.countTotals()
	for from := 0; from < c.words; {
		to := from
		for to < c.words && !c.reader.endsSentence(to) {
			to++
		}
		c.clauses(totals, out, from, to)
		from = to + 1
	}
	return out
}

// clauses adds the sentence between two words, and its clauses.
func (c *chart) clauses(totals wordTotals, out map[int][]*edge, from, to int) {
	starts := []int{from}
	for i := from + 1; i < to; i++ {
		if c.reader.divides(i-1) || c.has(i, "REASON") || c.beginsInner(i) {
			starts = append(starts, i)
		}
	}
	for _, start := range starts {
		for end := start + 3; end <= to; end++ {
			if end < to && !c.clauseEnds(end) && !c.beginsInner(end) {
				continue
			}
			fs := c.asideFeatures(totals, start, end, end-start == to-from)
			fs = append(fs, c.innerFeatures(totals, from, to, start, end)...)
			fs = append(fs, feature{featTagSkip, c.reader.logNothing(start, end)})
			e := &edge{
				sym: c.asideSym, from: start, to: end, leaf: &leaf{from: start, to: end, feats: fs},
				score: c.weights.score(fs),
			}
			out[start] = append(out[start], e)
		}
	}
}

// innerFeatures returns the features of an aside that begins or ends within a clause of the sentence between two words.
func (c *chart) innerFeatures(totals wordTotals, from, to, start, end int) (fs []feature) {
	inner := start > from && !c.reader.divides(start-1) && !c.has(start, "REASON")
	cut := end < to && !c.clauseEnds(end)
	if inner || cut {
		fs = append(fs, feature{featAsideWithin, float64(totals.content[end] - totals.content[start])})
	}
	if inner {
		fs = append(fs, feature{featAsideInner, 1})
	}
	if cut {
		fs = append(fs, feature{featAsideCut, 1})
	}
	return fs
}

// clauseEnds reports whether a clause ends before a word: at a mark or a word such as so.
func (c *chart) clauseEnds(i int) bool { return c.reader.divides(i) || c.has(i, "SO") }

// divides reports whether a word is a mark between clauses.
func (r *reader) divides(i int) bool {
	return slices.Contains([]string{",", "(", ")", ":"}, r.text.words[i].mark)
}

// isEnclosed reports whether words are the whole content of parentheses.
func (c *chart) isEnclosed(from, to int) bool {
	return from > 0 && c.text.words[from-1].mark == "(" && (to == c.words || c.text.words[to].mark == ")")
}

// beginsInner reports whether a word begins a clause without a comma.
func (c *chart) beginsInner(i int) bool {
	return !c.inside[i] && (c.has(i, "WHO") || c.has(i, "JOIN"))
}

// endsSentence reports whether a sentence ends at a mark.
func (r *reader) endsSentence(i int) bool {
	m := r.text.words[i].mark
	return m == "." || m == "\n" || m == "–"
}

// wordTotals are running totals, up to each word, of the words with a meaning, the words that ask for
// people, and the words for a kind of people.
type wordTotals struct {
	content, asking, people []int
	lost                    []loss
}

// loss is a running total, up to each word, of the words that may begin a phrase of a category.
type loss struct {
	feat  int
	heads []int
}

func (c *chart) countTotals() wordTotals {
	s := wordTotals{content: make([]int, c.words+1), asking: make([]int, c.words+1), people: make([]int, c.words+1)}
	count := func(sums []int, i int, is bool) {
		if sums[i+1] = sums[i]; is {
			sums[i+1]++
		}
	}
	for i := range c.words {
		count(s.content, i, c.hasMeaning(i))
		count(s.asking, i, c.has(i, "SEEK"))
		count(s.people, i, c.has(i, "PersonWord") || c.has(i, "Role"))
	}
	for _, category := range contested() {
		l := loss{feat: c.feat("lost:" + category), heads: make([]int, c.words+1)}
		for i := range c.words {
			count(l.heads, i, c.has(i, category))
		}
		s.lost = append(s.lost, l)
	}
	return s
}

// asideFeatures returns the features of a possible aside; whole is true for a sentence.
func (c *chart) asideFeatures(totals wordTotals, from, to int, whole bool) []feature {
	fs := []feature{{featAside, 1}}
	asks := totals.asking[to] > totals.asking[from]
	elsewhere := !asks && totals.asking[c.words] > 0
	fs = append(fs, feature{featAsideWords, float64(totals.content[to] - totals.content[from])})
	fs = append(fs, feature{featAsideLength, float64(to - from)})
	for _, l := range totals.lost {
		if n := l.heads[to] - l.heads[from]; n > 0 {
			fs = append(fs, feature{l.feat, float64(n)})
		}
	}
	for _, f := range []struct {
		is bool
		id int
	}{
		{c.has(from, "ASKER"), featAsideFirst},
		{asks, featAsideAsks},
		{totals.people[to] > totals.people[from], featAsideWho},
		{from == 0 && to == c.words, featAsideOnly},
		{!whole, featAsideClause},
		{c.has(from, "REASON"), featAsideReason},
		{elsewhere, featAsideAsked},
		{elsewhere && from == 0, featAsideBefore},
		{c.isEnclosed(from, to), featAsideEnclosed},
	} {
		if f.is {
			fs = append(fs, feature{f.id, 1})
		}
	}
	return fs
}

// hasMeaning reports whether a word has a meaning and is not a grammar word.
func (c *chart) hasMeaning(i int) bool {
	return c.text.words[i].mark == "" && c.reader.covered[i] && !c.reader.grammarWord(i) && !c.inside[i]
}

// has reports whether a leaf of a category begins at a word.
func (c *chart) has(at int, category string) bool {
	return at < len(c.heads) && c.heads[at][c.grammar.Symbol(category)]
}
