package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// statement is a sentence of a prompt: its readings from up to to.
type statement struct{ from, to int }

// statements cuts a prompt into its sentences.
func (p *parser) statements() (all []statement) {
	from := 0
	for i := 1; i <= len(p.spans); i++ {
		if i == len(p.spans) || p.beginsStatement(p.spans[i]) || p.tokens[p.spans[i].From].Dash() || p.tellsBehindColon(p.spans[i]) || p.tellsWhy(p.spans[i].From) || p.butThing(p.spans[i].From) {
			all, from = append(all, statement{from, i}), i
		}
	}
	return all
}

// letterhead makes words that say nothing of a first sentence without a verb that says what
// company the asker's is: series B fintech in Bern. We want to hire a nurse.
func (p *parser) letterhead(all []statement) {
	if len(all) < 2 {
		return
	}
	st, next := all[0], all[1]
	subject, ok := p.speaker(next)
	if !ok || p.tokens[p.spans[subject].From].Norm != "we" || p.wish(next, subject) < 0 {
		return
	}
	one := func(s segment.Span) bool {
		return (s.Group() == segment.GroupIndustry || s.Type == lexicon.CompanyWord) && !strings.HasSuffix(p.tokens[s.To-1].Norm, "s")
	}
	more := func(s segment.Span) bool {
		return wanted(s) || p.asks(s) || p.isCue(s, cue.At, cue.With, cue.Not, cue.From) || p.isWho(s) || p.negated(s)
	}
	if whole := p.spans[st.from:st.to]; slices.ContainsFunc(whole, one) && !slices.ContainsFunc(whole, more) && slices.ContainsFunc(p.spans[next.from:next.to], isJob) {
		p.forget(st.from, st.to, !p.placedOutside(st.from, st.to))
	}
}

// employerSeeks makes words that say nothing of who is said to look for somebody: the board
// of a housing association in Glasgow seeks a treasurer. The place stays, where no other is
// named.
func (p *parser) employerSeeks(st statement) {
	want := p.wish(st, st.from)
	if want <= st.from || !slices.ContainsFunc(p.spans[want:st.to], isJob) {
		return
	}
	switch w, _, _ := strings.Cut(p.words(p.spans[want]), " "); w {
	case "seeks", "needs", "wants", "is", "seek", "requires":
	default:
		return
	}
	before := p.spans[st.from:want]
	employs := func(s segment.Span) bool {
		return s.Group() == segment.GroupIndustry || s.Group() == segment.GroupCompany || s.Type == lexicon.CompanyWord
	}
	if slices.ContainsFunc(before, employs) && !slices.ContainsFunc(before, func(s segment.Span) bool { return wanted(s) || p.negated(s) || p.isWho(s) }) {
		p.forget(st.from, want, !p.placedOutside(st.from, want))
	}
}

// tellsBehindColon reports whether the asker tells of themselves from a reading on, behind a
// colon: looking for a mentor: I'm a manager at Acme.
func (p *parser) tellsBehindColon(s segment.Span) bool {
	t := p.tokens[s.From]
	return strings.HasPrefix(t.Gap, ":") && isFirstPerson(t.Norm) && !isLabel(p.tokens[s.From-1].Norm)
}

// background makes words that say nothing of the sentences in which the asker tells of
// themselves, and of what stands before the wish in others: we sell gloves; for our
// new clinic we want to hire nurses. The place stays, where no other is named.
func (p *parser) background(all []statement) {
	p.letterhead(all)
	for _, st := range all {
		subject, ok := p.speaker(st)
		if !ok {
			p.employerSeeks(st)
			continue
		}
		if so := p.therefore(st, subject); so > 0 {
			p.forget(st.from, so, false)
		} else if want := p.wish(st, subject); want < 0 || p.namesEmployer(st, subject, want) {
			p.forgetTale(st, subject)
		} else if p.beforeWish(st, subject, want) {
			stays := !p.saysWho(subject) || p.needs(want)
			p.forget(st.from, want, stays && !p.placedOutside(st.from, want))
		}
	}
}

