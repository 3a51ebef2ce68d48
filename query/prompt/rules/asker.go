package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// aboutAsker makes what the asker says of themselves words that say nothing:
// "we are a small startup looking for engineers".
func (p *parser) aboutAsker() {
	all := p.statements()
	was := slices.Clone(p.spans)
	p.frame()
	p.labels()
	p.remit()
	p.vacancy(all)
	p.filled(all)
	p.departed(all)
	p.generic(all)
	p.whoBuys(all)
	p.forOccasion(all)
	p.background(all)
	p.missing(was)
}

// isTheSame reports whether words stand for a school that is named elsewhere.
func isTheSame(w string) bool {
	switch strings.TrimPrefix(w, "the ") {
	case "same university", "same school", "same college", "same uni":
		return true
	}
	return false
}

// labels makes words that say nothing of "Target" before a colon, which is a company, too,
// of the same university, where it is named, and of competitors whose people are wanted, who
// are not named.
func (p *parser) labels() {
	for i := range p.spans {
		w := p.words(p.spans[i])
		if isTheSame(w) && slices.ContainsFunc(p.spans, func(s segment.Span) bool { return isSchool(s) && !isTheSame(p.words(s)) }) {
			p.silence(i)
		}
		if t := p.tokens[p.spans[i].To-1]; t.Possessive && (w == "competitors" || w == "competitor" || w == "rivals") {
			p.silence(i)
		}
		if (w == "target" || w == "targets") && i+1 < len(p.spans) && strings.HasPrefix(p.tokens[p.spans[i+1].From].Gap, ":") {
			p.silence(i)
		}
	}
}

// remit makes what is decided on words that say nothing, where those who decide are
// listed behind it: decision-makers for fleet vehicles (fleet managers, COOs).
func (p *parser) remit() {
	for at := range len(p.spans) - 1 {
		if !strings.HasPrefix(p.words(p.spans[at]), "decision") || !p.isCue(p.spans[at+1], cue.For) {
			continue
		}
		for i := at + 2; i < min(len(p.spans), at+longestFrame) && !isJob(p.spans[i-1]); i++ {
			if p.tokens[p.spans[i].From].Opens() && isJob(p.spans[i]) {
				p.forget(at, i, false)
				break
			}
		}
	}
}

// describesSomebody reports whether who is wanted is said from a reading on: someone
// who is a director, former COOs.
func (p *parser) describesSomebody(at int) bool {
	switch s := p.spans[at]; {
	case s.Type == lexicon.PersonWord:
		return slices.ContainsFunc(p.spans[at:], isJob)
	case p.beginsDemand(at): // she should be a former CFO
		return p.describes(at, len(p.spans), false)
	case p.isCue(s, cue.Past) && at+1 < len(p.spans):
		return isJob(p.spans[at+1])
	default:
		return isJob(s) && s.Type != lexicon.Seniority && strings.HasPrefix(p.tokens[s.From].Gap, ":")
	}
}

// vacancy makes the job to be filled words that say nothing, where behind a dash or a
// colon it is said who is wanted for it: our next VP of Marketing - someone who is a
// director now; our fund is looking for operating partners: former COOs.
func (p *parser) vacancy(all []statement) {
	at := slices.IndexFunc(p.spans, func(s segment.Span) bool {
		return strings.HasPrefix(p.tokens[s.From].Gap, ":") || p.tokens[s.From].Dash()
	})
	if at < 1 || !slices.ContainsFunc(p.spans[:at], p.asks) || !slices.ContainsFunc(p.spans[:at], isJob) || !p.describesSomebody(at) {
		return
	}
	if _, ok := p.speaker(all[0]); ok || p.beginsDemand(at) {
		p.forget(0, at, !slices.ContainsFunc(p.spans[at:], isPlace))
	}
}

