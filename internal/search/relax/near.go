package relax

import (
	"slices"

	"kith/index/semantic"
	"kith/query"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
)

const (
	// askedPhrases is for how many alternatives near terms are looked up; nearest is how many near terms are kept.
	askedPhrases, nearest = 3, 4
)

// nearTerms returns the terms nearest to the alternatives.
func (r relaxer) nearTerms(u unit) []rung {
	if r.near == nil {
		return nil
	}
	var rungs []rung
	for _, text := range u.texts[:min(len(u.texts), askedPhrases)] {
		for _, n := range r.near(u.info.Name, text) {
			way, ok := nearTerm(u, text, n)
			if ok && !slices.ContainsFunc(rungs, func(other rung) bool { return other.says == way.says }) {
				rungs = append(rungs, way)
			}
		}
	}
	slices.SortStableFunc(rungs, func(a, b rung) int { return a.cost - b.cost })
	return rungs[:min(len(rungs), nearest)]
}

// nearTerm returns the rung of a term near to an alternative. There is none for a term with all words of the
// alternative, since people who have it already match, nor for a title that is only a rank (manager).
func nearTerm(u unit, text string, n semantic.Neighbour) (way rung, ok bool) {
	asked, have := tokenizer.Tokens(text), tokenizer.Tokens(n.Text)
	isRank := u.info.Field == query.Title && len(taxonomy.Levels(n.Text)) > 0 && len(taxonomy.FunctionsOf(n.Text)) == 0
	if contains(have, asked) || isRank {
		return rung{}, false
	}
	alt := query.Alternative{Text: n.Text, Phrase: len(have) > 1}
	way = rung{
		step: near, cost: 1 + int((1-n.Similarity)*costOfDistance), similarity: n.Similarity, says: n.Text,
		instead: query.Filters{u.info.Name: alt.String()},
	}
	if u.info.Field == query.Title && !isSameWork(text, n.Text) {
		way.cost += costOfOther
	}
	if contains(asked, have) {
		way.step, way.cost = lost, way.cost+costOfLess
	}
	return way, true
}

// isSameWork reports whether two titles have the same functions and the same rank.
func isSameWork(a, b string) bool {
	ranks := func(title string) []string {
		return slices.DeleteFunc(taxonomy.Levels(title), func(level string) bool { return !isRank(level) })
	}
	return slices.Equal(ranks(a), ranks(b)) && slices.Equal(taxonomy.FunctionsOf(a), taxonomy.FunctionsOf(b))
}

// contains reports whether words contain all of some.
func contains(words, some []string) bool {
	return !slices.ContainsFunc(some, func(w string) bool { return !slices.Contains(words, w) })
}
