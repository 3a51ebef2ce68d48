package rules

import (
	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// readJudgement keeps a soft wish. A serial founder is a founder all the same.
func (p *parser) readJudgement(s segment.Span) {
	if s.Sense.Name == lexicon.JudgeNewToRole {
		if next, _ := p.next(p.at + 1); next.Type == segment.Quantity { // which says how new
			p.verbs = cue.Joined
			return
		}
		p.add(lastYear(query.FilterTenureYears), s)
		return
	}
	if p.ofKnowledge(s) {
		p.ignored = append(p.ignored, s)
		return
	}
	if p.not && p.heading() { // Avoid: job hoppers
		p.ignore("a judgement orders the people and leaves nobody out", s)
		return
	}
	if w := p.words(s); (w == "veterans" || w == "veteran") && p.last >= 0 && p.lastAt == s.From && p.facts[p.last].name == query.FilterCompany && !p.not { // US Navy veterans
		p.pastBehind()
		return
	}
	p.criteria = append(p.criteria, s)
	if s.Sense.Name != lexicon.JudgeSerial {
		return
	}
	next, _ := p.next(p.at + 1)
	if next.Type != lexicon.Founder {
		p.add(fact{name: query.FilterSeniority, values: []string{"founder"}, level: "founder"}, s)
	}
}

// ofKnowledge reports whether a wish is about what somebody knows, not about them: good
// English, German good, good knowledge of tax law. Nor is what would be perfect.
func (p *parser) ofKnowledge(s segment.Span) bool {
	if before := p.peek(-1); before.Type == lexicon.Language && p.adjoining(s) {
		return true
	}
	if s.From > 0 && p.tokens[s.From-1].Norm == "be" {
		return true
	}
	if s.To == len(p.tokens) || !p.adjoins(s.To) {
		return false
	}
	switch p.tokens[s.To].Norm {
	case "fit", "match", "help", "idea", "opportunity", "place", "time", "start", "knowledge", "command", "understanding", "grasp", "communication", "skills", "spoken", "written", "working":
		return true
	}
	return p.peek(1).Type == lexicon.Language
}
