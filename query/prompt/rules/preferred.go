package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// preferred leaves out what is only preferred, as it must leave nobody out: what
// was said right before "is a plus", else up to the end of the clause, or of the
// sentence behind "Nice to have:".
func (p *parser) preferred(s segment.Span) {
	p.ignored = append(p.ignored, s)
	if p.firm {
		return
	}
	first := p.at + 1
	if p.otherDoes(first) {
		return
	}
	ends := first == len(p.spans) || p.mark(first, p.at) || p.isCue(p.spans[first], cue.Soft, cue.But, cue.Not, cue.NotAt)
	behind := p.last >= 0 && ends && p.rightBehind(s)
	from, whole := p.subjectOf(s)
	if (behind || ends) && p.wouldDo(s) {
		return
	}
	if p.welcomes(s) && !behind || behind && strings.HasSuffix(p.words(s), "if possible") && p.facts[p.last].group() == segment.GroupPlace { // in Rome, if possible
		return
	}
	if behind && p.joinsToo(s) {
		return
	}
	p.note(preferredNote)
	heading := first < len(p.spans) && p.tokens[p.spans[first].From].Opens()
	switch {
	case heading:
	case ends && whole && p.last >= 0:
		p.takeBackFrom(from)
		return
	case behind:
		p.takeBack()
		return
	case ends && p.unreadBehind(), first < len(p.spans) && p.beginsStatement(p.spans[first]): // women if possible. Judges in Bern
		return
	}
	said := false
	for p.at++; p.at < len(p.spans); p.at++ {
		next := p.spans[p.at]
		t := p.tokens[next.From]
		if p.at > first && (t.Stop() || t.Comma() && !heading && !p.preferredToo() && !p.saysWhoToo()) || said && !heading && p.isCue(next, cue.In, cue.Lives, cue.Near) {
			return
		}
		said = said || next.Group() != segment.GroupOther
		p.ignored = append(p.ignored, next)
	}
}

// onlyPrefers reports whether a prompt asks for nothing but what is preferred, or begins with it
// and asks for nothing else but places: SAP helps, preferably in Rome, we prefer engineers in Rome.
func (p *parser) onlyPrefers() bool {
	first := slices.IndexFunc(p.spans, func(s segment.Span) bool { return s.Type != lexicon.Filler })
	others := slices.ContainsFunc(p.facts, func(f fact) bool { return f.group() != segment.GroupPlace })
	soft := func(s segment.Span) bool { return p.isCue(s, cue.Soft) }
	begins := first >= 0 && soft(p.spans[first]) && !others
	return (begins || len(p.facts) == 0 && slices.ContainsFunc(p.spans, soft)) && len(p.names)+len(p.steps)+len(p.criteria) == 0
}

// wouldDo reports whether a whole clause about those who are wanted ends in "would be
// great", of which nothing is only preferred: nurses in Leeds would be great.
func (p *parser) wouldDo(s segment.Span) bool {
	w := p.words(s)
	if !strings.HasPrefix(w, "would be ") && w != "welcome" {
		return false
	}
	from := p.at
	for from > 0 && !p.beginsStatement(p.spans[from]) && !p.tokens[p.spans[from].From].Opens() { // we need speakers: planners from Spain would be great
		from--
	}
	if isAnybody(p.tokens[p.spans[from].From].Norm) { // anyone who speaks Greek is welcome
		return true
	}
	if w == "welcome" {
		return false
	}
	earlier := slices.ContainsFunc(p.facts, func(f fact) bool { return titles(f) && f.spans[0][0] < p.spans[from].From })
	return !earlier && (p.severalAt(from, p.at) || p.spans[from].Type == lexicon.PersonWord)
}

