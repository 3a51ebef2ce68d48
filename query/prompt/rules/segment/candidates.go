package segment

import (
	"slices"
	"strings"

	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/quantity"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// Lattice holds the readings of all spans of a prompt.
type Lattice struct {
	Tokens []token.Token
	// From holds the readings by the token that they begin at.
	From [][]Span

	lex     *lexicon.Lexicon
	letters letters
	phrases phrases
	// marked counts, at each token, those up to it that a mark sets apart.
	marked []int
}

// New collects the readings that need no look-up.
func New(lex *lexicon.Lexicon, tokens []token.Token) *Lattice {
	l := &Lattice{Tokens: tokens, From: make([][]Span, len(tokens)), lex: lex, letters: lettersOf(tokens), marked: marks(tokens)}
	l.phrases = newPhrases(l)
	for i := range tokens {
		if kind := tokens[i].Kind; kind != token.Word && kind != token.Number {
			l.add(Span{From: i, To: i + 1, Type: Address}, addressPrior)
			continue
		}
		l.quantity(i)
		for n := 1; n <= cue.MaxWords && l.joined(i, i+n); n++ {
			l.span(i, i+n)
		}
	}
	l.addStageLetters()
	l.addStages()
	l.addOwned()
	l.addCounties()
	l.addElliptic()
	l.addEllipticStudies()
	l.addBracketed()
	l.addShared()
	l.addLanguageTeachers()
	l.addFieldsBehindComma()
	l.addRanksOfField()
	l.addFieldsOfRank()
	return l
}

// Priors of readings that are no sense of the lexicon, in its scale.
const (
	addressPrior  = 12
	quantityPrior = 9
	cuePrior      = 7
)

// joined reports whether the tokens from up to to can be one span: no comma, no
// end of a sentence and no quotation mark between them.
func (l *Lattice) joined(from, to int) bool {
	if to > len(l.Tokens) {
		return false
	}
	last := l.Tokens[to-1]
	if last.Kind != token.Word && last.Kind != token.Number || last.Quote != l.Tokens[from].Quote {
		return false
	}
	return to == from+1 || l.marked[to-1] == l.marked[from] && (!l.Tokens[to-2].Possessive || SaysForWhom(l.Tokens[to-2]))
}

func marks(tokens []token.Token) []int {
	marked, n := make([]int, len(tokens)), 0
	for i, t := range tokens {
		if t.Apart() {
			n++
		}
		marked[i] = n
	}
	return marked
}

// span adds what the lexicon and the cues say of a span.
func (l *Lattice) span(from, to int) {
	tokens := l.Tokens[from:to]
	words := l.phrases.norms[from:to]
	if to-from <= lexicon.MaxWords {
		for _, s := range l.lex.Senses(words) {
			if !l.unmeant(from, to, s) {
				l.add(Span{From: from, To: to, Type: s.Type, Sense: s}, s.Prior)
			}
		}
	}
	contracted := tokens[0].Norm == "were" && strings.ContainsAny(tokens[0].Text, "'’")
	if tokens[0].Quote != 0 || contracted || tokens[0].Abbreviations() && to == from+1 { // PAs are no "pas", we're is no "were"
		return
	}
	owned := from > 0 && l.Tokens[from-1].Possessive
	for rank, c := range cue.Find(l.key(from, to)) {
		who := from > 0 && (l.Tokens[from-1].Norm == "who" || l.Tokens[from-1].Norm == "that")
		if c == cue.Past && owned && to > from+1 || c == cue.Soft && tokens[0].Norm == "helps" && (who || !l.apart(to)) { // Jane Doe's former colleagues at Acme, who helps startups
			continue
		}
		l.add(Span{From: from, To: to, Type: lexicon.Cue, Sense: lexicon.Sense{Type: lexicon.Cue, Name: string(c)}}, cuePrior-float64(rank))
	}
}

// unmeant reports whether a span cannot have a sense of its words where it stands.
func (l *Lattice) unmeant(from, to int, s lexicon.Sense) bool {
	first, one := l.Tokens[from], to == from+1
	switch {
	case s.Type == lexicon.Cue, s.NeedsCue && !l.plausible(from, to, s), groupOf(s.Type) == GroupPlace && l.isArticle(from, to):
		return true
	case one && l.saysForWhom(from), l.cutsAbbreviation(from, to), one && l.mayBeLicence(from) && (s.Type == lexicon.Skill) != l.isLicence(from, to):
		return true
	case s.Type == lexicon.Role:
		return l.isSurname(from, to) || one && (l.endsInCapital(from) || l.isOtherGP(from, s))
	case s.Type == lexicon.Skill: // GPs are no GPS
		return one && first.Abbreviations() && strings.EqualFold(s.Values[0], first.Norm)
	case s.Type == lexicon.Industry && s.Name == "agency":
		return one && l.behindRecruiters(from)
	case s.Type == lexicon.Function:
		return l.isPronoun(from, to)
	case s.Type == lexicon.Degree:
		return one && l.isToBe(from)
	case s.Type == lexicon.FundingStage && s.Name == "seed":
		return l.isSeedOfPlants(from, to)
	case s.Type == lexicon.CompanyAlias: // WHO, Lloyd's
		return one && (first.Norm == "who" && !first.Shout() || strings.HasPrefix(first.Norm, "lloyd") && strings.ContainsAny(first.Text, "'’") == (s.Name == "lloyds_banking_group"))
	case s.Type == lexicon.Filler && strings.HasPrefix(s.Name, "mid") && to < len(l.Tokens): // junior to mid, of mid-level
		return l.Tokens[to].Norm == "level"
	case s.Type == lexicon.Filler, s.Type == lexicon.State: // TAs
		return one && first.Abbreviations()
	}
	return false
}

func isTitle(senses []lexicon.Sense) bool {
	return slices.ContainsFunc(senses, func(s lexicon.Sense) bool {
		return s.Type == lexicon.Role || s.Type == lexicon.CRole || s.Type == lexicon.Head || s.Type == lexicon.Founder
	})
}

// titleEnds reports whether a title stands right before a span, but for words
// that say nothing.
func (l *Lattice) titleEnds(at int) bool {
	ends := []int{at} // where it may end, each looked at once, as every word may say nothing
	for i := 0; i < len(ends); i++ {
		found := l.endsAt(ends[i], lexicon.MaxWords, func(s Span) bool {
			if s.Type == lexicon.Filler && s.From > 0 && !slices.Contains(ends, s.From) {
				ends = append(ends, s.From)
			}
			return s.InGroup(GroupRole, GroupFunction)
		})
		if found {
			return true
		}
	}
	return false
}

func (l *Lattice) quantity(i int) {
	rest := l.Tokens[i:]
	q, n := quantity.Read(rest[:min(len(rest), longestQuantity)])
	if n == 0 {
		return
	}
	prior := float64(quantityPrior)
	switch {
	case q.Kind == quantity.Plain && q.Open:
		prior = 2
	case q.Kind == quantity.Plain: // two or more
		prior = 5
	}
	l.add(Span{From: i, To: i + n, Type: Quantity, Quantity: q}, prior)
}

// longestQuantity is how many tokens a quantity may have.
const longestQuantity = 12

// add scores a span and keeps it.
func (l *Lattice) add(s Span, prior float64) {
	s.Score = l.score(s, prior)
	l.From[s.From] = append(l.From[s.From], s)
}

// Asked returns the terms that the vocabulary is to be asked for, and those
// among them for which near ones are wanted: words that mean nothing else.
func (l *Lattice) Asked() (terms, near []string) {
	seen := map[string]bool{}
	ask := func(term string) {
		if term != "" && !seen[term] && len(terms) < prompt.MaxTerms {
			seen[term] = true
			terms = append(terms, term)
		}
	}
	for n := 1; n <= lexicon.MaxWords; n++ {
		for i := range l.Tokens {
			if !l.joined(i, i+n) || l.Tokens[i].Kind != token.Word {
				continue
			}
			ask(l.key(i, i+n))
			ask(l.companyKey(i, i+n)) // without "Inc."
			if l.Tokens[i+n-1].Possessive && n == 1 {
				ask(l.Tokens[i].Norm + "s") // McDonald's
			}
		}
	}
	l.askSynonyms(ask)
	l.askPlaces(ask)
	return terms, l.askedNear(seen)
}

// askedNear returns the terms for which near ones are wanted: words that mean
// nothing, and the names that such words can be part of.
func (l *Lattice) askedNear(seen map[string]bool) (near []string) {
	for n := 1; n <= 4; n++ {
		for i := range l.Tokens {
			if len(near) == prompt.MaxNear {
				return near
			}
			if !l.joined(i, i+n) || n > 1 && !l.canBeCompany(i, i+n) || n == 1 && !l.misspelt(i) {
				continue
			}
			if term := l.key(i, i+n); seen[term] {
				near = append(near, term)
			}
		}
	}
	return near
}

// canBeCompany reports whether a span of several words, one of which means
// nothing, stands where a company is named.
func (l *Lattice) canBeCompany(from, to int) bool {
	if expected(l.leftCue(from)).group != GroupCompany && (!l.letters.mixed || !l.capitals(from, to)) {
		return false
	}
	for i := from; i < to; i++ {
		if l.misspelt(i) {
			return true
		}
	}
	return false
}

// misspelt reports whether a token means nothing, and is long enough to be a
// misspelt word rather than an abbreviation.
func (l *Lattice) misspelt(i int) bool {
	t := l.Tokens[i]
	if t.Kind != token.Word || len(t.Norm) < 4 || t.Shout() && !l.letters.shouting {
		return false
	}
	for _, s := range l.From[i] {
		if s.Len() == 1 && s.Type != lexicon.Modifier {
			return false
		}
	}
	return true
}

func (l *Lattice) addUnknown() {
	for i := range l.Tokens {
		l.From[i] = append(l.From[i], Span{From: i, To: i + 1, Type: Unknown, Score: unknownScore})
	}
}
