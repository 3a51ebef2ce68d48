package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// addElliptic adds titles whose noun stands only with the last of several: of
// "backend or frontend engineers" and "iOS, Android and web developers" the words
// before the conjunctions are titles, too.
func (l *Lattice) addElliptic() {
	for i := range l.Tokens {
		for n := 1; n <= 2 && l.joined(i, i+n); n++ {
			noun, ok := l.nounBehind(i + n)
			if !ok || l.isRole(i, i+n) && !lexicon.IsRankWord(l.phrases.norms[i]) {
				continue
			}
			words := append(slices.Clone(l.phrases.norms[i:i+n]), noun)
			senses := l.lex.Senses(words)
			at := slices.IndexFunc(senses, func(s lexicon.Sense) bool { return s.Type == lexicon.Role && !s.NeedsCue && !s.ByRule })
			if at >= 0 {
				l.add(Span{From: i, To: i + n, Type: lexicon.Role, Sense: senses[at]}, senses[at].Prior)
			}
		}
	}
}

// addEllipticStudies adds fields of study whose noun stands only with the last of several:
// the civil of "civil or environmental engineering".
func (l *Lattice) addEllipticStudies() {
	study := func(s lexicon.Sense) bool { return s.Type == lexicon.FieldOfStudy }
	for i := 0; i+2 < len(l.Tokens); i++ {
		next := i + 1
		if !l.joins(next) {
			continue
		}
		if isJoin(l.Tokens[next].Norm) {
			next++
		}
		for n := 3; n > 1; n-- {
			if next+n > len(l.Tokens) || !l.joined(next, next+n) || !slices.ContainsFunc(l.lex.Senses(l.phrases.norms[next:next+n]), study) {
				continue
			}
			senses := l.lex.Senses([]string{l.phrases.norms[i], l.phrases.norms[next+n-1]})
			if at := slices.IndexFunc(senses, study); at >= 0 {
				l.add(Span{From: i, To: i + 1, Type: lexicon.FieldOfStudy, Sense: senses[at]}, senses[at].Prior)
			}
			break
		}
	}
}

// addRanksOfField adds ranks whose field of work stands only with the next of
// several: the VPs of "VPs and directors of marketing" are those of marketing.
// From the last to the first, as each takes the field from the next.
func (l *Lattice) addRanksOfField() {
	for i := len(l.Tokens) - 1; i >= 0; i-- {
		for n := 1; n <= 3 && l.joined(i, i+n) && i+n < len(l.Tokens); n++ {
			next := i + n
			not := l.leftOut(next)
			if not == 0 && !l.joins(next) || !l.isLevel(i, next) {
				continue
			}
			if next += not; not == 0 && isJoin(l.Tokens[next].Norm) {
				next++
			}
			rank := l.phrases.norms[i : i+n]
			if n > 1 && rank[n-1] == "of" { // Head of / VP Product
				rank = rank[:n-1]
			}
			if s, ok := l.rankLike(rank, next); ok {
				l.add(Span{From: i, To: i + n, Type: lexicon.Role, Sense: s}, s.Prior)
			}
		}
	}
}

// leftOut is how many words at a token say that another one is left out: directors but not
// VPs of marketing.
func (l *Lattice) leftOut(at int) int {
	n := 0
	if l.Tokens[at].Norm == "but" {
		n++
	}
	if at+n+1 < len(l.Tokens) && l.Tokens[at+n].Norm == "not" {
		return n + 1
	}
	return 0
}

// addFieldsOfRank adds ranks that stand only with the first of several fields of
// work: the marketing of "directors of sales or marketing" is directed, too.
func (l *Lattice) addFieldsOfRank() {
	for at := 1; at < len(l.Tokens); at++ {
		if !l.joins(at) || !l.conjunctionAhead(at) || l.listClosed(at) || l.Tokens[at].Norm == "and" && l.Tokens[at].Shout() && !l.letters.shouting {
			continue
		}
		from := at
		if isJoin(l.Tokens[from].Norm) {
			from++
		}
		for n := 3; n > 0; n-- {
			if from+n > len(l.Tokens) || !l.joined(from, from+n) || l.Tokens[from].Quote != 0 {
				continue
			}
			if s, ok := l.fieldLike(at, l.phrases.norms[from:from+n]); ok {
				l.add(Span{From: from, To: from + n, Type: lexicon.Role, Sense: s}, s.Prior)
				break
			}
		}
	}
}

// addFieldsBehindComma adds titles whose field of work stands behind a comma, as on
// business cards: Manager, Customer Success.
func (l *Lattice) addFieldsBehindComma() {
	for at := 1; at < len(l.Tokens); at++ {
		if !l.Tokens[at].Comma() {
			continue
		}
		from := at - 1
		for from > 0 && at-from < 3 && !l.Tokens[from].Comma() && !l.Tokens[from].Stop() {
			from--
		}
		for ; from < at; from++ {
			if l.addRanked(from, at) {
				break
			}
		}
	}
}

// addRanked adds the title that the rank before a comma makes with a field of work
// that has nothing behind it.
func (l *Lattice) addRanked(from, comma int) bool {
	for n := 3; n > 0; n-- {
		to := comma + n
		if to > len(l.Tokens) || !l.joined(comma, to) || to < len(l.Tokens) && !l.Tokens[to].Comma() && !l.Tokens[to].Stop() && !l.endsTitle(to) {
			continue
		}
		if s, ok := l.ranked(l.phrases.norms[from:comma], l.phrases.norms[comma:to]); ok {
			l.add(Span{From: from, To: to, Type: lexicon.Role, Sense: s}, s.Prior)
			return true
		}
	}
	return false
}

