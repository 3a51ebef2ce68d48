package search_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	"kith"
	"kith/index"
	"kith/index/indextest"
	"kith/internal/search"
	"kith/internal/test/elastictest"
	"kith/internal/test/pgtest"
	"kith/query"
	"kith/query/indexed"
)

// onPostgres returns a fixture that searches the same people in Postgres.
func onPostgres(t *testing.T, f *fixture) *fixture {
	t.Helper()
	on, _ := onPool(t, f)
	return on
}

// onPool also returns the database.
func onPool(t *testing.T, f *fixture) (*fixture, *pgxpool.Pool) {
	t.Helper()
	pool := pgtest.Pool(t)
	return f.on(t, pgtest.Engine(t, pool)), pool
}

// onElasticsearch returns a fixture that searches the same people in Elasticsearch.
func onElasticsearch(t *testing.T, f *fixture) *fixture {
	t.Helper()
	return f.on(t, elastictest.Engine(t))
}

// on returns a fixture that searches the same people in an engine.
func (f *fixture) on(t *testing.T, ix indextest.Engine) *fixture {
	t.Helper()
	var docs []indexed.Document
	for _, p := range f.people {
		docs = append(docs, document(t, p))
	}
	indextest.Store(t, ix, index.People, docs...)
	cfg := f.config
	cfg.Index = index.New(ix)
	return &fixture{Service: search.New(cfg), people: f.people, epoch: f.epoch, config: cfg}
}

// Postgres and memory give the same people in the same order and print the same statement.
func TestPostgresAnswersLikeMemory(t *testing.T) {
	memory := newFixture(t, dataset(300)...).withNear()
	postgres := onPostgres(t, memory)
	for seed := range 60 {
		req := requests().Example(seed)
		req.Closest = closest(true)
		want, got := memory.page(t, req), postgres.page(t, req)
		if w, g := personIDs(t, want.People), personIDs(t, got.People); !slices.Equal(w, g) {
			t.Errorf("%+v\nmemory   %v\npostgres %v", req, w, g)
		}
		if want.Metadata.GeneratedSQL != got.Metadata.GeneratedSQL {
			t.Errorf("%+v: the statements differ", req)
		}
		if got.Pagination.HasNextPage {
			w := personIDs(t, memory.page(t, search.Request{Cursor: want.Pagination.Cursor}).People)
			g := personIDs(t, postgres.page(t, search.Request{Cursor: got.Pagination.Cursor}).People)
			if !slices.Equal(w, g) {
				t.Errorf("%+v, second page\nmemory   %v\npostgres %v", req, w, g)
			}
		}
	}
}

func TestPostgresAnswersALargeListInOrder(t *testing.T) {
	f := onPostgres(t, newFixture(t, dataset(2500)...))
	var entries []search.ListEntry
	for i := range search.MaxListEntries {
		entries = append(entries, search.ListEntry{
			ID:    fmt.Sprintf("https://social.example/in/pat-%d", i+1),
			Score: score(float64(i)),
		})
	}
	ids := personIDs(t, f.page(t, listOf(entries...)).People)
	if len(ids) != 2500 || ids[0] != 2500 || ids[2499] != 1 {
		t.Errorf("%d people", len(ids))
	}
}

// All engines give the same answer to a search of maximum size, and refuse larger ones.
func TestEnginesAgreeOnTheLargestFilters(t *testing.T) {
	alternatives := func(n int) string {
		var parts []string
		for i := range n {
			parts = append(parts, fmt.Sprintf("-a%d b%d c%d d%d", i%9, i%8, i%7, i))
		}
		return strings.Join(parts, ", ")
	}
	filters := func(n int) query.Filters {
		return query.Filters{
			query.FilterAnyPosition: alternatives(n), query.FilterAnyCompany: alternatives(n),
			query.FilterPastCompany: alternatives(n),
			query.FilterKeywords:    alternatives(n), query.FilterCompanyKeywords: alternatives(n),
		}
	}
	memory := newFixture(t, dataset(5)...)
	for name, f := range map[string]*fixture{
		"memory": memory, "postgres": onPostgres(t, memory),
		"elasticsearch": onElasticsearch(t, memory),
	} {
		if p := f.page(t, search.Request{Filters: filters(100), Scope: search.ScopeGlobal}); len(p.People) != 5 {
			t.Errorf("%s: %d people, want 5", name, len(p.People))
		}
		e := f.refusal(t, search.Request{Filters: filters(210), Scope: search.ScopeGlobal})
		if e.Kind != kith.Invalid || len(e.Fields) != 1 || e.Fields[0].Field != "filters" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}