// forget makes readings words that say nothing, but for the place where it counts, and
// for what the words behind come back to: of Acme, who left the company; who work there.
func (p *parser) forget(from, to int, place bool) {
	rest := strings.Join(token.Norms(p.tokens[p.spans[to-1].To:]), " ") + " "
	has := func(phrases ...string) bool {
		return slices.ContainsFunc(phrases, func(phrase string) bool { return strings.Contains(rest, phrase) })
	}
	asks := strings.NewReplacer("are there ", "", "is there ", "")
	there := (strings.Contains(asks.Replace(rest), "there ") || has(" in the city ", " in town ")) && !p.placedIn(to) || has(" here ") && !slices.ContainsFunc(p.spans[to:], isResidence)
	company := there || has("left the company ", " from there ", " in their ", " at their ", " its ", " still around ") || p.leaversOf(to) || p.ofTheirs(to)
	school := func(s segment.Span) bool { return isSchool(s) && !isTheSame(p.words(s)) }
	ours := has("our graduates ", "our alumni ", "our alums ", "our former students ", "our students ") ||
		has("fellow alumni ", "alumni who ", "alumni that ", "my classmates ", "my university ", "my school ", "same university ", "same school ", "same college ") && !slices.ContainsFunc(p.spans[to:], school)
	customers := p.customersAgain(from, to)
	again := func(s segment.Span) bool {
		return slices.ContainsFunc(customers, func(c segment.Span) bool { return c.From == s.From })
	}
	kept := func(s segment.Span) bool {
		named := s.Type == segment.Address || s.Group() == segment.GroupCompany && p.tokens[s.From].Capital() && !has(p.words(s)+" ")
		return again(s) || p.isCalled(s) || company && named || ours && s.Group() == segment.GroupSchool || (place || there) && s.Group() == segment.GroupPlace && !p.leavesPlace(s, to) && !p.ofEmployerThere(s, from, to)
	}
	for i := from; i < to; i++ {
		s := p.spans[i]
		if i > from && i+1 < to && p.isCue(s, cue.And, cue.Or) && kept(p.spans[i-1]) && kept(p.spans[i+1]) { // across Leeds and York
			continue
		}
		if before := p.isCue(s, cue.In, cue.Near, cue.Lives, cue.At, cue.From, cue.Of, cue.For, cue.Named) && i+1 < to && kept(p.spans[i+1]); !before && !kept(s) {
			p.silence(i)
		}
	}
}

// leaversOf reports whether those are asked for from a reading on who have left, not what, and
// no company is named before.
func (p *parser) leaversOf(from int) bool {
	left := -1
	for i := from; i < len(p.spans) && left < 0; i++ {
		if p.isCue(p.spans[i], cue.Left) && p.leftNothing(i) {
			left = i
		}
	}
	return left >= 0 && !slices.ContainsFunc(p.spans[from:left], func(s segment.Span) bool { return s.Group() == segment.GroupCompany })
}

// ofTheirs reports whether what follows a reading is about the people of a company that was told
// of before: who leads their sales; and names no other.
func (p *parser) ofTheirs(from int) bool {
	if slices.ContainsFunc(p.spans[from:], func(s segment.Span) bool { return s.Group() == segment.GroupCompany }) {
		return false
	}
	return slices.ContainsFunc(p.spans[from:], func(s segment.Span) bool {
		theirs := p.tokens[s.From-1].Norm == "their"
		return theirs && (s.Group() == segment.GroupFunction || s.Group() == segment.GroupRole || s.Type == lexicon.PersonWord)
	})
}

// isCalled reports whether a reading is the name of somebody whom the asker tells of: I met a
// woman named Katrin.
func (p *parser) isCalled(s segment.Span) bool {
	before := p.spanBefore(s)
	return (s.Type == segment.Name || s.Type == segment.Named) && p.isCue(before, cue.Named) && !strings.HasSuffix(p.words(before), " is") // my name is Tom
}

// ofEmployerThere reports whether a place only says where a company is from that is elsewhere now:
// a US biotech is setting up in Basel.
func (p *parser) ofEmployerThere(s segment.Span, from, to int) bool {
	employs := func(o segment.Span) bool {
		return o.From == s.To && p.adjoining(o) && o.Type != lexicon.Filler && o.Type != lexicon.Cue
	}
	other := func(o segment.Span) bool { return o.From != s.From && isPlace(o) }
	located := p.isCue(p.spanBefore(s), cue.In, cue.Near, cue.Lives, cue.At, cue.From)
	return !located && slices.ContainsFunc(p.spans[from:to], employs) && slices.ContainsFunc(p.spans[from:to], other)
}

