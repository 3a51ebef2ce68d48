package planner

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"kith/query/gazetteer"
	"kith/query/prompt/grammar"
	"kith/query/prompt/token"
	"kith/query/tokenizer"
)

// english is the code of the default language.
const english = "en"

// Evidence for a language: a letter that few languages have; a word for a title or trade; for English, an English word;
// and the required lead over English.
const (
	letterWorth    = 0.5
	contentWorth   = 0.5
	wordWorth      = 0.25
	languageMargin = 0.3
)

// detectLanguage detects the language of a prompt by its function words and letters.
func (p *Planner) detectLanguage(t *text) *grammar.Language {
	having := map[string]int{}
	for _, l := range p.grammar.Languages {
		for _, w := range t.words {
			if l.Words[w.Norm] {
				having[w.Norm]++
			}
		}
	}
	best, most, own := p.grammar.Languages[english], 0.0, p.shared(t, having)
	listed := p.listed(t, having)
	codes := slices.Sorted(maps.Keys(p.grammar.Languages))
	for _, code := range codes {
		l := p.grammar.Languages[code]
		found := t.evidence(l, having) + t.inDictionary(l, listed)
		if code == english {
			own += found
		} else if found > most {
			best, most = l, found
		}
	}
	if most <= own+languageMargin || most <= own+languageMargin+p.inEnglish(t, having) {
		return p.grammar.Languages[english]
	}
	return best
}

// shared returns the evidence for English in words that other languages list and that mean something in English, too,
// such as chef. It counts English among the languages that have them.
func (p *Planner) shared(t *text, having map[string]int) (found float64) {
	for _, w := range t.words {
		if own := p.grammar.Languages[english].Words[w.Norm]; !own && having[w.Norm] > 0 &&
			p.lexicon.IsWord(w.Norm) && p.lexicon.Worth(w.Norm) > 0 {
			having[w.Norm]++
			found += 1 / float64(having[w.Norm])
		}
	}
	return found
}

// evidence returns the evidence for a language in a prompt's words and letters; having is the
// number of languages that have each word.
func (t *text) evidence(l *grammar.Language, having map[string]int) (found float64) {
	for i, w := range t.words {
		if l.Words[w.Norm] && !w.Shout() && (l.CapitalNouns || !t.isName(i)) {
			found += 1 / float64(having[w.Norm])
		}
	}
	if slices.ContainsFunc(t.runes, func(r rune) bool { return l.Letters[r] }) {
		found += letterWorth
	}
	return found
}

// listed returns, for each word, the languages that have it for titles and trades; none if it means something in
// English, or is a function word.
func (p *Planner) listed(t *text, having map[string]int) [][]string {
	out := make([][]string, len(t.words))
	for i, w := range t.words {
		if having[w.Norm] == 0 && !p.lexicon.IsWord(w.Norm) {
			out[i] = p.lexicon.LanguagesOf(w.Norm)
		}
	}
	return out
}

// inDictionary returns the evidence for a language in words that it has for titles and trades; listed are the languages
// that have each word.
func (t *text) inDictionary(l *grammar.Language, listed [][]string) (found float64) {
	for i, codes := range listed {
		if slices.Contains(codes, l.Code) && (l.CapitalNouns || !t.isName(i)) {
			found += contentWorth / float64(len(codes))
		}
	}
	return found
}

// isName reports whether a word within a sentence has a capital, in a prompt whose capitals mark names.
func (t *text) isName(i int) bool {
	return t.mixed && i > 0 && t.words[i-1].mark == "" && t.words[i].Capital()
}

// inEnglish returns the evidence for English in words that no language lists. The name of a place is none, unless it is
// short for one (NC).
func (p *Planner) inEnglish(t *text, having map[string]int) (found float64) {
	for _, w := range t.words {
		if having[w.Norm] == 0 && p.lexicon.IsWord(w.Norm) && (w.Shout() || !namesPlace(w)) {
			found += wordWorth
		}
	}
	return found
}

// namesPlace reports whether a word names a place.
func namesPlace(w word) bool { return len(gazetteer.PlacesNamed(gazetteer.PlaceKey(w.Norm))) > 0 }

