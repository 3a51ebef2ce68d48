package indextest

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"kith"
	"kith/index"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

// manyValues asks for as many values as one node of a list of people has.
func manyValues(t *testing.T, e Engine) {
	const people, asked = 300, 60000
	var docs []indexed.Document
	for i := range int64(people) {
		docs = append(docs, person(i*7+1, 1, 1, fmt.Sprintf("city-%d", i)))
	}
	Store(t, e, index.People, docs...)
	ids, cities := query.IDs{}, query.Terms{Field: query.City}
	for i := range int64(asked) {
		ids.Values = append(ids.Values, asked-i)
		cities.Values = append(cities.Values, fmt.Sprintf("city-%d", asked-i))
	}
	var all []int64
	for _, d := range docs {
		all = append(all, d.ID)
	}
	finds(t, e, ids, all...)
	finds(t, e, cities, all[1:]...)
	finds(t, e, query.Not{Part: cities}, all[0])
	finds(t, e, query.Not{Part: ids})
	finds(t, e, query.And{Parts: []query.Query{ids, inCity("city-3")}}, 22)
}

// longWalk pages through thousands of people of few ranks.
func longWalk(t *testing.T, e Engine) {
	const people = 3000
	var docs []indexed.Document
	var want []int64
	for i := range int64(people) {
		city := "berlin"
		if i%3 == 0 {
			city = "paris"
		}
		docs = append(docs, person(i+1, 10-i/500, 1, city, "engineer"))
		want = append(want, i+1)
	}
	Store(t, e, index.People, docs...)
	plan := []query.Query{inCity("paris"), wasA("engineer")}
	for _, size := range []int{100, 999} {
		found, err := walk(t.Context(), index.New(e), index.Search{Stages: plan, Limit: size}, 1)
		if err != nil || len(found) != people {
			t.Fatalf("pages of %d: found %d people, %v; want %d", size, len(found), err, people)
		}
		for i, f := range found[1000:] {
			if f.ID != want[i/2*3+i%2+1] || f.Cursor.Stage != 1 {
				t.Fatalf("pages of %d: at %d came %d", size, i, f.ID)
			}
		}
	}
	if n, err := e.Count(t.Context(), index.People, query.All{}, 2500); err != nil || n != 2500 {
		t.Errorf("counting to 2500: %d, %v", n, err)
	}
}

func versionsApart(t *testing.T, e Engine) {
	old := active(t, e)
	Store(t, e, index.People, person(1, 1, 7, "berlin"))
	next, err := e.Create(t.Context())
	expect.NoError(t, err)
	if versions, err := e.Versions(t.Context()); err != nil || len(versions) != 2 ||
		versions[0].Name != old || !versions[0].Active || versions[1].Name != next || versions[1].Active {
		t.Fatalf("versions: %v, %v; want %s, which is active, and %s", versions, err, old, next)
	}
	write(t, e, index.People, []string{next}, []indexed.Document{person(2, 2, 1, "paris")}, []int64{1})
	finds(t, e, query.All{}, 1)
	both := []indexed.Document{person(3, 3, 1, "rome"), person(1, 1, 6, "oslo")}
	write(t, e, index.People, []string{old, next}, both, nil)
	finds(t, e, query.All{}, 3, 1)
	finds(t, e, inCity("berlin"), 1)
	if err := e.Drop(t.Context(), old); err == nil {
		t.Fatal("an active version was dropped")
	}
	for range 2 {
		expect.NoError(t, e.Complete(t.Context(), next))
	}
	write(t, e, index.People, []string{old, next}, []indexed.Document{person(4, 4, 9, "lima")}, nil)
	for range 2 {
		expect.NoError(t, e.Activate(t.Context(), next))
	}
	finds(t, e, query.All{}, 4, 3, 2, 1)
	finds(t, e, inCity("oslo"), 1)
	expect.NoError(t, e.Drop(t.Context(), old))
	if name := active(t, e); name != next {
		t.Errorf("%s is active, want %s", name, next)
	}
	finds(t, e, query.All{}, 4, 3, 2, 1)
}

