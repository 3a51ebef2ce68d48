package planner

import (
	"slices"
	"strings"

	"kith/query/prompt"
)

// source returns the prompt's own words of spans, joining adjacent ones.
func (b *builder) source(spans [][2]int) prompt.Source {
	if len(spans) == 0 {
		return prompt.Source{}
	}
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(x, y [2]int) int { return x[0] - y[0] })
	var joined [][2]int
	end := -1
	for _, s := range spans {
		switch {
		case s[1] <= end:
			continue
		case s[0] <= end:
			joined[len(joined)-1][1] = s[1]
		default:
			joined = append(joined, s)
		}
		end = s[1]
	}
	var texts []string
	for _, s := range joined {
		if words := b.text.wording(s[0], s[1]); words != "" {
			texts = append(texts, words)
		}
	}
	first, last := b.text.words[spans[0][0]], b.text.words[end-1]
	return prompt.Source{Text: strings.Join(texts, " … "), Span: [2]int{first.From, last.To}}
}

// wholeText returns the prompt's text from the first span to the last.
func (b *builder) wholeText(spans [][2]int) string {
	if len(spans) == 0 {
		return ""
	}
	from, to := spans[0][0], spans[0][1]
	for _, s := range spans {
		from, to = min(from, s[0]), max(to, s[1])
	}
	text := b.text.wording(from, to)
	if strings.Count(text, "(") > strings.Count(text, ")") { // restore a bracket cut at the end
		text += ")"
	}
	return text
}

// joined returns the source of two parts about one thing.
func joined(a, b prompt.Source) prompt.Source {
	if a.Span[0] > b.Span[0] {
		a, b = b, a
	}
	return prompt.Source{Text: a.Text + " … " + b.Text, Span: [2]int{a.Span[0], max(a.Span[1], b.Span[1])}}
}
