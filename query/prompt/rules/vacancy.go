package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// hires reports whether a word of hiring stands among some readings: recruiting for a
// game studio.
func (p *parser) hires(from, to int) bool {
	for _, t := range p.tokens[p.spans[from].From:p.spans[to-1].To] {
		switch t.Norm {
		case "hire", "hires", "hiring", "recruit", "recruits", "recruiting", "recruitment", "sourcing", "vacancy", "mandate", "position", "role", "opening":
			return true
		}
	}
	return false
}

// filled makes the job to be filled words that say nothing, where a sentence behind says
// who may fill it: we're hiring our first CTO. I'd like to see people who are engineering
// directors now; a hospital wants a ward manager. Nurses with ten years in Leeds; they
// should be CFOs of banks.
func (p *parser) filled(all []statement) {
	all = p.wishes(all)
	for n := 1; n < len(all); n++ {
		at := all[n].from
		for at < all[n].to && !p.asks(p.spans[at]) && p.greets(p.spans[at]) {
			at++
		}
		if at == all[n].to {
			continue
		}
		next, i := p.next(at)
		if i < all[n].to && isFitting(p.words(next)) {
			next, i = p.next(i + 1)
		}
		people := i < all[n].to && next.Type == lexicon.PersonWord && (p.asks(p.spans[at]) || i <= at+1) || p.beginsDemand(all[n].from)
		several := (p.severalAt(i, all[n].to) || p.wereOnce(all[n], at) || p.wouldSuit(all[n], i)) && !p.saysUnwanted(all[n], i) && !p.welcomed(all[n])
		for _, st := range all[:n] {
			one := p.oneWanted(st)
			switch {
			case !slices.ContainsFunc(p.spans[st.from:st.to], isJob):
			case people && (one || p.hires(st.from, st.to) || p.isNew(st) || p.beginsDemand(all[n].from) && slices.ContainsFunc(p.spans[st.from:st.to], p.isWish)) && p.describes(min(i, all[n].to), all[n].to, p.isNew(st) || p.ofFounder(st)), several && one:
				p.forgetJob(st)
			}
		}
	}
}

// welcomed reports whether a sentence only says that those named in it will do, too: contractors
// OK.
func (p *parser) welcomed(st statement) bool {
	last := p.spans[st.to-1]
	return last.Len() == 1 && p.isCue(last, cue.Soft) && p.welcomes(last)
}

// wereOnce reports whether a sentence says at a reading what people once were: former CFO of a
// bank; where that is only preferred it says nothing of who may fill a job.
func (p *parser) wereOnce(st statement, at int) bool {
	if at+1 >= st.to || !p.isCue(p.spans[at], cue.Past) || p.spans[at+1].Group() != segment.GroupRole || p.spans[at+1].Type == lexicon.Seniority {
		return false
	}
	for _, s := range p.spans[at:st.to] {
		if t := p.tokens[s.From]; s.From > p.spans[at].From && t.Comma() {
			break
		}
		if p.isCue(s, cue.Soft) {
			return false
		}
	}
	return true
}

// wouldSuit reports whether a sentence says at a reading who would suit, of several: a retired
// accountant would suit.
func (p *parser) wouldSuit(st statement, at int) bool {
	if at >= st.to || !isJob(p.spans[at]) || !p.behindArticle(p.spans[at]) || p.spans[at].From > p.spans[st.from].From+2 {
		return false
	}
	end := p.spans[st.to-1].To
	switch strings.Join(token.Norms(p.tokens[max(0, end-2):end]), " ") {
	case "would suit", "would fit", "would do", "be ideal", "be perfect", "be great", "be fine", "would work", "suit us":
		return true
	}
	return false
}

// ofFounder reports whether a founder is wanted in a sentence, whom nobody is before: we need
// a technical co-founder.
func (p *parser) ofFounder(st statement) bool {
	return slices.ContainsFunc(p.spans[st.from:st.to], func(s segment.Span) bool { return s.Type == lexicon.Founder && !p.severalOf(s) })
}

// generic makes a word for people of any job words that say nothing, where it is said who
// they would be: potential buyers would be dentists, speakers could be engineers at Acme.
func (p *parser) generic(all []statement) {
	for _, st := range all {
		i := st.from
		if isFitting(p.words(p.spans[i])) {
			i++
		}
		if i+2 >= st.to || !p.severalOf(p.spans[i]) || !isRecipient(p.words(p.spans[i])) {
			continue
		}
		if w := p.tokens[p.spans[i].To].Norm; (w == "would" || w == "could" || w == "might" || w == "should" || w == "are") && p.describes(i+1, st.to, false) {
			p.silence(i)
		}
	}
}

