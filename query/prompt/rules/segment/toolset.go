package segment

import (
	"slices"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
)

// besideSkill reports whether a word with a capital that nothing knows is in a list of what
// somebody knows, with a skill: Klaviyo or Mailerlite; with Foo, Bar and SAP experience. It is
// a skill as well, or the list would lose it.
func (l *Lattice) besideSkill(at int) bool {
	if !l.letters.mixed || !l.Tokens[at].Capital() || !l.blank(at) {
		return false
	}
	from, skillBefore, joinBefore := l.listBefore(at)
	to, skillBehind, joinBehind := l.listBehind(at + 1)
	known := skillBefore || skillBehind || l.abbreviatedSkill(to-1)
	if !known || !joinBefore && !joinBehind {
		return false
	}
	c := l.leftCue(from)
	return c == cue.With || c == cue.Know || l.experienceAt(to)
}

// listBefore goes back over the entries of a list that the entry at a token goes on with,
// and says whether one is a skill, and whether a conjunction is among them.
func (l *Lattice) listBefore(at int) (from int, skill, join bool) {
	for from = at; from > 0 && l.joins(from) && !l.Tokens[from].Stop() || from > 1 && isJoin(l.Tokens[from-1].Norm); {
		end := from
		if isJoin(l.Tokens[end-1].Norm) {
			end, join = end-1, true
		}
		first, known := l.entry(end, -1)
		if first == end {
			break
		}
		from, skill = first, skill || known
	}
	return from, skill, join
}

// listBehind goes on over the entries of a list behind the entry that ends before a token,
// and says the same.
func (l *Lattice) listBehind(to int) (end int, skill, join bool) {
	for to < len(l.Tokens) && l.joins(to) && !l.Tokens[to].Stop() {
		next := to
		if isJoin(l.Tokens[next].Norm) {
			next, join = next+1, true
		}
		last, known := l.entry(next, 1)
		if last == next {
			break
		}
		to, skill = last, skill || known
	}
	return to, skill, join
}

// entry is where the entry of a list of skills ends that begins at a token, or begins that
// ends before it, by the direction (1, -1), and whether it is a skill that is known; the token
// itself where there is none.
func (l *Lattice) entry(at, direction int) (end int, known bool) {
	for n := lexicon.MaxWords; n > 0; n-- {
		end := at + n*direction
		if end >= 0 && end <= len(l.Tokens) && l.means(min(at, end), max(at, end), isSkill) {
			return end, true
		}
	}
	end = at + direction
	if one := min(at, end); one >= 0 && one < len(l.Tokens) && l.Tokens[one].Capital() && l.blank(one) {
		return end, false
	}
	return at, false
}

func isSkill(s Span) bool { return s.Type == lexicon.Skill && s.Score > unknownScore }

// experienceAt reports whether a word at a token says that what stands before it is what
// somebody knows.
func (l *Lattice) experienceAt(at int) bool {
	if at >= len(l.Tokens) || l.apart(at) {
		return false
	}
	switch l.Tokens[at].Norm {
	case "experience", "background", "skills", "certification", "expertise", "knowledge", "certified", "license", "licence", "licensed", "qualified", "chartered", "accredited", "registered", "endorsement", "ticket", "qualification", "qualifications", "certificate":
		return true
	}
	return false
}

// IsProject lists what is done with a system: an SAP migration, WMS rollouts.
func IsProject(w string) bool {
	switch w {
	case "migration", "migrations", "rollout", "rollouts", "implementation", "implementations", "deployment", "deployments", "upgrade", "upgrades", "go-live", "golive", "conversion", "conversions", "cutover", "cutovers":
		return true
	}
	return false
}

// heldWith reports whether the name of a company is that of a certificate as well, in a list
// behind "with" that has another skill: with CIA and CISA.
func (l *Lattice) heldWith(s Span) bool {
	skill := func(s lexicon.Sense) bool { return s.Type == lexicon.Skill }
	if s.Type != lexicon.CompanyAlias || !slices.ContainsFunc(l.lex.Senses(l.phrases.norms[s.From:s.To]), skill) {
		return false
	}
	from, before, _ := l.listBefore(s.From)
	if l.leftCue(from) != cue.With {
		return false
	}
	next := s.To
	if next < len(l.Tokens) && isJoin(l.Tokens[next].Norm) {
		next++
	}
	sure := func(_ int, senses []lexicon.Sense) bool {
		return slices.ContainsFunc(senses, func(s lexicon.Sense) bool { return skill(s) && (!s.NeedsCue || l.Tokens[next].Shout()) })
	}
	return before || next < len(l.Tokens) && l.joins(s.To) && l.ahead(next, 3, sure)
}

// abbreviatedSkill reports whether a token is an abbreviation of which somebody
// has experience: ICU experience.
func (l *Lattice) abbreviatedSkill(at int) bool {
	if !l.Tokens[at].Shout() || l.letters.shouting || at+1 >= len(l.Tokens) || !l.joined(at, at+2) {
		return false
	}
	return l.experienceAt(at+1) || IsProject(l.Tokens[at+1].Norm)
}
