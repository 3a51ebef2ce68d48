package planner

import (
	"slices"
)

// contested returns the categories whose readings of the same words compete. For each pair, a
// feature says which was chosen over which.
func contested() []string {
	return []string{
		"Role", "Founder", "Modifier", "Level", "Leader", "Function", "Place", "Nationality", "Industry", "SizeWord",
		"Kind",
		"Stage",
		"Degree", "Study", "Skill", "Language", "School", "Company", "Keyword", "Judgement", "PersonWord",
		"CompanyWord", "Filler", "Head", "Name",
	}
}

// contest adds features to every reading: the categories of competing readings and, if the dataset
// knows the words, its own.
func (r *reader) contest() {
	r.leadNotTitles()
	all := contested()
	for _, leaves := range r.leaves {
		for _, l := range leaves {
			if !slices.Contains(all, l.name) {
				continue
			}
			var others []string
			for _, o := range leaves {
				if o == l || o.to != l.to || o.name == l.name && (l.known || !o.known) || !slices.Contains(all,
					o.name) {
					continue
				}
				if !slices.Contains(others, o.name) {
					others = append(others, o.name)
					l.feats = append(l.feats, feature{r.feat("over:" + l.name + ">" + o.name), 1})
				}
			}
		}
	}
}

// leadNotTitles drops a title that consists of a leader and a function: people who lead a function have many titles.
func (r *reader) leadNotTitles() {
	for from, leaves := range r.leaves {
		r.leaves[from] = slices.DeleteFunc(leaves, func(l *leaf) bool {
			return l.name == "Role" && l.sense != nil && slices.ContainsFunc(leaves, func(lead *leaf) bool {
				return lead.name == "Leader" && lead.to < l.to && r.hasReading(lead.to, l.to, "Function")
			})
		})
	}
}

// hasReading reports whether a span has a reading of a category.
func (r *reader) hasReading(from, to int, category string) bool {
	return slices.ContainsFunc(r.leaves[from], func(l *leaf) bool { return l.to == to && l.name == category })
}

// splits counts adjacent leaves in a derivation that together have one reading, of the category of either.
func (c *chart) splits(p *path) (n float64) {
	var before *edge
	for _, e := range p.phrases() {
		e.each(func(l *edge) {
			if before != nil && before.to == l.from && c.isOne(before.leaf, l.leaf) {
				n++
			}
			before = l
		})
	}
	return n
}

// isOne reports whether two leaves together have one reading.
func (c *chart) isOne(a, b *leaf) bool {
	return slices.ContainsFunc(c.reader.leaves[a.from], func(l *leaf) bool {
		return l.to == b.to && (l.sense != nil || l.known) && len(l.fixes) == 0 && (l.sym == a.sym || l.sym == b.sym)
	})
}

// each calls yield for the edges of the leaves below an edge, in order.
func (e *edge) each(yield func(*edge)) {
	if e.leaf != nil {
		yield(e)
	}
	for _, p := range e.parts {
		p.each(yield)
	}
}
