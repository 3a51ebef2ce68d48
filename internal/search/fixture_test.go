package search_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"kith"
	"kith/index"
	"kith/index/indextest"
	"kith/index/memindex"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/internal/test/leash"
	"kith/query"
	"kith/query/analysis"
	"kith/query/cursor"
	"kith/query/indexed"
	"kith/query/prompt/prompttest"
)

func TestMain(m *testing.M) {
	code := leash.Run(m)
	err := goleak.Find(
		goleak.IgnoreAnyFunction("kith/internal/test/leash.Watch.func1"),
		// These goroutines belong to the Elasticsearch node of the tests, which lives as long as the process.
		goleak.IgnoreAnyFunction("kith/internal/test/elastictest.(*Node).launch.func1"),
		goleak.IgnoreAnyFunction("net/http.(*persistConn).readLoop"),
		goleak.IgnoreAnyFunction("net/http.(*persistConn).writeLoop"),
	)
	if err != nil && code == 0 {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// engine is the driver in memory with faults on demand.
type engine struct {
	*memindex.Index
	finds  atomic.Int64
	before func(ctx context.Context, n int64) error // called with the number of each Find
	count  func(ctx context.Context) error          // called before each Count
}

func (e *engine) Find(ctx context.Context, c index.Collection, req index.FindRequest) ([]index.Hit, error) {
	if n := e.finds.Add(1); e.before != nil {
		if err := e.before(ctx, n); err != nil {
			return nil, err
		}
	}
	return e.Index.Find(ctx, c, req)
}

func (e *engine) Count(ctx context.Context, c index.Collection, q query.Query, limit int) (int, error) {
	if e.count != nil {
		if err := e.count(ctx); err != nil {
			return 0, err
		}
	}
	return e.Index.Count(ctx, c, q, limit)
}

// fixture is a service over people in memory.
type fixture struct {
	*search.Service
	engine *engine
	people map[int64]kith.Person
	// merged are the people of keys of records that were merged into theirs.
	merged map[string]int64
	epoch  int64
	config search.Config
}

func (f *fixture) People(_ context.Context, _ kith.Viewer, ids []int64) ([]kith.Person, error) {
	var out []kith.Person
	for _, id := range ids {
		if p, ok := f.people[id]; ok {
			out = append(out, p)
		}
	}
	return out, nil
}

func (f *fixture) RankEpoch(context.Context) (int64, error) {
	if f.epoch < 0 {
		return 0, errors.New("settings are away")
	}
	return f.epoch, nil
}

func newFixture(t testing.TB, people ...kith.Person) *fixture {
	t.Helper()
	f := &fixture{engine: &engine{Index: memindex.New()}, people: map[int64]kith.Person{}, epoch: 1}
	seal, err := cursor.New(make([]byte, cursor.KeySize))
	expect.NoError(t, err)
	f.config = search.Config{
		Index: index.New(f.engine), Planner: prompttest.Planner(), Records: f, Settings: f, Identifiers: f,
		Sight: search.Everything{},
		Seal:  seal,
		// The engine of these tests is simple, and slower with the race detector.
		Budget: 5 * time.Minute,
		Now:    func() time.Time { return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) },
	}
	f.Service = search.New(f.config)
	f.load(t, people...)
	return f
}

// document is the index document of a person. Each rank is shared by three ids and falls as ids
// grow, so there are ties.
func document(t testing.TB, p kith.Person) indexed.Document {
	t.Helper()
	d, err := analysis.Person(p, 10000-p.ID/3, 1)
	expect.NoError(t, err)
	return d
}

// load puts people into the index.
func (f *fixture) load(t testing.TB, people ...kith.Person) {
	t.Helper()
	var docs []indexed.Document
	for _, p := range people {
		f.people[p.ID] = p
		docs = append(docs, document(t, p))
	}
	indextest.Store(t, f.engine, index.People, docs...)
}

// dataset makes n people with titles, cities and companies in rotation.
func dataset(n int) []kith.Person {
	titles := []string{"Software Engineer", "Senior Software Engineer", "Account Executive", "Designer"}
	cities := []kith.Location{
		{City: "Berlin", Country: "Germany"},
		{City: "Paris", Country: "France"},
		{City: "Lisbon", Country: "Portugal"},
	}
	companies := []string{"Stripe", "Siemens", "Acme", "Globex", "Initech"}
	var out []kith.Person
	for i := range n {
		start, past, pastEnd := "2020-01-01", "2015-01", "2019-12"
		id := int64(i + 1)
		out = append(out, kith.Person{
			ID: id, FirstName: "Pat", LastName: fmt.Sprintf("Number%d", id), FullName: fmt.Sprintf("Pat Number%d", id),
			SocialURL: fmt.Sprintf("https://social.example/in/pat-%d", id), Headline: titles[i%4] + " at heart",
			Location: cities[i%3],
			WorkRelevant: &kith.Job{
				Title:     titles[i%4],
				Company:   kith.Company{ID: int64(i%5 + 1), Name: companies[i%5], EmployeeCount: 100 * (i%5 + 1)},
				StartDate: &start,
			},
			WorkHistory: []kith.Job{{
				Title: titles[(i+1)%4], Company: kith.Company{
					ID: int64((i+1)%5 + 1), Name: companies[(i+1)%5], EmployeeCount: 100 * ((i+1)%5 + 1),
				},
				StartDate: &past, EndDate: &pastEnd,
			}},
			EducationHistory: []kith.Education{{
				Institute: "TU Munich", Degree: "MSc", FieldOfStudy: "Computer Science",
				StartDate: "2010", EndDate: "2014",
			}},
			Email:  fmt.Sprintf("pat%d@example.com", id),
			Skills: []string{"Go", "Negotiation"},
		})
	}
	return out
}

// caller is the user who searches.
func caller() kith.Viewer { return kith.Actor{AppID: 1, UserID: 7}.Viewer() }

// page runs a search and returns its page.
func (f *fixture) page(t testing.TB, req search.Request) *search.Page {
	t.Helper()
	p, err := f.try(t.Context(), req)
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	return p
}

func (f *fixture) try(ctx context.Context, req search.Request) (*search.Page, error) {
	return f.tryAs(ctx, caller(), req)
}

func (f *fixture) tryAs(ctx context.Context, v kith.Viewer, req search.Request) (*search.Page, error) {
	results, err := f.Search(ctx, v, req)
	if err != nil {
		return nil, err
	}
	return search.Collect(ctx, results)
}

// refusal runs a search that must be refused, and returns the error.
func (f *fixture) refusal(t testing.TB, req search.Request) *kith.Error {
	t.Helper()
	p, err := f.try(t.Context(), req)
	if err == nil {
		t.Fatalf("%+v was not refused: found %d people", req, len(p.People))
	}
	e, is := errors.AsType[*kith.Error](err)
	if !is {
		t.Fatalf("%+v: %v is not a kith.Error", req, err)
	}
	return e
}

func kinds(events []search.Event) []string {
	var out []string
	for _, e := range events {
		name, _, _ := search.Wire(e, func(err error) any { return err.Error() })
		out = append(out, name)
	}
	return slices.Compact(out)
}

func (f *fixture) events(t testing.TB, req search.Request) []search.Event {
	t.Helper()
	ctx := t.Context()
	results, err := f.Search(ctx, caller(), req)
	expect.NoError(t, err)
	return slices.Collect(results.Events(ctx))
}
