package elasticindex_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kith"
	"kith/index"
	"kith/index/elasticindex"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/indexed"
)

const noHits = `{"took":1,"timed_out":false,"hits":{"hits":[]}}`

// standIn is a server that answers its nth request, counted from 1, with the given function.
func standIn(t *testing.T, serve func(n int, w http.ResponseWriter,
	r *http.Request),
) (*elasticindex.Driver, *atomic.Int64) {
	t.Helper()
	var n atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Elastic-Product", "Elasticsearch")
		serve(int(n.Add(1)), w, r)
	}))
	t.Cleanup(server.Close)
	return driver(t, elasticindex.Config{URLs: []string{server.URL}, Prefix: "p"}), &n
}

func find(ctx context.Context, d *elasticindex.Driver) error {
	_, err := d.Find(ctx, index.People, index.FindRequest{Query: query.All{}, Limit: 1})
	return err
}

func TestTemporaryStatusesAreRetried(t *testing.T) {
	for _, status := range []int{429, 502, 503} {
		d, n := standIn(t, func(n int, w http.ResponseWriter, _ *http.Request) {
			if n < 3 {
				w.WriteHeader(status)
				return
			}
			_, _ = io.WriteString(w, noHits)
		})
		if err := find(t.Context(), d); err != nil || n.Load() != 3 {
			t.Errorf("status %d twice: error %v after %d requests", status, err, n.Load())
		}
	}
}

