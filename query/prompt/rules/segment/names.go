package segment

import (
	"math"
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// part is what a token can be in a name.
type part struct {
	first, last       float64 // popularity, below 0 where it is none
	initial, particle bool
	nick              bool
	near              bool // known only by what it is a misspelling of
	word              bool // means something else far more often
	blank             bool // means nothing else at all
	capital           bool
	place             bool // is a place, too
	area              bool // is an area or a neighbourhood, too
	tied              bool // by a hyphen to the part before, and without it means something else: Seo-yeon
}

// ofHyphen is how much likelier a name is in which a hyphen ties a word that means
// something else to one that is a name only.
const ofHyphen = 3

// longestName is how many tokens a name may have.
const longestName = 5

// weakName is below which prior nothing but the place where it stands makes a
// name of words.
const weakName = 0.7

// addNames adds the spans that can be names of people.
func (l *Lattice) addNames(byTerm map[string][]prompt.Known) {
	parts := make([]part, len(l.Tokens))
	for i := range l.Tokens {
		parts[i] = l.part(i, byTerm)
	}
	l.hyphenedParts(parts)
	for i := range l.Tokens {
		for n := 1; n <= longestName && l.joined(i, i+n) && !l.endsLegalForm(i); n++ {
			if n > 1 && (parts[i].particle && !parts[i].capital || l.Tokens[i+n-1].Slash()) {
				break
			}
			prior := l.name(parts[i : i+n])
			if n > 1 && prior > weakName && nobody(parts[i:i+n]) && l.amongExamples(i) {
				continue
			}
			if prior > 0 {
				weak := prior < weakName
				l.add(Span{From: i, To: i + n, Type: Name, Sense: lexicon.Sense{NeedsCue: weak}}, prior)
			}
		}
	}
}

// hyphenedParts takes two names that a hyphen joins for names, whatever else the
// words mean: Seo-yeon.
func (l *Lattice) hyphenedParts(parts []part) {
	for i := 1; i < len(parts); i++ {
		a, b := &parts[i-1], &parts[i]
		if l.letters.mixed && !l.Tokens[i-1].Capital() && !l.Tokens[i].Capital() { // small-animal vets
			continue
		}
		if l.Tokens[i].Tight() && max(a.first, a.last) >= 0 && max(b.first, b.last) >= 0 {
			b.tied = b.blank && !a.blank && a.capital || a.blank && !b.blank
			a.word, b.word = false, false
			b.capital = b.capital || a.capital
		}
	}
}

func (l *Lattice) part(i int, byTerm map[string][]prompt.Known) part {
	t := l.Tokens[i]
	p := part{first: -1, last: -1}
	if t.Kind != token.Word {
		return p
	}
	if isFunctionWord(t.Norm) || isHonorific(t.Norm) || strings.ContainsAny(t.Norm, "0123456789") {
		p.word = true
		return p
	}
	p.initial = len(t.Norm) == 1 && t.Norm[0] >= 'a' && t.Norm[0] <= 'z' || len(t.Norm) == 2 && strings.Count(t.Text, ".") == 1
	p.particle = isParticle(t.Norm) && (len(t.Norm) > 1 || !t.Capital())
	p.nick = !p.initial && len(analysis.NameForms(t.Norm+" x")) > 4
	p.capital = t.Capital() && l.letters.mixed && (i > 0 || len(l.Tokens) < 4)
	for _, k := range byTerm[t.Norm] {
		n := popularity(k.People)
		if k.Distance > 0 {
			p.near = true
			n = math.Min(n, 0.5)
		}
		switch k.Kind {
		case prompt.FirstName:
			p.first = math.Max(p.first, n)
		case prompt.LastName:
			p.last = math.Max(p.last, n)
		}
	}
	p.blank = true
	for _, s := range l.From[i] {
		if s.Len() != 1 {
			continue
		}
		switch s.Group() {
		case GroupPlace, GroupCompany, GroupSchool:
			p.blank = p.blank && s.Score < unknownScore
			p.place = p.place || s.Group() == GroupPlace && s.Score > unknownScore
			p.area = p.area || s.Type == lexicon.Metro || s.Type == lexicon.City && s.Sense.Place.Population == 0
		default:
			p.blank = false
			p.word = p.word || s.Sense.Prior >= 4 || s.Is(lexicon.Cue, lexicon.Filler)
		}
	}
	p.capital = p.capital && (p.blank || !t.Shout()) // SEO is no name for its capitals
	return p
}

// isFunctionWord reports whether a word of grammar is no part of a name, whatever
// the vocabulary knows.
func isFunctionWord(w string) bool {
	switch w {
	case "whod", "whos", "whove", "im", "ive", "hes", "shes", "theyre", "kennst", "that", "which", "who", "whose", "que", "qui", "em", "com", "para", "pour", "avec", "dans", "con", "mit", "bei", "ou", "oder", "und", "et", "fur", "des", "aux", "par", "sur", "mas", "mais":
		return true
	}
	return false
}

// isHonorific reports whether a word stands before a name, and is no part of it.
func isHonorific(w string) bool {
	switch w {
	case "dr", "prof", "mr", "mrs", "ms", "mx", "herr", "frau", "mme", "mlle", "sig", "sra":
		return true
	}
	return false
}

func isParticle(w string) bool {
	switch w {
	case "van", "von", "de", "der", "den", "del", "della", "di", "da", "dos", "du", "la", "le", "bin", "ibn", "al", "el", "ten", "ter", "st", "mac", "zu", "y", "e":
		return true
	}
	return false
}

// name returns the prior of a name of these parts; 0 where it is none.
func (l *Lattice) name(parts []part) float64 {
	if len(parts) == 1 {
		return single(parts[0])
	}
	if len(l.Tokens) == 2 && ofArea(parts) {
		return overArea
	}
	known, unknown, words, small, tied := 0, 0, 0, 0, false
	least := 2.0
	for _, p := range parts {
		switch {
		case p.particle || p.initial:
			small++
		case p.first >= 0 || p.last >= 0:
			known++
			least = math.Min(least, math.Max(p.first, p.last))
		case p.nick:
			known++
			least = 0
		case p.word:
			return 0
		default:
			unknown++
			if !p.blank && !p.capital {
				return 0
			}
		}
		if p.word && !p.initial {
			words++
		}
		if p.near {
			least--
		}
		tied = tied || p.tied
	}
	if small == len(parts) || known+unknown < 2 && (known == 0 || !hasInitial(parts)) || parts[len(parts)-1].particle {
		return 0
	}
	prior := 5 + least - 1.5*float64(words)
	if tied {
		prior += ofHyphen
	}
	if words > 0 && !capitals(parts) && !l.titled() {
		prior -= 1.5
	}
	if !given(parts) && !capitals(parts) {
		prior -= 1.5
	}
	switch {
	case known == 0 && (!capitals(parts) || len(parts) < len(l.Tokens) && parts[len(parts)-1].place): // KUKA Augsburg
		return 0.6
	case known == 0:
		prior = 3
	case unknown > 0 && capitals(parts):
		prior = 4
	case unknown > 0:
		prior = 3
	}
	return math.Max(prior, 0)
}

// overArea is how likely a first name and the name of an area are somebody, where they
// are all that is asked for.
const overArea = 4.2

// ofArea reports whether two words are a name and the name of an area, or a first
// name that is one and a word that means nothing: John Wiltshire, Kent Brockman.
func ofArea(parts []part) bool {
	if max(parts[0].first, parts[0].last) < 0 && !parts[0].nick {
		return false
	}
	return parts[1].area || parts[0].area && parts[1].blank
}

// single is the prior of one word as a name.
func single(p part) float64 {
	most := math.Max(p.first, p.last)
	switch {
	case p.word || p.initial || p.particle:
		return 0
	case most >= 0 && p.near:
		return 1.2
	case most >= 0:
		return 1.5 + most
	case p.nick && p.capital:
		return 1.2
	}
	return 0
}

// nobody reports whether no part is known to be of a name.
func nobody(parts []part) bool {
	for _, p := range parts {
		if p.first >= 0 || p.last >= 0 || p.nick {
			return false
		}
	}
	return true
}

// titled reports whether nearly all words of the prompt have a capital.
func (l *Lattice) titled() bool {
	for _, t := range l.Tokens {
		if t.Kind == token.Word && !t.Capital() && !isSmall(t.Norm) {
			return false
		}
	}
	return !l.letters.shouting
}

func hasInitial(parts []part) bool {
	for _, p := range parts {
		if p.initial {
			return true
		}
	}
	return false
}

// given reports whether some part is known as a first name.
func given(parts []part) bool {
	for _, p := range parts {
		if p.first >= 0 || p.nick {
			return true
		}
	}
	return false
}

func capitals(parts []part) bool {
	for _, p := range parts {
		if !p.capital && !p.particle {
			return false
		}
	}
	return true
}

// isSurname reports whether a title of another language that is a usual last name, too,
// stands behind a first name that the lexicon does not know: Gerhard Richter.
func (l *Lattice) isSurname(from, to int) bool {
	t := l.Tokens[from]
	if from == 0 || to > from+1 || !lexicon.IsSurname(t.Norm) || t.Comma() || t.Stop() {
		return false
	}
	first := l.Tokens[from-1]
	for _, adjective := range []string{"ige", "liche", "ende", "ene", "sche", "te"} { // erfahrene Richter
		if strings.HasSuffix(first.Norm, adjective) {
			return false
		}
	}
	other := func(s lexicon.Sense) bool { // than Julia and Anna
		return s.Type != lexicon.Skill && (s.Type != lexicon.City || s.Place.Population >= townSize)
	}
	named := first.Capital() && t.Capital() || len(l.Tokens) == 2
	return named && first.Kind == token.Word && !slices.ContainsFunc(l.lex.Senses([]string{first.Norm}), other) && len(cue.Find(first.Norm)) == 0
}

// townSize is up to how many people a place may have whose name is rather a first name.
const townSize = 100_000

// isLateYear reports whether a number is a year of this century, which is part of no name: who
// graduated in 2015 and started a company.
func isLateYear(w string) bool { return len(w) == 4 && w > "2000" && w < "2050" }
