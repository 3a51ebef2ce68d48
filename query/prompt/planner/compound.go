package planner

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/words"
)

// compounds makes one title of a title and the topic after it, where the tables know the two as one: a doctor of the
// heart is a heart doctor.
func compounds(r *reader, v value) value {
	for i, title := range v {
		if title.name != query.FilterPosition || title.not || len(title.spans) != 1 {
			continue
		}
		for j, topic := range v {
			if !isTopic(topic) || topic.not || topic.soft != title.soft {
				continue
			}
			known, ok := compound(r, title.spans[0], topic.spans[0])
			if !ok {
				continue
			}
			out := slices.Clone(v)
			whole := factOf(known, [2]int{title.spans[0][0], topic.spans[0][1]})
			whole.when, whole.soft, whole.both, whole.gone = title.when, title.soft, title.both, title.gone
			out[i] = whole
			return slices.Delete(out, j, j+1)
		}
	}
	return v
}

// isTopic reports whether a fact is words of a profile or of a company, at one place of the prompt.
func isTopic(f fact) bool {
	switch f.name {
	case query.FilterKeywords, query.FilterSkills, query.FilterCompanyKeywords:
		return len(f.spans) == 1
	}
	return false
}

// compound looks up a noun and its complement, one or many, as one title.
func compound(r *reader, noun, complement [2]int) (lexicon.Sense, bool) {
	of := r.text.norms(min(noun[1], complement[0]), complement[1])
	if len(of) < 2 || noun[1] >= complement[0] || !words.In(words.OfWhat, of[0]) {
		return lexicon.Sense{}, false
	}
	if of = of[1:]; of[0] == "the" && len(of) > 1 {
		of = of[1:]
	}
	last := len(of) - 1
	for _, form := range []string{of[last], strings.TrimSuffix(of[last], "s")} {
		title := append(slices.Clone(of[:last]), form)
		for _, s := range r.lexicon.Senses(append(title, r.text.norms(noun[0], noun[1])...)) {
			if (s.Type == lexicon.Role || s.Type == lexicon.CRole) && !s.ByRule {
				return s, true
			}
		}
	}
	return lexicon.Sense{}, false
}
