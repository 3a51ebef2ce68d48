package suggest

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"kith"
	"kith/internal/search"
	"kith/query"
	"kith/query/analysis"
)

// completions is how many completions of the last word a name search tries.
const completions = 8

// persons completes a person's name: all words but the last are complete; the last is completed to the most frequent
// names, and a search finds the people.
func (s *Service) persons(ctx context.Context, v kith.Viewer, req Request) ([]Suggestion, error) {
	words := analysis.NameTokens(req.Text)
	if len(words) == 0 {
		return nil, nil
	}
	last := words[len(words)-1]
	names, err := s.matching(ctx, v, Lookup{
		Texts: []string{last}, Kinds: []analysis.TermKind{analysis.TermFirstName, analysis.TermLastName},
		Limit: completions,
	})
	if err != nil || len(names) == 0 {
		return nil, err
	}
	before := strings.Join(words[:len(words)-1], " ")
	var alternatives []string
	for _, n := range names {
		alternatives = append(alternatives, value(strings.TrimSpace(before+" "+n.Text)))
	}
	results, err := s.people.Search(ctx, v, search.Request{
		Filters: query.Filters{query.FilterPersonName: strings.Join(alternatives, ", ")},
		Scope:   search.ScopeGlobal, Limit: req.Limit,
	})
	if err != nil {
		return nil, err
	}
	page, err := search.Collect(ctx, results)
	if err != nil {
		return nil, err
	}
	out := make([]Suggestion, len(page.People))
	for i, record := range page.People {
		var p Person
		if err := json.Unmarshal(record, &p); err != nil {
			return nil, fmt.Errorf("suggest: a result: %w", err)
		}
		out[i] = Suggestion{Field: FieldPerson, Value: value(p.FullName), Text: shownAs(p), Count: 1, Person: &p}
	}
	return out, nil
}

// shownAs returns a person's name with the headline.
func shownAs(p Person) string {
	if p.Headline == "" {
		return p.FullName
	}
	return p.FullName + ", " + p.Headline
}
