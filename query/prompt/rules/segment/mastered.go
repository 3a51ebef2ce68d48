package segment

import (
	"slices"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
)

// isMastered reports whether a word that is a title, too, is what people know: designers
// who know Figma and Illustrator.
func (l *Lattice) isMastered(from, to int) bool {
	isSkill := func(s lexicon.Sense) bool { return s.Type == lexicon.Skill }
	if from == 0 || !slices.ContainsFunc(l.lex.Senses(l.phrases.norms[from:to]), isSkill) {
		return false
	}
	switch l.leftCue(from) {
	case cue.Know, cue.With:
		return true
	}
	return isJoin(l.Tokens[from-1].Norm) && l.endsAt(from-1, lexicon.MaxWords, func(s Span) bool { return s.Type == lexicon.Skill })
}
