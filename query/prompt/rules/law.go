package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// lawFirms makes words of the profile of what stands before law firms and says which law they
// practise: lawyers at family law firms.
func (p *parser) lawFirms() {
	for i := 1; i < len(p.spans); i++ {
		s, branch := p.spans[i], p.spans[i-1]
		if s.Type != lexicon.Industry || s.Sense.Name != "law" || s.Len() != 2 || p.tokens[s.From].Norm != "law" || !p.adjoining(s) || !p.isBranch(branch, p.peekAt(i-2)) {
			continue
		}
		firms := s
		firms.From++
		p.spans[i-1], p.spans[i] = profileWords(branch.From, firms.From), firms
	}
}

// isBranch reports whether a reading before law firms says which law they practise, not what
// they are like or where.
func (p *parser) isBranch(s, before segment.Span) bool {
	w := p.words(s)
	named := w == "family" || w == "employment" // which say nothing elsewhere
	unread := named || s.Is(segment.Unknown, lexicon.Modifier) || s.Type == segment.Named && s.Group() == segment.GroupCompany
	first := before.Type == "" || p.isCue(before, cue.At, cue.For, cue.From, cue.Of, cue.In)
	if !unread || !first || s.Len() > 1 || p.tokens[s.From].Capital() && s.From > 0 || lexicon.Describes(w) && !named {
		return false
	}
	switch w {
	case "international", "global", "national", "regional", "local", "city", "top", "tier", "full", "service", "elite", "mid", "size", "private", "corporate":
		return false
	}
	return true
}

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
