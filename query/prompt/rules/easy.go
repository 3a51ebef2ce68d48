package rules

import (
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
)

// getsOn leaves out with whom people are said to be at ease, where that is whoever has some
// title: comfortable with private equity owners, who work well with founders. What they know
// stays: comfortable with Figma.
func (p *parser) getsOn(s segment.Span) bool {
	other := s.Type == lexicon.Cue && !p.isCue(s, cue.With, cue.Know) // who worked with founders
	if other || p.tokens[s.To-1].Norm != "with" || !p.atEase(s.To-1) {
		return false
	}
	to, titles := p.at+1, false
	for to < len(p.spans) && (to == p.at+1 || !p.mark(to, p.at)) && p.ofThem(p.spans[to]) {
		titles = titles || p.spans[to].Group() == segment.GroupRole
		to++
	}
	if !titles {
		return false
	}
	for ; p.at < to; p.at++ {
		p.ignored = append(p.ignored, p.spans[p.at])
	}
	p.endScope()
	p.note("with whom somebody works well is not on record")
	return true
}

// ofThem reports whether a reading may be part of what says with whom people are at ease.
func (p *parser) ofThem(s segment.Span) bool {
	switch s.Group() {
	case segment.GroupRole, segment.GroupIndustry, segment.GroupFunction, segment.GroupCompany:
		return true
	}
	switch s.Type {
	case lexicon.Filler, lexicon.Judgement, lexicon.PersonWord, lexicon.CompanyWord, lexicon.Modifier, lexicon.Nationality, segment.Unknown:
		return !p.isWho(s)
	}
	return p.isCue(s, cue.And, cue.Or)
}

// isWho reports whether a reading begins what else is said of the people.
func (p *parser) isWho(s segment.Span) bool {
	w := p.tokens[s.From].Norm
	return w == "who" || w == "that" || w == "but"
}

// atEase reports whether the words before "with" say that somebody gets on with others.
func (p *parser) atEase(with int) bool {
	word := func(n int) string {
		if with < n {
			return ""
		}
		return p.tokens[with-n].Norm
	}
	switch word(1) {
	case "comfortable", "good", "great", "excellent", "brilliant", "credible", "confident", "patient", "diplomatic", "easy", "well", "closely", "ease", "rapport", "work", "works", "dealing", "interacting", "liaising", "liaise", "interact", "engaging":
		return true
	case "on", "along": // get on with
		w := word(2)
		return w == "get" || w == "gets" || w == "getting"
	case "working": // used to working with
		return word(2) == "to" || word(2) == "comfortable" || word(2) == "enjoy" || word(2) == "love"
	}
	return false
}

// followed leaves out by whose name a job is told of that somebody else has now, or had before:
// who replaced Jane Doe as CFO.
func (p *parser) followed(s segment.Span) bool {
	if s.Type != segment.Name && s.Type != segment.Named {
		return false
	}
	switch p.relating(s) {
	case "replaced", "replaces", "replacing", "succeeded", "succeeds", "succeeding", "successor", "successors", "predecessor", "predecessors", "over":
		p.ignore("who followed whom in a job is not on record", s)
		p.at++
		return true
	}
	return false
}

// acquainted notes where somebody is named whom others are to know.
func (p *parser) acquainted(s segment.Span) {
	if s.Type != segment.Name {
		return
	}
	switch p.relating(s) {
	case "know", "knows", "friend", "friends", "acquaintances":
		p.note("who knows whom is not on record")
	}
}

// relating is the word before a reading that relates others to it: replaced Jane Doe, friends
// of hers.
func (p *parser) relating(s segment.Span) string {
	if s.From == 0 {
		return ""
	}
	w := p.tokens[s.From-1].Norm
	if s.From > 1 && (w == "of" || w == "to" || w == "from") {
		w = p.tokens[s.From-2].Norm
	}
	return w
}