// splitWords splits words again by the rules of the language: an elided word stands alone (l'usine),
// and a gender ending joins its word.
func (t *text) splitWords(l *grammar.Language) {
	var out []word
	for _, w := range t.words {
		if w.mark != "" {
			out = append(out, w)
			continue
		}
		if n := len(out); n > 0 && l.Gendered[w.Norm] && !w.Spaced && strings.Trim(w.Gap, ":*/_·.()-") == "" {
			for n > 0 && out[n-1].mark != "" {
				n--
			}
			if n > 0 {
				out = out[:n]
				out[n-1].To = w.To
				continue
			}
		}
		first, rest, ok := splitElided(w, l)
		if ok {
			out = append(out, first)
			w = rest
		}
		out = append(out, w)
	}
	t.words, t.mixed = out, t.mixed && !l.CapitalNouns
}

// splitElided splits a word after an elided one.
func splitElided(w word, l *grammar.Language) (first, rest word, ok bool) {
	if w.Kind != token.Word || len(l.Elided) == 0 {
		return w, w, false
	}
	runes := []rune(w.Text)
	at := slices.IndexFunc(runes, func(r rune) bool { return r == '\'' || r == '’' })
	if at < 1 || at == len(runes)-1 || !l.Elided[tokenizer.Fold(string(runes[:at]))] {
		return w, w, false
	}
	first, rest = w, w
	first.Text, first.Norm, first.To = string(runes[:at+1]), tokenizer.Fold(string(runes[:at])), w.From+at+1
	first.joined, first.Possessive = true, false
	rest.Text, rest.From, rest.Gap, rest.Spaced = string(runes[at+1:]), w.From+at+1, "", false
	rest.Norm = strings.Join(tokenizer.Tokens(rest.Text), "")
	return first, rest, true
}

// classes returns the classes of a phrase in the prompt's language.
func (r *reader) classes(phrase string) []grammar.Symbol {
	if own, ok := r.language.Classes[phrase]; ok {
		return own
	}
	return r.grammar.Classes.Of(phrase)
}

// isFunction reports whether a run consists of function words of the prompt's language. They name
// no place, company or person, unless a word is in capitals (DE). English has no such list.
func (r *reader) isFunction(from, to int) bool {
	if r.language.Code == english {
		return false
	}
	for i := from; i < to; i++ {
		w := r.text.words[i]
		if _, ok := r.language.Classes[w.Norm]; !ok || w.Shout() && r.text.mixed {
			return false
		}
	}
	return true
}

// longestSaying is the maximum number of words in a number phrase.
const longestSaying = 5

// translateNumbers translates the words from i on to English numbers, each with the index of its last word in the
// prompt.
func (r *reader) translateNumbers(i int) (tokens []token.Token, last []int) {
	for i < len(r.text.words) && len(tokens) < mostCounted {
		w := r.text.words[i]
		if w.mark != "" || len(tokens) > 0 && r.has(i, "HESITATION") && r.language.Says[w.Norm] == "" {
			i++
			continue
		}
		english, to := r.numberPhrase(i)
		if to == i {
			tokens, last = append(tokens, w.Token), append(last, i)
			i++
			continue
		}
		for n, e := range strings.Fields(english) {
			t := w.Token
			t.Text, t.Norm = e, e
			if n > 0 {
				t.Gap, t.Spaced = "", true
			}
			tokens, last = append(tokens, t), append(last, to-1)
		}
		i = to
	}
	return tokens, last
}

// mostCounted is the maximum number of words of a number.
const mostCounted = 14

// numberPhrase returns the English form of the longest number phrase at a word, and its end.
func (r *reader) numberPhrase(i int) (english string, to int) {
	for to := min(len(r.text.words), i+longestSaying); to > i; to-- {
		if phrase, ok := r.text.phrase(i, to); ok && r.language.Says[phrase] != "" {
			return r.language.Says[phrase], to
		}
	}
	return "", i
}

// inflected returns the forms of a word that a table may contain.
func (r *reader) inflected(w string) (forms []string) {
	for _, e := range r.language.Endings {
		stem, ok := strings.CutSuffix(w, e.From)
		if ok && len(stem) >= shortestStem {
			forms = append(forms, stem+e.To)
		}
	}
	slices.SortStableFunc(forms, func(a, b string) int { return cmp.Compare(len(b), len(a)) })
	return slices.Compact(forms)
}

// shortestStem is the minimum number of letters before an ending.
const shortestStem = 3
