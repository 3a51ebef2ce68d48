package segment

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kith/query/prompt/lexicon"
	"kith/query/prompt/rules/cue"
	"kith/query/prompt/token"
)

// addAbbreviations adds what people have learned that is written as abbreviations with a
// hyphen or a dot between, and of which a part is nothing by itself: TOF-SIMS, P.Ag. It
// is one thing, whatever the other part is elsewhere.
func (l *Lattice) addAbbreviations() {
	if l.letters.shouting {
		return
	}
	for from := 0; from < len(l.Tokens); from++ {
		to := l.abbreviation(from)
		if to == from+1 {
			if l.dotted(from) {
				l.addNameOf(GroupSkill, from, to, runPrior)
			}
			continue
		}
		if !l.knownWhole(from, to) && l.partUnknown(from, to) && !l.titleBegins(from) {
			l.addNameOf(GroupSkill, from, to, runPrior)
		}
		from = to - 1
	}
}

// dotted reports whether a token is a single abbreviation with dots that nothing knows and
// that somebody has: foresters with R.P.F.
func (l *Lattice) dotted(at int) bool {
	c := l.leftCue(at)
	return strings.Contains(strings.TrimLeft(l.Tokens[at].Text, "."), ".") && l.Tokens[at].Kind == token.Word && l.blank(at) && (c == cue.With || c == cue.Know)
}

// abbreviation is the end of the abbreviations that begin at a token and are written as
// one word; the next token where there is none but one.
func (l *Lattice) abbreviation(from int) int {
	to := from + 1
	for to < len(l.Tokens) && l.attached(to) && l.isShort(to) && l.joined(from, to+1) {
		to++
	}
	if !l.isShort(from) || to-from > lexicon.MaxWords {
		return from + 1
	}
	return to
}

// attached reports whether a token belongs to the abbreviation before it: behind a hyphen,
// a dot, or a slash beside a hyphen.
func (l *Lattice) attached(at int) bool {
	t := l.Tokens[at]
	return t.Tight() || l.behindDot(at) || t.Gap == "/" && !t.Spaced && (l.Tokens[at-1].Tight() || at+1 < len(l.Tokens) && l.Tokens[at+1].Tight())
}

// behindDot reports whether a token is what stands behind the dot of an abbreviation: Eng
// in P.Eng, but no word of the next sentence.
func (l *Lattice) behindDot(at int) bool {
	if at == 0 || at >= len(l.Tokens) {
		return false
	}
	t, before := l.Tokens[at], l.Tokens[at-1]
	behind, dotted := strings.CutPrefix(t.Text, ".")
	return dotted && t.Gap == "" && !t.Spaced && t.Norm != ".net" && startsWithCapital(behind) && beginsDotted(before.Norm)
}

func startsWithCapital(text string) bool {
	first, _ := utf8.DecodeRuneInString(text)
	return unicode.IsUpper(first)
}

// beginsDotted reports whether a word is the part of an abbreviation before its dot.
func beginsDotted(w string) bool {
	switch w {
	case "pr", "eur", "dipl", "dr", "ing":
		return true
	}
	return len(w) == 1
}

// cutsAbbreviation reports whether a span begins or ends at the dot within an abbreviation.
func (l *Lattice) cutsAbbreviation(from, to int) bool { return l.behindDot(from) || l.behindDot(to) }

// isShort reports whether a token can be part of an abbreviation: a few letters, as capitals
// or behind a dot, or a number.
func (l *Lattice) isShort(at int) bool {
	t := l.Tokens[at]
	if t.Kind == token.Number {
		return at > 0
	}
	dotted := l.cutsAbbreviation(at, at+1)
	return t.Kind == token.Word && len(t.Norm) <= longestPart && !t.Abbreviations() && t.Capital() &&
		(t.Shout() || dotted || len(t.Norm) == 1 || strings.ContainsAny(t.Norm, "0123456789")) || dotted
}

