package segment

import (
	"slices"
	"strings"
	"unicode"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// noPronoun reports whether "us" stands where the pronoun does not: US CFOs, not in us.
func (l *Lattice) noPronoun(at int) bool {
	if at == 0 {
		return true
	}
	switch l.Tokens[at-1].Norm {
	case "in", "outside", "the":
		return true
	}
	return false
}

// plausible reports whether what stands beside a span speaks for a sense that
// needs it. A word of grammar (in, or, me) is the code of a state only where
// capitals or the words around it say so.
func (l *Lattice) plausible(from, to int, s lexicon.Sense) bool {
	switch w := l.Tokens[from]; {
	case isCause(s):
		return l.nonprofitBegins(to)
	case s.Type == lexicon.Industry && s.Name == "seed_producers":
		return l.ofFarming()
	case s.Type == lexicon.Industry && s.Name == "staffing":
		return l.behindRecruiters(from)
	case (s.Type == lexicon.State || s.Type == lexicon.Country) && strings.Contains(w.Text, ".") && !isAbbreviated(w.Norm): // M.S. in physics, J.P. Dupont
		return false
	case s.Type == lexicon.Country && w.Norm == "us" && l.noPronoun(from):
		return true
	case s.Type == lexicon.State && from > 0 && l.Tokens[from-1].Article(): // with an MD
		return false
	}
	if to == from+1 && (s.Type == lexicon.State || s.Type == lexicon.Country) && len(l.Tokens[from].Norm) == 2 {
		if s.Type == lexicon.State && l.standsAsCode(from) {
			return true
		}
		if shout := l.Tokens[from].Shout() && !l.letters.shouting; len(cue.Find(l.Tokens[from].Norm)) > 0 && (!shout || !l.isCode(from)) {
			return false
		}
		if from > 0 && to == len(l.Tokens) && l.titleEnds(from) {
			return true
		}
	}
	switch {
	case s.Type == lexicon.Seniority && l.Tokens[from].Norm == "graduate" && to == from+1:
		return l.isBeginner(from)
	case s.Place != nil && s.Place.Rare && (l.pluralBegins(to) || from > 0 && to == len(l.Tokens) && l.titleEnds(from)), // Devon nurses, nurses Devon
		groupOf(s.Type) == GroupRole && (l.titleBegins(to) || l.isSeat(from, to) || l.isChair(from, to)),
		s.Type == lexicon.Industry && from > 0 && l.Tokens[from-1].Norm == "ex",                                                // ex-military
		s.Type == lexicon.Leader && to == from+1 && l.Tokens[from].Norm == "heads" && l.endsAt(from, lexicon.MaxWords, ofWork), // game studio heads
		s.Type == lexicon.CompanyWord && l.employsSome(from, to),
		s.Type == lexicon.SizeWord && l.industryBegins(to),                            // large hospitals
		s.Type == lexicon.Degree && to+1 < len(l.Tokens) && l.Tokens[to].Norm == "in": // a BA in English
		return true
	}
	return l.hasCue(from, to, groupOf(s.Type))
}

// isBeginner reports whether "graduate" says how high the title beside it is, not what
// school somebody left: graduate engineers, quantity surveyor graduate.
func (l *Lattice) isBeginner(at int) bool {
	isRole := func(s lexicon.Sense) bool { return s.Type == lexicon.Role || s.Type == lexicon.Head }
	named := func(to int) bool {
		return slices.ContainsFunc(l.lex.Senses(l.phrases.norms[at:to]), func(s lexicon.Sense) bool { return s.Type == lexicon.Role && !s.ByRule })
	}
	if at+1 < len(l.Tokens) && (l.Tokens[at+1].Norm == "school" || strings.HasPrefix(l.Tokens[at+1].Norm, "stud")) { // graduate school
		return false
	}
	before := at == 0 || l.endsAt(at, lexicon.MaxWords, func(s Span) bool { return s.Is(lexicon.Filler, lexicon.Seniority) })
	if before && l.ahead(at+1, 4, func(to int, senses []lexicon.Sense) bool {
		return slices.ContainsFunc(senses, isRole) && !l.Tokens[at+1].Comma() && !l.Tokens[at+1].Stop() && !named(to)
	}) {
		return true
	}
	ofSchool := at+1 < len(l.Tokens) && (l.Tokens[at+1].Norm == "of" || l.Tokens[at+1].Norm == "from") // engineer, graduate of MIT
	behind := !ofSchool && (at+1 == len(l.Tokens) || l.apart(at+1) || len(cue.Find(l.Tokens[at+1].Norm)) > 0 || len(l.lex.Senses(l.phrases.norms[at+1:at+2])) > 0)
	return at > 0 && behind && l.joined(at-1, at+1) && l.endsAt(at, lexicon.MaxWords, func(s Span) bool { return s.Is(lexicon.Role, lexicon.Head) })
}

// standsAsCode reports whether a word of two letters stands where the code of a
// state does, whatever else it may mean: in or, jobs md, pa nurses.
func (l *Lattice) standsAsCode(at int) bool {
	w := l.Tokens[at]
	if at+1 < len(l.Tokens) && l.Tokens[at+1].Tight() || w.Tight() {
		return false
	}
	grammar := len(cue.Find(w.Norm)) > 0
	if at > 0 && !w.Comma() && !w.Stop() {
		switch c := l.leftCue(at); {
		case passedOver(l.Tokens[at-1].Norm):
		case c == cue.In || c == cue.Near || c == cue.Lives:
			return !grammar || !l.goesOnAsPlace(at+1)
		case isOpening(l.Tokens[at-1].Norm):
			return !grammar || at+1 == len(l.Tokens)
		}
	}
	return !grammar && w.Norm != "co" && !l.isModifier(at) && l.titleBegins(at+1)
}

// employsSome reports whether a plural without a capital stands where a company does, right
// behind "at" or how large it is: managers at brands, at large chains.
func (l *Lattice) employsSome(from, to int) bool {
	if l.Tokens[from].Capital() || !strings.HasSuffix(l.Tokens[to-1].Norm, "s") {
		return false
	}
	sized := func(s Span) bool { return s.Type == lexicon.SizeWord }
	return l.leftCue(from) == cue.At || l.endsAt(from, 2, sized)
}

// isWorkerIn reports whether the code of a state is a title, too, and begins a prompt
// that goes on to say where: PA in London.
func (l *Lattice) isWorkerIn(from, to int) bool {
	if to == len(l.Tokens) || to > from+1 || len(l.Tokens[from].Norm) > 2 || !l.subjectBegins(from) || l.Tokens[to].Norm != "in" {
		return false
	}
	return slices.ContainsFunc(l.lex.Senses(l.phrases.norms[from:to]), func(s lexicon.Sense) bool { return s.Type == lexicon.Role })
}

// isStateWord reports whether a word of grammar stands where the code of a state
// does, and is one.
func (l *Lattice) isStateWord(at int) bool {
	switch l.Tokens[at].Norm {
	case "in", "or", "ok":
		return l.standsAsCode(at)
	}
	return false
}

// isOpening lists the words between a title and a place.
func isOpening(w string) bool {
	return w == "jobs" || w == "positions" || w == "roles" || w == "openings"
}

// goesOnAsPlace reports whether what begins at a token says where, so that the
// words before it are no place: in or outside London, in in Berlin.
func (l *Lattice) goesOnAsPlace(at int) bool {
	if at >= len(l.Tokens) || l.Tokens[at].Comma() || l.Tokens[at].Stop() {
		return false
	}
	switch l.Tokens[at].Norm {
	case "the", "a", "an", "out", "outside", "just", "very":
		return true
	}
	where := func(c cue.Cue) bool { return c == cue.In || c == cue.Near || c == cue.Lives || c == cue.Not }
	return l.ahead(at, 3, func(to int, senses []lexicon.Sense) bool {
		place := func(s lexicon.Sense) bool { return groupOf(s.Type) == GroupPlace }
		return slices.ContainsFunc(senses, place) || slices.ContainsFunc(cue.Find(l.key(at, to)), where)
	})
}

// ahead reports whether what begins at a token, of some words at most, is as wanted: up
// to which token it goes, and its senses. Readings are not made of it yet.
func (l *Lattice) ahead(at, most int, wanted func(to int, senses []lexicon.Sense) bool) bool {
	for to := at + 1; to <= at+most && to <= len(l.Tokens) && l.joined(at, to); to++ {
		if wanted(to, l.lex.Senses(l.phrases.norms[at:to])) {
			return true
		}
	}
	return false
}

// ofWork reports whether a reading says in what somebody works.
func ofWork(s Span) bool { return s.InGroup(GroupIndustry, GroupFunction) }

// isArticle reports whether a token is an article or a particle of some language
// before another word, not the code of a place: in de logistiek, dans la banque, or
// state agencies, I'll, near me, to win.
func (l *Lattice) isArticle(from, to int) bool {
	w := l.Tokens[from]
	if to == from+2 && l.Tokens[from+1].Norm == "state" && isCueOrJoin(w.Norm) {
		return !w.Shout()
	}
	if to == from+1 && (len(w.Norm) <= 3 && strings.ContainsAny(w.Text, "'’") || w.Norm == "to" && !w.Shout() || w.Norm == "me" && from > 0 && (l.Tokens[from-1].Norm == "near" || l.Tokens[from-1].Norm == "around")) {
		return true
	}
	if l.letters.mixed && w.Norm == "la" && !w.Shout() && l.laBefore(from, to) {
		return true
	}
	if to == from+1 && (l.isSpanish(from) || l.beginsInWord(from)) {
		return true
	}
	return to == from+1 && len(w.Norm) == 2 && isParticle(w.Norm) && !w.Capital() && to < len(l.Tokens) && !l.Tokens[to].Comma() && !l.Tokens[to].Stop() &&
		(w.Norm != "la" || !l.pluralBegins(to))
}

func ofPlace(s Span) bool { return s.Group() == GroupPlace }

// isSpanish reports whether a word is a Spanish one and no state: ingenieros para un proyecto, se va.
func (l *Lattice) isSpanish(at int) bool {
	w := l.Tokens[at]
	if at == 0 || !l.letters.mixed || w.Comma() || l.leftCue(at) == cue.In {
		return false
	}
	return w.Text == "para" || w.Text == "va" && !l.endsAt(at, lexicon.MaxWords, ofPlace)
}

// laBefore reports whether "la" is an article with what stands behind it: dans la région, at La
// Redoute.
func (l *Lattice) laBefore(from, to int) bool {
	if to == from+2 {
		return !l.Tokens[from].Capital() && strings.ContainsFunc(l.Tokens[from+1].Text, func(r rune) bool { return r > unicode.MaxASCII })
	}
	return to == from+1 && l.Tokens[from].Capital() && l.joined(from, to+1) && l.Tokens[to].Capital() && !l.Tokens[to].Shout()
}

// beginsInWord reports whether a sentence begins with a word of two or three letters before another one, in
// which it is no code: in Boston. Es ist dringend.
func (l *Lattice) beginsInWord(at int) bool {
	w := l.Tokens[at]
	if at == 0 || at+1 == len(l.Tokens) || len(w.Norm) < 2 || len(w.Norm) > 3 || !l.letters.mixed || !w.Stop() || w.Opens() || w.Shout() || isAbbreviated(w.Norm) {
		return false
	}
	next := l.Tokens[at+1]
	return w.Capital() && !next.Capital() && !next.Comma() && !next.Stop()
}

// isPronoun reports whether "it" is no field of work, as the words beside it say: It would
// be nice, run it for us.
func (l *Lattice) isPronoun(from, to int) bool {
	t := l.Tokens[from]
	if to != from+1 || t.Norm != "it" || t.Shout() || !l.letters.mixed {
		return false
	}
	if to == len(l.Tokens) {
		return false
	}
	if begins := from == 0 || l.Tokens[from].Stop(); begins && t.Text == "It" && !l.ahead(from, 3, func(end int, senses []lexicon.Sense) bool { return end > to && len(senses) > 0 }) {
		return true
	}
	switch l.Tokens[to].Norm {
	case "would", "is", "was", "has", "should", "must", "could", "can", "will", "for", "to", "be", "if", "seems", "helps", "matters":
		return l.leftCue(from) != cue.In
	}
	return false
}

// pluralBegins reports whether a title in the English plural stands behind a
// token, which the article of one person cannot precede: la recruiters.
func (l *Lattice) pluralBegins(at int) bool {
	return l.ahead(at, 4, func(to int, senses []lexicon.Sense) bool {
		return strings.HasSuffix(l.Tokens[to-1].Norm, "s") && isTitle(senses) &&
			!slices.ContainsFunc(l.Tokens[at:to], func(t token.Token) bool { return isSmall(t.Norm) })
	})
}

// isAbbreviated reports whether the code of a place is written with dots, too.
func isAbbreviated(code string) bool {
	switch code {
	case "dc", "us", "usa", "uk", "uae", "eu":
		return true
	}
	return false
}

// industryBegins reports whether an industry stands right behind a span.
func (l *Lattice) industryBegins(at int) bool {
	isIndustry := func(s lexicon.Sense) bool { return s.Type == lexicon.Industry && !s.NeedsCue }
	return l.ahead(at, 3, func(_ int, senses []lexicon.Sense) bool {
		return slices.ContainsFunc(senses, isIndustry) && !l.Tokens[at].Comma() && !l.Tokens[at].Stop()
	})
}

// titleBegins reports whether a title stands right behind a span.
func (l *Lattice) titleBegins(at int) bool {
	return l.ahead(at, 4, func(_ int, senses []lexicon.Sense) bool {
		return isTitle(senses) && (at == 0 || !l.Tokens[at].Comma() && !l.Tokens[at].Stop())
	})
}