// therefore is the reading with which a sentence of the asker goes on to whom they want, who
// is named only there: we want to catch up with airlines, so product people at Acme. It is
// -1 where there is none.
func (p *parser) therefore(st statement, subject int) int {
	for i := subject + 1; i < st.to; i++ {
		t := p.tokens[p.spans[i].From]
		if t.Norm == "so" && t.Comma() && i+1 < st.to && !p.asks(p.spans[i]) && wanted(p.spans[i+1]) && !slices.ContainsFunc(p.spans[st.from:i], wanted) {
			return i
		}
	}
	return -1
}

// beforeWish reports whether what stands before a wish is about the asker: no negation of
// it, nor whom it is for (the nurses we need).
func (p *parser) beforeWish(st statement, subject, want int) bool {
	before := p.spans[st.from:want]
	whom := p.tokens[p.spans[subject].From].Norm == "the" && slices.ContainsFunc(before, isJob) && !slices.ContainsFunc(p.spans[want:st.to], isJob)
	return want > st.from && !whom && !slices.ContainsFunc(before, func(s segment.Span) bool {
		return p.negated(s) && !p.cannotFind(s) && !p.concludes(s.To, p.spans[want].From)
	})
}

// concludes reports whether a clause of its own ends between two tokens: my son won't take over, so
// we need.
func (p *parser) concludes(from, to int) bool {
	return slices.ContainsFunc(p.tokens[from:to+1], func(t token.Token) bool { return t.Comma() || t.Norm == "so" })
}

// cannotFind reports whether what is negated at a reading is that the asker finds somebody, or
// has them: we can't find welders, so we're looking for fitters.
func (p *parser) cannotFind(s segment.Span) bool {
	if s.To == len(p.tokens) {
		return false
	}
	switch p.tokens[s.To].Norm {
	case "find", "have", "get", "afford", "manage", "keep":
		return true
	}
	return false
}

// forgetTale makes a sentence about the asker words that say nothing, up to where it is
// about others, if somebody is asked for elsewhere.
func (p *parser) forgetTale(st statement, subject int) {
	end := p.taleEnd(st)
	if want := p.desires(st, subject); want > subject && want < end {
		end = want
	}
	if end == st.from || !p.askedOutside(st, subject) && (end == st.to || !strings.HasPrefix(p.tokens[p.spans[end].From].Gap, ":")) {
		return
	}
	p.forget(st.from, end, p.placeStays(st, subject) && !p.placedOutside(st.from, end))
}

// needs reports whether a wish is for somebody to work with, who is where the asker is:
// we need nurses, looking for a CTO; not for those to hear, or to write about.
func (p *parser) needs(want int) bool {
	s := p.spans[want]
	return slices.ContainsFunc(p.tokens[s.From:s.To], func(t token.Token) bool {
		switch t.Norm {
		case "need", "needs", "hire", "hiring", "recruit", "recruiting", "suchen", "suche", "cherche", "cherchons", "recherchons", "busco", "buscamos":
			return true
		case "looking", "searching", "seeking":
			return s.To < len(p.tokens) && (p.tokens[s.To].Article() || p.tokens[s.To].Norm == "our" || isFew(p.tokens[s.To]))
		}
		return false
	})
}

// isFew reports whether a token says how many of somebody there are to be: two, 3.
func isFew(t token.Token) bool {
	switch t.Norm {
	case "one", "two", "three", "four", "five", "six":
		return true
	}
	return t.Kind == token.Number && len(t.Norm) == 1
}

// desires is where a sentence begins to say in other words whom the asker wants, -1 where
// it does not: I would like to get hold of people who left Acme.
func (p *parser) desires(st statement, subject int) int {
	at := -1
	for i := subject; i < st.to; i++ {
		last := p.tokens[p.spans[i].To-1]
		before := p.tokens[max(0, p.spans[i].To-3):p.spans[i].To]
		switch {
		case at >= 0 && (p.spans[i].Type == lexicon.PersonWord || isJob(p.spans[i]) && (p.severalOf(p.spans[i]) || p.spans[i].Group() == segment.GroupFunction || p.tokens[p.spans[i-1].To-1].Article())):
			return at
		case isDesire(last.Norm) && slices.ContainsFunc(before, func(t token.Token) bool { return isFirstPerson(t.Norm) }):
			at = i
		}
	}
	return -1
}

