package http_test

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"kith"
	kithhttp "kith/http"
	"kith/index"
	"kith/index/indextest"
	"kith/index/memindex"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/record/enrich"
	"kith/query"
)

// faulty is an engine that panics at a given call.
type faulty struct {
	index.Searcher
	index.Writer

	find, count bool
}

func (f *faulty) Find(ctx context.Context, c index.Collection, req index.FindRequest) ([]index.Hit, error) {
	if f.find {
		panic("a defect of Find")
	}
	return f.Searcher.Find(ctx, c, req)
}

func (f *faulty) Count(ctx context.Context, c index.Collection, q query.Query, limit int) (int, error) {
	if f.count {
		panic("a defect of Count")
	}
	return f.Searcher.Count(ctx, c, q, limit)
}

// The server answers and logs a panic in another goroutine like one in the handler, and keeps running.
func TestPanicsInOtherGoroutinesAreAnswered(t *testing.T) {
	t.Parallel()
	engine := memindex.New()
	ix := &faulty{Searcher: engine, Writer: engine}
	f := acquainted(t, func(*testing.T, *postgres.DB) indextest.Engine { return ix })
	network, counts := `{`+engineersBody+`}`,
		`{"filters":{"position":"Software Engineer"},"scope":"global","include_counts":"all"}`
	f.search(network).wants(t, http.StatusOK, "")
	f.search(counts).wants(t, http.StatusOK, "")
	ix.find, ix.count = true, true
	f.search(network).wants(t, http.StatusInternalServerError, "INTERNAL_ERROR")
	ix.find = false
	f.search(counts).wants(t, http.StatusInternalServerError, "INTERNAL_ERROR")
	for _, want := range []string{"panic: a defect of Find", "panic: a defect of Count", "panic_test.go"} {
		if !strings.Contains(f.logs.String(), want) {
			t.Errorf("the log lacks %q", want)
		}
	}
	ix.count = false
	f.search(counts).wants(t, http.StatusOK, "")
}

// brokenFinder is a source of fresh data with a defect.
type brokenFinder struct{}

func (brokenFinder) Find(context.Context, string) error { panic("a defect of Find") }

func TestPanicsOfTheSourceAreAnswered(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		cfg.Datasets[0].Enrich = enrich.New(f.db, brokenFinder{})
		cfg.Dependencies = append(cfg.Dependencies,
			kithhttp.Dependency{Name: "broken", Check: func(context.Context) error { panic("a defect of Check") }})
	})
	f.post("/v2/people/enrich", `{"social_url":"https://social.example/in/new-one"}`).wants(t,
		http.StatusServiceUnavailable, "SOURCE_UNAVAILABLE")
	if res := f.call(http.MethodGet, "/readyz", ""); res.StatusCode != http.StatusServiceUnavailable ||
		!strings.Contains(f.logs.String(), "a defect of Check") {
		t.Errorf("answered %d %s", res.StatusCode, res.body)
	}
	elements := []network.Element{{Identifier: "https://social.example/in/new-one"}}
	err := network.New(f.db.Network()).LookUp(brokenFinder{}).Find(t.Context(), kith.Actor{UserID: 1}, elements)
	if err == nil || !strings.Contains(err.Error(), "panic: a defect of Find") {
		t.Errorf("error: %v", err)
	}
}
