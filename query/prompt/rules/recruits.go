package rules

import (
	"slices"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/segment"
)

// recruits reports whether a verb of hiring says who is looked for: who hires nurses at
// Kaiser, people who recruit engineers. Of somebody named before it says whom they hire, and
// without "who" it may be the asker that hires.
func (p *parser) recruits(s segment.Span) bool {
	switch p.words(s) {
	case "who hires", "who hire", "who recruits", "who recruit", "that hire", "that recruit":
	case "hiring", "recruiting": // people hiring engineers
		if p.peek(-1).Type != lexicon.PersonWord || !p.adjoining(s) {
			return false
		}
	default:
		return false
	}
	next, _ := p.next(p.at + 1)
	said := slices.ContainsFunc(p.facts, func(f fact) bool { return f.group() != segment.GroupPlace })
	return !said && p.peek(-1).Type != lexicon.CompanyWord && next.Group() == segment.GroupRole && p.adjoining(next)
}

// recruiters asks for those whose job it is to hire others.
func recruiters() fact {
	return fact{name: query.FilterPosition, values: []string{"recruiter", `"talent acquisition"`, "recruitment", "recruiting", `"talent partner"`, "headhunter"}}
}