// longestPart is how many letters a part of an abbreviation may have.
const longestPart = 5

// partUnknown reports whether a part of an abbreviation is nothing by itself, and none is a
// word of grammar, a company or, at its end, who is looked for: ex-QRS, ICU-RN.
func (l *Lattice) partUnknown(from, to int) bool {
	unknown := false
	for at := from; at < to; at++ {
		if len(cue.Find(l.Tokens[at].Norm)) > 0 || l.means(at, at+1, func(s Span) bool { return s.Group() == GroupCompany }) {
			return false
		}
		unknown = unknown || l.blank(at) && l.Tokens[at].Kind == token.Word
	}
	return unknown && !l.means(to-1, to, func(s Span) bool { return s.Group() == GroupRole && !l.behindDot(to-1) })
}

// mayBeLicence lists the abbreviations that are a licence or a method only beside those who
// have such a one.
func (l *Lattice) mayBeLicence(at int) bool {
	w := l.Tokens[at].Norm
	return w == "pe" || w == "gc"
}

// endsInCapital reports whether an abbreviation of three letters ends in a capital S, which
// that of a plural is not: GPS are no GPs.
func (l *Lattice) endsInCapital(at int) bool {
	t := l.Tokens[at]
	return len(t.Text) == 3 && strings.HasSuffix(t.Text, "S") && t.Shout() && !l.letters.shouting && !t.Possessive
}

// isOtherGP reports whether a title of "GP" is not the one meant: the partner of a fund beside
// words about funds, else the physician.
func (l *Lattice) isOtherGP(at int, s lexicon.Sense) bool {
	if w := l.Tokens[at].Norm; w != "gp" && w != "gps" {
		return false
	}
	ofFunds := slices.ContainsFunc(l.Tokens, func(t token.Token) bool {
		switch t.Norm {
		case "fund", "funds", "vc", "vcs", "venture", "lp", "lps", "pe", "equity", "capital", "seed", "investor", "investors":
			return true
		}
		return false
	})
	return strings.Contains(s.Name, "partner") != ofFunds
}

// isLicence reports whether such an abbreviation is one: civil engineers, PE; chemists with
// GC.
func (l *Lattice) isLicence(from, to int) bool {
	if l.Tokens[from].Norm == "gc" {
		return (from == 0 || !l.Tokens[from-1].Article()) && slices.ContainsFunc(l.phrases.norms, isOfLaboratory)
	}
	return strings.Contains(l.Tokens[from].Text, ".") || l.besideWord(from, to, "engineer", "engineers", "surveyor", "surveyors")
}

// besideWord reports whether one of some words stands right before a span, but for a comma,
// a bracket, "with" and articles.
func (l *Lattice) besideWord(from, to int, words ...string) bool {
	before := from - 1
	for before >= 0 && (passedOver(l.Tokens[before].Norm) || slices.Contains(cue.Find(l.Tokens[before].Norm), cue.With)) {
		before--
	}
	alone := from != before+1 || l.apart(from)
	return before >= 0 && alone && l.clauseEnds(to) && slices.Contains(words, l.Tokens[before].Norm)
}

// isOfLaboratory reports whether a word tells of the work of chemists.
func isOfLaboratory(w string) bool {
	switch w {
	case "lab", "labs", "laboratory", "laboratories", "scientist", "scientists", "toxicologist", "toxicologists", "analytical", "hplc", "uplc", "lc", "nmr", "gmp", "glp":
		return true
	}
	return strings.HasPrefix(w, "chem") || strings.HasPrefix(w, "biochem")
}

// isToBe reports whether "be" is the verb, not the degree: who used to be in finance.
func (l *Lattice) isToBe(at int) bool {
	if at == 0 || l.Tokens[at].Norm != "be" || l.Tokens[at].Shout() {
		return false
	}
	switch l.Tokens[at-1].Norm {
	case "to", "must", "should", "can", "could", "may", "might", "will", "would", "not", "also", "who":
		return true
	}
	return false
}
