package saved_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/index"
	"kith/index/indextest"
	"kith/index/memindex"
	"kith/internal/search"
	"kith/internal/search/saved"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/cursor"
	"kith/query/indexed"
)

// world is a service of saved searches over people in memory, and its store. A saved request is {"city": …}.
type world struct {
	saved.SearchStore // operations that no test uses
	*saved.Searches
	engine *memindex.Index
	search *search.Service
	// fails are errors of searches, by city.
	fails map[string]error
	// seen and announced are the people of every search.
	seen, announced []int64
	due             []saved.Watched
	evaluated       []string
	now             time.Time
}

func newWorld(t *testing.T, matches int) *world {
	t.Helper()
	seal, err := cursor.New(make([]byte, cursor.KeySize))
	expect.NoError(t, err)
	w := &world{engine: memindex.New(), fails: map[string]error{}}
	w.search = search.New(
		search.Config{Index: index.New(w.engine), Records: w, Settings: w, Sight: search.Everything{}, Seal: seal},
	)
	w.Searches = saved.NewSearches(saved.Config{
		Store: w, Searcher: w, Read: readRequest, Matches: matches, Now: func() time.Time { return w.now },
	})
	return w
}

func readRequest(text json.RawMessage) (search.Request, error) {
	var kept struct{ City string }
	if err := json.Unmarshal(text, &kept); err != nil || kept.City == "" {
		return search.Request{}, kith.InvalidFields([]kith.FieldError{{
			Field:   "search.city",
			Message: "must be a city",
		}})
	}
	return search.Request{Filters: query.Filters{"city": kept.City}, Scope: search.ScopeGlobal}, nil
}

// move gives people a city; those with lower ids come first in searches.
func (w *world) move(t *testing.T, city string, ids ...int64) {
	t.Helper()
	w.now = w.now.Add(time.Second)
	var docs []indexed.Document
	for _, id := range ids {
		p := kith.Person{ID: id, FullName: "Pat Doe", Location: kith.Location{City: city, Country: "Germany"}}
		d, err := analysis.Person(p, 1000-id, w.now.Unix())
		expect.NoError(t, err)
		docs = append(docs, d)
	}
	indextest.Store(t, w.engine, index.People, docs...)
}

func (w *world) Search(ctx context.Context, v kith.Viewer, req search.Request) (*search.Results, error) {
	if a, known := v.User(); !known || a.UserID != 7 {
		return nil, fmt.Errorf("the search runs as %+v", a)
	}
	if err := w.fails[req.Filters["city"]]; err != nil {
		return nil, err
	}
	return w.search.Search(ctx, v, req)
}

func (w *world) People(context.Context, kith.Viewer, []int64) ([]kith.Person, error) { return nil, nil }

func (w *world) RankEpoch(context.Context) (int64, error) { return 1, nil }

func (w *world) SearchOf(context.Context, int64, int64) (saved.Search, error) {
	return saved.Search{ID: 1, Request: json.RawMessage(`{"city":"Berlin"}`)}, nil
}

func (w *world) Unseen(_ context.Context, _ int64, people []int64) ([]int64, error) {
	return slices.DeleteFunc(slices.Clone(people), func(id int64) bool { return slices.Contains(w.seen, id) }), nil
}

func (w *world) NextDue(context.Context, time.Time, time.Time) (saved.Watched, bool, error) {
	if len(w.due) == 0 {
		return saved.Watched{}, false, nil
	}
	next := w.due[0]
	next.Actor, next.Announced = actor(), w.announced
	return next, true, nil
}

func (w *world) Evaluated(
	_ context.Context, of saved.Watched, _ time.Time, announced []int64, news int, failure string,
) error {
	w.due, w.now = w.due[1:], w.now.Add(5*time.Second)
	w.evaluated = append(w.evaluated, strings.TrimSpace(fmt.Sprintf("%d: %v, %d new %s", of.ID, announced, news,
		failure)))
	if failure == "" {
		w.announced = announced
	}
	return nil
}

func actor() kith.Actor { return kith.Actor{AppID: 1, UserID: 7} }

// watch evaluates searches for these cities, and returns the evaluations.
func (w *world) watch(t *testing.T, cities ...string) ([]string, error) {
	t.Helper()
	w.evaluated, w.due = nil, nil
	for i, city := range cities {
		w.due = append(w.due, saved.Watched{ID: int64(i + 1), Request: fmt.Appendf(nil, `{"city":%q}`, city)})
	}
	err := w.Watch(t.Context(), zerolog.Nop())
	return w.evaluated, err
}

