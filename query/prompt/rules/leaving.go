package rules

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// leftRole reports whether what somebody left is a role at a company: who left senior
// operations roles at Acme.
func (p *parser) leftRole() bool {
	for i := p.at + 1; i+1 < len(p.spans) && p.adjoining(p.spans[i]); i++ {
		s := p.spans[i]
		switch {
		case isJob(s) && s.Type != lexicon.Seniority:
			after, _ := p.next(i + 2)
			return p.isCue(p.spans[i+1], cue.At, cue.With, cue.In) && (after.Group() == segment.GroupCompany || after.Group() == segment.GroupIndustry)
		case s.Type != lexicon.Seniority && s.Type != lexicon.Filler:
			return false
		}
	}
	return false
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
