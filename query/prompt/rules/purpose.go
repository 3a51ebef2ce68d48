package rules

import (
	"slices"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// purpose leaves out what people are wanted for: for an upcoming roundtable on
// payments, for our redesign, to a workshop. It reports whether "for" or "to" at the
// present reading begins that.
func (p *parser) purpose() bool {
	from := p.spans[p.at].To
	at := from
	for at < len(p.tokens) && at < from+3 && p.within(at) && introduces(p.tokens[at].Norm) {
		at++
	}
	if at > from {
		at = p.occasionBehind(at)
	}
	if w := p.words(p.spans[p.at]); w != "for" && w != "to" || at == from || at == len(p.tokens) || !isOccasion(p.tokens[at].Norm) || !p.clauseEnds(at+1) {
		return false
	}
	for ; p.at < len(p.spans) && p.spans[p.at].From <= at; p.at++ {
		p.ignored = append(p.ignored, p.spans[p.at])
	}
	p.at--
	if !p.aboutTopic() {
		p.at++
	}
	if end := p.seatOfAsker(p.at); end > p.at { // for a hearing in Bern
		p.ignored = append(p.ignored, p.spans[p.at:end]...)
		p.at = end
	}
	return true
}

// longestOccasion is how many words may say which occasion people are wanted for.
const longestOccasion = 5

// occasionBehind is the token of the event that the words from a token on say more of: our
// women in tech conference. Where there is none, it is that token.
func (p *parser) occasionBehind(at int) int {
	for i := at; i < min(at+longestOccasion, len(p.tokens)) && (i == at || p.adjoins(i)); i++ {
		switch w := p.tokens[i].Norm; {
		case isEvent(p.tokens[i]) && p.clauseEnds(i+1):
			return i
		case w == "who" || w == "that" || w == "with" || p.tokens[i].Article():
			return at
		}
	}
	return at
}

// employer leaves out whom the asker needs people for, but for the place: a manager for
// our new bike shop in Ghent, a position at our clinic. It reports whether "for" or "at"
// at the present reading begins that.
func (p *parser) employer() bool {
	at := p.askersAt(p.at + 1)
	if at < 0 {
		return false
	}
	end := at + 1
	for ; end < len(p.spans) && p.adjoining(p.spans[end]) && p.adjoins(p.spans[end].From) && p.spans[end].Type != lexicon.Cue && !isPlace(p.spans[end]); end++ {
		if wanted(p.spans[end]) && !isWorkplace(p.words(p.spans[end])) {
			return false
		}
	}
	if end == at+1 {
		return false
	}
	end = p.seatOfAsker(end)
	p.ignored = append(p.ignored, p.spans[p.at:end]...)
	p.at = end
	return true
}

// askersAt is the reading behind a preposition that says whose something is, the asker's: our
// clinic, the ICU of our hospital; -1 where there is none.
func (p *parser) askersAt(first int) int {
	found := -1
	for n := first; n < min(len(p.spans), first+5) && p.adjoining(p.spans[n]) && !wanted(p.spans[n]); n++ {
		if isAskers(p.words(p.spans[n])) && (n == first || p.isCue(p.spans[n-1], cue.Of)) {
			found = n
		}
	}
	return found
}

// marketFollows reports whether a place behind "for" is a market: a sales manager for the US
// market.
func (p *parser) marketFollows() bool {
	next, at := p.next(p.at + 1)
	behind := p.peekAt(at + 1)
	if next.Group() != segment.GroupPlace || !p.adjoining(behind) {
		return false
	}
	switch p.words(behind) {
	case "market", "markets", "region", "territory", "business", "expats", "customers", "clients", "families", "patients", "taxpayers", "tourists", "visitors", "travellers", "travelers", "residents", "users", "consumers", "audiences", "guests":
		return true
	}
	return false
}

// isWorkplace lists the words for where people work that are a field of work as well.
func isWorkplace(w string) bool {
	switch w {
	case "brand", "brands", "factory", "plant", "warehouse", "kitchen", "lab", "laboratory":
		return true
	}
	return false
}

// seatOfAsker is the reading behind the place of the asker's company that is named at a
// reading, where it is said elsewhere where people live: for our clinic in Baltimore. They
// must live in Maryland.
func (p *parser) seatOfAsker(at int) int {
	end := at + 1
	if end >= len(p.spans) || !p.adjoining(p.spans[at]) || !p.isCue(p.spans[at], cue.In, cue.Near) || !isPlace(p.spans[end]) {
		return at
	}
	for end < len(p.spans) && isPlace(p.spans[end]) && !p.beginsStatement(p.spans[end]) {
		end++
	}
	if slices.ContainsFunc(p.spans[end:], isPlace) || slices.ContainsFunc(p.facts, func(f fact) bool { return f.group() == segment.GroupPlace && !f.not }) {
		return end
	}
	return at
}

// isAskers lists the words for what is the asker's.
func isAskers(w string) bool {
	switch w {
	case "our", "my", "unser", "unsere", "unseren", "unserem", "notre", "nuestra", "nuestro", "our first", "my first", "our next":
		return true
	}
	return false
}

// within reports whether neither a mark nor a bracket stands before a token.
func (p *parser) within(at int) bool {
	return p.adjoins(at) && !p.tokens[at].Opens()
}

// clauseEnds reports whether the prompt, a clause or an entry of a list ends before a
// token: "for a project" does before "in Bern", not before "manager".
func (p *parser) clauseEnds(at int) bool {
	if at == len(p.tokens) || !p.within(at) {
		return true
	}
	for _, s := range p.spans {
		if s.From == at {
			return s.Is(lexicon.Cue, lexicon.Filler)
		}
	}
	return false
}

// introduces lists what stands between "for" and an occasion.
func introduces(w string) bool {
	switch w {
	case "a", "an", "our", "my", "the", "this", "their", "upcoming", "next", "new", "annual", "first", "big", "small", "future", "potential", "possible", "virtual", "private", "internal", "company":
		return true
	}
	return false
}

// isOccasion reports whether a word is for something that people are wanted for, and
// that nobody works at.
func isOccasion(w string) bool {
	switch w {
	case "roundtable", "panel", "podcast", "conference", "webinar", "event", "events", "dinner", "summit", "meetup", "workshop", "workshops", "hackathon", "interview", "interviews", "survey", "study",
		"project", "article", "story", "report", "book", "redesign", "relaunch", "launch", "rebrand", "newsletter", "documentary", "campaign", "pilot", "offsite", "retreat", "tender", "bid", "proposal", "gala", "fundraiser", "arbitration", "lawsuit", "trial", "hearing", "grant", "prize", "award", "jury", "festival", "congress", "symposium",
		"thesis", "dissertation", "talk", "keynote", "lecture", "course", "training", "bootcamp", "mentorship", "partnership", "collaboration", "acquisition", "expansion", "migration", "role", "position", "vacancy", "opening":
		return true
	}
	return false
}

// isEvent reports whether a word is for what takes place where nobody need live.
func isEvent(t token.Token) bool {
	switch t.Norm {
	case "conference", "summit", "event", "meetup", "dinner", "panel", "trip", "visit", "visiting", "travelling", "traveling", "workshop", "festival", "congress", "symposium":
		return true
	}
	return false
}
