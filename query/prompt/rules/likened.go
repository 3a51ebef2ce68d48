package rules

import (
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
)

// likened leaves out a company, a school or a place that others are only said to be like: at
// Netflix-era startups, Amazon-style companies, Harvard-type schools.
func (p *parser) likened(s segment.Span) bool {
	switch s.Group() {
	case segment.GroupCompany, segment.GroupSchool, segment.GroupPlace:
	case segment.GroupSkill:
		if s.Type != lexicon.Skill {
			return false
		}
	default:
		return false
	}
	if s.To == len(p.tokens) || !p.tokens[s.To].Tight() || !isLikeness(p.tokens[s.To].Norm) {
		return false
	}
	p.ignored = append(p.ignored, s)
	for p.at++; p.at < len(p.spans) && p.spans[p.at].From == s.To; p.at++ {
		p.ignored = append(p.ignored, p.spans[p.at])
	}
	p.note(likenedNote)
	return true
}

const likenedNote = "which companies are like others is not on record; say what they do, or how large they are"

// isLikeness lists the words that a hyphen joins with a name to say what others are like.
func isLikeness(w string) bool {
	switch w {
	case "era", "style", "like", "type", "esque", "inspired", "ish", "caliber", "calibre", "grade", "scale", "flavored", "flavoured", "sized":
		return true
	}
	return false
}

const (
	rivalsNote  = "who competes with whom is not on record; name the companies, or what they do"
	dealersNote = "who supplies or buys from whom is not on record; name the companies, or what they do"
)

// itsRivals passes over a company of which the rivals, or those it deals with, are spoken of:
// Acme's competitors, Acme suppliers.
func (p *parser) itsRivals(s segment.Span) bool {
	next := p.peek(1)
	if s.Group() != segment.GroupCompany || next.Len() != 1 || !p.adjoining(next) {
		return false
	}
	note := rivalsNote
	switch p.words(next) {
	case "competitors", "competitor", "rivals", "rival":
	case "suppliers", "supplier", "subcontractors", "resellers", "distributors", "customers":
		note = dealersNote
	default:
		return false
	}
	p.ignore(note, s, next)
	p.at += 2
	return true
}
