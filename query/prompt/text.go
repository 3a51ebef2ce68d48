package prompt

import (
	"context"
	"slices"
	"strings"

	"kith/index/analysis"
	"kith/query"
)

// Text plans a prompt as a text search: all of its words but those that say
// nothing must stand in a person's name, title, company, place, headline or
// skills. A profile URL or an e-mail address in the prompt asks for that person.
// Quotes, commas, minus signs and the like are only text. The zero value is
// ready for use.
type Text struct{}

// Plan implements [Planner]. Its error is always nil.
func (Text) Plan(_ context.Context, text string, mode Mode) (Plan, error) {
	p := Plan{Mode: mode}
	rest := p.takeIdentifiers(split(text))
	kept := p.takeStopWords(rest)
	if len(kept) == 0 && len(p.Filters) == 0 {
		// Words that say nothing are all there is: they are what is asked.
		p.Ignored = nil
		if kept = rest; !hasTokens(kept) {
			p.Nothing = true
			p.Notes = append(p.Notes, "the prompt has no word to search for, so no one matches")
		}
	}
	p.addKeywords(text, kept)
	p.settleMode()
	return p, nil
}

// takeIdentifiers makes filters of the first profile URL and the first e-mail
// address, and returns the other words.
func (p *Plan) takeIdentifiers(words []word) []word {
	var rest []word
	found := map[query.FilterName]bool{}
	for _, w := range words {
		name, value := identifier(w.text)
		if name == "" || found[name] {
			rest = append(rest, w)
			continue
		}
		found[name] = true
		p.Filters = append(p.Filters, Filter{Source: Source{Text: w.text, Span: w.span}, Name: name, Value: value})
	}
	return rest
}

// takeStopWords returns the words that say something and notes the others.
func (p *Plan) takeStopWords(words []word) []word {
	var kept []word
	for _, w := range words {
		if says(w) {
			kept = append(kept, w)
		} else {
			p.Ignored = append(p.Ignored, w.text)
		}
	}
	return kept
}

// says reports whether some token of a word is no stop word.
func says(w word) bool {
	return slices.ContainsFunc(w.tokens, func(t string) bool { return !isStopWord(t) })
}

func hasTokens(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool { return len(w.tokens) > 0 })
}

// addKeywords asks for the words. Without commas, quotes and a leading minus
// the filter grammar reads them as one alternative: all words, in any order.
func (p *Plan) addKeywords(text string, words []word) {
	words = slices.DeleteFunc(slices.Clone(words), func(w word) bool { return len(w.tokens) == 0 })
	if len(words) == 0 {
		return
	}
	var plain strings.Builder
	for _, w := range words {
		plain.WriteString(" " + w.plain())
	}
	from, to := words[0].span[0], words[len(words)-1].span[1]
	p.Filters = append(p.Filters, Filter{
		Source: Source{Text: string([]rune(text)[from:to]), Span: [2]int{from, to}},
		Name:   query.FilterKeywords, Value: strings.TrimLeft(plain.String(), " -"),
	})
}

// settleMode resolves the mode that was asked for to one that a text search
// can follow.
func (p *Plan) settleMode() {
	byIdentifier := slices.ContainsFunc(p.Filters, func(f Filter) bool { return f.Name != query.FilterKeywords })
	switch p.Mode {
	case Lookup, Simple:
	case Complex:
		p.Mode = Simple
		p.Notes = append(p.Notes, "mode complex cannot be followed yet; the prompt is searched as text, in mode simple")
	default:
		p.Mode = Simple
		if byIdentifier {
			p.Mode = Lookup
		}
	}
}

var _ Planner = Text{}

// word is a part of the prompt between spaces, without the marks around it.
type word struct {
	text   string
	span   [2]int
	whole  string // with the marks
	tokens []string
}

// plain is the word without anything that the filter grammar gives a meaning;
// its tokens are those of the word.
func (w word) plain() string {
	text := w.text
	if !slices.Equal(analysis.Tokens(text), w.tokens) {
		text = w.whole // a mark is part of a token: C++, .NET
	}
	clean := strings.Map(func(r rune) rune {
		if r == ',' || r == '"' {
			return ' '
		}
		return r
	}, text)
	return strings.Join(strings.Fields(clean), " ")
}

// split cuts a prompt into words.
func split(text string) []word {
	runes := []rune(text)
	var words []word
	for i := 0; i < len(runes); {
		end := i
		for end < len(runes) && !isSpace(runes[end]) {
			end++
		}
		if end > i {
			words = append(words, trim(runes, i, end))
		}
		i = end + 1
	}
	return words
}

// trim takes quotes, brackets and sentence marks off a word; a word that is
// nothing else stays as it is, without tokens.
func trim(runes []rune, from, to int) word {
	i, j := from, to
	for i < j && isMark(runes[i]) {
		i++
	}
	for i < j && (isMark(runes[j-1]) || runes[j-1] == '.') {
		j--
	}
	if i == j {
		i, j = from, to
	}
	whole := string(runes[from:to])
	return word{text: string(runes[i:j]), span: [2]int{i, j}, whole: whole, tokens: analysis.Tokens(whole)}
}
