package segment

import (
	"slices"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
)

// isMastered reports whether a word that is a title, too, is what people know: designers
// who know Figma and Illustrator, historians with MAs.
func (l *Lattice) isMastered(from, to int) bool {
	isSkill := func(s lexicon.Sense) bool { return s.Type == lexicon.Skill || s.Type == lexicon.Degree }
	if from == 0 || !slices.ContainsFunc(l.lex.Senses(l.phrases.norms[from:to]), isSkill) {
		return false
	}
	for at := from; ; { // of a list, the entries before
		if c := l.leftCue(at); c == cue.Know || c == cue.With {
			return true
		}
		end := at
		if isJoin(l.Tokens[at-1].Norm) {
			end--
		} else if !l.Tokens[at].Comma() {
			return false
		}
		if !l.endsAt(end, lexicon.MaxWords, func(s Span) bool { at = s.From; return s.Type == lexicon.Skill && s.From > 0 }) {
			return false
		}
	}
}

// isOffice reports whether "membership" is what somebody is in charge of, not that of a body
// named before it: heads of membership, but RICS membership.
func (l *Lattice) isOffice(s Span) bool {
	w := l.key(s.From, s.To)
	return (w == "membership" || w == "accreditation") && (s.From == 0 || !l.Tokens[s.From-1].Shout())
}

// isHeld reports whether "with a" or the like stands before a token: with an MD.
func (l *Lattice) isHeld(at int) bool {
	return at > 1 && l.Tokens[at-1].Article() && l.leftCue(at) == cue.With
}