// subjectOf is the reading with which the sentence begins that ends in a verdict, and
// whether all that is said since is what is only preferred: if they know Go and Rust, even
// better; people with a PhD would be best.
func (p *parser) subjectOf(verdict segment.Span) (from int, whole bool) {
	for from = p.at; from > 0 && !p.beginsStatement(p.spans[from]); from-- {
	}
	first := p.tokens[p.spans[from].From].Norm
	for i := from; i+1 < p.at; i++ { // SAP is a must and Dutch is nice to have
		if p.isMust(i) && p.isCue(p.spans[i+1], cue.And, cue.But) {
			return i + 2, false
		}
	}
	if from == 0 || from == p.at || first == "if" {
		return from, first == "if" && from > 0
	}
	switch w, _, _ := strings.Cut(p.words(verdict), " "); w {
	case "would", "is", "are":
	default:
		return from, false
	}
	switch first {
	case "a", "an", "any", "some", "those", "having", "experience", "knowledge":
		return from, true
	}
	return from, p.spans[from].Type == lexicon.PersonWord
}

// isMust reports whether a reading ends a clause that says what is demanded: German is a must.
func (p *parser) isMust(i int) bool {
	switch p.tokens[p.spans[i].To-1].Norm {
	case "must", "required", "mandatory", "essential", "needed", "necessary":
		return true
	}
	return false
}

// takeBackFrom leaves out all that is asked for from a reading on.
func (p *parser) takeBackFrom(from int) {
	begin := p.spans[from].From
	p.facts = slices.DeleteFunc(p.facts, func(f fact) bool {
		if f.spans[0][0] < begin {
			return false
		}
		for _, span := range f.spans {
			if !slices.ContainsFunc(p.ignored, func(s segment.Span) bool { return s.From == span[0] && s.To == span[1] }) {
				p.ignored = append(p.ignored, segment.Span{From: span[0], To: span[1]})
			}
		}
		return true
	})
	p.unknown = slices.DeleteFunc(p.unknown, func(u segment.Span) bool {
		if u.From >= begin {
			p.ignored = append(p.ignored, u)
		}
		return u.From >= begin
	})
	p.lastOf()
}

// lastOf notes which fact is the last one, after others were taken back.
func (p *parser) lastOf() {
	p.last, p.lastAt = len(p.facts)-1, 0
	if p.last >= 0 {
		spans := p.facts[p.last].spans
		p.lastAt = spans[len(spans)-1][1]
	}
}

// isAnybody lists the words for whoever it may be.
func isAnybody(w string) bool {
	switch w {
	case "anyone", "anybody", "everyone", "everybody", "whoever":
		return true
	}
	return false
}

// preferredToo reports whether the list of what is preferred goes on behind a comma:
// preferably captains, deck officers or port managers.
func (p *parser) preferredToo() bool {
	before, next := p.peek(-1), p.spans[p.at]
	alike := next.Group() == before.Group() && !next.Is(lexicon.Cue, lexicon.Filler)
	if before.Type == segment.Unknown {
		alike = alike || next.InGroup(segment.GroupRole, segment.GroupCompany, segment.GroupSkill)
	}
	return alike && p.orBehind()
}

// saysWhoToo reports whether a comma only stands before what is said of somebody: gerne
// jemand, der bei Acme war.
func (p *parser) saysWhoToo() bool {
	if p.peek(-1).Type != lexicon.PersonWord || !p.isCue(p.peek(-2), cue.Soft) {
		return false
	}
	switch w, _, _ := strings.Cut(p.words(p.spans[p.at]), " "); w {
	case "who", "that", "der", "die", "das", "qui", "que", "che", "dat":
		return true
	}
	return false
}

// unreadBehind leaves out the words that are not understood right before a reading, up
// to where the clause begins, and reports whether there is nothing else: functional
// safety (ISO 26262) desirable.
func (p *parser) unreadBehind() bool {
	from := p.at
	for from > 1 && !p.tokens[p.spans[from].From].Comma() && !strings.ContainsAny(p.tokens[p.spans[from].From].Gap, ".!?:\n") {
		from--
	}
	unread := func(u segment.Span) bool { return u.From >= p.spans[from].From }
	if from == p.at || p.last >= 0 && p.lastAt > p.spans[from].From || !slices.ContainsFunc(p.unknown, unread) {
		return false
	}
	for _, u := range p.unknown {
		if unread(u) {
			p.ignored = append(p.ignored, u)
		}
	}
	p.unknown = slices.DeleteFunc(p.unknown, unread)
	return true
}

