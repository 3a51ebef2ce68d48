package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// speaker reports whether the asker tells of themselves in a sentence, and the first
// reading of that.
func (p *parser) speaker(st statement) (at int, ok bool) {
	for at = st.from; at < st.to && (p.greets(p.spans[at]) || at == 1 && p.spans[1].Sense.Name == "" && p.spans[1].Type == lexicon.Filler && p.tokens[p.spans[1].From].Capital()); at++ {
	}
	if at == st.to {
		return at, false
	}
	end := p.spans[st.to-1].To
	first := p.spans[at].From
	words := make([]string, 0, 8)
	for i := first; i < end && len(words) < 8; i++ {
		words = append(words, p.tokens[i].Norm)
	}
	second := ""
	if len(words) > 1 {
		second = words[1]
	}
	switch w := words[0]; {
	case isFirstPerson(w), p.tellsWhy(p.spans[st.from].From), w == "me" && second == "and":
		return at, true
	case w == "my", w == "our":
		return at, second != "" && !isSought(second)
	case w == "this" && second == "is" && len(words) > 4 && (words[2] == "for" || words[2] == "about") && words[4] != "client" && words[4] != "customer", isIt(w) && second == "for": // this is for a jury
		return at, true
	case w == "the" && p.isOfBefore(first+1):
		return at, true
	case opensTale(w):
		return at, p.speaksLater(first+1, end) || w == "the" && isEmployer(second) && !p.beginsDemand(at) && !p.mustBe(first+2, end) || (w == "the" || w == "this" && second != "is") && !p.beginsDemand(at) && p.ofThing(first, end)
	case w == "she" || w == "he": // she was a product manager until May. Find directors
		return at, isTold(second) && p.asksSeveral(st.to) || p.ofKin(first) && !p.mustBe(first+1, end)
	case w == "many" || w == "most": // many have moved to Florida
		return at, second == "have" || second == "are" || second == "moved" || second == "live" || second == "of"
	case isIt(w) || w == "there":
		return at, second == "my" || second == "our" || p.ofThing(first, end) // it's my first year
	case w == "from": // Hello from Oslo!
		return at, at > st.from
	case w == "one":
		return at, second == "of" && len(words) > 2 && (words[2] == "my" || words[2] == "our")
	case w == "a":
		return at, second == "friend" || second == "colleague" || second == "client" || len(words) > 3 && words[2] == "of" && (words[3] == "ours" || words[3] == "mine") || p.speaksLater(first+1, min(end, first+longestSubject)) && !slices.ContainsFunc(p.spans[at:st.to], wanted)
	case takesTime(words):
		return at, true
	case p.labelled(first, end) > 0, isOffer(w) && p.tellsTerms(first+1, end):
		return at, true
	}
	if p.ofSelf(first, end) {
		return at, true
	}
	for i, w := range words[1:] { // sales director here, from a dealer in Ohio
		if w == "here" {
			next := first + i + 2
			return at, next == end || p.tokens[next].Comma() || strings.HasPrefix(p.tokens[next].Gap, ":") || p.tokens[next].Norm == "from" || p.tokens[next].Norm == "at"
		}
	}
	return at, isOccupation(words[0]) || words[0] == "working" && second == "on" || words[0] == "looking" && len(words) > 2 && second == "to" && isDeal(words[2])
}

// isOfBefore reports whether one person is named at a token who had, or has, the job that is to be
// filled: the previous manager came from Acme.
func (p *parser) isOfBefore(at int) bool {
	if at >= len(p.tokens) {
		return false
	}
	switch p.tokens[at].Norm {
	case "previous", "current", "outgoing", "last", "old", "former":
	default:
		return false
	}
	i := slices.IndexFunc(p.spans, func(s segment.Span) bool { return s.From >= at && isJob(s) })
	return i >= 0 && p.spans[i].From <= at+1 && !p.severalOf(p.spans[i]) && i+1 < len(p.spans) && p.adjoining(p.spans[i+1])
}

// isDeal lists what askers look to do of which nobody is asked for yet: looking to buy.
func isDeal(w string) bool {
	switch w {
	case "buy", "sell", "acquire", "open", "start", "expand", "move", "rent", "invest", "raise", "launch", "relocate", "take":
		return true
	}
	return false
}

// isIt reports whether a word is "it" or "it's".
func isIt(w string) bool { return w == "it" || w == "its" }

