package segment

import (
	"slices"

	"kith/query/prompt/lexicon"
)

// studyBehind reports whether "in" and a field of study, or "from" and a school, stand at a
// token, so that the word before it is a degree: MA in translation, LLM from NYU.
func (l *Lattice) studyBehind(at int) bool {
	if at+1 >= len(l.Tokens) || l.Tokens[at].Apart() {
		return false
	}
	is := isStudy
	switch l.Tokens[at].Norm {
	case "in":
	case "from":
		is = func(s lexicon.Sense) bool { return groupOf(s.Type) == GroupSchool }
	default:
		return false
	}
	return l.ahead(at+1, 3, func(_ int, senses []lexicon.Sense) bool { return slices.ContainsFunc(senses, is) })
}

// isStudied reports whether words that are a title, too, say what a degree is in: an MSc
// in data science.
func (l *Lattice) isStudied(from, to int) bool {
	return l.behindDegree(from, "in", "of") && slices.ContainsFunc(l.lex.Senses(l.phrases.norms[from:to]), isStudy)
}

func isStudy(s lexicon.Sense) bool { return s.Type == lexicon.FieldOfStudy }
