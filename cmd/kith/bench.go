package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"kith/client"
	"kith/internal/search"
)

type benchCmd struct {
	Rounds int      `default:"100" env:"KITH_ROUNDS"`
	Shape  []string `env:"KITH_SHAPE"`
	caller
	listFlags
}

// measured is a measured search. FirstResult is the time until the first person of a stream.
type measured struct {
	Search      string `json:"search"`
	Matches     int    `json:"matches"`
	Capped      bool   `json:"capped" table:"-"` // there are more matches
	Median      millis `json:"median"`
	P99         millis `json:"p99"`
	FirstResult millis `json:"first_result"`
	Rounds      int    `json:"rounds"`
}

// millis is a time in milliseconds, of two decimals.
type millis float64

// String implements [fmt.Stringer].
func (m millis) String() string { return fmt.Sprintf("%.2f", float64(m)) }

// Run measures and prints one row for each search.
func (c *benchCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	shapes, err := c.shapes()
	if err != nil {
		return usageError(err)
	}
	return c.call(ctx, g, log, func(api *client.Client, _ *dataset) error {
		b := &benching{api: api, rounds: c.Rounds}
		if err := b.lookAround(ctx); err != nil {
			return err
		}
		list := newListing[measured](g.results, c.listFlags)
		for _, s := range shapes {
			row, err := b.measure(ctx, s)
			if errors.Is(err, errUnsuited) {
				fmt.Fprintf(os.Stderr, "%s: %v\n", s.Name, err)
				continue
			}
			if err != nil {
				return fmt.Errorf("%s: %w", s.Name, err)
			}
			if err := list.add(row); err != nil {
				return err
			}
		}
		return list.end()
	})
}

// shapes returns the searches to measure, after a check of the flags.
func (c *benchCmd) shapes() ([]shape, error) {
	var b flagBounds
	positive(&b, "--rounds", c.Rounds)
	if err := errors.Join(c.check(), b.err()); err != nil {
		return nil, err
	}
	var all []shape
	if err := json.Unmarshal(benchShapes, &all); err != nil {
		return nil, err
	}
	if len(c.Shape) == 0 {
		return all, nil
	}
	var names []string
	for _, s := range all {
		names = append(names, s.Name)
	}
	for _, name := range c.Shape {
		if !slices.Contains(names, name) {
			return nil, fmt.Errorf("unknown --shape %q; use one of %s", name, strings.Join(names, "; "))
		}
	}
	return slices.DeleteFunc(all, func(s shape) bool { return !slices.Contains(c.Shape, s.Name) }), nil
}

//go:embed bench.json
var benchShapes []byte

// shape is a kind of search. Its filters may have {employer}, {name} and {url} of a person.
type shape struct {
	Name    string               `json:"name"`
	Request client.SearchRequest `json:"request"`
	// Choose adds the best of several filters: the rarest (fewest matches, but at least one), the commonest, or those
	// of no match (none) of which each alone has as many as possible.
	Choose struct {
		Want string              `json:"want"`
		Of   []map[string]string `json:"of"`
	} `json:"choose"`
	// Page is the page to measure, or the last full one; 0 means the first.
	Page int `json:"page"`
	// List is the number of people in a specific list; 0 means none.
	List int `json:"list"`
}

const (
	// benchTime limits the time of a search, after fewestRounds.
	benchTime    = 10 * time.Second
	fewestRounds = 10
	warmUp       = 5
	streamsTimed = 20
)

var errUnsuited = errors.New("not measured: none of its filters has the matches that it needs")

// benching measures searches with values from the people it finds.
type benching struct {
	api    *client.Client
	rounds int
	values *strings.Replacer
	urls   []string
}

// lookAround reads some people, for values.
func (b *benching) lookAround(ctx context.Context) error {
	employers := map[string]int{}
	var name string
	req := client.SearchRequest{
		Filters: map[string]string{"experienceYears": ">=0"}, Limit: search.MaxLimit, Scope: search.ScopeGlobal,
	}
	for page, err := range b.api.Pages(ctx, req) {
		if err != nil {
			return err
		}
		for _, p := range page.People {
			if p.WorkRelevant != nil && !strings.Contains(p.WorkRelevant.Company.Name, ",") {
				employers[p.WorkRelevant.Company.Name]++
			}
			name, b.urls = p.FullName, append(b.urls, p.SocialURL)
		}
		if len(b.urls) >= 10*search.MaxLimit {
			break
		}
	}
	delete(employers, "")
	if len(employers) == 0 {
		return errors.New("there are no people with jobs to search for: load some, such as those of kith generate")
	}
	common := slices.MaxFunc(slices.Sorted(maps.Keys(employers)), func(a, b string) int {
		return employers[a] - employers[b]
	})
	b.values = strings.NewReplacer("{employer}", common, "{name}", name, "{url}", b.urls[len(b.urls)-1])
	return nil
}