// isTold lists the verbs with which something is told of one person.
func isTold(w string) bool {
	switch w {
	case "was", "is", "has", "had", "used", "worked", "left", "runs", "ran", "studied", "lives":
		return true
	}
	return false
}

// asksSeveral reports whether people with a title in the plural are asked for from a
// reading on.
func (p *parser) asksSeveral(from int) bool {
	for i := from; i+1 < len(p.spans); i++ {
		if next, at := p.next(i + 1); p.asks(p.spans[i]) && p.severalAt(at, len(p.spans)) && next.To > 0 {
			return true
		}
	}
	return false
}

// addressed makes whom the asker greets a word that says nothing: Dear Anna, we.
func (p *parser) addressed() {
	if len(p.spans) < 3 || p.spans[1].Len() > 1 || !p.tokens[p.spans[2].From].Comma() || p.tokens[p.spans[1].From].Apart() {
		return
	}
	switch p.words(p.spans[0]) {
	case "dear", "hi", "hello", "hey", "hi there":
		if s := p.spans[1]; s.Type == segment.Unknown || s.Type == segment.Name || s.Type == segment.Named {
			p.silence(1)
		}
	}
}

// opensTale lists the words that sentences about the asker begin with, before they speak
// of themselves: after ten years at Acme I was laid off, as a nurse I.
func opensTale(w string) bool {
	switch w {
	case "as", "for", "the", "after", "being", "having", "since", "during", "until", "before", "with", "when", "while", "last", "this", "next", "every", "today", "yesterday", "recently", "to", "in", "on", "at", "by":
		return true
	}
	return false
}

// isEmployer lists whom askers look for people for: the client is a bank.
func isEmployer(w string) bool {
	switch w {
	case "client", "company", "employer", "firm", "startup", "organisation", "organization", "hospital", "school", "team", "role", "position", "job", "vacancy":
		return true
	}
	return false
}

// greets reports whether a reading greets, or leads from one sentence to the next.
func (p *parser) greets(s segment.Span) bool {
	switch p.words(s) {
	case "and", "also", "but", "because", "since", "so", "basically", "yes", "honestly", "currently", "all", "team", "there", "again", "help", "some", "need", "now":
		return s.Type != lexicon.Cue || s.Len() == 1
	case "many", "most":
		return false
	}
	return s.Type == lexicon.Filler && s.Sense.Name == "polite" && !isFirstPerson(p.tokens[s.From].Norm)
}

// speaksLater reports whether "I" or "we" stands between two tokens: as a student I am
// doing interviews with; the foundation I work for.
func (p *parser) speaksLater(from, to int) bool {
	for _, t := range p.tokens[from:max(from, to)] {
		if isFirstPerson(t.Norm) && (t.Norm != "were" || t.Text != "were") { // who were nurses
			return true
		}
	}
	return false
}

// isFirstPerson lists the words with which askers speak of themselves.
func isFirstPerson(w string) bool {
	switch w {
	case "i", "im", "ive", "id", "ill", "we", "were", "weve", "wed", "ich", "wir", "je", "nous", "notre", "unser", "unsere", "vendemos", "somos", "estamos", "vendo", "soy", "tenemos", "tengo", "trabajo", "trabajamos", "siamo", "abbiamo", "vendiamo", "jai", "mein", "meine", "nuestra", "nuestro":
		return true
	}
	return false
}

// isSought lists what askers call theirs and look for: our ideal customer, my network.
func isSought(w string) bool {
	switch w {
	case "ideal", "target", "targets", "perfect", "dream", "icp", "persona", "personas", "audience", "search", "criteria", "must", "musts", "requirement", "requirements", "wish", "wishlist", "preferred", "preference",
		"network", "connections", "contacts", "candidate", "candidates", "next", "first", "new", "former", "old", "ex", "colleagues", "coworkers", "classmates", "friends", "buyer", "buyers", "users", "customers", "prospects", "prospect", "leads", "shortlist", "list", "brief":
		return true
	}
	return false
}

// ofSelf reports whether the asker is named between two tokens without "I": American myself.
func (p *parser) ofSelf(from, to int) bool {
	return slices.ContainsFunc(p.tokens[from:to], func(t token.Token) bool { return t.Norm == "myself" || t.Norm == "ourselves" })
}

// longestLabel is how many words there may be before the colon behind a label.
const longestLabel = 4

