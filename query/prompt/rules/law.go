package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// branchesOfLaw makes words of the profile of a branch of law that no list has: immigration
// law experience, who do family law. Of who studied or teaches it, it is the field of study.
func (p *parser) branchesOfLaw() {
	for i := 1; i < len(p.spans); i++ {
		s, branch, before := p.spans[i], p.spans[i-1], p.peekAt(i-2)
		switch {
		case s.Len() > 1 || p.words(s) != "law" || !p.adjoining(s):
			continue
		case isPractising(p.words(branch)): // lawyers practising law
			p.spans[i-1].Type, p.spans[i].Type = lexicon.Filler, lexicon.Filler
			continue
		case !p.mayBeBranch(branch, before):
			continue
		}
		whole := profileWords(branch.From, s.To)
		if p.isStudied(before, p.peekAt(i-3), p.peekAt(i+1)) {
			whole.Type = lexicon.FieldOfStudy
			whole.Sense = lexicon.Sense{Type: whole.Type, Filter: query.FilterFieldOfStudy, Values: []string{alternative(p.text(whole))}}
		}
		p.spans = slices.Replace(p.spans, i-1, i+1, whole)
		if isPractising(p.words(before)) {
			p.spans[i-2].Type = lexicon.Filler
		}
	}
}

// mayBeBranch reports whether a reading before "law" may say which part of it; a place only
// behind what says of what.
func (p *parser) mayBeBranch(s, before segment.Span) bool {
	switch s.Type {
	case lexicon.Nationality, lexicon.Region:
		return p.isCue(before, cue.Know, cue.In)
	case segment.Named:
		return s.Group() == segment.GroupSkill
	}
	return p.mayNarrow(s) && (s.Type == lexicon.Industry || !strings.HasSuffix(p.words(s), "ing"))
}

// isStudied reports whether the two readings before a branch of law, or the one behind it, say
// that people have studied or teach it.
func (p *parser) isStudied(before, verb, behind segment.Span) bool {
	if p.isCue(before, cue.Studied, cue.Majored, cue.Of) || p.isCue(verb, cue.Studied, cue.Majored) || verb.Type == lexicon.Degree {
		return true
	}
	return behind.Type == lexicon.Degree || p.isCue(behind, cue.Alumni, cue.Graduate, cue.Alumnus)
}

// isPractising lists the verbs for what lawyers do with the law.
func isPractising(w string) bool {
	switch strings.TrimPrefix(w, "who ") {
	case "do", "doing", "does", "practise", "practice", "practises", "practices", "practising", "practicing":
		return true
	}
	return false
}
