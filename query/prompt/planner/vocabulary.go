package planner

import (
	"math"
	"slices"
	"strings"

	"kith/query"
	"kith/query/analysis"
	"kith/query/gazetteer"
	"kith/query/prompt"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/token"
)

// vocabulary adds the dataset's readings of spans.
func (r *reader) vocabulary() {
	for i, w := range r.text.words {
		if w.mark != "" || w.Kind != token.Word {
			continue
		}
		for to := i + 1; to <= len(r.text.words) && to <= i+lexicon.MaxWords; to++ {
			key, ok := r.text.key(i, to)
			if !ok || r.isFunction(i, to) {
				continue
			}
			for _, k := range r.terms[key] {
				r.term(i, to, k)
			}
			if company := companyTerm(r.text.wording(i, to)); company != key {
				for _, k := range r.terms[company] {
					if k.Kind == analysis.TermCompany && k.Distance == 0 {
						r.term(i, to, k)
					}
				}
			}
		}
	}
	r.names()
}

// nearTerm adds a reading of several words as a term of equally many, one of which is misspelt.
func (r *reader) nearTerm(from, to int, k prompt.Known) {
	words := strings.Fields(k.Term)
	if len(words) != to-from || k.Kind != analysis.TermCompany && k.Kind != analysis.TermSchool {
		return
	}
	v := version{from: from, to: to}
	for i, w := range words {
		if w != r.text.norm(from+i) {
			v.fixes = append(v.fixes, fix{from + i, substitute{word: w, edits: k.Distance}})
		}
	}
	if l := r.newTermLeaf(from, to, k, likeWritten(k.Term, r.text.words[from].Token)); l != nil && len(v.fixes) == 1 {
		r.addFixed(l, v)
	}
}

// term adds a reading as a term of the dataset, or as a misspelling of one.
func (r *reader) term(from, to int, k prompt.Known) {
	if k.Kind == analysis.TermTitle && isGraded(r.lexicon, r.text.norms(from, to)) {
		return // level and title find its synonyms, too
	}
	if k.Distance == 0 {
		if l := r.newTermLeaf(from, to, k, r.text.wording(from, to)); l != nil {
			l.known = true
			r.add(l)
			for i := from; i < to; i++ {
				r.covered[i] = true
			}
		}
		return
	}
	if to > from+1 {
		r.nearTerm(from, to, k)
		return
	}
	if min(len(k.For), len(k.Term)) < shortestEdited && !isTransposition(k.For, k.Term) {
		return
	}
	if l := r.newTermLeaf(from, to, k, likeWritten(k.Term, r.text.words[from].Token)); l != nil {
		r.addFixed(l, version{from: from, to: to, fixes: []fix{{from, substitute{word: k.Term, edits: k.Distance}}}})
	}
}

// isGraded reports whether words are a level and a title that the lexicon knows: senior backend developer.
func isGraded(lex *lexicon.Lexicon, norms []string) bool {
	means := func(norms []string, kind lexicon.Type) bool {
		return slices.ContainsFunc(lex.Senses(norms), func(s lexicon.Sense) bool {
			return s.Type == kind && !s.NeedsCue
		})
	}
	return len(norms) > 1 && means(norms[:1], lexicon.Seniority) && means(norms[1:], lexicon.Role)
}

// newTermLeaf returns a reading as a term of the dataset; text is the text to search for.
func (r *reader) newTermLeaf(from, to int, k prompt.Known, text string) *leaf {
	name, filter, v := "", query.FilterName(""), alternative(text)
	switch k.Kind {
	case analysis.TermCompany:
		name, filter = "Company", query.FilterCompany
	case analysis.TermSchool:
		name, filter = "School", query.FilterSchool
	case analysis.TermSkill:
		name, filter, v = "Skill", query.FilterSkills, quote(k.Term)
	case analysis.TermIndustry:
		name, filter, v = "Industry", query.FilterCompanyIndustry, quote(k.Term)
	case analysis.TermKeyword:
		name, filter, v = "Keyword", query.FilterCompanyKeywords, quote(k.Term)
	case analysis.TermTitle:
		name, filter, v = "Role", query.FilterPosition, quote(k.Term)
	default:
		return nil
	}
	l := &leaf{sym: r.grammar.Symbol(name), from: from, to: to}
	l.value = value{{name: filter, values: []string{v}, spans: [][2]int{{from, to}}}}
	l.feats = append(r.shape(name, from, to), feature{r.feat("known:" + name), 1},
		feature{r.feat("people:" + name), math.Min(2, math.Log10(float64(k.People)+1)/2)})
	return l
}

// longestMisspelt is the maximum number of words of a misspelt name.
const longestMisspelt = 4

// isMisspelt reports whether a run may be a misspelt name: an unknown word, or several words, at
// least one of them unknown and none of them grammar.
func (r *reader) isMisspelt(from, to int, key string) bool {
	unknown := 0
	for i := from; i < to; i++ {
		w := r.text.norm(i)
		if r.grammarWord(i) && !r.has(i, "PARTICLE") {
			return false
		}
		isFrequent := r.lexicon.IsWord(w) && !r.text.words[i].Capital() // Mueller is a name
		if !r.covered[i] && len(w) >= shortestMisspelt && !isFrequent {
			unknown++
		}
	}
	return unknown > 0 && len(key) >= shortestMisspelt && to-from <= longestMisspelt
}

// termsToLookUp returns the terms of a prompt to look up, and those to look up with misspellings, those of marks first.
func (r *reader) termsToLookUp() (terms, near []string) {
	seen := map[string]bool{}
	ask := func(term string) {
		if term != "" && !seen[term] && len(terms) < prompt.MaxTerms {
			seen[term] = true
			terms = append(terms, term)
		}
	}
	run := func(from, to int) {
		key, ok := r.text.key(from, to)
		if !ok || r.text.words[from].Kind != token.Word {
			return
		}
		ask(key)
		ask(companyTerm(r.text.wording(from, to)))
		if len(near) < prompt.MaxNear && r.isMisspelt(from, to, key) && !slices.Contains(near, key) {
			near = append(near, key)
		}
	}
	for _, m := range r.marked {
		run(m[0], m[1])
	}
	for n := 1; n <= lexicon.MaxWords; n++ {
		for i := 0; i+n <= len(r.text.words); i++ {
			run(i, i+n)
		}
	}
	n := 0
	r.versions(func(v version) {
		if n++; n <= mostAsked {
			ask(strings.Join(v.norms, " "))
		}
	})
	r.trades(ask)
	return terms, near
}

// trades asks for the labels and keywords of the industries that a prompt may name.
func (r *reader) trades(ask func(string)) {
	for _, leaves := range r.leaves {
		for _, l := range leaves {
			if l.sense == nil || l.sense.Type != lexicon.Industry {
				continue
			}
			for _, v := range slices.Concat(l.sense.Values, l.sense.Keywords, l.sense.Broader) {
				ask(gazetteer.PlaceKey(v))
			}
		}
	}
}
