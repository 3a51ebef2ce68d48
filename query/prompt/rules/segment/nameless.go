package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// noName reports whether words without a capital name nothing where a prompt has
// capitals, or by their ending: postdocs in immunology, at shopping malls.
func (l *Lattice) noName(e expectation, from, to int) bool {
	last := l.Tokens[to-1].Norm
	switch {
	case l.namesTime(from), from+1 < to && l.namesTime(from+1):
		return true
	case l.Tokens[from].Capital() || l.Tokens[from].Kind != token.Word:
		return false
	case (e.group == GroupCompany || e.group == GroupPlace) && l.isModifier(from) && l.joined(from, from+2) && l.begins(from+1, ofWork): // into corporate security
		return true
	case e.group == GroupCompany && (isPeriod(last) || l.Tokens[to-1].Possessive && isCared(last)): // for six weeks, for children's toys
		return true
	case e.group == GroupPlace:
		return l.letters.mixed && l.leftCue(from) == cue.In || isSubject(last) || l.areWords(from)
	case e.group == GroupName: // who work with children
		return l.letters.mixed || isCared(last)
	case e.group == GroupCompany && from > 0 && (isPossessive(l.Tokens[from-1].Norm) || isPossessive(l.Tokens[from].Norm) || l.Tokens[from-1].Article() || l.Tokens[from].Article() || l.Tokens[from-1].Norm == "companies"): // to our panel, for a carrier, at companies focused on
		return true
	case e.group == GroupCompany && l.letters.mixed && l.leftCue(from) == cue.Of && l.joined(from, from+2) && l.begins(from+1, func(s Span) bool { return s.Type == lexicon.FieldOfStudy }): // of medieval history
		return true
	case e.group == GroupCompany && slices.Contains([]cue.Cue{cue.At, cue.Of, cue.MovedTo, cue.Joined}, l.leftCue(from)):
		return l.letters.mixed && l.pluralOf(from)
	}
	return false
}

// areWords reports whether two words that stand at a token mean something or are frequent ones, so
// that without capitals they begin the name of no place: in private wealth.
func (l *Lattice) areWords(from int) bool {
	if !l.joined(from, from+2) || l.begins(from+1, func(s Span) bool { return s.Is(lexicon.Cue, lexicon.Filler) }) {
		return false
	}
	for at := from; at < from+2; at++ {
		if l.blank(at) && !l.isModifier(at) && !l.lex.IsWord(l.Tokens[at].Norm) {
			return false
		}
	}
	return true
}

// isPossessive lists the words for whose something is, of which no name is made.
func isPossessive(w string) bool {
	switch w {
	case "our", "my", "your", "their", "his", "her":
		return true
	}
	return false
}

// pluralOf reports whether some words without a capital begin at a token of which
// the last is a plural that nothing knows: car dealerships, shopping malls.
func (l *Lattice) pluralOf(from int) bool {
	for at := from; at < len(l.Tokens) && at < from+3 && l.joined(from, at+1) && !l.Tokens[at].Capital(); at++ {
		if at > from && l.blank(at) && strings.HasSuffix(l.Tokens[at].Norm, "s") {
			return true
		}
	}
	return false
}

// isSubject reports whether a word that nothing knows ends as those for branches of
// knowledge do.
func isSubject(w string) bool {
	for _, ending := range []string{"logy", "iatry", "onomy", "istry", "ics", "ism", "tion", "icine", "therapy", "graphy", "metry", "ates"} {
		if len(w) > len(ending)+2 && strings.HasSuffix(w, ending) {
			return true
		}
	}
	return false
}

// isInterest reports whether the asker is interested in what stands at a token, which is who they want
// and no skill: I'd be interested in dentists.
func (l *Lattice) isInterest(at int) bool {
	if at < 3 || l.Tokens[at-1].Norm != "in" || l.Tokens[at-2].Norm != "interested" {
		return false
	}
	w := l.Tokens[at-3].Norm
	return w == "am" || w == "be" || l.speaks(at-3)
}