// whoBuys makes a question for the customers of something words that say nothing, where
// another sentence names them: who buys robots? I'd like VPs of supply chain.
func (p *parser) whoBuys(all []statement) {
	for _, st := range all {
		if st.to < st.from+2 || p.tokens[p.spans[st.from].From].Norm != "who" {
			continue
		}
		switch p.tokens[p.spans[st.from].From+1].Norm {
		case "buys", "buy", "purchases", "orders":
			if !slices.ContainsFunc(p.spans[st.from:st.to], isJob) && (slices.ContainsFunc(p.spans[:st.from], isJob) || slices.ContainsFunc(p.spans[st.to:], isJob)) {
				p.forget(st.from, st.to, !p.placedOutside(st.from, st.to))
			}
		}
	}
}

// isRecipient lists the words for what people are to the asker, whatever their job.
func isRecipient(w string) bool {
	switch w {
	case "buyers", "clients", "customers", "users", "partners", "mentors", "advisors", "advisers", "speakers", "investors", "sponsors", "donors", "judges", "guests", "sources", "experts", "leads", "hosts", "trainers":
		return true
	}
	return false
}

// forgetJob makes a sentence about a job to be filled words that say nothing, but for where
// it is: the place behind it, else the one before.
func (p *parser) forgetJob(st statement) {
	from := st.from
	if job := slices.IndexFunc(p.spans[st.from:st.to], isJob); slices.ContainsFunc(p.spans[st.from+job:st.to], isPlace) {
		p.forget(st.from, st.from+job+1, false)
		from += job + 1
	}
	if from < st.to {
		p.forget(from, st.to, !p.placedOutside(st.from, st.to))
	}
}

// wishes cuts sentences also before what "so" begins: it needs a partner, so I'd like to
// see associates.
func (p *parser) wishes(all []statement) []statement {
	if !slices.ContainsFunc(p.tokens, func(t token.Token) bool { return t.Norm == "so" }) {
		return all
	}
	cut := make([]statement, 0, len(all)+1)
	for _, st := range all {
		for i := st.from + 1; i < st.to; i++ {
			so := p.tokens[p.spans[i].From].Norm == "so" || p.tokens[p.spans[i].From-1].Norm == "so"
			if so && p.asks(p.spans[i]) {
				cut, st.from = append(cut, statement{st.from, i}), i
			}
		}
		cut = append(cut, st)
	}
	return cut
}

// isFitting lists what stands before the people who may fill a job: suitable people are.
func isFitting(w string) bool {
	switch w {
	case "suitable", "ideal", "good", "right", "strong", "promising", "likely", "possible", "potential":
		return true
	}
	return false
}

// saysUnwanted reports whether a sentence says of those whom it names first that they are not
// wanted.
func (p *parser) saysUnwanted(st statement, first int) bool {
	return slices.ContainsFunc(p.spans[st.from:first], p.negated) || slices.ContainsFunc(p.spans[st.from:st.to], isNotWanted)
}

// severalAt reports whether a title in the plural stands at a reading, or behind the level
// of it.
func (p *parser) severalAt(from, to int) bool {
	for i := from; i < to && (i == from || p.adjoining(p.spans[i])); i++ {
		if s := p.spans[i]; p.severalOf(s) {
			return true
		} else if !s.Is(lexicon.Seniority, lexicon.Modifier) {
			return false
		}
	}
	return false
}

// severalOf reports whether a reading is a title in the plural: CFOs, heads of sales.
func (p *parser) severalOf(s segment.Span) bool {
	if s.Group() != segment.GroupRole || s.Is(lexicon.Seniority, lexicon.Leader) {
		return false
	}
	last := s.To - 1
	for at := s.From; at < last; at++ {
		if w := p.tokens[at+1].Norm; w == "of" || w == "for" {
			last = at
		}
	}
	return strings.HasSuffix(p.tokens[last].Norm, "s")
}

// oneWanted reports whether a sentence wants one person for a job: a CFO, my first sales
// lead, and no several.
func (p *parser) oneWanted(st statement) bool {
	one := false
	for i := st.from + 1; i < st.to; i++ {
		s, before := p.spans[i], p.spans[i-1]
		if s.Group() != segment.GroupRole {
			continue
		}
		if p.severalOf(s) {
			return false
		}
		t := p.tokens[before.To-1]
		w := t.Norm
		one = one || (t.Article() || w == "first" || w == "next" || w == "new" || p.isWish(before)) && slices.ContainsFunc(p.spans[st.from:i], p.isWish)
	}
	return one
}

