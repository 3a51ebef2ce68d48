package bench_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/index"
	"kith/index/memindex"
	"kith/index/semantic"
	"kith/internal/demo"
	"kith/internal/operation/devtools/bench"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/cursor"
	"kith/query/indexed"
	"kith/query/prompt/prompttest"
)

// still is a fixed day.
type still struct{}

func (still) RankEpoch(context.Context) (int64, error) { return 1, nil }

func (still) People(context.Context, kith.Viewer, []int64) ([]kith.Person, error) { return nil, nil }

// service searches some generated people in memory.
func service(t *testing.T, people int) *search.Service {
	t.Helper()
	d, err := demo.New(demo.Config{Seed: 1, People: people, Companies: people/12 + 1})
	expect.NoError(t, err)
	var docs []indexed.Flat
	for p := range d.People() {
		for _, job := range p.Jobs() {
			job.Company = d.Company(job.Company.ID)
		}
		doc, err := analysis.Person(p, analysis.Rank(p), 1)
		expect.NoError(t, err)
		docs = append(docs, indexed.Flatten(doc))
	}
	engine := memindex.New()
	versions, err := engine.Versions(context.Background())
	expect.NoError(t, err)
	expect.NoError(t, engine.Write(context.Background(), index.People, []string{versions[0].Name}, docs, nil))
	seal, err := cursor.New(make([]byte, 32))
	expect.NoError(t, err)
	return search.New(search.Config{
		Index: index.New(engine), Planner: prompttest.Planner(),
		Records: still{}, Settings: still{}, Sight: search.Everything{}, Seal: seal, Neighbours: still{},
	})
}

// Neighbours implements [search.Neighbours]: no term is near another.
func (still) Neighbours(context.Context, analysis.TermKind, string, int, float64) ([]semantic.Neighbour, error) {
	return nil, nil
}

// server serves searches like Kith, as far as the measurement can tell.
func server(t *testing.T, svc *search.Service, actor kith.Actor) *httptest.Server {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body bench.Request
		if err := json.NewDecoder(r.Body).Decode(&body); err != nil || r.Header.Get("Authorization") != "Bearer t" ||
			r.URL.Path != "/v2/people/search" {
			http.Error(w, fmt.Sprint("refused: ", err), http.StatusBadRequest)
			return
		}
		req := search.Request{
			Prompt: body.Prompt, Filters: body.Filters, Limit: body.Limit, Scope: body.Scope,
			Cursor: body.Cursor, IncludeCounts: body.IncludeCounts, Closest: body.Closest,
		}
		for _, id := range body.List {
			req.List = append(req.List, search.ListEntry{ID: id})
		}
		ctx := r.Context()
		results, err := svc.Search(ctx, actor.Viewer(), req)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnprocessableEntity)
			return
		}
		if body.Stream {
			for event := range results.Events(ctx) {
				name, _, data := search.Wire(event, func(err error) any { return err.Error() })
				text, _ := json.Marshal(data)
				fmt.Fprintf(w, "event: %s\ndata: %s\n\n", name, text)
			}
			return
		}
		page, err := search.Collect(ctx, results)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"data": page.People, "metadata": page.Metadata,
			"pagination": page.Pagination,
		})
	}))
	t.Cleanup(srv.Close)
	return srv
}

func engine(t *testing.T, people int) bench.Engine {
	t.Helper()
	svc, actor := service(t, people), kith.Actor{AppID: 1, UserID: 2}
	return bench.Engine{Name: "memory", URL: server(t, svc, actor).URL, Token: "t", Service: svc, Actor: actor}
}

