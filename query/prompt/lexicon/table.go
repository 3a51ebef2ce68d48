package lexicon

import (
	"strings"
	"sync"

	"kith/query"
	"kith/query/prompt/words"
	"kith/query/taxonomy"
	"kith/query/tokenizer"
	"kith/query/wordlist"
)

// row is one line of a table: columns separated by tabs.
type row []string

// column returns column i, or "".
func (r row) column(i int) string {
	if i < len(r) {
		return strings.TrimSpace(r[i])
	}
	return ""
}

// list returns the parts of column i, separated by ";".
func (r row) list(i int) []string { return split(r.column(i), ";") }

// split returns the parts of a text between separators, without spaces around them and without empty ones.
func split(text, separator string) []string {
	var parts []string
	for p := range strings.SplitSeq(text, separator) {
		if p = strings.TrimSpace(p); p != "" {
			parts = append(parts, p)
		}
	}
	return parts
}

// form is one spelling in a table. A trailing "~" means that it needs a cue.
type form struct {
	text     string
	needsCue bool
}

func (r row) forms(i int) []form {
	var out []form
	for _, p := range r.list(i) {
		out = append(out, formOf(p))
	}
	return out
}

func formOf(text string) form {
	text, needsCue := strings.CutSuffix(text, "~")
	return form{text: strings.TrimSpace(text), needsCue: needsCue}
}

// rows returns the rows of an embedded table without comments and empty lines.
func rows(name string) []row {
	var out []row
	for _, line := range wordlist.Lines(data, name) {
		out = append(out, strings.Split(line, "\t"))
	}
	return out
}

// meant returns rows of values and spellings.
func meant(meanings []taxonomy.Meaning) []row {
	out := make([]row, 0, len(meanings))
	for _, m := range meanings {
		out = append(out, row{strings.Join(m.Values, ";"), strings.Join(m.Spellings, ";")})
	}
	return out
}

// variants returns a form as written and in its common spellings: "and" for "&", without "and", in
// one word or two, and as prompts are folded (women health for women's health).
func variants(text string) []string {
	out := []string{text}
	if strings.Contains(text, " & ") {
		out = append(out, strings.ReplaceAll(text, " & ", " and "))
	} else if strings.Contains(text, " and ") {
		out = append(out, strings.ReplaceAll(text, " and ", " "))
	}
	for _, pair := range respelt() {
		if strings.Contains(text, pair[0]) {
			out = append(out, strings.ReplaceAll(text, pair[0], pair[1]))
		}
	}
	return out
}

// respelt returns pairs of equivalent spellings; tables use the first.
var respelt = sync.OnceValue(func() [][2]string {
	out := [][2]string{{"'s ", " "}, {"s' ", "s "}}
	for _, two := range words.All(words.OneWordOrTwo) {
		out = append(out, [2]string{strings.ReplaceAll(two, " ", ""), two})
	}
	return out
})

// quoted writes words as a phrase of the filter grammar, a single word without quotes.
func quoted(words []string) string {
	return query.Alternative{Text: strings.Join(words, " "), Phrase: len(words) != 1}.String()
}

// titlePhrases writes texts as distinct phrases in the normal form of titles.
func titlePhrases(texts []string) (phrases []string) {
	for _, t := range texts {
		phrases = tokenizer.AppendNew(phrases, []string{quoted(taxonomy.Title(t))})
	}
	return phrases
}