// measure measures one search.
func (b *benching) measure(ctx context.Context, s shape) (measured, error) {
	row := measured{Search: s.Name}
	req, err := b.request(ctx, s)
	if err != nil {
		return row, err
	}
	if row.Matches, row.Capped, err = b.count(ctx, req); err != nil {
		return row, err
	}
	if req, err = b.turnTo(ctx, req, s.Page); err != nil {
		return row, err
	}
	var times, firsts []time.Duration
	end := time.Now().Add(benchTime)
	for round := range b.rounds + warmUp {
		began := time.Now()
		var page json.RawMessage
		if err := b.api.Do(ctx, http.MethodPost, "/v2/people/search", req, &page); err != nil {
			return row, err
		}
		if round >= warmUp {
			times = append(times, time.Since(began))
		}
		if len(times) >= fewestRounds && time.Now().After(end) {
			break
		}
	}
	for range min(b.rounds, streamsTimed) {
		first, err := b.firstResult(ctx, req)
		if err != nil {
			return row, err
		}
		firsts = append(firsts, first)
	}
	row.Median, row.P99, row.Rounds = quantile(times, 0.5), quantile(times, 0.99), len(times)
	row.FirstResult = quantile(firsts, 0.5)
	return row, nil
}

// request returns the first page of a search.
func (b *benching) request(ctx context.Context, s shape) (client.SearchRequest, error) {
	req := s.Request
	req.Scope = search.ScopeGlobal
	if s.List > 0 {
		req.Scope, req.Among = search.ScopeList, &client.Among{People: b.urls[:min(s.List, len(b.urls))]}
	}
	req.Filters = maps.Clone(req.Filters)
	for name, value := range req.Filters {
		req.Filters[name] = b.values.Replace(value)
	}
	if s.Choose.Want == "" {
		return req, nil
	}
	best := -1
	for _, filters := range s.Choose.Of {
		score, err := b.score(ctx, s.Choose.Want, filters)
		if err != nil {
			return req, err
		}
		if score > best {
			req.Filters, best = filters, score
		}
	}
	if best < 0 {
		return req, errUnsuited
	}
	return req, nil
}

// score rates filters; a negative score rejects them.
func (b *benching) score(ctx context.Context, want string, filters map[string]string) (int, error) {
	n, _, err := b.count(ctx, client.SearchRequest{Filters: filters})
	switch {
	case err != nil:
		return 0, err
	case want == "commonest":
		return n, nil
	case want == "rarest" && n > 0:
		return math.MaxInt - n, nil
	case want != "none" || n > 0:
		return -1, nil
	}
	fewest := math.MaxInt
	for name, value := range filters {
		n, _, err := b.count(ctx, client.SearchRequest{Filters: map[string]string{name: value}})
		if err != nil {
			return 0, err
		}
		fewest = min(fewest, n)
	}
	return fewest, nil
}

// count counts who matches.
func (b *benching) count(ctx context.Context, req client.SearchRequest) (n int, capped bool, err error) {
	req.Limit, req.IncludeCounts, req.Facets, req.Closest = 1, "global", nil, nil
	req.Scope = cmp.Or(req.Scope, search.ScopeGlobal)
	page, err := b.api.Search(ctx, req)
	if err != nil || page.Metadata.Counts == nil || page.Metadata.Counts.Global == nil {
		return 0, false, err
	}
	return page.Metadata.Counts.Global.Value, page.Metadata.Counts.Global.IsCapped, nil
}

// turnTo returns the request for a page, the last one if there are fewer.
func (b *benching) turnTo(ctx context.Context, req client.SearchRequest, page int) (client.SearchRequest, error) {
	step := req
	step.Limit = search.MaxLimit
	for passed := 0; passed < (page-1)*search.DefaultLimit; passed += search.MaxLimit {
		found, err := b.api.Search(ctx, step)
		if err != nil || !found.Pagination.HasNextPage {
			return req, err
		}
		step.Cursor = found.Pagination.Cursor
		req.Cursor, req.Limit = step.Cursor, search.DefaultLimit
	}
	return req, nil
}

// firstResult returns the time until the first person of a stream, or its end if there is none.
func (b *benching) firstResult(ctx context.Context, req client.SearchRequest) (time.Duration, error) {
	began := time.Now()
	for event, err := range b.api.Stream(ctx, req) {
		if _, ok := event.(*client.Result); ok || err != nil {
			return time.Since(began), err
		}
	}
	return time.Since(began), nil
}

// quantile returns the smallest of the times that is not exceeded by at least the share q of them.
func quantile(times []time.Duration, q float64) millis {
	rank := int(math.Ceil(q * float64(len(times))))
	t := slices.Sorted(slices.Values(times))[max(rank, 1)-1]
	return millis(math.Round(float64(t)/float64(10*time.Microsecond)) / 100)
}