// isDesire lists the verbs of wishes.
func isDesire(w string) bool {
	switch w {
	case "want", "like", "love", "need", "wish", "hope", "hoping", "trying", "looking", "searching", "seeking", "interested", "keen", "require", "seek":
		return true
	}
	return false
}

// namesEmployer reports whether a wish to hire says for whom, and another sentence who:
// I'm recruiting for a game studio.
func (p *parser) namesEmployer(st statement, subject, want int) bool {
	return p.hires(st.from, want+1) && p.askedOutside(st, subject) && !slices.ContainsFunc(p.spans[want:st.to], wanted)
}

// wish is the first reading of a sentence, from a reading on, that begins what the asker
// wants of people, -1 where there is none: we want to sponsor hackathons, so looking for
// speakers.
func (p *parser) wish(st statement, from int) int {
	for i := from; i < st.to; i++ {
		s := p.spans[i]
		if w := p.tokens[s.To-1].Norm; w == "job" || w == "work" { // looking for a job in sales
			continue
		}
		if !p.asks(s) || i+1 == st.to || p.ownAim(s.To) || p.tokens[s.To].Norm == "to" || !slices.ContainsFunc(p.spans[i+1:st.to], says) {
			continue
		}
		before := ""
		if i > st.from {
			before = p.words(p.spans[i-1])
		}
		if s.Sense.Name == "find" && (before == "to" || s.Len() > 1) || s.Sense.Name != "find" && before != "who" && before != "that" {
			return i
		}
	}
	return -1
}

// ownAim reports whether what stands at a token is what the asker wants to become: a career
// in logistics.
func (p *parser) ownAim(at int) bool {
	for i := at; i < min(at+3, len(p.tokens)) && p.adjoins(i); i++ {
		switch p.tokens[i].Norm {
		case "career", "careers", "life", "change", "way", "future", "internship", "apprenticeship", "traineeship", "placement", "scholarship":
			return true
		}
	}
	return false
}

// says reports whether a reading is more than grammar.
func says(s segment.Span) bool {
	return s.Type != lexicon.Filler && s.Type != lexicon.Cue && s.Type != lexicon.PersonWord
}

// wanted reports whether a reading is of who is wanted: a job, or people.
func wanted(s segment.Span) bool { return isJob(s) || s.Type == lexicon.PersonWord }

// isArticle reports whether a token is "a" or "an".
func (p *parser) isArticle(at int) bool {
	return at < len(p.tokens) && p.tokens[at].Article()
}

// beginsDemand reports whether a reading begins what is demanded of those who are wanted:
// they must speak Dutch, should be nurses.
func (p *parser) beginsDemand(at int) bool {
	from := p.spans[at].From
	if w := p.tokens[from].Norm; (w == "so" || w == "and" || w == "the" || w == "ideal") && from+1 < len(p.tokens) {
		from++
	}
	switch p.tokens[from].Norm {
	case "you":
		return p.mustBe(from+1, len(p.tokens))
	case "they", "candidates", "applicants", "theyd", "candidate", "applicant", "person", "she", "he", "shed", "hed", "should", "must":
		return true
	}
	return false
}

// butTheJob reports whether what stands at a token tells something else of the job that is to be
// filled than of the asker: we're in Bern and Basel, but this role is in Geneva.
func (p *parser) butTheJob(at int) bool {
	return at+2 < len(p.tokens) && p.tokens[at].Norm == "but" && (p.tokens[at+1].Norm == "this" || p.tokens[at+1].Norm == "the") && isEmployer(p.tokens[at+2].Norm)
}

// negated reports whether a reading turns the wish round that it stands before: we do
// not want.
func (p *parser) negated(s segment.Span) bool {
	switch p.words(s) {
	case "not", "dont", "do not", "never", "no", "cannot", "cant", "without":
		return true
	}
	return p.isCue(s, cue.Not, cue.NotAt)
}

func isPlace(s segment.Span) bool { return s.Group() == segment.GroupPlace }

func isSchool(s segment.Span) bool { return s.Group() == segment.GroupSchool }