// welcomes reports whether a word says of what stands before that it is no
// hindrance, and elsewhere nothing: juniors ok.
func (p *parser) welcomes(s segment.Span) bool {
	switch p.words(s) {
	case "ok", "okay", "fine", "welcome", "are ok", "is ok", "are fine", "is fine", "are welcome", "also welcome", "also ok", "ok too":
		return true
	}
	return false
}

// joinsToo makes what was said last an alternative of what was asked for before, where it is
// said to do as well, and reports whether it does: nurses in Leeds. York is fine, too.
func (p *parser) joinsToo(s segment.Span) bool {
	if !p.does(s) {
		return false
	}
	last := p.facts[p.last]
	first := slices.IndexFunc(p.facts[:p.last], func(f fact) bool {
		return !f.not && f.when == last.when && (f.group() == last.group() || titles(f) && titles(last))
	})
	if first < 0 || titles(last) && p.lastNoun(p.facts[first].spans[0][1]) == p.lastNoun(last.spans[0][1]) { // maths teachers. New teachers are fine, too
		return false
	}
	if last.not || last.group() != segment.GroupPlace && !titles(last) {
		return false
	}
	for f := range p.lastList() {
		f.list = p.facts[first].list
	}
	return true
}

// does reports whether words say of what stands before them that it will do as well.
func (p *parser) does(s segment.Span) bool {
	w := p.words(s)
	too := s.To < len(p.tokens) && p.tokens[s.To].Norm == "too"
	return too || strings.HasSuffix(w, " too") || strings.HasSuffix(w, " as well") || strings.HasPrefix(w, "also ")
}

// otherDoes reports whether another place than the preferred one will do, and stands at a
// reading: Leeds would be best, but York works too.
func (p *parser) otherDoes(at int) bool {
	if p.isCue(p.peekAt(at), cue.But) {
		at++
	}
	verdict := p.peekAt(at + 1)
	return p.last >= 0 && p.facts[p.last].group() == segment.GroupPlace && isPlace(p.peekAt(at)) && p.isCue(verdict, cue.Soft) && p.does(verdict)
}

// rightBehind reports whether nothing with a meaning of its own stands between the
// fact that was added last and a reading, and no mark.
func (p *parser) rightBehind(s segment.Span) bool {
	for _, o := range p.between(p.lastAt, s.To) {
		t := p.tokens[o.From]
		if o.Group() != segment.GroupOther || t.Comma() || t.Stop() && (t.Gap != ")" || o.From != s.From) {
			return false
		}
	}
	return true
}

// takeBack leaves out the fact that was added last, and those that "or" joins
// with it: Acme, Globex or Initech.
func (p *parser) takeBack() {
	either, whole := false, p.ownClause()
	open := p.openBefore()
	for again := true; again; {
		f := p.facts[p.last]
		span := f.spans[len(f.spans)-1]
		p.ignored = append(p.ignored, segment.Span{From: span[0], To: span[1]})
		p.facts = slices.Delete(p.facts, p.last, p.last+1)
		p.last--
		either = p.cueBefore(span[0], cue.Or) || whole && (either || p.cueBefore(span[0], cue.And))
		again = p.last >= 0 && (either && p.facts[p.last].list == f.list || span[0] >= open)
	}
	p.lastOf()
}

// ownClause reports whether nothing else is asked for in the clause of the list that was
// added to last, so that what is said of the last entry is said of all: Acme, Globex or
// Initech people welcome, not in Paris with Go, Rust or Zig a plus.
func (p *parser) ownClause() bool {
	first := p.last
	for first > 0 && p.facts[first-1].list == p.facts[p.last].list {
		first--
	}
	if first == 0 {
		return true
	}
	from, to := p.facts[first-1].spans[0][1], p.facts[first].spans[0][0]
	return slices.ContainsFunc(p.tokens[min(from, to):to+1], func(t token.Token) bool { return t.Comma() || t.Stop() })
}

// openBefore is the token behind the bracket that closes right before the present
// reading: what is preferred is what stands before it, too. Without one it is behind all.
func (p *parser) openBefore() int {
	at := p.spans[p.at].From
	if !strings.Contains(p.tokens[at].Gap, ")") {
		return len(p.tokens)
	}
	for at > 0 && !strings.Contains(p.tokens[at].Gap, "(") {
		at--
	}
	return at
}