// labelled is the token behind the colon of a label with which a sentence of the asker
// begins at a token, 0 where there is none: research project: what do nurses earn?
func (p *parser) labelled(first, end int) int {
	for at := first + 1; at < min(end, first+longestLabel+1); at++ {
		if strings.HasPrefix(p.tokens[at].Gap, ":") {
			if isLabel(p.tokens[at-1].Norm) {
				return at
			}
			return 0
		}
	}
	return 0
}

// isLabel lists what stands before a colon and what people are wanted for.
func isLabel(w string) bool {
	switch w {
	case "reason", "topics", "subject", "theme", "context", "background", "purpose", "why", "fyi", "event", "salary", "pay", "benefits", "project", "research", "thesis", "study", "topic", "goal", "question", "story", "deadline", "budget", "date", "offer", "ps":
		return true
	}
	return false
}

// isOffer lists what askers say something of that is no demand: travel is covered.
func isOffer(w string) bool {
	switch w {
	case "travel", "flights", "hotel", "accommodation", "expenses", "housing", "relocation", "salary", "pay", "wage", "wages", "budget", "compensation", "payment", "rate", "fee", "fees", "honorarium", "deadline", "contract", "interview", "interviews", "calls", "sessions",
		"start", "starting", "starts", "shifts", "everything", "it", "all", "that", "this", "answers", "participation":
		return true
	}
	return false
}

// tellsTerms reports whether what stands between two tokens says when something is, who
// pays for it and the like, and asks for nobody: is covered, take 30 minutes.
func (p *parser) tellsTerms(from, to int) bool {
	if from >= to || p.tokens[from].Apart() {
		return false
	}
	moves := p.tokens[from-1].Norm == "relocation" || p.tokens[from-1].Norm == "travel"
	switch p.tokens[from].Norm {
	case "from", "to":
		if !moves {
			return false
		}
	case "is", "are", "will", "would", "can", "take", "takes", "lasts", "last", "in", "on", "covered", "paid", "date", "negotiable", "starts", "begins", "and", "costs", "per", "of":
	default:
		return false
	}
	return !slices.ContainsFunc(p.spans, func(s segment.Span) bool {
		return s.From >= from && s.To <= to && (isJob(s) || s.Type == lexicon.PersonWord || isPlace(s) && !moves || s.Group() == segment.GroupCompany || s.Group() == segment.GroupSkill || p.asks(s) || p.negated(s) || p.isCue(s, cue.Soft))
	})
}

// isOccupation lists what askers are at: researching the history of a company.
func isOccupation(w string) bool {
	switch w {
	case "selling", "raising", "trying", "hosting", "researching", "writing", "preparing", "organising", "organizing", "planning", "compiling", "launching", "moving", "relocating", "opening", "investigating", "expanding":
		return true
	}
	return false
}

// saysWho reports whether "I am a", "we are the" and the like begin at a reading.
func (p *parser) saysWho(i int) bool {
	for at := p.spans[i].From + 1; at < len(p.tokens) && !p.tokens[at].Stop(); at++ { // journalist at a daily here
		if p.tokens[at].Norm == "here" && (at+1 == len(p.tokens) || p.tokens[at+1].Stop()) {
			return true
		}
	}
	if at := p.spans[i].From; at+2 < len(p.tokens) && p.tokens[at].Norm == "my" && isTold(p.tokens[at+2].Norm) { // my father was
		return true
	}
	if !p.filler(i) {
		return false
	}
	if next, at := p.next(i + 1); p.words(p.spans[i]) == "were" && at == i+1 && p.adjoining(next) && p.severalOf(next) { // we're reporters
		return true
	}
	words := p.words(p.spans[i])
	for n := i + 1; n < len(p.spans) && n < i+4 && len(words) < len("i used to be"); n++ {
		words += " " + p.words(p.spans[n])
	}
	for _, begin := range []string{"i am a ", "i am an ", "im not a ", "im not an ", "i am not a ", "im a ", "im an ", "i am the ", "im the ", "we are a ", "we are an ", "were a ", "were an ", "we are the ", "as a ", "my company is a ", "my name is ", "i was a ", "i was an ", "i used to be ", "i sell ", "we sell ", "selling ", "i work at ", "i work for ", "im raising ", "i am raising ", "im with ", "i am with ", "im at ", "i am at ", "im on the ", "i am on the ", "were raising ", "we are raising "} {
		if len(words) >= len(begin)-1 && (words + " ")[:len(begin)] == begin {
			return true
		}
	}
	return false
}
