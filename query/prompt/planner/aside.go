package planner

// asides are, by first word, the sentences and clauses of a prompt as statements about
// the asker or the reason, from which nothing is asked. A clause begins after a comma or
// at a word such as because, and ends at a comma or with the sentence.
func (c *chart) asides(r *reader) map[int][]*edge {
	out := map[int][]*edge{}
	for from := 0; from < c.words; {
		to := from
		for to < c.words && !r.ends(to) {
			to++
		}
		c.clauses(r, out, from, to)
		from = to + 1
	}
	return out
}

// clauses adds the sentence from one word to another, and its clauses.
func (c *chart) clauses(r *reader, out map[int][]*edge, from, to int) {
	starts := []int{from}
	for i := from + 1; i < to; i++ {
		if r.text.words[i-1].mark == "," || c.has(i, "REASON") {
			starts = append(starts, i)
		}
	}
	for _, start := range starts {
		for end := start + 3; end <= to; end++ {
			if end < to && r.text.words[end].mark != "," && !c.has(end, "SO") {
				continue
			}
			fs := c.asideFeatures(r, start, end, end-start == to-from)
			e := &edge{sym: c.asideSym, from: start, to: end, leaf: &leaf{from: start, to: end, feats: fs}, score: c.weights.score(fs)}
			out[start] = append(out[start], e)
		}
	}
}

// ends reports whether a sentence ends at a mark.
func (r *reader) ends(i int) bool {
	m := r.text.words[i].mark
	return m == "." || m == "\n" || m == "–"
}

// asideFeatures are those of words that might be an aside; whole is true of a sentence.
func (c *chart) asideFeatures(r *reader, from, to int, whole bool) []feature {
	fs := []feature{{featAside, 1}}
	content, asks, who := 0.0, false, false
	for i := from; i < to; i++ {
		if c.saysSomething(r, i) {
			content++
		}
		asks = asks || c.has(i, "SEEK")
		who = who || c.has(i, "PersonWord") || c.has(i, "Role")
	}
	elsewhere := !asks && c.asksOutside(from, to)
	fs = append(fs, feature{featAsideWords, content})
	for _, f := range []struct {
		is bool
		id int
	}{
		{c.has(from, "ASKER"), featAsideFirst},
		{asks, featAsideAsks},
		{who, featAsideWho},
		{from == 0 && to == c.words, featAsideOnly},
		{!whole, featAsideClause},
		{c.has(from, "REASON"), featAsideReason},
		{elsewhere, featAsideAsked},
		{elsewhere && from == 0, featAsideBefore},
	} {
		if f.is {
			fs = append(fs, feature{f.id, 1})
		}
	}
	return fs
}

// saysSomething reports whether a word has a meaning and is none of grammar.
func (c *chart) saysSomething(r *reader, i int) bool {
	return r.text.words[i].mark == "" && r.covered[i] && !r.grammarWord(i) && !c.inside[i]
}

// asksOutside reports whether a word before or after a span asks for people.
func (c *chart) asksOutside(from, to int) bool {
	for i := range c.words {
		if (i < from || i >= to) && c.has(i, "SEEK") {
			return true
		}
	}
	return false
}

// has reports whether a leaf of a category begins at a word.
func (c *chart) has(at int, category string) bool {
	return at < len(c.heads) && c.heads[at][c.grammar.Symbol(category)]
}
