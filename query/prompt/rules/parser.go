package rules

import (
	"iter"
	"slices"
	"strings"
	"time"

	"kith/query"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/quantity"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// parser goes through the readings of a prompt from left to right and makes
// facts of them.
type parser struct {
	runes  []rune
	tokens []token.Token
	spans  []segment.Span
	known  vocabulary
	now    time.Time
	at     int
	scope

	// levels are those of the title that comes next.
	levels     []string
	levelSpans [][2]int

	facts    []fact
	names    []segment.Span
	criteria []segment.Span
	steps    []step
	ignored  []segment.Span // words that say nothing
	unknown  []segment.Span // words that are not understood
	notes    []string
	lists    int
	depth    int                 // of phrases within phrases
	near     map[string][]string // what names may be misspellings of
	others   [][]segment.Span    // what the tokens can mean besides
	came     bool                // a time without a verb is when somebody came
	talked   []segment.Span      // companies that are left out by what is said behind them
	left     []segment.Span      // companies that the asker has left, whose people are looked for
	career   bool                // something is asked of how jobs follow each other
	firm     bool                // what is only preferred is asked for
}

func newParser(runes []rune, tokens []token.Token, spans []segment.Span, known vocabulary, now time.Time) *parser {
	return &parser{runes: runes, tokens: tokens, spans: spans, known: known, now: now, scope: scope{last: -1}}
}

// parse reads all: words that mean something only together are first made one reading,
// or words that say nothing; the readings then become facts, from left to right; and facts
// that say more beside each other are put right.
func (p *parser) parse() {
	p.prepare()
	for p.at < len(p.spans) {
		before := p.at
		p.boundary()
		p.read(p.spans[p.at])
		if p.at == before {
			p.at++
		}
	}
	p.conclude()
}

// prepare changes readings for what stands beside them. The order matters: what is said of
// the asker is told from what is asked by the titles, subjects and negations found before.
func (p *parser) prepare() {
	p.worded()
	p.placedNames()
	p.weakNames()
	p.rankedTitles()
	p.furtherPeople()
	p.modifiedTitles()
	p.ledFields()
	p.specialities()
	p.addressed()
	p.willing()
	p.unwanted()
	p.narrowedExperience()
	p.projects()
	p.branchesOfLaw()
	p.lawFirms()
	p.talkedTo()
	p.ownFormer()
	p.aboutAsker()
	p.lastMonths()
	p.vacantNumber()
}

// conclude puts facts right. What makes one question of several comes last, as the others
// look for facts one by one.
func (p *parser) conclude() {
	p.leaveOutTalked()
	p.addFormer()
	p.leaveOutBehind()
	p.exactSizes()
	p.grownStartups()
	p.startupsAlone()
	p.investorsThere()
	p.natives()
	p.bracketed()
	p.tongues()
	p.bulleted()
	p.pair()
	p.clauses()
	p.kindsLeftOut()
}

// boundary ends what a mark before the reading ends.
func (p *parser) boundary() {
	t := p.tokens[p.spans[p.at].From]
	before := p.peek(-1)
	if t.Opens() && // NOT (London OR Paris), past company: Acme
		(p.isCue(before, cue.Not, cue.NotAt, cue.Past, cue.PreviousJob, cue.Left) || before.Type == lexicon.CompanyWord && p.isCue(p.peek(-2), cue.Past, cue.PreviousJob)) {
		return
	}
	if p.not && p.heading() { // Avoid: agencies, Acme (our client), juniors
		if !strings.ContainsAny(t.Gap, ".!?\n") && (p.negator() > 0 || !strings.Contains(t.Gap, ";")) {
			return
		}
		p.endNot()
	}
	if p.explained(p.spans[p.at]) {
		return
	}
	if t.Opens() && p.formerly(before) {
		p.when, p.gone = past, p.facts[p.last].gone
		return
	}
	if t.Stop() && p.at > 0 && p.words(p.peek(-1)) != "excl" {
		p.when, p.verb, p.gone, p.not, p.prep, p.verbs, p.both = current, false, false, false, cue.None, cue.None, false
	}
}

// formerly reports whether a reading is a title that people once had, so that the company
// in a bracket behind it is where: ex consultants (Bain).
func (p *parser) formerly(title segment.Span) bool {
	return p.last >= 0 && p.lastAt == title.To && p.facts[p.last].when == past && p.facts[p.last].name == query.FilterPosition && p.spans[p.at].Group() == segment.GroupCompany
}

// read makes facts of one reading, or of several that belong together; it moves
// on where it takes more than one.
func (p *parser) read(s segment.Span) {
	if p.minus(s) {
		p.beginNot()
		defer p.endNot()
	}
	if p.tradeAmong(s) || p.readCause(s) || p.itsRivals(s) || p.theirEmployers(s) || p.followed(s) {
		return
	}
	p.acquainted(s)
	if other, ok := p.subjectToo(s); ok {
		p.readContent(other)
		return
	}
	switch s.Type {
	case lexicon.Cue:
		p.readCue(s, cue.Cue(s.Sense.Name))
	case lexicon.Filler, lexicon.PersonWord, lexicon.CompanyWord:
		p.readPlain(s)
	case lexicon.Judgement:
		if !p.trainedThere(s) {
			p.readJudgement(s)
		}
	case segment.Quantity:
		p.readQuantity(s)
	case segment.Address:
		p.readAddress(s)
	case segment.Name:
		p.readName(s)
	case segment.Named:
		p.readNamed(s)
	case segment.Unknown, lexicon.Modifier:
		p.readUnknown(s)
	default:
		p.readContent(s)
	}
}

func (p *parser) readPlain(s segment.Span) {
	switch {
	case s.Sense.Name == segment.Said, p.retired(s), p.getsOn(s), p.termsAhead(s):
		return
	case p.ranksTitle(s):
		p.levels, p.levelSpans = p.ranks(s)
		return
	case p.newcomers(s):
		p.cameLately(s)
		return
	case s.Sense.Name == "rank" && p.not: // CFOs, not interim
		p.add(fact{name: query.FilterPosition, values: []string{alternative(p.words(s))}}, s)
		p.endNot()
		return
	case p.startedOwn(s):
		return
	case p.recruitsFor(s):
		p.passOver(s, segment.GroupRole, segment.GroupFunction)
		return
	case s.Sense.Name == "rank" && p.termsBehind(s):
		p.lists++
		p.facts = append(p.facts, fact{name: query.FilterPosition, values: []string{p.words(s)}, list: p.lists, spans: [][2]int{{s.From, s.To}}})
		return
	case s.Sense.Name == "mid", s.Sense.Name == "midup", s.Sense.Name == "midlow", s.Sense.Name == "ic":
		p.midLevel(s)
		return
	}
	p.ignored = append(p.ignored, s)
	if s.Sense.Name == "call" && p.aboutTopic() {
		return
	}
	if next := p.peek(1); s.Sense.Name == "jobless" && next.Group() == segment.GroupCompany && p.adjoining(next) { // laid-off Acme engineers
		p.when, p.gone, p.verb = past, true, false
	}
	if w := p.words(s); w == "just" || w == "only" { // no students, just designers
		p.endNot()
	}
	if s.Type == lexicon.PersonWord && p.not && p.notGroup != "" && !p.heading() && !p.cueBefore(s.From, cue.Or) {
		p.not = false
	}
	if note := unanswered(s); note != "" {
		p.note(note)
	}
	if s.Sense.Name == "exit" && p.words(p.peek(1)) == "to" { // who sold their company to Acme
		p.at++
		p.passOver(p.spans[p.at], segment.GroupCompany)
	}
}

// ranksTitle reports whether a word is the rank of the title behind it, or of one
// that further ranks stand before: staff and principal engineers.
func (p *parser) ranksTitle(s segment.Span) bool {
	next := p.peek(1)
	if !lexicon.IsRankWord(p.words(s)) {
		return false
	}
	if p.isCue(next, cue.And, cue.Or) {
		next = p.peek(2)
		return (next.Type == lexicon.Seniority || lexicon.IsRankWord(p.words(next))) && p.ofTitle()
	}
	return p.adjoining(next) && (next.Group() == segment.GroupRole || p.ofTitle()) // freelance Greek translators
}

// termsBehind reports whether a word for the terms of a job stands behind those who are
// to have them, on its own: designers, freelance; writers who are now freelance.
func (p *parser) termsBehind(s segment.Span) bool {
	if !isTerms(p.words(s)) {
		return false
	}
	apart := p.tokens[s.From].Comma() || p.isCue(p.peek(-1), cue.Work, cue.Now) || p.words(p.peek(-1)) == "who" || p.peek(-1).Type == lexicon.PersonWord
	ends := p.at+1 == len(p.spans) || p.mark(p.at+1, p.at) || p.spans[p.at+1].Type == lexicon.Cue || isPlace(p.spans[p.at+1])
	apart = apart || p.last >= 0 && p.lastAt == s.From && titles(p.facts[p.last]) // copywriters freelance London
	return apart && ends && p.isTitled()
}

// isTitled reports whether a title has been asked for.
func (p *parser) isTitled() bool {
	return slices.ContainsFunc(p.facts, func(f fact) bool { return f.name == query.FilterPosition && !f.not && f.query == nil })
}

// adjoining reports whether no mark stands before a reading.
func (p *parser) adjoining(s segment.Span) bool { return p.adjoins(s.From) }

// adjoins reports whether no mark stands before a token.
func (p *parser) adjoins(at int) bool {
	t := p.tokens[at]
	return !t.Comma() && !t.Stop() && !t.Slash()
}

func (p *parser) readUnknown(s segment.Span) {
	if p.trainedThere(s) || p.taught(s) {
		return
	}
	if p.not && p.heading() { // Avoid: agencies, Hogwarts, temps
		if p.tokens[s.From].Capital() && p.hasLower() {
			p.add(fact{name: query.FilterCompany, values: []string{alternative(p.text(s))}, nobody: true}, s)
		} else {
			p.ignored = append(p.ignored, s)
		}
		return
	}
	if p.minus(s) { // designer -graphic
		p.add(fact{name: query.FilterPosition, values: []string{alternative(p.text(s))}}, s)
		return
	}
	p.unknown = append(p.unknown, s)
	p.endUnknown()
}

// note keeps a remark for the caller.
func (p *parser) note(says string) { p.notes = appendNew(p.notes, says) }

// ignore leaves readings out and says why.
func (p *parser) ignore(why string, spans ...segment.Span) {
	p.ignored = append(p.ignored, spans...)
	p.note(why)
}

// peek returns the reading n places on, or one without a type.
func (p *parser) peek(n int) segment.Span { return p.peekAt(p.at + n) }

func (p *parser) isCue(s segment.Span, cues ...cue.Cue) bool {
	return s.Type == lexicon.Cue && slices.Contains(cues, cue.Cue(s.Sense.Name))
}

// words are the folded words of a reading.
func (p *parser) words(s segment.Span) string {
	return strings.Join(token.Norms(p.tokens[s.From:s.To]), " ")
}

// next returns the reading n places on, fillers passed over, and its place.
func (p *parser) next(from int) (segment.Span, int) {
	for i := from; i < len(p.spans); i++ {
		if p.spans[i].Type != lexicon.Filler {
			return p.spans[i], i
		}
	}
	return segment.Span{}, len(p.spans)
}

// add keeps a fact: it takes over the scope and joins the list before it where
// it belongs to one.
func (p *parser) add(f fact, s segment.Span) {
	f.spans = append(f.spans, [2]int{s.From, s.To})
	f.not = p.negates(f, s)
	p.presentEmployer(f, s)
	if f.ofJob() {
		f.when, f.gone = p.when, p.gone
	}
	f.both = f.both || p.both
	f.apart = p.otherDegree(f, s)
	f.list = p.listOf(f, s)
	p.facts = append(p.facts, f)
	p.last, p.lastAt = len(p.facts)-1, s.To
}

// otherDegree reports whether "and" joins a fact with one of another degree: "an
// MBA and a degree in law".
func (p *parser) otherDegree(f fact, s segment.Span) bool {
	if p.last < 0 || f.not || f.group() != segment.GroupStudy {
		return false
	}
	before := p.facts[p.last]
	if before.not || before.group() != segment.GroupStudy || before.name == f.name && !p.behindArticle(s) {
		return false
	}
	and := false
	for _, o := range p.between(p.lastAt, s.From) {
		if o.Type != lexicon.Filler && !p.isCue(o, cue.And, cue.With, cue.Majored) {
			return false
		}
		and = and || p.isCue(o, cue.And)
	}
	return and
}

// behindArticle reports whether an article stands before a reading: there is one
// of it.
func (p *parser) behindArticle(s segment.Span) bool {
	return s.From > 0 && p.tokens[s.From-1].Article()
}

// sameJob reports whether two facts are of the same jobs, or of none.
func sameJob(a, b fact) bool { return !a.ofJob() || !b.ofJob() || a.when == b.when }

// between goes through the readings between two tokens, with their places.
func (p *parser) between(from, to int) iter.Seq2[int, segment.Span] {
	return func(yield func(int, segment.Span) bool) {
		for i, s := range p.spans {
			if s.From >= from && s.To <= to && !yield(i, s) {
				return
			}
		}
	}
}

// rangeFact is a fact of a range.
func rangeFact(name query.FilterName, q quantity.Quantity) fact {
	return fact{name: name, values: []string{q.Range()}}
}
