package planner

// asides are, by first word, the sentences of a prompt as statements about the
// asker, from which nothing is asked.
func (c *chart) asides(r *reader) map[int][]*edge {
	out := map[int][]*edge{}
	from := 0
	for i := 0; i <= c.words; i++ {
		if i < c.words && !r.ends(i) {
			continue
		}
		if i-from > 2 {
			fs := c.asideFeatures(r, from, i)
			e := &edge{sym: c.grammar.Symbol("Aside"), from: from, to: i, leaf: &leaf{from: from, to: i, feats: fs}, score: c.weights.score(fs)}
			out[from] = append(out[from], e)
		}
		from = i + 1
	}
	return out
}

// ends reports whether a sentence ends at a mark.
func (r *reader) ends(i int) bool {
	m := r.text.words[i].mark
	return m == "." || m == "\n" || m == "–"
}

func (c *chart) asideFeatures(r *reader, from, to int) []feature {
	fs := []feature{{featAside, 1}}
	content := 0.0
	asks, who := false, false
	first := c.has(from, "ASKER")
	for i := from; i < to; i++ {
		if r.text.words[i].mark == "" && r.covered[i] && !r.grammarWord(i) && !c.inside[i] {
			content++
		}
		asks = asks || c.has(i, "SEEK")
		who = who || c.has(i, "PersonWord") || c.has(i, "Role")
	}
	fs = append(fs, feature{featAsideWords, content})
	for _, f := range []struct {
		is bool
		id int
	}{{first, featAsideFirst}, {asks, featAsideAsks}, {who, featAsideWho}, {from == 0 && to == c.words, featAsideOnly}} {
		if f.is {
			fs = append(fs, feature{f.id, 1})
		}
	}
	return fs
}

// has reports whether a leaf of a category begins at a word.
func (c *chart) has(at int, category string) bool {
	return at < len(c.heads) && c.heads[at][c.grammar.Symbol(category)]
}