// askedOutside reports whether other sentences ask for somebody: for a job, where this
// one names one that need not be the asker's.
func (p *parser) askedOutside(st statement, subject int) bool {
	asked := false
	for i, s := range p.spans {
		if i >= st.from && i < st.to {
			continue
		}
		if isJob(s) && !p.leftOut(i) {
			return true
		}
		asked = asked || p.asks(s) && !p.again(s.To) || s.Type == lexicon.PersonWord || s.Type == lexicon.Filler && (s.Sense.Name == "network" || s.Sense.Name == "introduce") ||
			(i == 0 || p.beginsStatement(s)) && (p.tokens[s.From].Norm == "who" || p.tokens[s.From].Norm == "which")
	}
	here := func(s segment.Span) bool { return s.To < len(p.tokens) && p.tokens[s.To].Norm == "here" } // student here
	told := func(s segment.Span) bool { return isJob(s) && !p.isGone(s) && !here(s) && !isWorkplace(p.words(s)) }
	return asked && (p.saysWho(subject) || p.hiredBefore(subject) || !slices.ContainsFunc(p.spans[st.from:st.to], told))
}

// hiredBefore reports whether the asker says from a reading on whom they once hired: last year
// we hired an analyst.
func (p *parser) hiredBefore(subject int) bool {
	from := p.spans[subject].From
	for at := from + 1; at < len(p.tokens) && at <= from+longestSubject && !p.tokens[at].Stop(); at++ {
		switch p.tokens[at].Norm {
		case "hired", "employed", "interviewed":
			return isFirstPerson(p.tokens[at-1].Norm)
		}
	}
	return false
}

// again reports whether a pronoun at a token is for those who were told of before: find them.
func (p *parser) again(at int) bool {
	return at < len(p.tokens) && (p.tokens[at].Norm == "them" || p.tokens[at].Norm == "him" || p.tokens[at].Norm == "her")
}

// leftOut reports whether a negation stands right before a reading.
func (p *parser) leftOut(at int) bool {
	return slices.ContainsFunc(p.spans[max(0, at-2):at], p.negated)
}

// ownLack reports whether what is negated at a reading is what the asker has not: I am a
// lawyer, no tech background.
func (p *parser) ownLack(st statement, at int) bool {
	if !p.negated(p.spans[at]) || !isFirstPerson(p.tokens[p.spans[st.from].From].Norm) {
		return false
	}
	if w := p.tokens[p.spans[at].From].Norm; (w == "nobody" || w == "noone" || w == "none") && slices.ContainsFunc(p.tokens[p.spans[st.from].From:p.spans[at].From], func(t token.Token) bool { return t.Norm == "have" || t.Norm == "got" }) {
		return true // we have a product but nobody who sells it
	}
	for i := p.spans[at].To; i < p.spans[st.to-1].To && p.adjoins(i); i++ {
		switch p.tokens[i].Norm {
		case "background", "experience", "idea", "clue", "time", "budget", "contacts", "network", "knowledge", "degree", "money", "luck":
			return true
		}
	}
	return false
}

// taleEnd is where what the asker tells ends in a sentence: before a colon and whom
// they want, before somebody who is not wanted, or only preferred.
func (p *parser) taleEnd(st statement) int {
	w := p.tokens[p.spans[st.from].From].Norm
	theirs := w == "our" || w == "my" // our CFO didn't stay
	if p.negated(p.spans[st.from]) {  // we don't want
		return st.from
	}
	label := p.labelled(p.spans[st.from].From, p.spans[st.to-1].To)
	for i := st.from + 1; i < st.to; i++ {
		if p.spans[i].From == label || p.ownLack(st, i) {
			continue
		}
		switch t := p.tokens[p.spans[i].From]; {
		case strings.HasPrefix(t.Gap, ":") && slices.ContainsFunc(p.spans[i:st.to], isJob):
			return i
		case !theirs && i < st.from+3 && p.negated(p.spans[i]) && !p.isArticle(p.spans[i].To-1) && !p.isArticle(p.spans[i].To): // I do not want, but I'm not a recruiter
			return st.from
		case t.Comma() && (p.beginsDemand(i) || p.butTheJob(p.spans[i].From)):
			return i
		case t.Comma() && p.isCue(p.spans[i], cue.Soft), (t.Comma() || p.words(p.spans[i-1]) == "but") && p.negated(p.spans[i]):
			return i
		}
	}
	return st.to
}
