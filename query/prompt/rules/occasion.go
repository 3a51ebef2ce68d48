package rules

import (
	"slices"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// forOccasion makes judges, speakers and the like words that say nothing, where another
// sentence says what they do: we need judges. CTOs in Oslo.
func (p *parser) forOccasion(all []statement) {
	for _, st := range all {
		for i := st.from; i < st.to; i++ {
			s := p.spans[i]
			if s.Group() != segment.GroupRole && s.Type != segment.Unknown || !isOccasional(p.tokens[s.To-1].Norm) || !p.invited(i) {
				continue
			}
			if slices.ContainsFunc(p.spans[st.to:], isJob) || p.volunteers(s, st) {
				p.silence(i)
			}
		}
	}
}

// invited reports whether the asker wants those at a reading: we need judges, mentors wanted.
func (p *parser) invited(i int) bool {
	return i > 0 && (p.asks(p.spans[i-1]) || p.spans[i-1].Type == lexicon.Filler) || p.beginsStatement(p.spans[i]) && p.words(p.peekAt(i+1)) == "wanted"
}

// volunteers reports whether a sentence says what volunteers and speakers know, or where they work:
// volunteers with experience in logistics, speakers from Acme.
func (p *parser) volunteers(s segment.Span, st statement) bool {
	switch p.words(s) {
	case "volunteer", "volunteers", "speaker", "speakers", "panelist", "panelists", "panellist", "panellists", "participants", "guests":
	default:
		return false
	}
	return slices.ContainsFunc(p.spans[st.from:st.to], func(o segment.Span) bool {
		return o.From >= s.To && (o.Group() == segment.GroupCompany || o.Group() == segment.GroupSkill && p.isCue(p.spanBefore(o), cue.Know))
	})
}

// spanBefore is the reading before another one.
func (p *parser) spanBefore(s segment.Span) segment.Span {
	return p.peekAt(slices.IndexFunc(p.spans, func(o segment.Span) bool { return o.From == s.From }) - 1)
}

// isOccasional lists what people are for an occasion, whatever they do otherwise.
func isOccasional(w string) bool {
	switch w {
	case "boss", "bosses", "judge", "judges", "juror", "jurors", "speaker", "speakers", "mentor", "mentors", "panelist", "panelists", "panellist", "panellists", "guest", "guests", "lecturer", "lecturers", "interviewee", "interviewees", "participant", "participants",
		"tester", "testers", "respondent", "respondents", "volunteer", "volunteers", "reviewer", "reviewers", "donor", "donors":
		return true
	}
	return false
}