func unknownVersions(t *testing.T, e Engine) {
	if err := e.Complete(t.Context(), "nonesuch"); err == nil {
		t.Error("an unknown version was completed")
	}
	if err := e.Activate(t.Context(), "nonesuch"); err == nil {
		t.Error("an unknown version was activated")
	}
	if err := e.Drop(t.Context(), "nonesuch"); err == nil {
		t.Error("an unknown version was dropped")
	}
	docs := []indexed.Flat{indexed.Flatten(person(1, 1, 1, "berlin"))}
	for _, deletes := range [][]int64{nil, {1}} {
		if err := e.Write(t.Context(), index.People, []string{"nonesuch"}, docs, deletes); kith.KindOf(
			err,
		) != kith.NotFound {
			t.Errorf("writing to an unknown version: %v, want NotFound", err)
		}
		docs = nil
	}
	finds(t, e, query.All{})
	if versions, err := e.Versions(t.Context()); err != nil || len(versions) != 1 {
		t.Errorf("versions: %v, %v; want one", versions, err)
	}
}

func documents(n int64) (docs []indexed.Document) {
	for i := range n {
		docs = append(docs, person(i+1, i%10, 1, "berlin", "engineer"))
	}
	return docs
}

// swap fills a new version, turns searches to it, and drops the old one.
func swap(t testing.TB, e Engine, docs []indexed.Document) {
	t.Helper()
	old := active(t, e)
	next, err := e.Create(t.Context())
	expect.NoError(t, err)
	write(t, e, index.People, []string{next}, docs, nil)
	expect.NoError(t, errors.Join(e.Complete(t.Context(), next), e.Activate(t.Context(), next)))
	expect.NoError(t, e.Drop(t.Context(), old))
}

func walkAcrossVersions(t *testing.T, e Engine) {
	docs := documents(50)
	Store(t, e, index.People, docs...)
	s := index.Search{Stages: []query.Query{wasA("engineer")}, Limit: 10}
	seen := map[int64]bool{}
	for range 5 {
		found, err := page(t.Context(), index.New(e), s)
		if err != nil || len(found) != 10 {
			t.Fatalf("a page of %d, %v", len(found), err)
		}
		for _, f := range found {
			if seen[f.ID] {
				t.Fatalf("%d came twice", f.ID)
			}
			seen[f.ID] = true
		}
		s.After = &found[9].Cursor
		swap(t, e, docs)
	}
}

// searchDuringSwitches searches without a pause while versions come and go.
func searchDuringSwitches(t *testing.T, e Engine) {
	docs := documents(50)
	Store(t, e, index.People, docs...)
	ctx, cancel := context.WithCancel(t.Context())
	started, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		for n := 0; ctx.Err() == nil; n++ {
			if err := searchOnce(t.Context(), e, len(docs)); err != nil {
				t.Errorf("search %d: %v", n, err)
				break
			}
			if n == 0 {
				close(started)
			}
		}
	}()
	select {
	case <-started:
	case <-done:
	}
	for range 8 {
		swap(t, e, docs)
	}
	cancel()
	<-done
}

// searchOnce checks that all people are found and counted.
func searchOnce(ctx context.Context, e Engine, people int) error {
	hits, err := e.Find(ctx, index.People, index.FindRequest{Query: query.All{}, Limit: 100})
	if err != nil || len(hits) != people {
		return fmt.Errorf("found %d people, %w", len(hits), err)
	}
	count, err := e.Count(ctx, index.People, inCity("berlin"), 0)
	if err != nil || count != people {
		return fmt.Errorf("counted %d people, %w", count, err)
	}
	return nil
}

func canceled(t *testing.T, e Engine) {
	Store(t, e, index.People, documents(5)...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := e.Find(ctx, index.People, index.FindRequest{Query: query.All{}, Limit: 1}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("find: %v, want that the context was canceled", err)
	}
	if _, err := e.Count(ctx, index.People, query.All{}, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("count: %v, want that the context was canceled", err)
	}
	if err := e.Check(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("check: %v, want that the context was canceled", err)
	}
	finds(t, e, query.All{}, 5, 4, 3, 2, 1)
}
