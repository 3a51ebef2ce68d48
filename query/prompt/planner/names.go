package planner

import (
	"slices"

	"kith/query"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/token"
)

// names adds people's names: two to four words of which the directory knows some
// as first and last names.
func (r *reader) names() {
	is := func(i int, kind prompt.Kind) bool {
		return i < len(r.text.words) && r.text.words[i].mark == "" && slices.ContainsFunc(r.terms[r.text.norm(i)], func(k prompt.Known) bool {
			return k.Kind == kind && k.Distance == 0
		})
	}
	for i, w := range r.text.words {
		if w.mark != "" || w.Kind != token.Word {
			continue
		}
		for to := i + 1; to <= len(r.text.words) && to <= i+4; to++ {
			if r.text.words[to-1].mark != "" || r.text.words[to-1].Kind != token.Word {
				break
			}
			found := 0.0
			for j := i; j < to; j++ {
				if is(j, prompt.FirstName) || is(j, prompt.LastName) {
					found++
				}
			}
			capital := r.text.capital(i, to) && r.text.mixed
			alone := !r.text.mixed && to-i > 1 && to-i < 4 && r.wholePrompt(i, to)
			if found == 0 && (!capital || to-i < 2) && !alone || r.grammarInside(i, to) {
				continue
			}
			l := &leaf{sym: r.grammar.Symbol("Name"), from: i, to: to}
			l.value = value{{name: query.FilterPersonName, values: []string{alternative(r.text.said(i, to))}, spans: [][2]int{{i, to}}}}
			l.feats = append(r.shape("Name", i, to), feature{featNameKnown, found / float64(to-i)})
			if r.text.mixed && !r.text.capital(i, to) {
				l.feats = append(l.feats, feature{featNameLower, 1})
			}
			if to-i == 1 {
				l.feats = append(l.feats, feature{featNameOne, 1})
			}
			if is(i, prompt.FirstName) && is(to-1, prompt.LastName) && to-i > 1 {
				l.feats = append(l.feats, feature{featNameFull, 1})
			}
			r.add(l)
		}
	}
}

// wholePrompt reports whether a span is all of a prompt, and none of it means anything.
func (r *reader) wholePrompt(from, to int) bool {
	return from == 0 && to == len(r.text.words) && !slices.Contains(r.covered, true)
}

// grammarInside reports whether a word of grammar stands in a span, but for the
// particles of names.
func (r *reader) grammarInside(from, to int) bool {
	for i := from; i < to; i++ {
		if r.grammarWord(i) && (i == from || i == to-1 || !r.has(i, "PARTICLE")) {
			return true
		}
	}
	return false
}

// has reports whether a word is in a class by itself.
func (r *reader) has(i int, class string) bool {
	return slices.Contains(r.grammar.Classes[r.text.norm(i)], r.grammar.Symbol(class))
}

// grammarWord reports whether a word is one of grammar by itself.
func (r *reader) grammarWord(i int) bool {
	w := r.text.norm(i)
	if len(r.classes(w)) > 0 {
		return true
	}
	for _, l := range r.leaves[i] {
		if l.sense != nil && l.to == i+1 && l.sense.Type == lexicon.Filler {
			return true
		}
	}
	return false
}

// unknown adds runs of words that may be a name or a topic in the slots of the grammar
// that take such: every run of up to four words that begins and ends outside grammar.
func (r *reader) unknown() {
	n := len(r.text.words)
	for i := range r.text.words {
		for to := i + 1; to <= n && to <= i+5; to++ {
			w := r.text.words[to-1]
			if w.mark != "" || w.Kind == token.Email || w.Kind == token.Profile {
				break
			}
			if !r.grammarInside(i, to) {
				r.run(i, to)
			}
		}
	}
}

// run adds one run of words as a name and as a topic.
func (r *reader) run(from, to int) {
	covered, joining := 0.0, 0.0
	for i := from; i < to; i++ {
		if r.covered[i] {
			covered++
		}
		if r.grammarWord(i) && !r.has(i, "PARTICLE") {
			joining++
		}
	}
	whole := feature{featUnknownCovered, covered}
	if to-from > 1 && r.wholeName(from, to) {
		whole = feature{featWholeName, 1}
	}
	names := []string{"UnknownWords"}
	if w := r.text.words[from]; w.Kind == token.Word && (!r.text.mixed || r.text.capital(from, to)) {
		names = append(names, "UnknownName")
	}
	for _, name := range names {
		l := &leaf{sym: r.grammar.Symbol(name), from: from, to: to}
		l.value = value{{values: []string{alternative(r.text.said(from, to))}, spans: [][2]int{{from, to}}}}
		l.feats = append(r.shape(name, from, to), whole, feature{featUnknownGrammar, joining})
		r.add(l)
	}
}

// wholeName reports whether a span is all of a run of words with capitals, in a prompt
// that tells names by them.
func (r *reader) wholeName(from, to int) bool {
	capital := func(i int) bool {
		return i >= 0 && i < len(r.text.words) && r.text.words[i].mark == "" && r.text.words[i].Kind == token.Word && r.text.words[i].Capital()
	}
	return r.text.mixed && capital(from) && capital(to-1) && r.text.capital(from, to) && !capital(to) && (!capital(from-1) || from == 1)
}
