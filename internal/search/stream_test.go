package search_test

import (
	"context"
	"encoding/json"
	"iter"
	"maps"
	"net/http"
	"net/http/httptest"
	"reflect"
	"testing"

	"github.com/tmaxmax/go-sse"
	"pgregory.net/rapid"

	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
	"kith/stream"
)

// answer is the content of a search for a client, streamed or not.
type answer struct {
	People     []json.RawMessage
	Metadata   map[string]any
	Pagination search.Pagination
}

// sseServer streams the searches from the channel, one for each request.
func (f *fixture) sseServer(t *testing.T, asked <-chan search.Request) string {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, stop := context.WithCancel(r.Context())
		defer stop()
		results, err := f.Search(ctx, caller(), <-asked)
		if err != nil {
			http.Error(w, err.Error(), http.StatusTeapot)
			return
		}
		if err := stream.Serve(w, r, wired(ctx, results), stop, stream.Options{}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(srv.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return srv.URL
}

// streamed collects the events of a stream.
func streamed(ctx context.Context, t *rapid.T, url string) answer {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	expect.NoError(t, err)
	res, err := http.DefaultClient.Do(r)
	expect.NoError(t, err)
	defer res.Body.Close()
	got := answer{People: []json.RawMessage{}}
	for e, err := range sse.Read(res.Body, &sse.ReadConfig{MaxEventSize: 1 << 20}) {
		expect.NoError(t, err)
		got.take(t, e)
	}
	return got
}

func wired(ctx context.Context, results *search.Results) iter.Seq[stream.Event] {
	return func(yield func(stream.Event) bool) {
		for e := range results.Events(ctx) {
			name, id, data := search.Wire(e, func(err error) any { return err.Error() })
			if !yield(stream.Event{Name: name, ID: id, Data: data}) {
				return
			}
		}
	}
}

func (a *answer) take(t *rapid.T, e sse.Event) {
	var data struct {
		Person     json.RawMessage
		Metadata   map[string]any
		Pagination search.Pagination
	}
	expect.NoError(t, json.Unmarshal([]byte(e.Data), &data))
	switch e.Type {
	case "result":
		a.People = append(a.People, data.Person)
	case "done":
		a.Metadata, a.Pagination = data.Metadata, data.Pagination
	case "error":
		t.Fatal(e.Data)
	}
}

// comparable removes sealed tokens, which always differ.
func (a answer) comparable() answer {
	a.Pagination.Cursor = ""
	delete(a.Metadata, "counts_token")
	return a
}

func requests() *rapid.Generator[search.Request] {
	return rapid.Custom(func(t *rapid.T) search.Request {
		req := search.Request{
			Prompt: rapid.SampledFrom([]string{
				"", "pat", "find engineers at Stripe", "xyzzy", "Number7", "?!", "pat3@example.com",
			}).Draw(t, "prompt"),
			Limit:         rapid.IntRange(1, 40).Draw(t, "limit"),
			Scope:         rapid.SampledFrom([]string{"", "global", "network", "specific_list"}).Draw(t, "scope"),
			Explain:       new(rapid.Bool().Draw(t, "explain")),
			IncludeCounts: rapid.SampledFrom([]string{"", "all", "global"}).Draw(t, "counts"),
			Filters:       query.Filters{},
		}
		if rapid.Bool().Draw(t, "facets") {
			req.Facets = indexed.Facets()[:2]
		}
		for _, f := range []query.Filters{
			berliners, engineers,
			{query.FilterPastCompany: "Siemens"},
			{query.FilterCity: "-Paris"},
		} {
			if rapid.Bool().Draw(t, "filter") {
				maps.Copy(req.Filters, f)
			}
		}
		if req.Scope == search.ScopeList {
			ids := rapid.SliceOfN(rapid.SampledFrom([]string{
				"1", "2", "pat-3", "pat-4", "nobody",
				"https://social.example/in/pat-5",
			}), 1, 8)
			for _, id := range ids.Draw(t, "list") {
				req.List = append(req.List, search.ListEntry{ID: id})
			}
		} else if req.Prompt == "" && len(req.Filters) == 0 {
			req.Prompt = "pat"
		}
		return req
	})
}

// A JSON page equals the collected stream: the same people, order and metadata.
func TestStreamEqualsPage(t *testing.T) {
	f := newFixture(t, dataset(60)...)
	asked := make(chan search.Request, 1)
	url := f.sseServer(t, asked)
	rapid.Check(t, func(rt *rapid.T) {
		req := requests().Draw(rt, "request")
		for range 3 {
			page := f.page(t, req)
			metadata, err := json.Marshal(page.Metadata)
			if err != nil {
				rt.Fatal(err)
			}
			want := answer{People: page.People, Pagination: page.Pagination}
			if err := json.Unmarshal(metadata, &want.Metadata); err != nil {
				rt.Fatal(err)
			}
			asked <- req
			got := streamed(t.Context(), rt, url)
			if got, want := got.comparable(), want.comparable(); !reflect.DeepEqual(got, want) {
				rt.Fatalf("stream %+v\npage   %+v", got, want)
			}
			if req = (search.Request{Cursor: page.Pagination.Cursor}); !page.Pagination.HasNextPage {
				return
			}
		}
	})
}