// endsTitle reports whether a preposition stands at a token, which ends a title.
func (l *Lattice) endsTitle(at int) bool {
	return l.begins(at, func(s Span) bool { return s.Type == lexicon.Cue && isPreposition(cue.Cue(s.Sense.Name)) })
}

// conjunctionAhead reports whether a list that goes on at a token has a
// conjunction there or later. A comma alone may put anything beside a title:
// VP of Engineering, AI.
func (l *Lattice) conjunctionAhead(at int) bool {
	for i := at; i < len(l.Tokens) && i < at+farNoun; i++ {
		t := l.Tokens[i]
		if t.Stop() && i > at {
			return false
		}
		if isJoin(t.Norm) || t.Gap == "&" || t.Slash() {
			return true
		}
	}
	return false
}

// listClosed reports whether a comma before a token stands behind a conjunction of the same
// list, which is over then: VP Sales or VP Procurement, food & beverage.
func (l *Lattice) listClosed(at int) bool {
	if !l.Tokens[at].Comma() || isJoin(l.Tokens[at].Norm) {
		return false
	}
	for i := at - 1; i > max(0, at-farNoun) && !l.Tokens[i].Stop(); i-- {
		if isJoin(l.Tokens[i].Norm) {
			return true
		}
		if l.Tokens[i].Comma() {
			return false
		}
	}
	return false
}

// fieldLike is the title that a field of work makes with the rank of the title
// that ends at a token.
func (l *Lattice) fieldLike(at int, field []string) (title lexicon.Sense, ok bool) {
	l.endsAt(at, lexicon.MaxWords, func(s Span) bool {
		if !isRankOfField(s.Sense) {
			return false
		}
		rank, _, _ := strings.Cut(s.Sense.Name, "_of_")
		title, ok = l.ranked(strings.Split(rank, "_"), field)
		return ok
	})
	return title, ok
}

// ranked is the title that a rank makes with a field of work.
func (l *Lattice) ranked(rank, field []string) (lexicon.Sense, bool) {
	senses := l.lex.Senses(slices.Concat(rank, []string{"of"}, field))
	if i := slices.IndexFunc(senses, isRankOfField); i >= 0 {
		return senses[i], true
	}
	return lexicon.Sense{}, false
}

// isLevel reports whether a span is a level by itself: VPs, directors, heads.
func (l *Lattice) isLevel(from, to int) bool {
	return l.means(from, to, func(s Span) bool {
		return s.Is(lexicon.Leader, lexicon.Seniority) || s.Type == lexicon.Head && s.Sense.Name == "head" ||
			s.Type == lexicon.Role && s.Sense.Level == "vp"
	})
}

// rankLike is the title that a rank makes with the field of the rank that begins
// at a token.
func (l *Lattice) rankLike(rank []string, at int) (lexicon.Sense, bool) {
	if at >= len(l.Tokens) {
		return lexicon.Sense{}, false
	}
	for _, s := range l.From[at] {
		if !isRankOfField(s.Sense) {
			continue
		}
		_, field, _ := strings.Cut(s.Sense.Name, "_of_")
		words := strings.Split(field, "_")
		for _, title := range [][]string{slices.Concat(rank, []string{"of"}, words), slices.Concat(words, rank)} {
			senses := l.lex.Senses(title)
			if i := slices.IndexFunc(senses, func(s lexicon.Sense) bool { return s.Type == lexicon.Role && !s.ByRule }); i >= 0 {
				return senses[i], true
			}
		}
	}
	return lexicon.Sense{}, false
}

func isRankOfField(s lexicon.Sense) bool {
	return s.Type == lexicon.Role && !s.ByRule && strings.Contains(s.Name, "_of_")
}

// farNoun is how many tokens behind a word its noun may stand.
const farNoun = 7

// nounBehind returns the noun of the title that is joined to the words before a
// token by "and", "or", a comma or a slash, with others of the kind between.
func (l *Lattice) nounBehind(at int) (string, bool) {
	if at >= len(l.Tokens) || !l.joins(at) {
		return "", false
	}
	for from := at; from < len(l.Tokens) && from < at+farNoun; from++ {
		if t := l.Tokens[from]; t.Stop() || t.Kind != token.Word {
			return "", false
		}
		if !l.joins(from) {
			continue
		}
		first := from
		if isJoin(l.Tokens[first].Norm) {
			first++
		}
		if first < len(l.Tokens) && l.Tokens[first].Quote != l.Tokens[at-1].Quote { // Sales OR "Business Development"
			return "", false
		}
		for n := 4; n > 1; n-- {
			if l.joined(first, min(first+n, len(l.Tokens)+1)) && l.isListedTitle(first, first+n) {
				return l.Tokens[first+n-1].Norm, true
			}
		}
	}
	return "", false
}

// joins reports whether a token is a conjunction, or a comma or slash stands
// before it.
func (l *Lattice) joins(at int) bool {
	t := l.Tokens[at]
	return isJoin(t.Norm) || t.Comma() || t.Slash() || t.Gap == "&"
}

func (l *Lattice) isListedTitle(from, to int) bool {
	return l.means(from, to, func(s Span) bool { return s.Type == lexicon.Role && !s.Sense.ByRule })
}

// isRole reports whether a span is a title by itself.
func (l *Lattice) isRole(from, to int) bool {
	return l.means(from, to, func(s Span) bool { return s.Group() == GroupRole })
}
