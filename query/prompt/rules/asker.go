package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/rules/token"
)

// aboutAsker makes what the asker says of themselves words that say nothing:
// "we are a small startup looking for engineers".
func (p *parser) aboutAsker() {
	p.frame()
	p.preamble()
	p.vacancy()
	for i := range p.spans {
		if !p.saysWho(i) {
			continue
		}
		end := i + 1
		for end < len(p.spans) && !p.asks(p.spans[end]) && !p.beginsStatement(p.spans[end]) && !strings.HasPrefix(p.tokens[p.spans[end].From].Gap, ":") {
			end++
		}
		if end == len(p.spans) && !p.askedBefore(i) {
			return // nobody else is asked for
		}
		p.forget(i, min(end, p.entryEnd(i, end)), false)
	}
}

// askedBefore reports whether a sentence before a reading has asked for somebody.
func (p *parser) askedBefore(at int) bool {
	return p.beginsStatement(p.spans[at]) && slices.ContainsFunc(p.spans[:at], p.asks) && slices.ContainsFunc(p.spans[:at], isJob)
}

// describesSomebody reports whether who is wanted is said from a reading on: someone
// who is a director, former COOs.
func (p *parser) describesSomebody(at int) bool {
	switch s := p.spans[at]; {
	case s.Type == lexicon.PersonWord:
		return slices.ContainsFunc(p.spans[at:], isJob)
	case p.isCue(s, cue.Past) && at+1 < len(p.spans):
		return isJob(p.spans[at+1])
	default:
		return isJob(s) && s.Type != lexicon.Seniority && strings.HasPrefix(p.tokens[s.From].Gap, ":")
	}
}

// entryEnd is where what the asker says of themselves ends in the last sentence: before
// a comma and what is only preferred.
func (p *parser) entryEnd(from, to int) int {
	for i := from + 1; i < to; i++ {
		if p.tokens[p.spans[i].From].Comma() && p.isCue(p.spans[i], cue.Soft) {
			return i
		}
	}
	return to
}

// vacancy makes the job to be filled words that say nothing, where behind a dash or a
// colon it is said who is wanted for it: our next VP of Marketing - someone who is a
// director now; our fund is looking for operating partners: former COOs.
func (p *parser) vacancy() {
	at := slices.IndexFunc(p.spans, func(s segment.Span) bool {
		gap := p.tokens[s.From].Gap
		return strings.HasPrefix(gap, ":") || strings.ContainsAny(gap, "-–—") && p.tokens[s.From].Spaced
	})
	if at < 1 || !p.beginsWithAsker() || !slices.ContainsFunc(p.spans[:at], p.asks) || !slices.ContainsFunc(p.spans[:at], isJob) || !p.describesSomebody(at) {
		return
	}
	isPlace := func(s segment.Span) bool { return s.Group() == segment.GroupPlace }
	p.forget(0, at, !slices.ContainsFunc(p.spans[at:], isPlace))
}

// forget makes readings words that say nothing, but for the place where it counts, and
// for what the words behind come back to: of Acme, who left the company; who work there.
func (p *parser) forget(from, to int, place bool) {
	rest := strings.Join(token.Norms(p.tokens[p.spans[to-1].To:]), " ") + " "
	there := strings.Contains(rest, " there ") && !strings.Contains(rest, "are there ") && !strings.Contains(rest, "is there ")
	company := there || strings.Contains(rest, "left the company ")
	kept := func(s segment.Span) bool {
		named := s.Type == segment.Address || s.Group() == segment.GroupCompany && p.tokens[s.From].Capital()
		return company && named || (place || there) && s.Group() == segment.GroupPlace
	}
	for i := from; i < to; i++ {
		s := &p.spans[i]
		if before := s.Type == lexicon.Cue && i+1 < to && kept(p.spans[i+1]); !before && !kept(*s) {
			s.Type, s.Sense = lexicon.Filler, lexicon.Sense{Type: lexicon.Filler}
		}
	}
}

// beginsStatement reports whether a sentence begins at a reading, or what stands behind
// a semicolon: I am a reporter; who leads research at Acme?
func (p *parser) beginsStatement(s segment.Span) bool {
	return strings.ContainsAny(p.tokens[s.From].Gap, ".!?;\n")
}

// frame makes what stands before a colon words that say nothing, where they say what
// the asker wants the people for: speakers for a conference in Lisbon: founders of
// payments companies.
func (p *parser) frame() {
	colon := slices.IndexFunc(p.spans, func(s segment.Span) bool { return strings.HasPrefix(p.tokens[s.From].Gap, ":") })
	if colon < 1 || colon > longestFrame || !slices.ContainsFunc(p.spans[:colon], p.isPurpose) {
		return
	}
	if !slices.ContainsFunc(p.spans[colon:], isJob) {
		return
	}
	for i := range colon {
		p.spans[i].Type, p.spans[i].Sense = lexicon.Filler, lexicon.Sense{Type: lexicon.Filler}
	}
}

