package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/token"
)

// unlistedPrior is how likely a word that stands where the title does is one that no
// list has.
const unlistedPrior = 7.5

// addUnlisted adds titles that no list has and that stand where who is looked for does,
// as they must not be left out, so that everyone of the place is found: an abbreviation
// in the plural (LCSWs in Ohio), a noun that says what people do only with a word before
// it that nothing knows (mud operators), and what ends as those do who do something, behind what
// is an industry or a skill elsewhere (real estate stagers).
func (l *Lattice) addUnlisted() {
	for i, t := range l.Tokens {
		if t.Kind != token.Word || t.Quote != 0 || l.letters.shouting || !l.subjectEnds(i+1) {
			continue
		}
		first := i // of the words before it that nothing knows
		for first > 0 && l.joined(first-1, i+1) && l.blank(first-1) {
			first--
		}
		switch {
		case t.Abbreviations() && l.subjectBegins(first) && !l.begins(i, says):
			words := append(slices.Clone(l.phrases.norms[first:i]), strings.TrimSuffix(t.Norm, "s"))
			if held := l.held(words); held.Type != "" && !l.listedWith(first, i+1) {
				l.add(Span{From: first, To: i + 1, Type: held.Type, Sense: held}, unlistedPrior)
				continue
			}
			title := lexicon.Title(words)
			if len(words) == 1 && len(words[0]) < 3 { // of two letters many things are made
				title.Values = []string{"=" + words[0]}
			}
			l.add(Span{From: first, To: i + 1, Type: lexicon.Role, Sense: title}, unlistedPrior)
			continue
		case isHand(t.Norm) && first < i && l.subjectBegins(first):
			l.add(Span{From: first, To: i + 1, Type: lexicon.Role, Sense: lexicon.Title(l.phrases.norms[first : i+1])}, unlistedPrior)
			continue
		case !IsDoers(t.Norm), l.begins(i, says):
			continue
		case !t.Capital() && l.subjectBegins(first) && l.besideTitles(first, i+1):
			l.add(Span{From: first, To: i + 1, Type: lexicon.Role, Sense: lexicon.Title(l.phrases.norms[first : i+1])}, unlistedPrior)
			continue
		}
		for from := max(0, i-3); from < i; from++ {
			if l.joined(from, i+1) && l.subjectBegins(from) && l.means(from, i, ofField) {
				l.add(Span{From: from, To: i + 1, Type: lexicon.Role, Sense: lexicon.Title(l.phrases.norms[from : i+1])}, unlistedPrior)
			}
		}
	}
}

// held is the degree or the certificate that an abbreviation stands for, of those who have
// it: DDSs, PMPs in Riyadh; nothing where it is none.
func (l *Lattice) held(words []string) lexicon.Sense {
	for _, s := range l.lex.Senses(words) {
		if s.Type == lexicon.Degree || s.Type == lexicon.Skill {
			return s
		}
	}
	return lexicon.Sense{}
}

// says reports whether a reading is more than a guess.
func says(s Span) bool {
	return !s.Is(Unknown, Named, Name, lexicon.Modifier) && s.Group() != GroupPlace
}

// ofField reports whether a reading says in what field somebody works.
func ofField(s Span) bool {
	return (ofWork(s) || s.Group() == GroupSkill || s.Type == lexicon.FieldOfStudy) && !s.Is(lexicon.SizeWord, lexicon.CompanyKind, lexicon.FundingStage)
}

// subjectBegins reports whether who is looked for is named at a token: nothing stands
// before it but where, how high and words that say nothing, or another title of a list.
func (l *Lattice) subjectBegins(at int) bool {
	for at > 0 && !l.Tokens[at].Stop() {
		end := at
		if isJoin(l.Tokens[at-1].Norm) {
			end--
		}
		title := func(s Span) bool { return s.Group() == GroupRole && s.Type != lexicon.Seniority }
		if (end < at || l.Tokens[at].Comma()) && end > 0 && (l.endsAt(end, lexicon.MaxWords, title) || l.Tokens[end-1].Abbreviations()) {
			return true
		}
		before := at
		for from := max(0, at-lexicon.MaxWords); from < at && before == at; from++ {
			if l.means(from, at, describesSubject) {
				before = from
			}
		}
		if before == at {
			return false
		}
		at = before
	}
	return true
}

// besideTitles reports whether a list that words are in names a title right before or
// behind them: bakers, cake decorators or chocolatiers.
func (l *Lattice) besideTitles(from, to int) bool {
	if to < len(l.Tokens) {
		next := to
		if isJoin(l.Tokens[to].Norm) {
			next++
		}
		if next < len(l.Tokens) && (next > to || l.Tokens[next].Comma()) && l.titleAhead(next) {
			return true
		}
	}
	end := from
	if from > 0 && isJoin(l.Tokens[from-1].Norm) {
		end--
	}
	return (end < from || l.Tokens[from].Comma()) && l.endsAt(end, lexicon.MaxWords, func(s Span) bool { return s.Type == lexicon.Role })
}

// titleAhead reports whether a title begins at a token, or behind a word there that nothing knows:
// venue managers.
func (l *Lattice) titleAhead(at int) bool {
	title := func(_ int, senses []lexicon.Sense) bool { return isTitle(senses) }
	return l.ahead(at, 4, title) || l.blank(at) && l.joined(at, at+2) && l.ahead(at+1, 3, title)
}

// describesSubject reports whether a reading may stand before who is looked for.
func describesSubject(s Span) bool {
	return s.Is(lexicon.Filler, lexicon.Seniority, lexicon.Judgement) || s.Group() == GroupPlace
}

// subjectEnds reports whether who is looked for has been named before a token.
func (l *Lattice) subjectEnds(at int) bool {
	return at == len(l.Tokens) || l.clauseEnds(at) && !strings.HasPrefix(l.Tokens[at].Norm, "expert") || l.begins(at, func(s Span) bool { return s.Group() == GroupPlace })
}

// IsDoers reports whether a word that nothing knows ends as the plural of a word for who
// does something: stagers, but not payments.
func IsDoers(w string) bool {
	for _, ending := range []string{"ers", "ors", "ists", "ians", "men", "women", "keepers"} {
		if len(w) > len(ending)+3 && strings.HasSuffix(w, ending) {
			return true
		}
	}
	return false
}

// isHand lists the nouns for people that say what they do only with a word before them:
// rig hands.
func isHand(w string) bool {
	switch w {
	case "hands", "operators", "workers", "techs", "mates", "makers":
		return true
	}
	return false
}
