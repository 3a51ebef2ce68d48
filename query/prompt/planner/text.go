package planner

import (
	"slices"
	"strings"
	"unicode"

	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt/token"
	"kith/query/prompt/words"
)

// word is an element of a prompt: a token, or a mark between tokens.
type word struct {
	token.Token
	// mark is the punctuation, "" for a token.
	mark string
	// joined is true for an elided word, which tables join to the next.
	joined bool
}

// text is a prompt split into words and marks.
type text struct {
	runes []rune
	words []word
	// mixed is true if some word has no capital, so that capitals mark names.
	mixed bool
	// plain is true if no word has a capital except the first and single letters. cased is true if
	// the prompt is mixed and not plain.
	plain, cased bool
}

// splitText splits a prompt into words and marks.
func splitText(prompt string) *text {
	t := &text{runes: []rune(prompt), plain: true}
	lower := 0
	tokens := token.Split(prompt)
	dictated := isDictated(tokens)
	for i := 0; i < len(tokens); i++ {
		tok := tokens[i]
		if m, n := spokenMark(tokens[i:]); dictated && n > 0 {
			t.words = append(t.words, word{mark: m, Token: token.Token{From: tok.From, To: tok.From}})
			i += n - 1
			continue
		}
		for _, m := range marks(tok) {
			t.words = append(t.words, word{mark: m, Token: token.Token{From: tok.From, To: tok.From}})
		}
		t.plain = t.plain && (len(t.words) == 0 || !tok.Capital() || len(tok.Norm) == 1)
		t.words = append(t.words, word{Token: tok})
		if tok.Kind == token.Word && !tok.Capital() {
			lower++
		}
	}
	t.mixed = lower > 0
	t.cased = t.mixed && !t.plain
	return t
}

// shortestDictated is the minimum number of words of a dictated prompt.
const shortestDictated = 8

// isDictated reports whether a prompt may spell out its marks: it is long and has none.
func isDictated(tokens []token.Token) bool {
	return len(tokens) >= shortestDictated &&
		!slices.ContainsFunc(tokens, func(t token.Token) bool { return len(marks(t)) > 0 })
}

// spokenMark returns the mark that the first words spell out (comma, full stop), and the number of words.
func spokenMark(tokens []token.Token) (mark string, n int) {
	first := tokens[0].Norm
	if m := words.Among(words.SpokenMark, first); m != "" {
		return m, 1
	}
	if len(tokens) > 1 {
		if m := words.Among(words.SpokenMark, first+" "+tokens[1].Norm); m != "" {
			return m, 2
		}
	}
	return "", 0
}

// marks returns the relevant marks before a token, without repeats.
func marks(tok token.Token) (out []string) {
	add := func(m string) {
		if len(out) == 0 || out[len(out)-1] != m {
			out = append(out, m)
		}
	}
	for _, r := range strings.NewReplacer("->", "→", "=>", "→").Replace(tok.Gap) {
		switch r {
		case ',', ';', '、', '，':
			add(",")
		case '.', '!', '?', '。', '…':
			add(".")
		case '\n', '•', '·':
			add("\n")
		case '(', ')', '[', ']', '{', '}', ':':
			add(string(r))
		case '–', '—':
			add("–")
		case '-':
			if tok.Spaced {
				add("–")
			}
		case '→', '/', '|', '&', '+', '<', '>', '=', '≥', '≤':
			add(string(r))
		}
	}
	return out
}

// norm returns the folded word at i, "" for a mark.
func (t *text) norm(i int) string { return t.words[i].Norm }

// key joins the folded words of a span as in tables; ok is false if a mark inside does not link two words.
func (t *text) key(from, to int) (string, bool) {
	if !t.isLinked(from, to) {
		return "", false
	}
	return strings.Join(t.norms(from, to), " "), true
}

// isLinked reports whether a span begins and ends with a word, and inner marks only link words of one
// name: "Learning & Development", "AI/ML".
func (t *text) isLinked(from, to int) bool {
	for i := from; i < to; i++ {
		switch t.words[i].mark {
		case "":
		case "&", "/":
			if i == from || i == to-1 || t.words[i-1].mark != "" {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// phrase joins the folded words of a span as in word classes, with elided words separate.
func (t *text) phrase(from, to int) (string, bool) {
	var b strings.Builder
	for i := from; i < to; i++ {
		if t.words[i].mark != "" {
			return "", false
		}
		if i > from {
			b.WriteByte(' ')
		}
		b.WriteString(t.words[i].Norm)
	}
	return b.String(), true
}

// norms returns the folded words of a span as in tables.
func (t *text) norms(from, to int) []string {
	norms := make([]string, 0, to-from)
	for i := from; i < to; i++ {
		if t.words[i].mark != "" {
			continue
		}
		if n := len(norms); n > 0 && i > from && t.words[i-1].joined {
			norms[n-1] += t.words[i].Norm
			continue
		}
		norms = append(norms, t.words[i].Norm)
	}
	return norms
}

// isContracted reports whether a word has an inner apostrophe that is not possessive.
func (t *text) isContracted(i int) bool {
	return !t.words[i].Possessive && strings.ContainsAny(t.words[i].Text, "'’")
}

// wording returns the prompt's own words of a span, without a possessive at the end.
func (t *text) wording(from, to int) string {
	for from < to && t.words[from].mark != "" {
		from++
	}
	for to > from && t.words[to-1].mark != "" {
		to--
	}
	if from == to {
		return ""
	}
	s := string(t.runes[t.words[from].From:t.words[to-1].To])
	if t.words[to-1].Possessive {
		s = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(s, "s"), "S"), "'’")
	}
	return s
}

// wordsIn returns the range of words that lie in a range of code points, at least in part; empty if there are none.
func (t *text) wordsIn(from, to int) (first, end int) {
	first = len(t.words)
	for i, w := range t.words {
		if w.mark == "" && w.From < to && w.To > from {
			first, end = min(first, i), i+1
		}
	}
	return first, end
}

// capital reports whether every word of a span, except short ones, is capitalised, and the first or
// last is in any case.
func (t *text) capital(from, to int) bool {
	for i := from; i < to; i++ {
		w := t.words[i]
		if w.mark == "" && w.Kind == token.Word && !w.Capital() && len(w.Norm) > 3 {
			return false
		}
	}
	return t.words[from].Capital() || t.words[to-1].Capital()
}

// alternative writes a text in the filter grammar, without characters that are special there.
func alternative(s string) string {
	s = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r == '"' || r == ',' || r == '\\' || unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)), " ")
	if clean := strings.TrimLeft(s, "-+=@ "); clean != "" {
		s = clean
	}
	return query.Alternative{Text: s}.String()
}

// quote writes a text as a phrase of the filter grammar.
func quote(s string) string {
	return query.Alternative{Text: s, Phrase: strings.Contains(s, " ")}.String()
}

// companyTerm returns the term of a company's name: without legal form.
func companyTerm(name string) string { return strings.Join(analysis.CompanyName(name), " ") }
