package segment

import (
	"slices"

	"kith/query/prompt/lexicon"
)

// byExperience rates a reading by "experience" or "background" behind it, or "who come from"
// before it: what somebody has done so is an industry before it is a title of now, a name, or
// what but a few list among their skills.
func (l *Lattice) byExperience(s Span, group Group) float64 {
	behind := s.To < len(l.Tokens) && l.joined(s.From, s.To+1) && lexicon.IsExperience(l.Tokens[s.To].Norm)
	if !behind && !l.experienceIn(s.From) && !l.comesFrom(s.From) {
		return 0
	}
	senses := l.lex.Senses(l.phrases.norms[s.From:s.To])
	has := func(types ...lexicon.Type) bool {
		return slices.ContainsFunc(senses, func(o lexicon.Sense) bool { return slices.Contains(types, o.Type) })
	}
	listed := slices.ContainsFunc(senses, func(o lexicon.Sense) bool { return o.Type == lexicon.Skill && !o.NeedsCue })
	trade := has(lexicon.Industry, lexicon.CompanyKind) && !has(lexicon.Function) && !listed
	switch {
	case group == GroupName && behind:
		return -5
	case group == GroupRole && s.Type == lexicon.Role && has(lexicon.Industry):
		return -3.5
	case group == GroupSkill && behind && trade:
		return -3
	case group == GroupIndustry && behind && trade:
		return 1.5
	}
	return 0
}

// comesFrom reports whether "who come from" or the like stands right before a token.
func (l *Lattice) comesFrom(at int) bool {
	if at < 2 || l.Tokens[at-1].Norm != "from" {
		return false
	}
	switch l.Tokens[at-2].Norm {
	case "come", "comes", "coming", "came":
		return true
	}
	return false
}
