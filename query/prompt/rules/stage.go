package rules

import (
	"slices"
	"strings"

	"kith/query/prompt/rules/segment"
	"kith/query/prompt/rules/token"
)

// stages are the stages of funding that a reading asks for, with those before or behind it
// where the words beside it say so: Series B+, Series A at most.
func (p *parser) stages(s segment.Span) []string {
	values := s.Sense.Values
	order := []string{`"pre seed"`, "seed", `"series a"`, `"series b"`, `"series c"`, `"series d"`, `"series e"`, `"series f"`, `"series g"`, `"series h"`}
	i := slices.Index(order, values[0])
	if i < 0 {
		return values
	}
	behind := strings.Join(token.Norms(p.tokens[s.To:min(s.To+2, len(p.tokens))]), " ")
	switch {
	case strings.Contains(p.text(s), "+"):
		return order[i:]
	case behind == "at most", behind == "or earlier", behind == "and earlier", behind == "or below", behind == "or before":
		return order[:i+1]
	}
	return values
}
