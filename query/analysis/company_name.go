package analysis

import (
	"slices"
	"strings"
	"unicode"

	"kith/query"
	"kith/query/tokenizer"
)

// CompanyName returns the words of a company's name without a leading "the", without an inner "and" (some write it as
// an ampersand), and without a trailing legal form (GmbH, Inc., Ltd, S.A., …). A form that is also a word is dropped
// only if its spelling marks it as a form: "Serenity Spa" stays, "Serenity SpA" does not. At least one word always
// remains.
func CompanyName(name string) []string {
	tokens := tokenizer.Tokens(initialsJoined(name))
	if n := words().legalForms.end(tokens, name); n < len(tokens) {
		if tokens = tokens[:n]; n > 1 && tokens[n-1] == "and" {
			tokens = tokens[:n-1]
		}
	}
	if len(tokens) > 1 && tokens[0] == "the" {
		tokens = tokens[1:]
	}
	return withoutAnd(tokens)
}

// withoutAnd drops each "and" between words. It modifies the tokens.
func withoutAnd(tokens []string) []string {
	for i := len(tokens) - 2; i > 0; i-- {
		if tokens[i] == "and" {
			tokens = slices.Delete(tokens, i, i+1)
		}
	}
	return tokens
}

// initialsJoined joins initials around an ampersand or an "and" into one word, as [tokenizer.Tokens] keeps them (H & M,
// H and M → H&M). "AG & Co" is a legal form, not initials.
func initialsJoined(name string) string {
	ws := strings.Fields(name)
	for i := len(ws) - 2; i > 0; i-- {
		if (ws[i] == "&" || strings.EqualFold(ws[i], "and")) && isInitials(ws[i-1]) && isInitials(ws[i+1]) &&
			!strings.EqualFold(ws[i+1], "co") {
			ws = slices.Replace(ws, i-1, i+2, ws[i-1]+"&"+ws[i+1])
			i--
		}
	}
	return strings.Join(ws, " ")
}

func isInitials(w string) bool {
	return len(w) <= 2 && strings.Trim(strings.ToLower(w), "abcdefghijklmnopqrstuvwxyz") == ""
}

// CompanyKey is the whole name without legal form, as one term.
func CompanyKey(name string) string {
	return tokenizer.Cut(strings.Join(CompanyName(name), " "), tokenizer.MaxKey)
}

// EndsName reports whether a text after a comma can only be a legal form: Inc., Pty Ltd, S.A. It is false for SAS and
// PLC, which are also names.
func EndsName(text string) bool {
	tokens := tokenizer.Tokens(text)
	if len(tokens) == 0 || CompanyKey("x "+text) != "x" {
		return false
	}
	switch tokens[len(tokens)-1] {
	case "inc", "incorporated", "llc", "llp", "ltd", "ltda", "gmbh":
		return true
	}
	return strings.Contains(strings.TrimRight(text, "."), ".")
}

// legalFormsJoined rejoins a legal form to the name before its comma (Acme, Inc.). As an alternative of its own it
// would match every company with that form.
func legalFormsJoined(alts []query.Alternative) []query.Alternative {
	out := alts[:0:0]
	for _, alt := range alts {
		signed := alt.Whole || alt.Excluded || alt.Required
		if last := len(out) - 1; last >= 0 && !alt.Phrase && !signed && !out[last].Phrase && EndsName(alt.Text) {
			out[last].Text += " " + alt.Text
			continue
		}
		out = append(out, alt)
	}
	return out
}

// companyForms returns the word sequences that find a company: its name without and with the legal form, with
// initials apart (H&M → h m), without a site's ending (booking.com → booking), and with divided words joined
// (Wal-Mart → walmart).
func companyForms(name string) [][]string {
	stem := CompanyName(name)
	if len(stem) == 0 {
		return nil
	}
	forms := [][]string{stem}
	all := tokenizer.Tokens(name)
	if len(all) != len(stem) {
		forms = append(forms, all)
	}
	if apart := tokenizer.Tokens(strings.ReplaceAll(name, "&", " ")); len(apart) != len(all) {
		forms = append(forms, apart)
	}
	last := stem[len(stem)-1]
	if i := strings.LastIndexByte(last, '.'); i > 0 {
		plain := slices.Clone(stem)
		plain[len(plain)-1] = last[:i]
		forms = append(forms, plain)
	}
	if joined := CompanyName(marksDropped(name)); len(joined) > 0 && len(joined) < len(stem) {
		forms = append(forms, joined)
	}
	return forms
}

// legalForms are the legal forms by their last word.
type legalForms map[string][]legalForm

type legalForm struct {
	words []string
	// word is true for a form that is also a word.
	word bool
}

func newLegalForms(entries []string) legalForms {
	l := legalForms{}
	for _, line := range entries {
		text, isWord := strings.CutSuffix(line, "!")
		ws := strings.Fields(text)
		last := ws[len(ws)-1]
		l[last] = append(l[last], legalForm{words: ws, word: isWord})
	}
	for _, list := range l {
		slices.SortStableFunc(list, func(a, b legalForm) int { return len(b.words) - len(a.words) })
	}
	return l
}

// end returns the number of tokens before the trailing legal forms. It removes at most two forms ("Foo Ltd Co"), and
// leaves at least one word.
func (l legalForms) end(tokens []string, name string) int {
	n := len(tokens)
	for range 2 {
		form := l.match(tokens[:n], name)
		if form == 0 {
			break
		}
		n -= form
	}
	return n
}

func (l legalForms) match(tokens []string, name string) int {
	if len(tokens) < 2 {
		return 0
	}
	for _, f := range l[tokens[len(tokens)-1]] {
		n := len(f.words)
		if n < len(tokens) && slices.Equal(tokens[len(tokens)-n:], f.words) && (!f.word || writtenAsForm(name)) {
			return n
		}
	}
	return 0
}

// writtenAsForm reports whether the last word of a name has a dot or a slash inside, or two capitals.
func writtenAsForm(name string) bool {
	fields := strings.Fields(name)
	last := fields[len(fields)-1]
	capitals := 0
	for _, r := range last {
		if unicode.IsUpper(r) {
			capitals++
		}
	}
	return capitals >= 2 || strings.ContainsAny(strings.TrimRight(last, "./"), "./")
}
