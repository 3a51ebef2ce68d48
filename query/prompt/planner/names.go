package planner

import (
	"slices"
	"strings"

	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
	"kith/query/prompt/grammar"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/token"
)

// longestName is the maximum number of words of a person's name.
const longestName = 4

// names adds people's names: one to four words, some of which the dataset knows as first or last
// names. It allows initials and misspellings.
func (r *reader) names() {
	for i, w := range r.text.words {
		if w.mark != "" || w.Kind != token.Word {
			continue
		}
		words := 0
		for to := i + 1; to <= len(r.text.words); to++ {
			w := r.text.words[to-1]
			if r.isInitial(to-2) && w.mark == "." {
				continue
			}
			if words++; w.mark != "" || w.Kind != token.Word || words > longestName {
				break
			}
			r.name(i, to, words)
			if w.Possessive {
				break
			}
		}
	}
}

// isInitial reports whether a word is a single capital letter.
func (r *reader) isInitial(i int) bool {
	return i >= 0 && r.text.words[i].mark == "" && len(r.text.words[i].Norm) == 1 && r.text.words[i].Capital()
}

// isNamed reports whether the dataset knows a word as a name of one of some kinds.
func (r *reader) isNamed(i int, kinds ...analysis.TermKind) bool {
	return slices.ContainsFunc(r.terms[r.text.norm(i)],
		func(k prompt.Known) bool { return slices.Contains(kinds, k.Kind) && k.Distance == 0 })
}

// name adds a span as a name, if plausible; words is its number of words.
func (r *reader) name(from, to, words int) {
	seen := r.namedWords(from, to)
	capital := r.text.capital(from, to) && r.text.mixed
	alone := !r.text.mixed && words > 1 && words < longestName && r.wholePrompt(from, to)
	near := r.nearNames(from, to)
	named := seen.known > 0 || capital && words > 1 || alone || len(near) > 0 && r.wholePrompt(from, to)
	if !named || r.grammarInside(from, to, "NAME_PARTICLE") || r.askerInside(from, to) {
		return
	}
	values := []string{alternative(strings.ReplaceAll(r.text.wording(from, to), ".", " "))}
	if len(near) > 0 {
		values, seen.known = append(values, near...), seen.known+likelyName
	}
	l := &leaf{sym: r.grammar.Symbol("Name"), from: from, to: to}
	l.value = value{{name: query.FilterPersonName, values: values, spans: [][2]int{{from, to}}}}
	share := seen.known / max(float64(words)-seen.initials, 1)
	l.feats = append(r.nameShape(from, to, words), feature{featNameKnown, share}, feature{featNameSaid, seen.other})
	r.add(l)
}

// nameShape returns the features of how a name is written.
func (r *reader) nameShape(from, to, words int) []feature {
	fs := r.shape("Name", from, to)
	if r.text.mixed && !r.text.capital(from, to) {
		fs = append(fs, feature{featNameLower, 1})
	}
	if words == 1 {
		return append(fs, feature{featNameOne, 1})
	}
	if (r.isNamed(from, analysis.TermFirstName) || r.isInitial(from)) && r.isNamed(to-1, analysis.TermLastName) {
		fs = append(fs, feature{featNameFull, 1})
	}
	return fs
}

// namedWords counts the words of a possible name: names known to the dataset, initials, and words with another meaning.
type namedWords struct{ known, initials, other float64 }

func (r *reader) namedWords(from, to int) (n namedWords) {
	for i := from; i < to; i++ {
		switch {
		case r.text.words[i].mark != "":
			continue
		case r.isNamed(i, analysis.TermFirstName, analysis.TermLastName):
			n.known++
		case r.isInitial(i) && to-from > 1:
			n.initials++
		case r.covered[i]:
			n.other++
		}
	}
	return n
}

// likelyName is the weight of a misspelt name relative to a known one.
const likelyName = 0.5

// mostNearNames is the maximum number of corrections of a name.
const mostNearNames = 3

// nearNames returns names of the dataset that correct one misspelt word of a name.
func (r *reader) nearNames(from, to int) (out []string) {
	for i := from; i < to; i++ {
		if r.text.words[i].mark != "" || to-from < 2 && !r.wholePrompt(from, to) ||
			r.isNamed(i, analysis.TermFirstName, analysis.TermLastName) {
			continue
		}
		for _, k := range r.terms[r.text.norm(i)] {
			ofName := k.Kind == analysis.TermFirstName || k.Kind == analysis.TermLastName
			if k.Distance == 0 || !ofName || len(out) == mostNearNames {
				continue
			}
			out = appendNew(out, alternative(strings.Join(slices.Concat(r.text.norms(from, i), []string{k.Term},
				r.text.norms(i+1, to)), " ")))
		}
		if len(out) > 0 {
			break
		}
	}
	return out
}

// wholePrompt reports whether a span is the whole prompt, and no word has a meaning.
func (r *reader) wholePrompt(from, to int) bool {
	return from == 0 && to == len(r.text.words) && !slices.Contains(r.covered, true)
}

// grammarInside reports whether a span contains a grammar word, other than inner words of a given class.
func (r *reader) grammarInside(from, to int, but string) bool {
	for i := from; i < to; i++ {
		if r.grammarWord(i) && (i == from || i == to-1 || !r.has(i, but)) && !r.isInitial(i) {
			return true
		}
	}
	return false
}

