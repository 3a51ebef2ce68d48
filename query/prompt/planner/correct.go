package planner

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kith/query/prompt"
	"kith/query/prompt/grammar"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/token"
)

// substitute is a replacement for a word of the prompt: the correction of a misspelling, another
// form of an inflected word (no edits), or the full form of an abbreviation.
type substitute struct {
	word  string
	edits int
	short bool
	worth float64 // likelihood of a correction
}

// fix is a word of the prompt for which a leaf uses a substitute.
type fix struct {
	at int
	substitute
}

// Limits for substitutes.
const (
	// mostReplaced is the maximum number of replaced words per run, mostVersions the maximum number of versions.
	mostReplaced = 2
	mostVersions = 8
	// mostMisspelt is the maximum number of corrected words per prompt: a text with more is in an unsupported language.
	mostMisspelt = 24
	// mostAsked is the maximum number of corrected runs to look up in the dataset.
	mostAsked = 60
	// shareMisspelt is the maximum share of misspelt words in a long prompt.
	shareMisspelt = 0.6
	manyWords     = 12
)

// substitutes finds the substitutes of every unknown word.
func (r *reader) substitutes() {
	r.instead = make([][]substitute, len(r.text.words))
	misspelt, words := 0, 0
	for i, w := range r.text.words {
		if w.mark != "" {
			continue
		}
		words++
		if w.Kind == token.Word && r.findSubstitutes(i) {
			misspelt++
		}
	}
	if misspelt > mostMisspelt || words > manyWords && float64(misspelt) > shareMisspelt*float64(words) {
		for i := range r.instead {
			r.instead[i] = slices.DeleteFunc(r.instead[i], func(s substitute) bool { return s.edits > 0 })
		}
	}
}

// findSubstitutes finds the substitutes of a word: full forms, other inflections, or corrections. It
// reports whether it found corrections.
func (r *reader) findSubstitutes(i int) (misspelt bool) {
	w := r.text.words[i]
	if w.Quote == 0 {
		r.shorthand(i)
	}
	if len(r.instead[i]) > 0 || r.isKnown(i) {
		return false
	}
	for _, form := range r.inflected(w.Norm) {
		if r.speller().known[form] {
			r.instead[i] = append(r.instead[i], substitute{word: form})
		}
	}
	return r.instead[i] == nil && r.correct(i, r.speller().findCorrections(w.Norm, ofLanguage(r.language)))
}

// shorthand adds the full forms of an abbreviation: mgr, or in capitals FE.
func (r *reader) shorthand(i int) {
	w := r.text.words[i]
	short := w.Norm
	if w.Shout() && len(r.lexicon.InFull(w.Text)) > 0 {
		short = w.Text
	}
	for _, full := range r.lexicon.InFull(short) {
		r.instead[i] = append(r.instead[i], substitute{word: full, short: true})
	}
}

// isKnown reports whether a word is known as written.
func (r *reader) isKnown(i int) bool {
	w := r.text.norm(i)
	if len(w) < shortestMisspelt || r.text.words[i].Quote > 0 || r.speller().isWord(w) || r.lexicon.IsWord(w) ||
		r.language.Words[w] || len(r.classes(w)) > 0 || r.lexicon.IsForeign(w) {
		return true
	}
	for from := max(0, i-longest+1); from <= i; from++ {
		for _, l := range r.leaves[from] {
			if l.to > i && (l.sense != nil || l.value != nil || r.isClass(l)) {
				return true
			}
		}
	}
	return false
}

// isClass reports whether a leaf is a grammar phrase.
func (r *reader) isClass(l *leaf) bool {
	return slices.ContainsFunc(l.feats, func(f feature) bool { return f.id == featClass })
}

// correct adds corrections of a word, and reports whether it has substitutes.
func (r *reader) correct(i int, found []substitute) bool {
	r.instead[i] = append(r.instead[i], found...)
	return len(r.instead[i]) > 0
}

// ofLanguage returns what reports whether a spelling is a name, or a word of a language.
func ofLanguage(l *grammar.Language) func(spelling) bool {
	return func(s spelling) bool {
		switch {
		case s.Named:
			return true
		case l.Code == english:
			return !s.Foreign
		}
		return s.Foreign || len(l.Classes[s.Word]) > 0
	}
}

// respell finds corrections of the words of marks that the rules for other words rule out: in four letters, and in
// prompts of which most words are misspelt.
func (r *reader) respell() {
	for _, span := range r.marked {
		for i := span[0]; i < span[1]; i++ {
			w := r.text.words[i]
			if w.mark != "" || w.Kind != token.Word || len(r.instead[i]) > 0 || r.isKnown(i) {
				continue
			}
			r.correct(i, r.speller().closest(w.Norm, ofLanguage(r.language)))
		}
	}
}