func TestRunMeasuresEveryShape(t *testing.T) {
	e := engine(t, 900)
	shapes := []bench.Shape{
		{Name: "common", Asks: "a", Choose: &bench.Choice{
			Want: "commonest",
			Of:   []query.Filters{{"country": "Iceland"}, {"country": "United States"}},
		}},
		{Name: "rare", Asks: "b", Choose: &bench.Choice{
			Want: "rarest",
			Of:   []query.Filters{{"country": "United States"}, {"city": "Atlantis"}, {"country": "Germany"}},
		}},
		{Name: "never", Asks: "c", Choose: &bench.Choice{
			Want: "none",
			Of:   []query.Filters{{"country": "Germany", "city": "Atlantis"}, {"country": "Germany", "city": "London"}},
		}},
		{Name: "name", Asks: "d", Request: bench.Request{Filters: query.Filters{"name": "{name}"}}},
		{Name: "url", Asks: "e", Request: bench.Request{Filters: query.Filters{"socialUrl": "{url}"}}},
		{Name: "employer", Asks: "f", Request: bench.Request{Filters: query.Filters{"company": "{employer}"}}},
		{Name: "deep", Asks: "g", Page: 8, Request: bench.Request{Filters: query.Filters{"country": "United States"}}},
		{Name: "list", Asks: "h", List: 120},
		{Name: "closest", Asks: "i", Request: bench.Request{
			Filters: query.Filters{"position": "astronaut", "country": "Germany"}, Closest: new(true),
		}},
	}
	var lines []string
	report, err := bench.Run(context.Background(), bench.Options{
		Engines: []bench.Engine{e}, Shapes: shapes, Rounds: 12, Streams: 2, People: 900,
		Log: func(line string) { lines = append(lines, line) },
	})
	expect.NoError(t, err)
	rows := map[string]bench.Row{}
	for _, row := range report.Rows {
		rows[row.Shape] = row
		expect.Values(t, "measurements of "+row.Shape,
			[]any{row.Kith.N, row.Service.N, row.Stream.N}, 12, 12, 2)
		if row.Served.Median <= 0 {
			t.Errorf("%s: %+v", row.Shape, row)
		}
	}
	expect.Values(t, "rows, lines and memory", []any{len(rows), len(lines), report.Memory.Heap > 0},
		len(shapes), len(shapes), true)
	expect.Values(t, "measurements with and without closest people",
		[]any{rows["closest"].Without.N, rows["closest"].Closest.Median > 0, rows["common"].Without.N}, 12, true, 0)
	for name, want := range map[string]int{"common": 25, "never": 0, "url": 1, "deep": 25, "list": 120} {
		expect.Values(t, "people of "+name, []any{rows[name].Found}, want)
	}
	expect.Values(t, "chosen filters", []any{
		rows["rare"].Request.Filters["country"], rows["never"].Request.Filters["city"], rows["name"].Found > 0,
		rows["employer"].Found > 0,
	}, "Germany", "London", true, true)
	expect.Values(t, "first results", []any{rows["never"].FirstResult.N, rows["common"].FirstResult.N}, 0, 2)
}

func TestDefaultShapesOnGeneratedPeople(t *testing.T) {
	e := engine(t, 4000)
	shapes, err := bench.Shapes()
	expect.NoError(t, err)
	for i := range shapes {
		shapes[i].Page = min(shapes[i].Page, 10)
	}
	report, err := bench.Run(context.Background(),
		bench.Options{Engines: []bench.Engine{e}, Shapes: shapes, Rounds: 1, Streams: 1})
	expect.NoError(t, err)
	for _, row := range report.Rows {
		if none := row.Shape == "terms that never meet" ||
			row.Shape == "few matches"; (row.Found == 0) != none && row.Shape != "exact then close" {
			t.Errorf("%s: %d people for %+v", row.Shape, row.Found, row.Request)
		}
	}
}

func TestRunRefusesUnusableEngines(t *testing.T) {
	if _, err := bench.Run(context.Background(), bench.Options{}); err == nil {
		t.Error("a run without an engine succeeded")
	}
	e := engine(t, 0)
	if _, err := bench.Run(context.Background(), bench.Options{Engines: []bench.Engine{e}}); err == nil ||
		!strings.Contains(err.Error(), "kith generate") {
		t.Errorf("an empty dataset: %v", err)
	}
	e = engine(t, 200)
	common := []bench.Shape{{
		Name: "deep", Page: 1000, Request: bench.Request{Filters: query.Filters{"country": "United States"}},
	}}
	report, err := bench.Run(context.Background(),
		bench.Options{Engines: []bench.Engine{e}, Shapes: common, Rounds: 1, Streams: 1})
	if err != nil || report.Rows[0].Page < 2 || report.Rows[0].Page > 8 || report.Rows[0].Found == 0 {
		t.Errorf("a page beyond the last one: %+v, %v", report, err)
	}
	e.Token = "wrong"
	if _, err := bench.Run(context.Background(),
		bench.Options{Engines: []bench.Engine{e}, Shapes: common[:1]}); err == nil || !strings.Contains(err.Error(), "400") {
		t.Errorf("a refusal: %v", err)
	}
}

func TestRunStopsAtItsBudget(t *testing.T) {
	e := engine(t, 300)
	shape := []bench.Shape{{Name: "common", Request: bench.Request{Filters: query.Filters{"country": "United States"}}}}
	report, err := bench.Run(context.Background(),
		bench.Options{Engines: []bench.Engine{e}, Shapes: shape, Rounds: 1 << 40, Budget: time.Millisecond})
	if err != nil || report.Rows[0].Kith.N < 10 {
		t.Errorf("got the report %+v, %v", report, err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := bench.Run(ctx, bench.Options{Engines: []bench.Engine{e}, Shapes: shape}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}
