package segment

import (
	"slices"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/token"
)

// addNamed adds what stands where the name of a company, a school or a place is
// expected, and is none that is known: it must be asked for all the same, so
// that no one is found rather than everyone.
func (l *Lattice) addNamed() {
	for i := range l.Tokens {
		group, prior := expected(l.leftCue(i))
		if group == "" && !l.isModifier(i) && (l.ofTitle(i) || l.titleOwned(i) || l.fromBehindName(i)) {
			group, prior = GroupCompany, 2
		}
		if group == "" && l.abbreviatedSkill(i) {
			group, prior = GroupSkill, 0.6
		}
		if group == "" {
			continue
		}
		for n := 1; n <= 4 && l.joined(i, i+n); n++ {
			if !l.nameless(i, i+n) {
				continue
			}
			l.add(Span{From: i, To: i + n, Type: Named, Sense: lexicon.Sense{Name: string(group)}}, prior)
		}
	}
}

func expected(c cue.Cue) (Group, float64) {
	switch c {
	case cue.In, cue.Near, cue.Lives, cue.Seat:
		return GroupPlace, 0.6
	case cue.At, cue.Left, cue.Joined, cue.PreviousJob, cue.CameBack, cue.Moved, cue.NotAt, cue.Promoted, cue.Rivals:
		return GroupCompany, 0.8
	case cue.For, cue.MovedTo, cue.Past, cue.Alumni:
		return GroupCompany, 0.4
	case cue.Studied:
		return GroupSchool, 0.6
	case cue.Majored:
		return GroupStudy, 0.6
	case cue.Know:
		return GroupSkill, 0.4
	case cue.WorkedWith, cue.Colleague, cue.ExColleague, cue.SameSchool, cue.Named:
		return GroupName, 0.5
	}
	return "", 0
}

// isModifier reports whether a token may stand before a title, or behind a rank:
// head of lifecycle.
func (l *Lattice) isModifier(at int) bool {
	return l.means(at, at+1, func(s Span) bool { return s.Type == lexicon.Modifier })
}

// ofTitle reports whether a title and "of" stand right before a token: who is
// the chief executive of something is so of a company.
func (l *Lattice) ofTitle(at int) bool {
	if l.leftCue(at) != cue.Of {
		return false
	}
	of := at - 1
	for of > 0 && passedOver(l.Tokens[of].Norm) {
		of--
	}
	return of > 0 && l.Tokens[of].Norm == "of" && l.titleEnds(of)
}

// titleOwned reports whether a token is a possessive with a title or a field of
// work behind it: somebody's head of design is so at a company.
func (l *Lattice) titleOwned(at int) bool {
	next := at + 1
	if !l.Tokens[at].Possessive || next >= len(l.Tokens) || l.Tokens[next].Comma() || l.Tokens[next].Stop() {
		return false
	}
	return l.titleBegins(next) || slices.ContainsFunc(l.From[next], func(s Span) bool { return s.Group() == GroupFunction })
}

// fromBehindName reports whether a name of somebody and "from" stand right
// before a token: Jane from Acme works there.
func (l *Lattice) fromBehindName(at int) bool {
	return at > 1 && l.leftCue(at) == cue.From && l.Tokens[at-1].Norm == "from" &&
		l.endsAt(at-1, longestName, func(s Span) bool { return s.Type == Name && !s.Sense.NeedsCue })
}

// abbreviatedSkill reports whether a token is an abbreviation of which somebody
// has experience: ICU experience.
func (l *Lattice) abbreviatedSkill(at int) bool {
	if !l.Tokens[at].Shout() || l.letters.shouting || at+1 >= len(l.Tokens) || !l.joined(at, at+2) {
		return false
	}
	switch l.Tokens[at+1].Norm {
	case "experience", "skills", "certification", "expertise", "knowledge":
		return true
	}
	return false
}

// nameless reports whether the last token of a span means nothing else, or is
// part of a run of words with capitals.
func (l *Lattice) nameless(from, to int) bool {
	if l.Tokens[to-1].Kind == token.Number {
		return to-from > 1
	}
	if to-from > 1 && l.letters.mixed && l.capitals(from, to) {
		for i := from; i < to; i++ {
			if l.blank(i) {
				return true
			}
		}
	}
	return l.blank(to - 1)
}

// blank reports whether a token means nothing by itself.
func (l *Lattice) blank(i int) bool {
	for _, s := range l.From[i] {
		if s.Len() == 1 && s.Type != lexicon.Modifier && s.Type != Name && s.Type != Named {
			return false
		}
	}
	return true
}
