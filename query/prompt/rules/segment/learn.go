package segment

import (
	"math"

	"kith/index/analysis"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// Learn adds what the vocabulary knows.
func (l *Lattice) Learn(known []prompt.Known) {
	byTerm := map[string][]prompt.Known{}
	for _, k := range known {
		byTerm[k.For] = append(byTerm[k.For], k)
	}
	for i := range l.Tokens {
		if l.Tokens[i].Kind != token.Word || len(known) == 0 {
			continue
		}
		for n := 1; n <= lexicon.MaxWords && l.joined(i, i+n); n++ {
			term := l.key(i, i+n)
			for _, k := range byTerm[term] {
				if k.Distance == 0 || n == 1 || !l.means(i+n-1, i+n, func(s Span) bool { return s.Type == lexicon.Cue }) { // Tempor in Berlin: not Temporline
					l.learn(i, i+n, k)
				}
			}
			if company := l.companyKey(i, i+n); company != term {
				l.learnCompany(i, i+n, byTerm[company])
			}
		}
	}
	l.weighPlaces(byTerm)
	l.addNames(byTerm)
	l.addNamed()
	l.addAbbreviations()
	l.addRuns()
	l.addCampuses()
	l.addUnlisted()
	l.addListed()
	l.addUnknown()
}

// askSynonyms asks for the industries and keywords that the words of the prompt
// can mean: which of them the directory has decides what is asked for.
func (l *Lattice) askSynonyms(ask func(string)) {
	for _, spans := range l.From {
		for _, s := range spans {
			if s.Type != lexicon.Industry {
				continue
			}
			for _, list := range [][]string{s.Sense.Values, s.Sense.Keywords, s.Sense.Broader} {
				for _, v := range list {
					ask(analysis.PlaceKey(v))
				}
			}
		}
	}
}

// learnCompany adds a company that is written with its legal form.
func (l *Lattice) learnCompany(from, to int, known []prompt.Known) {
	for _, k := range known {
		if k.Kind == prompt.Company {
			l.learn(from, to, k)
		}
	}
}

func (l *Lattice) learn(from, to int, k prompt.Known) {
	span := Span{From: from, To: to, Known: k}
	prior := 0.0
	switch k.Kind {
	case prompt.Company:
		span.Type, prior = Company, 4+popularity(k.People)
		switch {
		case to > from+1:
			prior += 2.5
		case l.isTitleWord(from):
			prior -= ofTitle
		}
	case prompt.School:
		span.Type, prior = School, 7+popularity(k.People)
	case prompt.Skill:
		span.Type, prior = lexicon.Skill, 3+popularity(k.People)
	case prompt.Industry:
		span.Type, prior = Label, 4+popularity(k.People)
	case prompt.Keyword:
		span.Type, prior = Keyword, 2.5+popularity(k.People)
	case prompt.Title:
		span.Type, prior = KnownTitle, 4+popularity(k.People)
	default:
		return
	}
	prior -= 2 * float64(k.Distance)
	if span.Is(Keyword, Label) && l.isFunction(span.Type, from, to) {
		prior -= ofCompany
	}
	if prior > 0 {
		l.add(span, prior)
	}
}

// ofCompany is how much less likely a word that names a function, such as
// marketing, says what a company does.
const ofCompany = 2

// ofTitle is how much less likely a word of titles (lead, engineer, sales) is a
// company of that name: only where a cue says so.
const ofTitle = 4

// isTitleWord reports whether a token is by itself a word of titles or the name
// of a function.
func (l *Lattice) isTitleWord(at int) bool {
	return l.means(at, at+1, func(s Span) bool {
		return s.Type != KnownTitle && s.InGroup(GroupRole, GroupFunction)
	})
}

// isFunction reports whether a span is a function before it is what a company
// does: a label where the span names no industry, a keyword where it is first of
// all a function (marketing), and both after "not in".
func (l *Lattice) isFunction(t lexicon.Type, from, to int) bool {
	function, industry := -1.0, -1.0
	for _, s := range l.From[from] {
		switch {
		case s.To != to:
		case s.Type == lexicon.Function:
			function = max(function, s.Sense.Prior)
		case s.Type == lexicon.Industry:
			industry = max(industry, s.Sense.Prior)
		}
	}
	return function >= 0 && (industry < 0 || t == Keyword && function > industry || l.leftCue(from) == cue.Not)
}

// popularity is what a number of people adds to a prior: 0 to 2.
func popularity(people int) float64 { return math.Min(2, math.Log10(float64(people)+1)/2) }
