package segment

import (
	"strings"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

const (
	// longestRun is how many tokens the name of a company in capitals may have, what a
	// legal form goes on with aside.
	longestRun = 5
	// runPrior is how likely such a name is one, whatever its words mean.
	runPrior = 10
)

// addRuns adds the names of companies and schools of several words with capitals that
// stand where one does, also where their words mean something else: at Octopus Energy,
// who left Rent the Runway, former Rocket Lab managers, who graduated from Le Cordon
// Bleu. One that is known, with a place behind it, stays both.
func (l *Lattice) addRuns() {
	if !l.letters.mixed || l.titled() {
		return
	}
	ends := map[int]bool{} // of employers
	for from := 1; from < len(l.Tokens); from++ {
		if l.endsLegalForm(from) {
			continue
		}
		employer := l.employerBehind(from) || isJoin(l.Tokens[from-1].Norm) && ends[from-1] || l.joins(from) && ends[from] ||
			from > 2 && l.Tokens[from-1].Norm == "the" && l.joins(from-2) && ends[from-2] // or the Mercantile Group
		school := l.schoolBehind(from)
		to := l.run(from)
		if employer {
			l.endEmployers(from, ends)
		}
		switch {
		case to == from, to == from+1 && (!employer || !l.saysLittle(from)):
		case to > from+1 && (l.knownWhole(from, to) || l.nameAndPlace(from, to) || l.companiesOfNation(from, to)):
		case school && l.clauseEnds(to):
			l.addNameOf(GroupSchool, from, to, runPrior)
		case employer && l.clauseEnds(to), l.formerBefore(from) && l.titleBegins(to):
			ends[to] = true
			l.addNameOf(GroupCompany, from, to, runPrior)
		}
	}
}

// schoolBehind reports whether "graduated from" or the like stands before a token.
func (l *Lattice) schoolBehind(at int) bool {
	w := l.Tokens[at-1].Norm
	return l.leftCue(at) == cue.Studied && (w == "from" || w == "at")
}

// endEmployers notes where the companies end that begin at a token and are known.
func (l *Lattice) endEmployers(from int, ends map[int]bool) {
	for _, s := range l.From[from] {
		if s.Group() == GroupCompany {
			ends[s.To] = true
		}
	}
}

// companiesOfNation reports whether the words are those of many companies: European
// Banks.
func (l *Lattice) companiesOfNation(from, to int) bool {
	ofNation := func(s Span) bool { return s.Type == lexicon.Nationality || s.Group() == GroupPlace }
	many := func(s Span) bool { return s.Group() == GroupIndustry || s.Type == lexicon.CompanyWord }
	return strings.HasSuffix(l.Tokens[to-1].Norm, "s") && l.means(from, to-1, ofNation) && l.means(to-1, to, many)
}

// saysLittle reports whether a word means no more than how many people a company has
// and the like: at Medium, who left Remote.
func (l *Lattice) saysLittle(at int) bool {
	little, more := false, false
	for _, s := range l.From[at] {
		switch {
		case s.Len() > 1, s.Type == Unknown, s.Type == Named, s.Type == lexicon.Modifier:
		case s.Type == lexicon.Filler, s.Type == lexicon.SizeWord, s.Type == lexicon.Judgement:
			little = true
		default:
			more = true
		}
	}
	return little && !more
}

// run is the end of the words with capitals that begin at a token; of, the and the
// like may stand between two, but no slash. A possessive goes on before a house only: St Mary's
// Hospital, but Stripe's Berlin office.
func (l *Lattice) run(from int) int {
	to := from
	for i := from; i < len(l.Tokens) && (i < from+longestRun || l.endsLegalForm(i) || l.endsLegalForm(i-1)); i++ {
		t := l.Tokens[i]
		possessive := i > from && l.Tokens[i-1].Possessive && isHouse(t.Norm) && t.Gap == ""
		switch {
		case !l.joined(from, i+1) && !possessive, i > from && strings.ContainsAny(t.Gap, "/|"):
			return to
		case isJoin(t.Norm) && t.Shout(), l.speaks(i): // at Google OR Meta
			return to
		case t.Kind == token.Word && t.Capital():
			to = i + 1
		case i > from && to == i && (t.Norm == "of" || t.Norm == "the"):
		default:
			return to
		}
	}
	return to
}

// isHouse lists what may be somebody's by its name.
func isHouse(w string) bool {
	switch w {
	case "hospital", "college", "school", "university", "church", "institute", "academy", "clinic", "bank", "hospice":
		return true
	}
	return false
}

// employerBehind reports whether nothing but a company is expected at a token, or what
// somebody comes from.
func (l *Lattice) employerBehind(at int) bool {
	return l.employerOnly(at) || l.leftCue(at) == cue.From || l.ofEmployees(at) || l.worksFor(at)
}

// worksFor reports whether "work for" stands before a token.
func (l *Lattice) worksFor(at int) bool {
	return at > 1 && l.Tokens[at-1].Norm == "for" && l.leftCue(at) == cue.For && strings.HasPrefix(l.Tokens[at-2].Norm, "work")
}

// isOccasion reports whether "for" joins things, not an employer, with what people do: photographers
// for weddings, buyers for frozen food.
func (l *Lattice) isOccasion(at int) bool {
	w, next := l.Tokens[at].Norm, at+1
	if l.leftCue(at) != cue.For || l.worksFor(at) || l.Tokens[at].Capital() {
		return false
	}
	things := strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
	return things || next < len(l.Tokens) && !l.apart(next) && !l.Tokens[next].Capital() && l.begins(next, canBeTaught)
}

// employerOnly reports whether nothing but a company is expected at a token.
func (l *Lattice) employerOnly(at int) bool {
	e := expected(l.leftCue(at))
	return e.group == GroupCompany && e.prior >= surely
}

// ofEmployees reports whether "former employees of" or the like stands right before a
// token.
func (l *Lattice) ofEmployees(at int) bool {
	if at < 2 || l.leftCue(at) != cue.Past {
		return false
	}
	switch l.Tokens[at-1].Norm {
	case "of", "at", "from":
		return true
	}
	return false
}

// formerBefore reports whether "former" or "ex" stands right before a token.
func (l *Lattice) formerBefore(at int) bool {
	w := l.Tokens[at-1].Norm
	return w == "former" || w == "ex"
}

// knownWhole reports whether the words mean something together.
func (l *Lattice) knownWhole(from, to int) bool {
	return l.means(from, to, func(s Span) bool {
		return !s.Is(Name, Named, KnownTitle) && !s.Sense.ByRule
	})
}

// nameAndPlace reports whether a company or a school that is known and a place are the
// words: Google Berlin.
func (l *Lattice) nameAndPlace(from, to int) bool {
	for mid := from + 1; mid < to; mid++ {
		named := l.means(from, mid, func(s Span) bool {
			return s.Is(Company, lexicon.CompanyAlias, School, lexicon.SchoolAlias)
		})
		if named && l.means(mid, to, func(s Span) bool { return s.Group() == GroupPlace }) {
			return true
		}
	}
	return false
}

// clauseEnds reports whether the prompt, a clause or an entry of a list ends before a
// token, so that the words before it describe no noun: Series B startups.
func (l *Lattice) clauseEnds(at int) bool {
	if l.apart(at) || isJoin(l.Tokens[at].Norm) || l.Tokens[at].Slash() {
		return true
	}
	return l.begins(at, func(s Span) bool { return s.Is(lexicon.Cue, lexicon.Filler) })
}