func TestTooManyClausesAreInvalid(t *testing.T) {
	d, _ := standIn(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"error":{"type":"search_phase_execution_exception","reason":"all shards failed",`+
			`"root_cause":[{"type":"illegal_argument_exception","reason":"Query rewrite failed: too many clauses"}]},`+
			`"status":400}`)
	})
	if err := find(t.Context(), d); kith.KindOf(err) != kith.Invalid {
		t.Errorf("got %v, want Invalid", err)
	}
}

func TestRetriesEndWithUnavailable(t *testing.T) {
	d, _ := standIn(t, func(_ int, w http.ResponseWriter,
		_ *http.Request,
	) {
		w.WriteHeader(http.StatusTooManyRequests)
	})
	if err := find(t.Context(), d); kith.KindOf(err) != kith.Unavailable {
		t.Errorf("got %v, want Unavailable", err)
	}
}

func TestRefusalsAreNotRetried(t *testing.T) {
	d, n := standIn(t, func(_ int, w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w,
			`{"error":{"type":"parsing_exception","reason":"unknown query","root_cause":[]},"status":400}`)
	})
	err := find(t.Context(), d)
	if err == nil || kith.KindOf(err) != kith.Internal || !strings.Contains(err.Error(), "unknown query") ||
		n.Load() != 1 {
		t.Errorf("got %v after %d requests", err, n.Load())
	}
}

func TestCancelStopsTheRequest(t *testing.T) {
	gone := make(chan struct{})
	arrived := make(chan struct{})
	d, _ := standIn(t, func(_ int, _ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // lets the server notice the end of the connection
		close(arrived)
		<-r.Context().Done()
		close(gone)
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	if err := find(ctx, d); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	<-gone
}

func TestDeadlineDuringRetriesIsReported(t *testing.T) {
	d, _ := standIn(t, func(_ int, w http.ResponseWriter,
		_ *http.Request,
	) {
		w.WriteHeader(http.StatusServiceUnavailable)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if err := find(ctx, d); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
}

func TestSlowAnswerIsUnavailable(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer server.Close()
	d := driver(t, elasticindex.Config{URLs: []string{server.URL}, Prefix: "p"})
	d.Hurry(50 * time.Millisecond)
	if err := find(t.Context(), d); kith.KindOf(err) != kith.Unavailable {
		t.Errorf("got %v, want Unavailable", err)
	}
}

// A change of an index may take longer than a search, which gives up meanwhile.
func TestChangesMayTakeLonger(t *testing.T) {
	changing, found := make(chan struct{}), make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if !strings.HasSuffix(r.URL.Path, "/_refresh") {
			<-r.Context().Done()
			return
		}
		close(changing)
		<-found
		w.Header().Set("X-Elastic-Product", "Elasticsearch")
	}))
	defer server.Close()
	d := driver(t, elasticindex.Config{URLs: []string{server.URL}, Prefix: "p"})
	d.Hurry(time.Second)
	changed := make(chan error, 1)
	go func() { changed <- d.Refresh(t.Context()) }()
	<-changing
	if err := find(t.Context(), d); kith.KindOf(err) != kith.Unavailable {
		t.Errorf("the search: got %v, want Unavailable", err)
	}
	close(found)
	if err := <-changed; err != nil {
		t.Errorf("the change: %v", err)
	}
}

func TestNoNodeIsUnavailable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	server.Close()
	d := driver(t, elasticindex.Config{URLs: []string{server.URL}, Prefix: "p"})
	calls := map[string]func() error{
		"find":  func() error { return find(t.Context(), d) },
		"check": func() error { return d.Check(t.Context()) },
		"setup": func() error { return d.Setup(t.Context()) },
		"write": func() error {
			return d.Write(t.Context(), index.People, []string{"v1"}, []indexed.Flat{{ID: 1}},
				nil)
		},
		"delete": func() error { return d.Write(t.Context(), index.People, []string{"v1"}, nil, []int64{1}) },
	}
	for name, call := range calls {
		if err := call(); kith.KindOf(err) != kith.Unavailable {
			t.Errorf("%s: got %v, want Unavailable", name, err)
		}
	}
}

func TestUnreachableNodesAreSkipped(t *testing.T) {
	away := httptest.NewServer(http.NotFoundHandler())
	away.Close()
	here := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Elastic-Product", "Elasticsearch")
		_, _ = io.WriteString(w, noHits)
	}))
	defer here.Close()
	d := driver(t, elasticindex.Config{URLs: []string{away.URL, here.URL}, Prefix: "p"})
	for range 10 {
		expect.NoError(t, find(t.Context(), d))
	}
}

func TestIncompleteAnswersAreErrors(t *testing.T) {
	for _, body := range []string{
		`{"timed_out":true,"hits":{"hits":[]}}`,
		`{"timed_out":false,"hits":{"hits":[{"_source":{"record":"{\"id`,
		`{"timed_out":false,"hits":{"hits":[{"sort":[1.5,2]}]}}`,
		`<html>`,
		``,
	} {
		d, _ := standIn(t, func(_ int, w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) })
		if err := find(t.Context(), d); err == nil {
			t.Errorf("no error for the answer %q", body)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	for name, cfg := range map[string]elasticindex.Config{
		"no address":  {Prefix: "p"},
		"bad address": {URLs: []string{"localhost:9200"}, Prefix: "p"},
		"no prefix":   {URLs: []string{"http://localhost:9200"}},
		"bad prefix":  {URLs: []string{"http://localhost:9200"}, Prefix: "Kith*"},
		"bad CA":      {URLs: []string{"http://localhost:9200"}, Prefix: "p", CA: []byte("x")},
	} {
		if _, err := elasticindex.New(cfg); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if got := fmt.Sprint(elasticindex.SplitURLs(" http://a:1/, http://b:2 ,")); got != "[http://a:1 http://b:2]" {
		t.Errorf("split: %s", got)
	}
}

// The connection is lost while the cluster creates the index of companies. The repeated request finds it there.
func TestVersionsAreCreatedByRepeatedRequests(t *testing.T) {
	created := 0
	d, _ := standIn(t, func(_ int, w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Method != http.MethodPut:
			_, _ = io.WriteString(w, `{}`)
		case strings.Contains(r.URL.Path, "people"):
			_, _ = io.WriteString(w, `{"shards_acknowledged":true}`)
		case created > 0:
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"type":"resource_already_exists_exception"},"status":400}`)
		default:
			created++
			panic(http.ErrAbortHandler)
		}
	})
	if name, err := d.Create(t.Context()); name != "v1" || err != nil || created != 1 {
		t.Errorf("created %q, %v", name, err)
	}
}