// has reports whether a single word is in a class.
func (r *reader) has(i int, class string) bool {
	return slices.Contains(r.grammar.Classes.Of(r.text.norm(i)), r.grammar.Symbol(class))
}

// grammarWord reports whether a single word is a grammar word.
func (r *reader) grammarWord(i int) bool {
	return len(r.classes(r.text.norm(i))) > 0 || slices.ContainsFunc(r.leaves[i], func(l *leaf) bool {
		return l.sense != nil && l.to == i+1 && l.sense.Type == lexicon.Filler
	})
}

// excludes reports whether a word excludes the following ones.
func (r *reader) excludes(i int) bool {
	return slices.ContainsFunc(r.classes(r.text.norm(i)),
		func(s grammar.Symbol) bool { return slices.Contains(r.negations, s) })
}

// unknown adds runs of up to five words as possible names or topics, for the slots of the grammar
// that accept them. A run begins and ends outside grammar.
func (r *reader) unknown() {
	n := len(r.text.words)
	for i := range r.text.words {
		for to := i + 1; to <= n && to <= i+5; to++ {
			w := r.text.words[to-1]
			if w.mark != "" || w.Kind == token.Email || w.Kind == token.Profile {
				break
			}
			if !r.grammarInside(i, to, "PARTICLE") || r.properName(i, to) {
				r.run(i, to)
			}
			if w.Possessive {
				break
			}
		}
	}
}

// run adds one run of words as a name and as a topic.
func (r *reader) run(from, to int) {
	covered, joining, particles := r.countCovered(from, to)
	whole := feature{featUnknownCovered, covered}
	if to-from > 1 && r.wholeName(from, to) {
		whole = feature{featWholeName, 1}
	}
	for _, name := range r.unknownAs(from, to, covered+joining == 0) {
		unknown := name == "UnknownName"
		l := &leaf{sym: r.grammar.Symbol(name), from: from, to: to}
		l.value = value{{values: []string{alternative(r.text.wording(from, to))}, spans: [][2]int{{from, to}}}}
		l.feats = append(r.shape(name, from, to), whole, feature{featUnknownGrammar, joining},
			feature{featParticle, particles})
		if unknown && r.isNear(from, to) {
			l.feats = append(l.feats, feature{featUnknownNear, 1})
		}
		if unknown && !r.text.mixed && int(covered) == to-from {
			l.feats = append(l.feats, feature{featNameCovered, 1})
		}
		r.add(l)
	}
}

// unknownAs returns the categories that a run of words may have: words, a name, and a name without
// a capital. bare is true if no word has a meaning.
func (r *reader) unknownAs(from, to int, bare bool) []string {
	names := []string{"UnknownWords"}
	if r.text.words[from].Kind == token.Word && !r.askerInside(from, to) &&
		(!r.text.mixed && !r.text.cased || r.text.capital(from, to)) {
		names = append(names, "UnknownName")
	}
	if r.text.mixed && r.text.plain && bare {
		names = append(names, "PlainName")
	}
	return names
}

// countCovered counts the words of a run covered by known leaves, the joining grammar words, and the particles of
// names.
func (r *reader) countCovered(from, to int) (covered, joining, particles float64) {
	for i := from; i < to; i++ {
		if r.covered[i] {
			covered++
		}
		switch {
		case !r.grammarWord(i):
		case r.has(i, "PARTICLE"):
			particles++
		default:
			joining++
		}
	}
	return covered, joining, particles
}

// wholeName reports whether a span is a whole run of capitalised words, in a prompt whose capitals mark names.
func (r *reader) wholeName(from, to int) bool {
	capital := func(i int) bool {
		return i >= 0 && i < len(r.text.words) && r.text.words[i].mark == "" && r.text.words[i].Kind == token.Word &&
			r.text.words[i].Capital()
	}
	return r.text.mixed && capital(from) && capital(to-1) && r.text.capital(from, to) && !capital(to) &&
		(!capital(from-1) || from == 1)
}

// properName reports whether a span is a whole run of two or more capitalised words, not counting a
// grammar word at the start of a sentence: the Met Office, although met alone is a grammar word.
func (r *reader) properName(from, to int) bool {
	first := from == 0 || r.text.words[from-1].mark == "."
	if to-from < 2 || !r.wholeName(from, to) || first && r.grammarWord(from) {
		return false
	}
	for i := from; i < to; i++ {
		if r.grammarWord(i) && !r.text.words[i].Capital() && !r.has(i, "PARTICLE") {
			return false
		}
	}
	return true
}

// isNear reports whether a span is a misspelt name that the dataset knows.
func (r *reader) isNear(from, to int) bool {
	return slices.ContainsFunc(r.leaves[from],
		func(l *leaf) bool { return l.to == to && len(l.fixes) > 0 && isName(l.name) })
}

// askerInside reports whether a span contains the word I, whose capital marks no name.
func (r *reader) askerInside(from, to int) bool {
	for i := from; i < to; i++ {
		if r.text.words[i].Text == "I" && r.has(i, "ASKER") {
			return true
		}
	}
	return false
}