// A match is news once: not if the user has seen it, and again only after it was no match for a while.
func TestNewMatchesAreNewsOnce(t *testing.T) {
	w := newWorld(t, 0)
	w.move(t, "Berlin", 1, 2, 3)
	w.seen = []int64{1}
	for _, step := range []struct {
		change func()
		want   string
	}{
		{func() {}, "1: [2 3], 2 new"},
		{func() {}, "1: [2 3], 0 new"},
		{func() { w.move(t, "Munich", 2) }, "1: [3], 0 new"},
		{func() { w.move(t, "Berlin", 2, 4) }, "1: [2 3 4], 2 new"},
		{func() { w.seen = []int64{1, 2, 3, 4} }, "1: [], 0 new"},
	} {
		step.change()
		if got, err := w.watch(t, "Berlin"); err != nil || !slices.Equal(got, []string{step.want}) {
			t.Errorf("%q, %v, want %q", got, err, step.want)
		}
	}
}

// A failed search keeps the people of before, says why, and does not hold up the others. An outage ends the pass: no
// search has failed.
func TestFailedSearchesDoNotHoldUpOthers(t *testing.T) {
	w := newWorld(t, 2)
	w.move(t, "Berlin", 1)
	w.move(t, "Hamburg", 2, 3, 4)
	w.fails["Cologne"] = kith.Errorf(kith.Gone, "OLD", "the search is too old")
	w.fails["Bremen"] = errors.New("dial tcp 10.0.0.1")
	w.fails["Kiel"] = kith.Unreachable("postgres", nil)
	for city, want := range map[string]string{
		"Cologne": "the search is too old", "Bremen": "it failed within kith; the operator finds more in the log",
		"":        "search.city must be a city",
		"Hamburg": "search matches more than 2 people, which is the most that a saved search may match; add a filter",
	} {
		w.announced = nil
		got, err := w.watch(t, city, "Berlin")
		if err != nil || !slices.Equal(got, []string{"1: [], 0 new " + want, "2: [1], 1 new"}) {
			t.Errorf("%q: %q, %v", city, got, err)
		}
	}
	if got, err := w.watch(t, "Kiel", "Berlin"); kith.KindOf(err) != kith.Unavailable || got != nil {
		t.Errorf("during an outage: %q, %v", got, err)
	}
}

// The clock moves by five seconds with each search; a pass of twelve begins no fourth one.
func TestPassesAreShort(t *testing.T) {
	w := newWorld(t, 0)
	if got, err := w.watch(t, slices.Repeat([]string{"Berlin"}, 5)...); err != nil || len(got) != 3 || len(w.due) != 2 {
		t.Errorf("%q, %d left, %v", got, len(w.due), err)
	}
}

// The pages of new matches are the unseen people in the order of the search; each page but the last is full.
func TestNewMatchesComeInPages(t *testing.T) {
	const people = 250 // more than two pages of a search
	w := newWorld(t, people)
	var want []int64
	r := rand.New(rand.NewPCG(3, 4))
	for id := range int64(people) {
		w.move(t, "Berlin", id+1)
		if r.IntN(3) > 0 {
			w.seen = append(w.seen, id+1)
		} else {
			want = append(want, id+1)
		}
	}
	for _, limit := range []int{1, 7, len(want), 2 * people} {
		var got []int64
		for cursor := ""; ; {
			news, err := w.New(t.Context(), actor(), 1, cursor, limit)
			expect.NoError(t, err)
			for _, text := range news.People {
				var p struct{ ID int64 }
				expect.NoError(t, json.Unmarshal(text, &p))
				got = append(got, p.ID)
			}
			if cursor = news.Cursor; cursor != "" && len(news.People) != limit || len(news.People) == 0 {
				t.Fatalf("a page of %d has %d people, more %v", limit, len(news.People), cursor != "")
			}
			if cursor == "" {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("in pages of %d the new people are %v, want %v", limit, got, want)
		}
	}
}

// lists stores no lists, but accepts all.
type lists struct{ saved.ListStore }

func (lists) CreateList(_ context.Context, _ kith.Actor, name string, _ int) (saved.List, error) {
	return saved.List{Name: name}, nil
}

func (lists) RenameList(_ context.Context, _, _ int64, name string) (saved.List, error) {
	return saved.List{Name: name}, nil
}

func TestNamesAreLegible(t *testing.T) {
	w, l := newWorld(t, 0), saved.NewLists(lists{}, saved.Quotas{})
	ctx := t.Context()
	for name, legible := range map[string]bool{
		"Q3": true, " é ": true, "a\u200bb": true, "": false, " \t": false, "a\nb": false, "a\x00": false,
		"\u200b":       false,
		"\u00a0\u2060": false, "\u0301": false,
	} {
		_, created := l.Create(ctx, actor(), name)
		_, renamed := l.Rename(ctx, actor(), 1, name)
		_, looked := w.FindMatches(ctx, actor(), name, json.RawMessage(`{}`)) // reports the name and the search
		for _, err := range []error{created, renamed, looked} {
			e, _ := errors.AsType[*kith.Error](err)
			refused := e != nil && slices.ContainsFunc(e.Fields,
				func(f kith.FieldError) bool { return f.Field == "name" })
			if refused == legible {
				t.Errorf("%q: %v", name, err)
			}
		}
		if !strings.Contains(fmt.Sprint(looked), "search.city: must be a city") {
			t.Errorf("%q: %v", name, looked)
		}
	}
}