// keepKnown drops the corrections of words that the dataset knows.
func (r *reader) keepKnown() {
	for i := range r.instead {
		if slices.ContainsFunc(r.terms[r.text.norm(i)], func(k prompt.Known) bool { return k.Distance == 0 }) {
			r.instead[i] = slices.DeleteFunc(r.instead[i], func(s substitute) bool { return !s.short })
		}
	}
}

// version is a run of words with some substituted.
type version struct {
	from, to int
	norms    []string
	fixes    []fix
}

// versions calls yield for every version of every run with substitutes.
func (r *reader) versions(yield func(version)) {
	for from := range r.text.words {
		for to := from + 1; to <= len(r.text.words) && to <= from+lexicon.MaxWords; to++ {
			if w := r.text.words[to-1]; w.mark != "" || w.Kind != token.Word {
				break
			}
			r.versionsOf(from, to, yield)
		}
	}
}

func (r *reader) versionsOf(from, to int, yield func(version)) {
	all, replaced := []version{{from: from, to: to}}, 0
	for i := from; i < to; i++ {
		options := r.instead[i]
		if len(options) > 0 {
			replaced++
		}
		if len(options) == 0 || options[0].short { // an abbreviation may be a word too
			options = append(slices.Clip(options), substitute{word: r.text.norm(i)})
		}
		if replaced > mostReplaced && !slices.Contains(r.marked, [2]int{from, to}) {
			return
		}
		var next []version
		for _, v := range all {
			for _, o := range options[:min(len(options), max(1, mostVersions/len(all)))] {
				w := version{from: from, to: to, norms: append(slices.Clip(v.norms), o.word), fixes: v.fixes}
				if o.word != r.text.norm(i) {
					w.fixes = append(slices.Clip(v.fixes), fix{i, o})
				}
				next = append(next, w)
			}
		}
		all = next
	}
	if replaced == 0 {
		return
	}
	for _, v := range all {
		if len(v.fixes) > 0 {
			yield(v)
		}
	}
}

// addSubstituted adds the leaves of runs with substitutes.
func (r *reader) addSubstituted() {
	r.versions(func(v version) {
		key := strings.Join(v.norms, " ")
		for _, s := range r.classes(key) {
			r.addFixed(&leaf{
				sym: s, from: v.from, to: v.to, feats: []feature{
					{featClass, 1},
					{featWords, float64(v.to - v.from - 1)},
				},
			}, v)
		}
		for _, s := range r.lexicon.Senses(v.norms) {
			if l := r.newLeaf(v.from, v.to, s); l != nil {
				r.addFixed(l, v)
			}
		}
		for _, k := range r.terms[key] {
			if k.Distance == 0 {
				if l := r.newTermLeaf(v.from, v.to, k, likeWritten(k.Term, r.text.words[v.from].Token)); l != nil {
					r.addFixed(l, v)
				}
			}
		}
	})
}

// addFixed adds a leaf of a version, with a cost that depends on the corrections.
func (r *reader) addFixed(l *leaf, v version) {
	l.fixes = v.fixes
	for _, f := range v.fixes {
		switch {
		case f.short:
			l.feats = append(l.feats, feature{featShort, 1})
		case f.edits == 0:
			l.feats = append(l.feats, feature{featInflected, 1})
		default:
			l.feats = append(l.feats, feature{featEdit, editCost(f.edits, r.text.norm(f.at))})
		}
	}
	r.add(l)
}

// usualLength is the length of a word in which an edit costs one.
const usualLength = 6

// editCost is the cost of edits: lower in longer words.
func editCost(edits int, word string) float64 {
	return float64(edits) * usualLength / float64(max(len(word), 1))
}

// corrections returns the corrections of misspelt words; other substitutes are none.
func (r *reader) corrections(fixes []fix) (out []prompt.Correction) {
	for _, f := range fixes {
		if w := r.text.words[f.at]; f.edits > 0 {
			out = append(out, prompt.Correction{
				From: w.Text, To: likeWritten(f.word, w.Token), Span: [2]int{w.From, w.To},
			})
		}
	}
	return out
}

// fixes returns the substituted words of a phrase.
func (e *edge) fixes() (out []fix) {
	e.each(func(l *edge) { out = append(out, l.leaf.fixes...) })
	return out
}

// likeWritten copies the capitalisation of another word.
func likeWritten(word string, as token.Token) string {
	switch {
	case as.Shout():
		return strings.ToUpper(word)
	case as.Capital():
		first, n := utf8.DecodeRuneInString(word)
		return string(unicode.ToUpper(first)) + word[n:]
	}
	return word
}
