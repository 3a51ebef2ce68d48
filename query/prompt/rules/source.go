package rules

import (
	"cmp"
	"slices"
	"strings"

	"kith/query/prompt"
	"kith/query/prompt/rules/segment"
	"kith/query/prompt/token"
)

// sourceText is the prompt's own text of a reading.
func (p *parser) sourceText(s segment.Span) string {
	return p.source([][2]int{{s.From, s.To}}).Text
}

// source is where spans of tokens stand in the prompt: parts that only spaces
// or a hyphen separate are one.
func (p *parser) source(spans [][2]int) prompt.Source {
	spans = slices.Clone(spans)
	slices.SortFunc(spans, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var merged [][2]int
	for _, s := range spans {
		if n := len(merged); n > 0 && s[0] <= merged[n-1][1] && (s[0] < merged[n-1][1] || near(p.tokens[s[0]])) {
			merged[n-1][1] = max(merged[n-1][1], s[1])
			continue
		}
		merged = append(merged, s)
	}
	if len(merged) == 0 {
		return prompt.Source{}
	}
	var parts []string
	for _, s := range merged {
		parts = append(parts, string(p.runes[p.tokens[s[0]].From:p.tokens[s[1]-1].To]))
	}
	return prompt.Source{
		Text: strings.Join(parts, " … "),
		Span: [2]int{p.tokens[merged[0][0]].From, p.tokens[merged[len(merged)-1][1]-1].To},
	}
}

func near(t token.Token) bool { return t.Gap == "" || t.Tight() }
