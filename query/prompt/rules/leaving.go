package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// leave begins what people have left, or makes past what was said before.
func (p *parser) leave(s segment.Span) {
	next, at := p.next(p.at + 1)
	switch {
	case p.not && p.notGroup == "" && next.Group() == segment.GroupIndustry: // nobody who has left retail
		p.not = false
		p.passOver(s, segment.GroupIndustry)
	case p.isCue(next, cue.MovedTo): // who quit to become
		p.ignored = append(p.ignored, s)
	case p.leftBehind(s):
	case p.last >= 0 && (at == len(p.spans) || p.mark(at, p.at)) && p.isCue(p.peek(-1), cue.And, cue.Or, cue.But): // spent 4 years at Acme and left
		p.pastBehind()
		p.forgetTenure()
	case p.leftPlace(at): // who left London
		p.elsewhere(s)
	case p.leftAgain(), p.leftIt(), p.leftCalling():
	case p.last < 0 && len(p.steps) > 0 && p.leftNothing(p.at): // colleagues of Jane Doe who left
		p.ignore("whether those who are related to others have left is not asked for", s)
	default:
		p.when, p.gone, p.verb, p.spent, p.verbs = past, true, p.leftRole(), false, cue.Left
		p.lately(s, query.FilterPastEndYears)
	}
}

// leftPlace reports whether a place is all that somebody left: who left London for Dubai.
func (p *parser) leftPlace(at int) bool {
	if at >= len(p.spans) || !isPlace(p.spans[at]) || p.spans[at].Type == lexicon.Nationality {
		return false
	}
	_, _, last := p.onePlace(at)
	at = max(at, last) + 1
	return at >= len(p.spans) || p.mark(at, p.at) || p.isCue(p.spans[at], cue.For, cue.In, cue.And, cue.But, cue.MovedTo)
}

// leftRole reports whether what somebody left is a role at a company: who left senior
// operations roles at Acme.
func (p *parser) leftRole() bool {
	for i := p.at + 1; i+1 < len(p.spans) && p.adjoining(p.spans[i]); i++ {
		s := p.spans[i]
		switch {
		case isJob(s) && s.Type != lexicon.Seniority:
			after, _ := p.next(i + 2)
			return p.isCue(p.spans[i+1], cue.At, cue.With, cue.In) && after.InGroup(segment.GroupCompany, segment.GroupIndustry)
		case !s.Is(lexicon.Seniority, lexicon.Filler):
			return false
		}
	}
	return false
}

// leftAgain reads "joined Acme in 2021 and left in 2023": they are not there now. When a job
// began that has ended is not asked for.
func (p *parser) leftAgain() bool {
	next, at := p.next(p.at + 1)
	if p.isCue(next, cue.In) {
		next, _ = p.next(at + 1)
	}
	if next.Type != segment.Quantity || !p.isCue(p.peek(-1), cue.And, cue.Or, cue.But) {
		return false
	}
	joined := func(f fact) bool { return strings.HasPrefix(f.says, cameSays) && f.query != nil }
	if !slices.ContainsFunc(p.facts, joined) || !p.end(true, func(f fact) bool { return f.name == query.FilterCompany }) {
		return false
	}
	p.facts = slices.DeleteFunc(p.facts, func(f fact) bool {
		if joined(f) {
			p.ignored = append(p.ignored, segment.Span{From: f.spans[0][0], To: f.spans[0][1]})
		}
		return joined(f)
	})
	p.last = len(p.facts) - 1
	p.note("when a job began that has ended is not asked for")
	p.when, p.gone, p.verb, p.spent, p.verbs = past, true, false, false, cue.Left
	return true
}

// leftCalling reads "teachers who left teaching" and "lawyers who quit the law": what they
// did is over.
func (p *parser) leftCalling() bool {
	at := p.at + 1
	if at < len(p.spans) && p.tokens[p.spans[at].From].Norm == "the" {
		at++
	}
	if at >= len(p.spans) || !p.adjoining(p.spans[at]) || !p.ofSameCalling(p.spans[at]) || at+1 < len(p.spans) && !p.mark(at+1, at) && p.spans[at+1].Type != lexicon.Cue {
		return false
	}
	if next := p.peekAt(at + 1); next.To > 0 && p.isCue(next, cue.For, cue.MovedTo, cue.At) || !p.over(query.FilterPosition) {
		return false
	}
	p.ignored = append(p.ignored, p.spans[p.at:at+1]...)
	p.endScope()
	p.last = -1
	p.at = at + 1
	return true
}

// ofSameCalling reports whether a reading names the calling of those whose title was asked
// for last: teaching, of teachers.
func (p *parser) ofSameCalling(s segment.Span) bool {
	for _, f := range p.facts {
		if f.name != query.FilterPosition || f.not || f.when != current || f.query != nil {
			continue
		}
		title, work := p.tokens[f.spans[0][1]-1].Norm, p.tokens[s.From].Norm
		same := 0
		for same < min(len(title), len(work)) && title[same] == work[same] {
			same++
		}
		healer := work == "medicine" && slices.ContainsFunc(f.values, ofHealing)
		if work == "profession" || healer || same >= 3 && same >= len(work)-4 {
			return true
		}
	}
	return false
}

// ofHealing reports whether a title is that of somebody in medicine.
func ofHealing(title string) bool {
	return slices.ContainsFunc([]string{"physician", "doctor", "surgeon", "nurse", "paramedic"}, func(w string) bool { return strings.Contains(title, w) })
}

// leftIt reads "left the company" and "left" behind the name of one: who was there is not any
// more.
func (p *parser) leftIt() bool {
	s := p.spans[p.at]
	object := s.To
	if s.To+1 < len(p.tokens) && (p.tokens[s.To].Norm == "the" || p.tokens[s.To].Norm == "their") && (p.tokens[s.To+1].Norm == "company" || p.tokens[s.To+1].Norm == "firm") {
		object += 2
	} else if s.To < len(p.tokens) && p.tokens[s.To].Norm == "there" {
		object++
	}
	if object == s.To && !p.leftNothing(p.at) || !p.end(true, func(f fact) bool { return f.group() == segment.GroupCompany }) {
		return false
	}
	p.verbs = cue.Left
	p.lately(s, query.FilterPastEndYears)
	for p.at+1 < len(p.spans) && p.spans[p.at+1].From < object {
		p.at++
	}
	return true
}

// leftNothing reports whether it is not said what those have left of whom it is said at a reading
// that they have: who left, who have left since 2021.
func (p *parser) leftNothing(at int) bool {
	s := p.spans[at]
	switch p.tokens[s.To-1].Norm {
	case "left", "quit", "leaving", "departed":
	default:
		return false
	}
	next, i := p.next(at + 1)
	if p.isCue(next, cue.In) && !p.mark(i, at) {
		next, _ = p.next(i + 1)
		return next.Type == segment.Quantity
	}
	return p.isCue(s, cue.Left) && (i == len(p.spans) || p.mark(i, at) || next.Type == segment.Quantity)
}