// preamble makes what the asker says of themselves, up to what they want, words that
// say nothing, but for the place, where no other is named: we are opening an office in
// Lisbon and need a country manager.
func (p *parser) preamble() {
	want := p.firstAsk()
	if want < 1 || want == len(p.spans)-1 || !p.beginsWithAsker() {
		return
	}
	said := func(s segment.Span) bool { return s.Group() != segment.GroupOther }
	isPlace := func(s segment.Span) bool { return s.Group() == segment.GroupPlace }
	something := func(s segment.Span) bool { return s.Type != lexicon.Filler && s.Type != lexicon.Cue } // could you list them
	if !slices.ContainsFunc(p.spans[want:], something) || !slices.ContainsFunc(p.spans[:want], said) || slices.ContainsFunc(p.spans[p.greeting()+1:want], p.beginsStatement) {
		return
	}
	elsewhere := slices.ContainsFunc(p.spans[want:], isPlace) || slices.ContainsFunc(p.tokens[:p.spans[want].From], isEvent)
	p.forget(0, want, !elsewhere)
}

// firstAsk is the first reading that begins what is wanted of people, -1 where there is
// none: we want to sponsor hackathons, so looking for speakers.
func (p *parser) firstAsk() int {
	for i, s := range p.spans {
		if p.asks(s) && (s.To == len(p.tokens) || p.tokens[s.To].Norm != "to" || i == len(p.spans)-1) {
			return i
		}
	}
	return -1
}

// beginsWithAsker reports whether the first words of a prompt are of who asks: we, our
// company, I.
func (p *parser) beginsWithAsker() bool {
	for i, t := range p.tokens[:min(len(p.tokens), 4)] {
		switch t.Norm {
		case "hey", "hi", "hello", "so", "ok", "okay", "well", "for", "at", "as", "there":
		case "i", "im", "ive", "id", "we", "wed", "were", "weve":
			return true
		case "our", "my":
			return i+1 < len(p.tokens) && isAskers(p.tokens[i+1].Norm)
		default:
			return false
		}
	}
	return false
}

// greeting is how many readings a prompt greets with.
func (p *parser) greeting() int {
	n := 0
	for n+1 < len(p.spans) && slices.Contains([]string{"hey", "hi", "hello", "hi there", "hello there", "hey there", "dear team"}, p.words(p.spans[n])) {
		n++
	}
	return n
}

// isAskers reports whether a word says whom the asker works for or with, or who is close
// to them.
func isAskers(w string) bool {
	switch w {
	case "agency", "company", "startup", "client", "clients", "team", "firm", "fund", "bank", "studio", "series", "seed", "organisation", "organization",
		"nonprofit", "charity", "practice", "business", "board", "customer", "hospital", "school", "university", "lab", "product", "app",
		"boss", "ceo", "cto", "cfo", "vp", "head", "founder", "cofounder", "co", "partner", "daughter", "son", "wife", "husband", "brother", "sister", "friend":
		return true
	}
	return false
}

// longestFrame is how many readings may say what people are wanted for.
const longestFrame = 9

// isPurpose reports whether a reading has a word for what people are wanted for, and is
// no longer title (project managers).
func (p *parser) isPurpose(s segment.Span) bool {
	if last := p.tokens[s.To-1].Norm; s.Group() == segment.GroupRole && s.Len() > 1 && last != "leads" && last != "hire" {
		return false
	}
	return slices.ContainsFunc(p.tokens[s.From:s.To], func(t token.Token) bool {
		switch t.Norm {
		case "speaker", "speakers", "keynote", "conference", "summit", "panel", "webinar", "podcast", "workshop", "event", "dinner", "roundtable", "candidate", "candidates",
			"prospect", "prospects", "prospecting", "outreach", "campaign", "lead", "leads", "persona", "icp", "target", "audience", "hire", "hiring", "vacancy", "opening", "search",
			"sourcing", "mandate", "project", "request", "advisors", "advisor", "mentors", "mentor", "interview", "interviewees", "guests", "guest", "jury", "judges":
			return true
		}
		return false
	})
}

// saysWho reports whether "I am a", "we are the" and the like begin at a reading.
func (p *parser) saysWho(i int) bool {
	if !p.filler(i) {
		return false
	}
	words := p.words(p.spans[i])
	for n := i + 1; n < len(p.spans) && n < i+4 && len(words) < len("we are a"); n++ {
		words += " " + p.words(p.spans[n])
	}
	for _, begin := range []string{"i am a ", "i am an ", "im a ", "im an ", "i am the ", "im the ", "we are a ", "we are an ", "were a ", "were an ", "we are the ", "as a ", "my company is a ", "my name is ", "i sell ", "we sell ", "selling ", "i work at ", "i work for ", "im raising ", "i am raising ", "were raising ", "we are raising "} {
		if len(words) >= len(begin)-1 && (words + " ")[:len(begin)] == begin {
			return true
		}
	}
	return false
}

func (p *parser) filler(i int) bool {
	s := p.spans[i]
	return s.Type == lexicon.Filler || s.Type == lexicon.Cue || s.Type == segment.Unknown
}

// asks reports whether a reading begins what the asker wants.
func (p *parser) asks(s segment.Span) bool {
	return s.Type == lexicon.Filler && (s.Sense.Name == "want" || s.Sense.Name == "ask" || s.Sense.Name == "find")
}
