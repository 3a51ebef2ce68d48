package rules

import (
	"slices"
	"strings"
	"unicode"

	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// Limits of correcting: words of fewer letters are like too many others, and
// each word costs some hundred look-ups.
const (
	shortestMisspelt = 5
	maxCorrections   = 8
	correctionGain   = 0.5
	// cueWorth is how likely a word of grammar is meant.
	cueWorth = 6
)

// correct reads a prompt once more with the words that mean nothing replaced by
// words that differ by one edit or, long ones, two, and keeps that reading where it
// explains the prompt better.
func (r *Rules) correct(read *reading, known []prompt.Known) {
	if isBareName(read) {
		return
	}
	tokens := slices.Clone(read.lattice.Tokens)
	corrected := 0
	var named []int // words of what else is a name
	for _, s := range read.spans {
		for i := s.From; i < s.To; i++ {
			if corrected < maxCorrections && (meaningless(s) || uncertain(s, tokens)) && !read.knows(tokens[i]) && !behindVerb(tokens, i) {
				if w := r.nearest(tokens[i]); w != "" && (!isSubject(tokens, i) || !r.isPlace(w)) && (!atEmployer(tokens, i) || r.isCompany(w)) && (!isAccented(tokens[i]) || !r.isCompany(w)) {
					tokens[i].Norm = w
					corrected++
					if !meaningless(s) {
						named = append(named, i)
					}
				}
			}
		}
	}
	if corrected == 0 {
		return
	}
	lattice := segment.New(r.lex, tokens)
	lattice.Learn(known)
	if spans, score := lattice.Best(); score > read.score+correctionGain && (!read.saysNothing() || !ofPlaces(spans)) && areTitles(named, spans) {
		read.lattice, read.spans, read.score = lattice, spans, score
	}
}

// uncertain reports whether a reading is a name of three words or more without a
// capital: developers misspelt, and a city.
func uncertain(s segment.Span, tokens []token.Token) bool {
	return s.Type == segment.Name && s.Len() > 2 && !slices.ContainsFunc(tokens[s.From:s.To], token.Token.Capital)
}

// areTitles reports whether each of the words is part of a title.
func areTitles(words []int, spans []segment.Span) bool {
	return !slices.ContainsFunc(words, func(i int) bool {
		return !slices.ContainsFunc(spans, func(s segment.Span) bool { return s.From <= i && i < s.To && s.Type == lexicon.Role })
	})
}

// saysNothing reports whether a prompt is two or three words that mean nothing, as the
// name of somebody whom nobody knows is.
func (r *reading) saysNothing() bool {
	n := len(r.lattice.Tokens)
	return n > 1 && n < 4 && !slices.ContainsFunc(r.spans, func(s segment.Span) bool { return !meaningless(s) })
}

// ofPlaces reports whether nothing but places is read: satya nadella lives not in Sanya.
func ofPlaces(spans []segment.Span) bool {
	return !slices.ContainsFunc(spans, func(s segment.Span) bool { return s.Group() != segment.GroupPlace && s.Type != segment.Unknown })
}

// behindVerb reports whether a word is named as an employer that somebody left or
// founded, or as who asks: ex-Adyen is not the city of Aden, I'm Marta not Malta.
func behindVerb(tokens []token.Token, i int) bool {
	if i == 0 {
		return false
	}
	switch tokens[i-1].Norm {
	case "founded", "started", "im":
		return tokens[i].Capital()
	}
	return tokens[i-1].Norm == "ex" || tokens[i].Capital() && segment.IsExample(tokens, i)
}

// atEmployer reports whether a word with a capital stands behind "at", so that it is
// a company by that name: at Boots, which are no books.
func atEmployer(tokens []token.Token, i int) bool {
	return i > 0 && tokens[i].Capital() && tokens[i-1].Norm == "at" && !tokens[i-1].Capital()
}

// isSubject reports whether a word with a capital opens a prompt and is said to be somewhere, as
// people are and places are not: Sarah in marketing.
func isSubject(tokens []token.Token, i int) bool {
	return i == 0 && len(tokens) > 1 && tokens[0].Capital() && (tokens[1].Norm == "in" || tokens[1].Norm == "at" || tokens[1].Norm == "from")
}

// isPlace reports whether a word names a place.
func (r *Rules) isPlace(w string) bool {
	return slices.ContainsFunc(r.lex.Senses([]string{w}), func(s lexicon.Sense) bool { return segment.Span{Type: s.Type}.Group() == segment.GroupPlace })
}

// isAccented reports whether a word without a capital has marks, as those of other languages do,
// and is no name misspelt: la sequía is not Sequoia.
func isAccented(t token.Token) bool {
	return !t.Capital() && strings.ContainsFunc(t.Text, func(r rune) bool { return r > unicode.MaxASCII && unicode.IsLetter(r) })
}

// isCompany reports whether a word names a company or a school.
func (r *Rules) isCompany(w string) bool {
	return slices.ContainsFunc(r.lex.Senses([]string{w}), func(s lexicon.Sense) bool { return s.Type == lexicon.CompanyAlias || s.Type == lexicon.SchoolAlias })
}

// isBareName reports whether a prompt is two or three words with capitals, none of
// which means anything, and but for words of finding nothing else: the name of
// somebody whom nobody knows.
func isBareName(read *reading) bool {
	spans := read.spans
	for len(spans) > 0 && spans[0].Type == lexicon.Filler {
		spans = spans[1:]
	}
	if len(spans) == 0 {
		return false
	}
	tokens := read.lattice.Tokens[spans[0].From:]
	bare := func(t token.Token) bool { return t.Kind == token.Word && t.Capital() && !t.Shout() && !t.Comma() }
	guess := func(s segment.Span) bool { return s.Is(segment.Unknown, segment.Name) }
	return len(tokens) > 1 && len(tokens) < 4 && !slices.ContainsFunc(tokens, func(t token.Token) bool { return !bare(t) }) &&
		!slices.ContainsFunc(spans, func(s segment.Span) bool { return !guess(s) })
}

// meaningless reports whether a reading is only a guess.
func meaningless(s segment.Span) bool {
	return s.Is(segment.Unknown, segment.Named) || s.Type == lexicon.Skill && s.Known.Distance > 0 || s.Type == segment.Name && s.Sense.NeedsCue || s.Type == lexicon.Modifier ||
		s.Sense.ByRule || s.Type == segment.KnownTitle && s.Known.Distance > 0
}

// knows reports whether the directory knows the word as part of a name.
func (r *reading) knows(t token.Token) bool {
	if t.Kind != token.Word || len(t.Norm) < shortestMisspelt || t.Quote != 0 {
		return true
	}
	for _, terms := range r.known {
		if _, ok := terms[t.Norm]; ok {
			return true
		}
	}
	return len(r.near[t.Norm]) > 0 && len(r.spans) < 3
}

// nearest returns the likeliest word that a word differs from by one edit, or if it
// is long and no name by two, if the word itself means nothing, and is not just its
// plural; or "".
func (r *Rules) nearest(t token.Token) string {
	w := t.Norm
	if r.lex.Worth(w) > 0 || r.lex.IsWord(w) || len(cue.Find(w)) > 0 {
		return ""
	}
	best, found := 0.0, ""
	lexicon.Edits(w, func(other []byte) {
		worth := r.lex.Worth(string(other))
		if len(cue.Find(string(other))) > 0 {
			worth = max(worth, cueWorth)
		}
		if worth > best {
			best, found = worth, string(other)
		}
	})
	if found == "" && len(w) >= lexicon.LongWord && !t.Capital() && !isLearned(w) {
		found = r.lex.TwiceMisspelt(w)
	}
	if lexicon.IsPlural(found, w) || isTradeOf(w, found) {
		return ""
	}
	return found
}

// isTradeOf reports whether a word is the trade of those whom another names, not a
// misspelling: carpentry, of carpenters.
func isTradeOf(w, who string) bool {
	stem, isTrade := strings.CutSuffix(w, "ry")
	who = strings.TrimSuffix(who, "s")
	return isTrade && (who == stem+"er" || who == stem+"r")
}

// isLearned reports whether a word ends as those for scholars do, of whom there are more
// than any list has, and which two edits make of each other: horologists study no water.
func isLearned(w string) bool {
	w = strings.TrimSuffix(w, "s")
	return slices.ContainsFunc([]string{"ologist", "ographer", "onomist", "iatrist"}, func(ending string) bool { return strings.HasSuffix(w, ending) })
}
