package elasticindex_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"kith/index"
	"kith/index/elasticindex"
	"kith/internal/test/expect"
	"kith/query"
)

const (
	nodesAnswer = `{"_nodes":{"failed":0},"nodes":{"a":{"name":"a"},"b":{"name":"b"}}}`
	nodesSilent = `{"_nodes":{"failed":1},"nodes":{"b":{"name":"b"},"a":{"name":"a"}}}`
)

// server answers look-outs with the given text, and other requests with serve.
func server(t *testing.T, nodes string, serve http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Elastic-Product", "Elasticsearch")
		if strings.HasPrefix(r.URL.Path, "/_nodes") {
			_, _ = io.WriteString(w, nodes)
			return
		}
		serve(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// hanging is a server that accepts requests and answers none until it is woken; it counts the searches.
type hanging struct {
	url      string
	searches atomic.Int64
	woken    chan struct{}
}

func hang(t *testing.T) *hanging {
	t.Helper()
	h := &hanging{woken: make(chan struct{})}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if strings.HasSuffix(r.URL.Path, "_search") {
			h.searches.Add(1)
		}
		select {
		case <-h.woken:
		case <-r.Context().Done():
		}
		w.Header().Set("X-Elastic-Product", "Elasticsearch")
		if strings.HasPrefix(r.URL.Path, "/_nodes") {
			_, _ = io.WriteString(w, nodesAnswer)
			return
		}
		_, _ = io.WriteString(w, noHits)
	}))
	t.Cleanup(s.Close)
	h.url = s.URL
	return h
}

func finds(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, noHits) }

// A search at an address that hangs is answered by another one. The address gets no more searches until it answers.
func TestHungAddressIsLeft(t *testing.T) {
	h := hang(t)
	d := driver(t, elasticindex.Config{URLs: []string{h.url, server(t, nodesAnswer, finds)}, Prefix: "p"})
	for range 20 {
		expect.NoError(t, find(t.Context(), d))
	}
	if n := h.searches.Load(); n != 1 {
		t.Errorf("the hung address got %d searches, want 1", n)
	}
	close(h.woken)
	for h.searches.Load() < 2 { // it is looked at until it answers
		expect.NoError(t, find(t.Context(), d))
	}
}

// An address that hangs does not lose writes: they go to another one.
func TestWritesLeaveHungAddress(t *testing.T) {
	h := hang(t)
	var wrote atomic.Int64
	here := server(t, nodesAnswer, func(w http.ResponseWriter, _ *http.Request) {
		wrote.Add(1)
		_, _ = io.WriteString(w, `{"errors":false}`)
	})
	d := driver(t, elasticindex.Config{URLs: []string{h.url, here}, Prefix: "p"})
	expect.NoError(t, d.Write(t.Context(), index.People, []string{"v1"}, flats(2), nil))
	if n := wrote.Load(); n != 1 {
		t.Errorf("%d bulk requests were answered, want 1", n)
	}
}

// A search that waits for a shard on a node that hangs is sent again, for the copies on nodes that answer.
func TestSearchesLeaveHungShards(t *testing.T) {
	preferred := `"preference":"_prefer_nodes:a,b"`
	isPreferring := func(r *http.Request) bool {
		body, _ := io.ReadAll(r.Body)
		if strings.HasSuffix(r.URL.Path, "_msearch") {
			heads := bytes.Count(body, []byte(`"allow_partial_search_results":false`))
			return heads > 0 && bytes.Count(body, []byte(preferred)) == heads
		}
		return r.URL.Query().Get("preference") == "_prefer_nodes:a,b"
	}
	var waited atomic.Int64
	url := server(t, nodesSilent, func(w http.ResponseWriter, r *http.Request) {
		if !isPreferring(r) {
			waited.Add(1)
			<-r.Context().Done()
			return
		}
		if strings.HasSuffix(r.URL.Path, "_msearch") {
			one := strings.TrimSuffix(noHits, "}") + `,"status":200}`
			_, _ = io.WriteString(w, `{"responses":[`+one+`,`+one+`]}`)
			return
		}
		_, _ = io.WriteString(w, noHits)
	})
	d := driver(t, elasticindex.Config{URLs: []string{url}, Prefix: "p"})
	for range 5 {
		expect.NoError(t, find(t.Context(), d))
		_, err := d.Batch(t.Context(), index.People, index.Batch{
			Stages: []query.Query{query.All{}}, Counts: []query.Query{query.All{}}, Limit: 1, CountTo: 1,
		})
		expect.NoError(t, err)
	}
	if n := waited.Load(); n != 1 {
		t.Errorf("%d searches waited for the node, want 1", n)
	}
}

// If nothing answers, a slow search is sent once: sending it again would add to the work.
func TestSlowSearchesAreSentOnceUnderOverload(t *testing.T) {
	first, second := hang(t), hang(t)
	d := driver(t, elasticindex.Config{URLs: []string{first.url, second.url}, Prefix: "p"})
	found := make(chan error, 1)
	go func() { found <- find(t.Context(), d) }()
	for d.Slow() == "" { // until all were looked at
		_ = d.Check(t.Context())
	}
	close(first.woken)
	close(second.woken)
	expect.NoError(t, <-found)
	if n := first.searches.Load() + second.searches.Load(); n != 1 {
		t.Errorf("%d searches were sent, want 1", n)
	}
}

// A cluster of which a part hangs can be searched: the check says both.
func TestCheckTellsWhatIsSlow(t *testing.T) {
	healthy := func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, `{"status":"yellow"}`) }
	for name, c := range map[string]struct {
		urls []string
		says string
	}{
		"nothing":   {[]string{server(t, nodesAnswer, healthy)}, ""},
		"a node":    {[]string{server(t, nodesSilent, healthy)}, "data nodes that do not answer: 1"},
		"forbidden": {[]string{server(t, `{"error":"no"}`, healthy)}, ""},
		"an address": {
			[]string{hang(t).url, server(t, nodesAnswer, healthy)}, "addresses that do not answer: 1 of 2",
		},
	} {
		d := driver(t, elasticindex.Config{URLs: c.urls, Prefix: "p"})
		if err := d.Check(t.Context()); err != nil || d.Slow() != c.says {
			t.Errorf("%s: error %v, slow: %q, want %q", name, err, d.Slow(), c.says)
		}
	}
}