// isWish reports whether a reading says that somebody is wanted: we need, wants.
func (p *parser) isWish(s segment.Span) bool {
	return s.Type == lexicon.Filler && s.Sense.Name == "want"
}

// isNew reports whether a sentence is about a job that nobody has yet: our first lawyer.
func (p *parser) isNew(st statement) bool {
	return slices.ContainsFunc(p.spans[st.from:st.to], func(s segment.Span) bool { return isNewJob(p.words(s)) })
}

// isNewJob lists what stands before a job that nobody has yet.
func isNewJob(w string) bool {
	switch w {
	case "our first", "my first", "our very first", "our next", "my next":
		return true
	}
	return false
}

// describes reports whether readings say what people do who are wanted for another job:
// what they are now or should be or, for a job that nobody has, what else they do.
func (p *parser) describes(from, to int, isNew bool) bool {
	now := isNew
	for i := from; i < to; i++ {
		s := p.spans[i]
		switch w := p.words(s); {
		case p.negated(s):
			return false
		case p.isCue(s, cue.Now) || w == "currently" || w == "are" || w == "be" || strings.HasSuffix(w, " are") || strings.HasSuffix(w, " is") || strings.HasSuffix(w, " be"):
			now = true
		case isJob(s) && !s.Is(lexicon.Seniority, lexicon.Leader), isNew && s.InGroup(segment.GroupCompany, segment.GroupIndustry):
			return now
		case s.Type == segment.Unknown && w != "either" || p.isCue(s, cue.Any) && !strings.HasSuffix(w, "former") || p.isCue(s, cue.In, cue.At, cue.From, cue.With, cue.Know, cue.Lives):
			now = isNew
		}
	}
	return false
}

// missing restores the job that the asker told of, where no other is asked for, and where it
// is: our bookkeeper is leaving, so we need someone in Cork; we're a studio in Oslo and ready
// for our first CFO.
func (p *parser) missing(was []segment.Span) {
	if slices.ContainsFunc(p.spans, func(s segment.Span) bool { return s.Group() == segment.GroupRole || p.isCue(s, cue.Leads) }) {
		return
	}
	at := slices.IndexFunc(was, func(s segment.Span) bool { return isJob(s) && s.Type != lexicon.Seniority && p.isGone(s) })
	if at < 0 {
		at = p.newJob(was)
	}
	if at < 0 {
		return
	}
	placed := slices.ContainsFunc(p.spans, isPlace)
	for i := at; i < len(was) && (i == at || isJob(was[i]) && p.adjoining(was[i])); i++ {
		p.spans[i] = was[i]
	}
	for i := 0; i < len(was) && !placed && !slices.ContainsFunc(p.tokens, isEvent); i++ {
		if isPlace(was[i]) && !p.leavesPlace(was[i], i+1) {
			p.spans[i] = was[i]
		}
	}
}

// newJob is the reading of a job that the asker has for the first time: our first CFO; -1
// where there is none.
func (p *parser) newJob(was []segment.Span) int {
	for i := 1; i < len(was); i++ {
		if isNewJob(p.words(was[i-1])) && isJob(was[i]) {
			return i
		}
	}
	return -1
}

// isGone reports whether the words beside a title say that its holder has left: has lost
// their controller, our nurse retires.
func (p *parser) isGone(s segment.Span) bool {
	if s.Group() == segment.GroupRole && p.severalOf(s) {
		return false
	}
	for i := max(0, s.From-3); i < s.From; i++ {
		switch p.tokens[i].Norm {
		case "lost", "lose", "losing", "replace", "replacing", "without":
			return true
		}
	}
	for i := s.To; i < min(len(p.tokens), s.To+4) && p.adjoins(i); i++ {
		switch p.tokens[i].Norm {
		case "who", "that": // an accountant who has retired
			return false
		case "left", "leaving", "leaves", "quit", "goes", "going", "resigned", "retired", "retires", "retiring", "away":
			return true
		}
	}
	return false
}

// departed makes words that say nothing of a sentence about somebody who has left, where
// another one says who is wanted: our QA lead goes on leave. We need a test engineer.
func (p *parser) departed(all []statement) {
	for _, st := range all {
		gone := slices.ContainsFunc(p.spans[st.from:st.to], func(s segment.Span) bool { return s.Group() == segment.GroupRole && p.isGone(s) })
		if gone && !slices.ContainsFunc(p.spans[st.from:st.to], p.asks) && (slices.ContainsFunc(p.spans[:st.from], isJob) || slices.ContainsFunc(p.spans[st.to:], isJob)) {
			p.forget(st.from, st.to, !p.placedOutside(st.from, st.to))
		}
	}
}
