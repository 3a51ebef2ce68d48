package segment

import (
	"slices"
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/token"
)

// addElliptic adds titles whose noun stands only with the last of several: of
// "backend or frontend engineers" and "iOS, Android and web developers" the words
// before the conjunctions are titles, too.
func (l *Lattice) addElliptic() {
	for i := range l.Tokens {
		for n := 1; n <= 2 && l.joined(i, i+n); n++ {
			noun, ok := l.nounBehind(i + n)
			if !ok || l.isRole(i, i+n) {
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

// addRanksOfField adds ranks whose field of work stands only with the next of
// several: the VPs of "VPs and directors of marketing" are those of marketing.
// From the last to the first, as each takes the field from the next.
func (l *Lattice) addRanksOfField() {
	for i := len(l.Tokens) - 1; i >= 0; i-- {
		for n := 1; n <= 3 && l.joined(i, i+n) && i+n < len(l.Tokens); n++ {
			next := i + n
			if !l.joins(next) || !l.isLevel(i, next) {
				continue
			}
			if isJoin(l.Tokens[next].Norm) {
				next++
			}
			if s, ok := l.rankLike(l.phrases.norms[i:i+n], next); ok {
				l.add(Span{From: i, To: i + n, Type: lexicon.Role, Sense: s}, s.Prior)
			}
		}
	}
}

// isLevel reports whether a span is a level by itself: VPs, directors, heads.
func (l *Lattice) isLevel(from, to int) bool {
	return l.means(from, to, func(s Span) bool {
		return s.Type == lexicon.Leader || s.Type == lexicon.Seniority || s.Type == lexicon.Head && s.Sense.Name == "head"
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
