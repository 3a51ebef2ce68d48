package search_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kith"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
)

var engineers = query.Filters{query.FilterPosition: "Software Engineer"}

func TestUnavailableEngineFailsTheSearch(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	f.engine.before = func(context.Context, int64) error { return kith.Unreachable("memory", errors.New("refused")) }
	if e := f.refusal(t, search.Request{Filters: engineers}); e.Kind != kith.Unavailable || e.RetryAfter == 0 {
		t.Errorf("got %v", e)
	}
	events := f.events(t, search.Request{Filters: engineers, Scope: "global"})
	if got := kinds(events); !slices.Equal(got, []string{"metadata", "error", "done"}) {
		t.Errorf("events: %v", got)
	}
}

// A search that fails in its second stage has answered the first, with a cursor to continue.
func TestFailureInTheSecondStageKeepsTheFirst(t *testing.T) {
	f := newFixture(t, dataset(40)...)
	req := search.Request{Filters: engineers, Scope: "global", Limit: 100}
	want := personIDs(t, f.page(t, req).People)
	second := f.engine.finds.Load() + 2
	f.engine.before = func(_ context.Context, n int64) error {
		if n == second {
			return kith.Unreachable("memory", errors.New("refused"))
		}
		return nil
	}
	events := f.events(t, req)
	if got := kinds(events); !slices.Equal(got, []string{"metadata", "result", "error", "done"}) {
		t.Fatalf("events: %v", got)
	}
	done := events[len(events)-1].(search.Done)
	if done.Complete || done.Pagination.Count != 10 || !done.Pagination.HasNextPage {
		t.Errorf("done: %+v", done.Pagination)
	}
	rest := f.page(t, search.Request{Cursor: done.Pagination.Cursor})
	if got := personIDs(t, rest.People); !slices.Equal(got, want[10:]) {
		t.Errorf("continued with %v, want %v", got, want[10:])
	}
}

func TestUnreadableSettingsFailTheSearch(t *testing.T) {
	f := newFixture(t, dataset(3)...)
	f.epoch = -1
	if _, err := f.try(t.Context(), search.Request{Prompt: "pat"}); err == nil {
		t.Error("the search succeeded without settings")
	}
}

func TestExceededBudgetIsATimeout(t *testing.T) {
	f := newFixture(t, dataset(3)...)
	cfg := f.config
	cfg.Budget = 10 * time.Millisecond
	f.Service = search.New(cfg)
	f.engine.before = func(ctx context.Context, _ int64) error { <-ctx.Done(); return ctx.Err() }
	if e := f.refusal(t, search.Request{Prompt: "pat"}); e.Kind != kith.Timeout || e.Code != "TIMEOUT" ||
		errors.Is(e, context.Canceled) {
		t.Errorf("got %v", e)
	}
}

// The budget is for the engine. Waiting for a slow reader does not count.
func TestSlowReaderDoesNotSpendTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, dataset(40)...)
		cfg := f.config
		cfg.Budget = 100 * time.Millisecond
		f.Service = search.New(cfg)
		ctx := t.Context()
		results, err := f.Search(ctx, caller(), search.Request{Filters: engineers, Scope: "global", Limit: 100})
		expect.NoError(t, err)
		var done search.Done
		for e := range results.Events(ctx) {
			switch e := e.(type) {
			case search.Result:
				if e.Index == 3 {
					<-time.After(200 * time.Millisecond)
				}
			case search.Done:
				done = e
			case search.Started, search.StageEnd, search.Counted, search.Failed:
			}
		}
		if !done.Complete {
			t.Error("the search did not complete")
		}
	})
}

// A canceled client stops searches and counts in the engine.
func TestCanceledClientStopsTheEngine(t *testing.T) {
	f := newFixture(t, dataset(3)...)
	searching, counting := make(chan struct{}), make(chan struct{})
	f.engine.before = func(ctx context.Context, _ int64) error { close(searching); <-ctx.Done(); return ctx.Err() }
	f.engine.count = func(ctx context.Context) error { close(counting); <-ctx.Done(); return ctx.Err() }
	ctx, cancel := context.WithCancel(t.Context())
	go func() { <-searching; <-counting; cancel() }()
	_, err := f.try(ctx, search.Request{Prompt: "pat", IncludeCounts: "all"})
	if !errors.Is(err, context.Canceled) || kith.KindOf(err) == kith.Timeout {
		t.Errorf("got %v", err)
	}
}

// Slow counts come after the results.
func TestCountsNeverDelayAResult(t *testing.T) {
	f := newFixture(t, dataset(10)...)
	release := make(chan struct{})
	f.engine.count = func(ctx context.Context) error {
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	ctx := t.Context()
	results, err := f.Search(ctx, caller(), search.Request{Prompt: "pat", IncludeCounts: "all"})
	expect.NoError(t, err)
	var events []search.Event
	for e := range results.Events(ctx) {
		events = append(events, e)
		if r, is := e.(search.Result); is && r.Index == 9 {
			close(release) // after the last result
		}
	}
	got := kinds(events)
	if results := slices.Index(got, "result"); slices.Index(got, "counts") < results ||
		strings.Count(strings.Join(got, " "), "result") != 1 {
		t.Errorf("got %v", got)
	}
}

func TestFailedCountsFailTheSearch(t *testing.T) {
	f := newFixture(t, dataset(3)...)
	f.engine.count = func(context.Context) error { return kith.Unreachable("memory", errors.New("refused")) }
	if e := f.refusal(t, search.Request{Prompt: "pat", IncludeCounts: "all"}); e.Kind != kith.Unavailable {
		t.Errorf("got %v", e)
	}
}
