package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"kith"
	"kith/internal/search"
	"kith/query"
)

// sample has values from the dataset for use in requests.
type sample struct {
	values map[string]string // by name: employer, name, url
	urls   []string          // of people, for lists
}

// choose fills in the parts of shapes that depend on the dataset.
func choose(ctx context.Context, e Engine, shapes []Shape) ([]Shape, error) {
	s, err := lookAround(ctx, e.Actor.Viewer(), e.Service, longestList(shapes))
	if err != nil {
		return nil, err
	}
	out := make([]Shape, 0, len(shapes))
	for _, shape := range shapes {
		if shape.Request.Filters, err = s.filters(ctx, e.Actor.Viewer(), e.Service, shape); err != nil {
			return nil, fmt.Errorf("%s: %w", shape.Name, err)
		}
		shape.Request.Scope = search.ScopeGlobal
		if shape.List > 0 {
			shape.Request.Scope = search.ScopeList
			shape.Request.List = s.urls[:min(shape.List, len(s.urls))]
		}
		out = append(out, shape)
	}
	return out, nil
}

func longestList(shapes []Shape) int {
	n := 0
	for _, s := range shapes {
		n = max(n, s.List)
	}
	return n
}

// filters returns the filters of a shape: its own with the sample's values in place of {names}, and the chosen ones.
func (s sample) filters(ctx context.Context, v kith.Viewer, svc *search.Service, shape Shape) (query.Filters, error) {
	out := query.Filters{}
	for name, value := range shape.Request.Filters {
		for key, v := range s.values {
			value = strings.ReplaceAll(value, "{"+key+"}", v)
		}
		out[name] = value
	}
	if shape.Choose == nil {
		return out, nil
	}
	chosen, err := shape.Choose.pick(ctx, v, svc)
	maps.Copy(out, chosen)
	return out, err
}

// pick runs each candidate and returns the best.
func (c Choice) pick(ctx context.Context, v kith.Viewer, svc *search.Service) (query.Filters, error) {
	var best query.Filters
	bestScore := -1
	for _, candidate := range c.Of {
		n, err := countMatching(ctx, v, svc, candidate)
		if err != nil {
			return nil, err
		}
		score, err := c.score(ctx, v, svc, candidate, n)
		if err != nil {
			return nil, err
		}
		if score > bestScore {
			best, bestScore = candidate, score
		}
	}
	if best == nil {
		return nil, fmt.Errorf("none of the %d candidates meets the requirement (%s) in this dataset; measure on more "+
			"people (--people)", len(c.Of), c.Want)
	}
	return best, nil
}

// score rates a candidate with n matches; a negative score rejects it.
func (c Choice) score(
	ctx context.Context, v kith.Viewer, svc *search.Service, candidate query.Filters, n int,
) (int, error) {
	switch {
	case c.Want == "commonest":
		return n, nil
	case c.Want == "rarest" && n > 0:
		return 1_000_000_000 - n, nil
	case c.Want != "none" || n > 0:
		return -1, nil
	}
	fewest := 1_000_000_000
	for name, value := range candidate {
		n, err := countMatching(ctx, v, svc, query.Filters{name: value})
		if err != nil {
			return 0, err
		}
		fewest = min(fewest, n)
	}
	return fewest, nil
}

// countMatching returns how many people match, as far as the service counts.
func countMatching(ctx context.Context, v kith.Viewer, svc *search.Service, filters query.Filters) (int, error) {
	page, err := ask(ctx, v, svc, Request{Filters: filters, Limit: 1, Scope: search.ScopeGlobal, IncludeCounts: "global"})
	if err != nil {
		return 0, err
	}
	if page.Metadata.Counts == nil || page.Metadata.Counts.Global == nil {
		return 0, fmt.Errorf("the response has no count")
	}
	return page.Metadata.Counts.Global.Value, nil
}

func ask(ctx context.Context, v kith.Viewer, svc *search.Service, req Request) (*search.Page, error) {
	results, err := svc.Search(ctx, v, req.search())
	if err != nil {
		return nil, err
	}
	return search.Collect(ctx, results)
}

// lookAround reads some people: the most common employer, the name and URL of a person,
// and the requested number of URLs.
func lookAround(ctx context.Context, v kith.Viewer, svc *search.Service, urls int) (sample, error) {
	s := sample{values: map[string]string{}}
	employers := map[string]int{}
	req := Request{Filters: query.Filters{"experienceYears": ">=0"}, Limit: search.MaxLimit, Scope: search.ScopeGlobal}
	for pages := 0; pages < 5 || len(s.urls) < urls; pages++ {
		page, err := ask(ctx, v, svc, req)
		if err != nil {
			return s, err
		}
		if err := s.add(page.People, employers); err != nil {
			return s, err
		}
		if req.Cursor = page.Pagination.Cursor; req.Cursor == "" {
			break
		}
	}
	if len(s.urls) == 0 || len(employers) == 0 {
		return s, fmt.Errorf("the dataset is empty: load people first, for example those that `kith generate` writes")
	}
	s.values["employer"] = commonest(employers)
	return s, nil
}

func (s *sample) add(people []json.RawMessage, employers map[string]int) error {
	for _, raw := range people {
		var p kith.Person
		if err := json.Unmarshal(raw, &p); err != nil {
			return fmt.Errorf("a person in the response cannot be read: %w", err)
		}
		s.urls = append(s.urls, p.SocialURL)
		if p.WorkRelevant != nil && p.WorkRelevant.Company.Name != "" && !strings.Contains(p.WorkRelevant.Company.Name, ",") {
			employers[p.WorkRelevant.Company.Name]++
		}
		s.values["name"], s.values["url"] = p.FullName, p.SocialURL
	}
	return nil
}

// commonest returns the key with the highest count; the alphabetically first if several have it.
func commonest(counts map[string]int) string {
	best := ""
	for key, n := range counts {
		if n > counts[best] || n == counts[best] && key < best {
			best = key
		}
	}
	return best
}
