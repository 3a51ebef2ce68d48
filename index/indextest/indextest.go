package indextest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"testing"

	"kith/index"
	"kith/index/memindex"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

// Engine is both halves of a driver.
type Engine interface {
	index.Searcher
	index.Writer
}

// Run runs the suite, cases and scenarios, on engines that newEngine makes: each with one version, which is empty and
// active, and apart from all others. What an engine needs closed, newEngine closes by t.Cleanup.
func Run(t *testing.T, newEngine func(t *testing.T) Engine) {
	t.Run("cases", func(t *testing.T) { runCases(t, newEngine(t)) })
	t.Run("filters", func(t *testing.T) { runFilters(t, newEngine) })
	t.Run("careers", func(t *testing.T) { runCareers(t, newEngine(t)) })
	for _, s := range scenarios() {
		t.Run(s.name, func(t *testing.T) { s.run(t, newEngine(t)) })
	}
}

// Corpus returns the documents of the cases.
func Corpus(t testing.TB, c index.Collection) []indexed.Document {
	t.Helper()
	file, table := "people.yaml", query.PersonFields()
	if c == index.Companies {
		file, table = "companies.yaml", query.CompanyFields()
	}
	docs, err := corpus(file, table)
	expect.NoError(t, err)
	return docs
}

func runCases(t *testing.T, e Engine) {
	all, err := cases()
	expect.NoError(t, err)
	oracles := map[bool]*memindex.Oracle{false: memindex.NewOracle(), true: memindex.NewOracle()}
	for _, c := range []index.Collection{index.People, index.Companies} {
		docs := Corpus(t, c)
		oracles[c == index.Companies].Put(docs...)
		Store(t, e, c, docs...)
	}
	for _, c := range all {
		t.Run(c.file+"/"+c.name, func(t *testing.T) {
			effort.Deadline(t)
			switch {
			case c.facets != nil:
				c.checkFacets(t, e)
			case c.companies:
				c.checkOracle(t, oracles[true])
				c.checkCompanies(t, e)
			default:
				c.checkOracle(t, oracles[false])
				c.checkWalks(t, index.New(e), 1, 3, 1000)
				c.checkCounts(t, index.New(e))
				c.checkLadder(t, index.New(e), c.counts(oracles[false]))
			}
		})
	}
}

// checkOracle compares the answer given by hand with the definition.
func (c aCase) checkOracle(t *testing.T, o *memindex.Oracle) {
	got := make([][]int64, len(c.stages))
	for _, p := range o.People(c.stages, c.sortBy) {
		got[p.Stage] = append(got[p.Stage], p.ID)
	}
	if !slices.EqualFunc(got, c.want, slices.Equal) {
		t.Errorf("the oracle finds %v, by hand it is %v", got, c.want)
	}
}

// counts returns how many people satisfy each stage.
func (c aCase) counts(o *memindex.Oracle) []int {
	counts := make([]int, len(c.stages))
	for i, stage := range c.stages {
		counts[i] = len(o.People([]query.Query{stage}, c.sortBy))
	}
	return counts
}

func (c aCase) search(limit int) index.Search {
	return index.Search{Stages: c.stages, SortBy: c.sortBy, Limit: limit}
}

// anyStage is what all people of the plan satisfy.
func (c aCase) anyStage() query.Query { return index.Prepare(query.Or{Parts: c.stages}) }

// checkWalks walks through the plan in pages of several sizes.
func (c aCase) checkWalks(t *testing.T, ix *index.Index, sizes ...int) {
	for _, size := range sizes {
		found, err := walk(t.Context(), ix, c.search(size), 1)
		if err != nil {
			t.Fatalf("pages of %d: %v", size, err)
		}
		got := make([][]int64, len(c.stages))
		for _, f := range found {
			got[f.Cursor.Stage] = append(got[f.Cursor.Stage], f.ID)
			if want := fmt.Sprintf(`{"id":%d}`, f.ID); string(f.Record) != want {
				t.Errorf("record %s, want %s", f.Record, want)
			}
		}
		if !slices.EqualFunc(got, c.want, slices.Equal) {
			t.Fatalf("pages of %d: got %v, want %v", size, got, c.want)
		}
	}
}

func (c aCase) checkCounts(t *testing.T, ix *index.Index) {
	total := 0
	for _, stage := range c.want {
		total += len(stage)
	}
	for _, limit := range []int{0, 1, 2, total + 1} {
		want := total
		if limit > 0 {
			want = min(limit, total)
		}
		got, _, err := ix.Count(t.Context(), c.anyStage(), limit)
		if err != nil || got != want {
			t.Errorf("count to %d: got %d, %v, want %d", limit, got, err, want)
		}
	}
}

func (c aCase) checkCompanies(t *testing.T, e Engine) {
	for _, limit := range []int{100, 2} {
		got, err := index.New(e).Companies(t.Context(), c.stages[0], limit)
		expect.NoError(t, err)
		if want := c.want[0][:min(limit, len(c.want[0]))]; !slices.Equal(got, want) {
			t.Errorf("at most %d: got %v, want %v", limit, got, want)
		}
	}
}

func (c aCase) checkFacets(t *testing.T, e Engine) {
	got, err := index.New(e).Facets(t.Context(), c.anyStage(), slices.Collect(maps.Keys(c.facets)), c.size)
	expect.NoError(t, err)
	for name, want := range c.facets {
		if !slices.Equal(got[name], want) {
			t.Errorf("%s: got %v, want %v", name, got[name], want)
		}
	}
}

// walk goes through a whole search by cursor, and returns everyone. After every second page, pages become grow times as
// large.
func walk(ctx context.Context, ix *index.Index, s index.Search, grow int) ([]index.Found, error) {
	var all []index.Found
	for pages := 1; ; pages++ {
		page, err := page(ctx, ix, s)
		if err != nil {
			return all, err
		}
		all = append(all, page...)
		if len(page) < s.Limit {
			return all, nil
		}
		s.After = &page[len(page)-1].Cursor
		if pages%2 == 0 {
			s.Limit *= grow
		}
	}
}

func page(ctx context.Context, ix *index.Index, s index.Search) ([]index.Found, error) {
	var found []index.Found
	for f, err := range ix.People(ctx, s) {
		if err != nil {
			return found, err
		}
		found = append(found, f)
	}
	if len(found) > s.Limit {
		return found, fmt.Errorf("a page of %d where at most %d were wanted", len(found), s.Limit)
	}
	return found, nil
}
