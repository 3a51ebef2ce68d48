package segment

import (
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// addNamed adds what stands where the name of a company, a school or a place is
// expected, and is none that is known: it must be asked for all the same, so
// that no one is found rather than everyone.
func (l *Lattice) addNamed() {
	places := make([]expectation, len(l.Tokens))
	for i := range l.Tokens {
		if i+1 < len(l.Tokens) && l.Tokens[i+1].Tight() && isStaff(l.Tokens[i+1].Norm) {
			l.addNameOf(GroupCompany, i, i+1, ofStaff)
		}
		places[i] = l.expectedAt(i, places)
		if places[i].group == "" || isJoin(l.Tokens[i].Norm) || l.endsLegalForm(i) {
			continue
		}
		for n := 1; n <= 4 && l.joined(i, i+n) && !l.served(i+n) && !cutsName(l.Tokens[i+n-1].Norm) && !l.speaks(i+n-1) && (!isJoin(l.Tokens[i+n-1].Norm) || !l.Tokens[i+n-1].Shout()); n++ {
			if l.ofPlaceBehind(places[i], i) || l.ofTradeBehind(places[i], i) || l.noName(places[i], i, i+n) {
				break
			}
			prior := places[i].prior
			switch {
			case prior == overName && !l.capitals(i, i+n): // SAFE at high-rise consultancies
				continue
			case l.amongCompanies(places[i], i, i+n):
				prior = runPrior
			case n == 1 && l.atTown(places[i], i):
				prior = overTown
			case l.namedLikeSkill(places[i], i, i+n) || l.behindEx(i) && (l.blank(i+n-1) || n == 1 && l.isPlace(i)) && (n == 1 || l.letters.mixed && l.capitals(i, i+n)): // ex-adyen, ex Palo Alto Networks
				prior = overSkill
			case !l.nameless(i, i+n):
				continue
			}
			l.addNameOf(places[i].group, i, i+n, prior)
		}
	}
}

// addNameOf adds words as the name of something of a group that nothing knows.
func (l *Lattice) addNameOf(group Group, from, to int, prior float64) {
	l.add(Span{From: from, To: to, Type: Named, Sense: lexicon.Sense{Name: string(group)}}, prior)
}

// ofPlaceBehind reports whether a word only describes the place behind it: in rural
// Ohio.
func (l *Lattice) ofPlaceBehind(e expectation, at int) bool {
	next := at + 1
	return e.group == GroupPlace && lexicon.Describes(l.Tokens[at].Norm) && l.joined(at, next+1) &&
		l.begins(next, func(s Span) bool { return s.Group() == GroupPlace })
}

// ofTradeBehind reports whether a word without a capital only describes the
// companies behind it, which are several of a trade: at discount supermarkets.
func (l *Lattice) ofTradeBehind(e expectation, at int) bool {
	next := at + 1
	if next < len(l.Tokens) && l.Tokens[next].Tight() { // at high-rise consultancies
		next++
	}
	if e.group != GroupCompany || l.Tokens[at].Capital() && !l.Tokens[at].Shout() || !l.joined(at, next+1) {
		return false
	}
	if l.letters.mixed && l.blank(at) && l.Tokens[at].Capital() && l.Tokens[next].Capital() { // at MGM Resorts
		return false
	}
	return l.begins(next, func(s Span) bool {
		ofTrade := s.Is(lexicon.Industry, lexicon.CompanyKind, lexicon.CompanyWord)
		return ofTrade && strings.HasSuffix(l.Tokens[s.To-1].Norm, "s")
	})
}

// cutsName reports whether a word is part of no name: since January, from finance
// into product.
func cutsName(w string) bool {
	switch w {
	case "he", "she", "they", "our", "my", "ours", "mine", "end", "that", "met", "mit", "acquired", "bought", "con", "avec", "com", "who", "whove", "whos", "whod", "ou", "oder", "und", "et", "june", "july", "january", "february", "august", "september", "october", "november", "december", "since", "after", "before", "until", "till", "during", "between", "into", "contains", "least",
		"certified", "qualified", "chartered", "licensed", "accredited", "registered", "mandatory", "required", "essential", "desirable", "preferred", "obligatory":
		return true
	}
	return isStaff(w) || isLateYear(w)
}

// speaks reports whether the asker speaks of themselves at a token: I'm, we'd.
func (l *Lattice) speaks(at int) bool {
	switch t := l.Tokens[at]; t.Norm {
	case "i", "im", "ive", "we", "weve":
		return true
	case "id", "ill", "wed", "were":
		return strings.ContainsAny(t.Text, "'’")
	}
	return false
}

// ofStaff is how likely the word before one of [isStaff] is a company's name: more than
// anything else but one that is known.
const ofStaff = 6.5

// isStaff lists words that a hyphen joins with the name of an employer: SAP-Mitarbeiter.
func isStaff(w string) bool {
	switch w {
	case "mitarbeiter", "mitarbeiterin", "mitarbeiterinnen", "mitarbeitende", "medewerker", "medewerkers":
		return true
	}
	return false
}

// expectation is what a name that stands somewhere must be one of; the zero value
// where none is expected.
type expectation struct {
	group Group
	prior float64
}

// expectedAt is what a name that begins at a token must be one of; before is that
// of the tokens before it.
func (l *Lattice) expectedAt(at int, before []expectation) expectation {
	c := l.leftCue(at)
	e := expected(c)
	switch {
	case c == cue.Any && l.Tokens[at-1].Norm == "at": // with a track record at
		return expectation{GroupCompany, surely}
	case IsInfinitive(l.Tokens, at), l.isInterest(at), l.isOccasion(at):
		return expectation{}
	case l.behindEx(at), e.group == GroupSkill && l.Tokens[at-1].Norm == "at": // ex-Docker, 5G experts at Acme
		return expectation{GroupCompany, surely}
	case l.ofEmployees(at):
		return expectation{GroupCompany, surely}
	case l.orCompany(at):
		return expectation{GroupCompany, 2}
	case l.behindFounded(at), l.beforeAlumni(at):
		return expectation{GroupCompany, 0.6}
	case e.group == "" && l.letters.mixed && l.Tokens[at].Capital() && (IsExample(l.Tokens, at) || l.beforeSimilar(at)):
		return l.exampleOf(at)
	case l.letters.mixed && l.Tokens[at].Capital() && l.behindMust(at): // Must have: Red Seal
		return expectation{GroupSkill, overName}
	case e.group != "":
		return e
	case !l.isModifier(at) && !l.describes(at) && (l.ofTitle(at) || l.titleOwned(at) || l.fromBehindName(at)):
		return expectation{GroupCompany, 2}
	case l.leftCue(at) == cue.From && l.letters.mixed && l.Tokens[at].Capital(): // growth leads from Duolingo
		return expectation{GroupCompany, 0.4}
	case l.besideSkill(at):
		return expectation{GroupSkill, overName}
	case l.abbreviatedSkill(at):
		return expectation{GroupSkill, 0.6}
	}
	return l.listed(at, before)
}

// orCompany reports whether a word where who is looked for is named stands in a list with a
// company that a title ends, and so is one, too: Hogwarts or Spotify actuaries.
func (l *Lattice) orCompany(at int) bool {
	if !l.subjectBegins(at) || l.isModifier(at) || lexicon.Describes(l.Tokens[at].Norm) {
		return false
	}
	for listed := at + 1; listed < len(l.Tokens) && !l.Tokens[listed].Stop(); {
		next := listed
		if isJoin(l.Tokens[next].Norm) {
			next++
		}
		if next == len(l.Tokens) || next == listed && !l.Tokens[listed].Comma() {
			return false
		}
		listed = len(l.Tokens)
		for _, s := range l.From[next] {
			if s.Is(Company, lexicon.CompanyAlias) {
				listed = s.To
			}
		}
		if listed < len(l.Tokens) && l.titleBegins(listed) {
			return true
		}
	}
	return false
}

// IsInfinitive reports whether a verb stands at a token, behind "to": we want to call.
func IsInfinitive(tokens []token.Token, at int) bool {
	if at == 0 || tokens[at-1].Norm != "to" || tokens[at].Capital() {
		return false
	}
	if at == 1 || tokens[at-1].Apart() { // To win it I need
		return true
	}
	switch tokens[at-2].Norm {
	case "want", "wants", "wanting", "like", "love", "need", "needs", "hope", "hoping", "hopes", "plan", "planning", "plans", "trying", "try", "have", "has", "going", "able", "happy", "keen", "ready", "willing", "wish", "asked", "told", "how", "order", "used", "me", "us", "someone", "somebody":
		return true
	}
	return false
}

// listed is what a token must be that goes on with a list of which the entry
// before is expected to be that: at Google or Hogwarts.
func (l *Lattice) listed(at int, before []expectation) expectation {
	if l.letters.mixed && !l.Tokens[at].Capital() {
		return expectation{}
	}
	end := at
	if at > 1 && l.Tokens[at-1].Norm == "the" && l.means(at-2, at-1, isConjunction) { // or the Mercantile Group
		end--
	}
	for end > max(0, at-3) && l.means(end-1, end, isConjunction) { // and, or
		end--
	}
	if end == at && !l.Tokens[at].Comma() && !l.Tokens[at].Slash() {
		return expectation{}
	}
	for from := max(0, end-lexicon.MaxWords); from < end; from++ {
		e := before[from]
		if e.group == "" && l.besideCompany(from, end, at) { // Leave out Acme and Hogwarts
			return expectation{GroupCompany, 0.4}
		}
		if e.group == "" && end < at && l.Tokens[at].Shout() && !l.letters.shouting { // GMP or GLP
			e = expectation{GroupSkill, 0.6}
		}
		switch e.group {
		case GroupCompany, GroupPlace, GroupSchool, GroupSkill:
			if l.means(from, end, func(s Span) bool {
				return s.Group() == e.group || (e.group == GroupCompany || e.group == GroupSchool) && canBeCampus(s)
			}) {
				return e
			}
		}
	}
	return expectation{}
}

// expected is what a name behind a cue must be one of.
func expected(c cue.Cue) expectation {
	switch c {
	case cue.In, cue.Near, cue.Lives, cue.Seat:
		return expectation{GroupPlace, 0.6}
	case cue.At, cue.Left, cue.Joined, cue.PreviousJob, cue.CameBack, cue.Moved, cue.NotAt, cue.Promoted, cue.Rivals:
		return expectation{GroupCompany, surely}
	case cue.For, cue.MovedTo, cue.Past, cue.Alumni:
		return expectation{GroupCompany, 0.4}
	case cue.Studied:
		return expectation{GroupSchool, 0.6}
	case cue.Majored:
		return expectation{GroupStudy, 0.6}
	case cue.Know:
		return expectation{GroupSkill, 0.4}
	case cue.WorkedWith, cue.Colleague, cue.ExColleague, cue.SameSchool, cue.Named:
		return expectation{GroupName, 0.5}
	}
	return expectation{}
}

// isModifier reports whether a token may stand before a title, or behind a rank:
// head of lifecycle.
func (l *Lattice) isModifier(at int) bool {
	return l.means(at, at+1, func(s Span) bool { return s.Type == lexicon.Modifier })
}

// ofTitle reports whether a title and "of" stand right before a token: who is
// the chief executive of something is so of a company, but a professor of a subject.
func (l *Lattice) ofTitle(at int) bool {
	if l.leftCue(at) != cue.Of {
		return false
	}
	of := at - 1
	for of > 0 && passedOver(l.Tokens[of].Norm) {
		of--
	}
	named := l.letters.mixed && l.Tokens[at].Capital()
	return of > 0 && l.Tokens[of].Norm == "of" && (named || !l.directs(of) && !Teaches(l.Tokens[of-1].Norm)) && l.titleEnds(of)
}

// directs reports whether who stands before "of" directs what is behind it, a field before
// it is a company: head of sixth form, director of rooms.
func (l *Lattice) directs(of int) bool {
	switch l.Tokens[of-1].Norm {
	case "head", "heads", "director", "directors", "dir", "vp", "vps":
	case "president", "presidents":
		if of == 1 || l.Tokens[of-2].Norm != "vice" {
			return false
		}
	default:
		return false
	}
	// A managing director is one of a company.
	return !l.endsAt(of, lexicon.MaxWords, func(s Span) bool { return s.Type == lexicon.Role && s.Len() > 1 || s.Type == lexicon.CRole })
}

// titleOwned reports whether a token is a possessive with a title or a field of
// work behind it: somebody's head of design is so at a company.
func (l *Lattice) titleOwned(at int) bool {
	next := at + 1
	if !l.Tokens[at].Possessive || l.saysForWhom(at) || next >= len(l.Tokens) || l.Tokens[next].Comma() || l.Tokens[next].Stop() {
		return false
	}
	return l.titleBegins(next) || l.begins(next, func(s Span) bool { return s.Group() == GroupFunction })
}

// fromBehindName reports whether a name of somebody and "from" stand right
// before a token: Jane from Acme works there.
func (l *Lattice) fromBehindName(at int) bool {
	return at > 1 && l.leftCue(at) == cue.From && l.Tokens[at-1].Norm == "from" &&
		l.endsAt(at-1, longestName, func(s Span) bool { return s.Type == Name && !s.Sense.NeedsCue })
}

// describes reports whether a word without a capital, in a prompt that has some,
// stands before an industry: dental clinics.
func (l *Lattice) describes(at int) bool {
	next := at + 1
	if !l.letters.mixed || l.Tokens[at].Capital() || next >= len(l.Tokens) || !l.joined(at, at+2) {
		return false
	}
	return l.begins(next, func(s Span) bool { return s.Group() == GroupIndustry })
}

// nameless reports whether the last token of a span means nothing else, or is
// part of a run of words with capitals.
func (l *Lattice) nameless(from, to int) bool {
	if l.Tokens[to-1].Kind == token.Number {
		return to-from > 1
	}
	if to-from > 1 && l.letters.mixed && l.capitals(from, to) {
		for i := from; i < to; i++ {
			if l.blank(i) {
				return true
			}
		}
	}
	return l.blank(to - 1)
}

// surely is how likely a name is where nothing but a company is expected, and
// overSkill and overTown how likely it is a company there though it is a skill or a
// town elsewhere.
const (
	surely    = 0.8
	overSkill = 4
	overTown  = 6
)

// namedLikeSkill reports whether a skill must be the company that makes it: at
// Docker, but not at Kubernetes startups.
func (l *Lattice) namedLikeSkill(e expectation, from, to int) bool {
	if e.group != GroupCompany || e.prior < surely || l.Tokens[from].Comma() || !l.means(from, to, func(s Span) bool { return s.Group() == GroupSkill }) {
		return false
	}
	if !l.behindEx(from) && to < len(l.Tokens) && l.joined(from, to+1) {
		for _, s := range l.lex.Senses(l.phrases.norms[to : to+1]) {
			if g := groupOf(s.Type); s.Type == lexicon.CompanyWord || g == GroupIndustry || g == GroupRole {
				return false
			}
		}
	}
	return !l.means(from, to, func(s Span) bool {
		return s.Group() != GroupSkill && !s.Is(lexicon.Modifier, Name, Named)
	})
}

// behindFounded reports whether "who founded" or the like stands right before a
// token with a capital: who founded Acme.
func (l *Lattice) behindFounded(at int) bool {
	return at > 1 && l.Tokens[at].Capital() && l.leftCue(at) == cue.Founded && (l.Tokens[at-1].Norm == "founded" || l.Tokens[at-1].Norm == "started")
}

// behindEx reports whether "ex", or "former" and a capital, stands right before a
// token.
func (l *Lattice) behindEx(at int) bool {
	exLonger := func(s Span) bool { return s.Type == lexicon.Cue && s.To > at } // ex-employees of
	return at > 0 && (l.Tokens[at-1].Norm == "ex" && !l.begins(at-1, exLonger) || l.Tokens[at-1].Norm == "former" && l.isPlace(at) && l.letters.mixed && l.Tokens[at].Capital())
}

// isPlace reports whether a token is by itself a city, and neither a country nor a
// state: what people can have left as an employer all the same.
func (l *Lattice) isPlace(at int) bool {
	return l.means(at, at+1, func(s Span) bool { return s.Type == lexicon.City }) &&
		!l.means(at, at+1, func(s Span) bool {
			return s.Is(lexicon.Country, lexicon.State, lexicon.Nationality)
		})
}

// blank reports whether a token means nothing by itself.
func (l *Lattice) blank(i int) bool {
	for _, s := range l.From[i] {
		if s.Len() == 1 && !s.Is(lexicon.Modifier, Name, Named) {
			return false
		}
	}
	return true
}