// leavesPlace reports whether a place is one that the asker leaves for another one, which
// follows before a reading or, but for a people, behind it: I am moving from Lima to
// Lisbon; I'm from Lima. I live in Lisbon now.
func (p *parser) leavesPlace(s segment.Span, to int) bool {
	later := func(o segment.Span) bool { return o.From > s.From && isPlace(o) }
	lives := func(o segment.Span) bool { return later(o) && isResidence(o) }
	if slices.ContainsFunc(p.spans, func(o segment.Span) bool { return later(o) && p.movesThere(o.From) }) {
		return true
	}
	return s.From > 0 && p.tokens[s.From-1].Norm == "from" && (slices.ContainsFunc(p.spans[:to], later) || slices.ContainsFunc(p.spans[to:], lives))
}

// movesThere reports whether a place at a token is where somebody wants to move.
func (p *parser) movesThere(at int) bool {
	if at < 2 || p.tokens[at-1].Norm != "to" {
		return false
	}
	switch p.tokens[at-2].Norm {
	case "move", "moving", "moved", "relocate", "relocating", "back", "over":
		return true
	}
	return false
}

// isResidence reports whether a reading is a place, and not only where people come from.
func isResidence(s segment.Span) bool { return isPlace(s) && s.Type != lexicon.Nationality }

// placedIn reports whether a place where somebody lives is named from a reading on.
func (p *parser) placedIn(from int) bool {
	for i := from + 1; i < len(p.spans); i++ {
		if isResidence(p.spans[i]) && p.isCue(p.spans[i-1], cue.In, cue.Near, cue.Lives) {
			return true
		}
	}
	return false
}

// silence makes a reading words that say nothing.
func (p *parser) silence(at int) {
	p.spans[at].Type, p.spans[at].Sense = lexicon.Filler, lexicon.Sense{Type: lexicon.Filler}
}

// beginsStatement reports whether a sentence begins at a reading, or what stands behind
// a semicolon: I am a reporter; who leads research at Acme?
func (p *parser) beginsStatement(s segment.Span) bool {
	return strings.ContainsAny(p.tokens[s.From].Gap, ".!?;\n")
}

// frame makes what stands before a colon words that say nothing, where they say what
// the asker wants the people for: speakers for a conference in Lisbon: founders of
// payments companies; for a board seat: former CFOs. Where the asker's own place is
// stays: for our office in Leeds: accountants.
func (p *parser) frame() {
	colon := slices.IndexFunc(p.spans, func(s segment.Span) bool { return strings.HasPrefix(p.tokens[s.From].Gap, ":") })
	if colon < 1 || colon > longestFrame || slices.ContainsFunc(p.spans[1:colon], p.beginsStatement) || !slices.ContainsFunc(p.spans[colon:], isJob) {
		return
	}
	if p.tokens[0].Norm == "for" && introduces(p.tokens[1].Norm) {
		p.forget(0, colon, !slices.ContainsFunc(p.spans[:colon], p.isPurpose) && !p.placedOutside(0, colon))
		return
	}
	if !slices.ContainsFunc(p.spans[:colon], p.isPurpose) || p.companiesHire(colon-1) {
		return
	}
	for i := range colon {
		if p.spans[i].Type != lexicon.Filler { // what asks still does
			p.silence(i)
		}
	}
}

// companiesHire reports whether it is companies of some kind, not the asker, of which a reading
// says that they hire: Series B fintechs in London hiring: VP Sales.
func (p *parser) companiesHire(at int) bool {
	if w := p.tokens[p.spans[at].To-1].Norm; w != "hiring" && w != "recruiting" {
		return false
	}
	return slices.ContainsFunc(p.spans[:at], func(s segment.Span) bool {
		return s.Is(lexicon.Industry, lexicon.CompanyKind, segment.Keyword, segment.Label) && p.areMany(s)
	})
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

func (p *parser) filler(i int) bool {
	s := p.spans[i]
	return s.Type == lexicon.Filler || s.Type == lexicon.Cue || s.Type == segment.Unknown
}

// asks reports whether a reading begins what the asker wants.
func (p *parser) asks(s segment.Span) bool {
	return s.Type == lexicon.Filler && (s.Sense.Name == "want" || s.Sense.Name == "ask" || s.Sense.Name == "find")
}
