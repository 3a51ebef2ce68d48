package elasticindex_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"

	"kith/index"
	"kith/index/elasticindex"
	"kith/internal/expect"
	"kith/query"
)

// wiretap is a server that records its requests.
type wiretap struct {
	mu    sync.Mutex
	asked []string
}

func (w *wiretap) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	user, password, _ := r.BasicAuth()
	w.mu.Lock()
	w.asked = append(w.asked, strings.Join([]string{
		r.Method, r.URL.String(), r.Header.Get("Content-Type"), user, password, string(body),
	}, " "))
	w.mu.Unlock()
	out.Header().Set("X-Elastic-Product", "Elasticsearch")
	if strings.Contains(string(body), "refuse") {
		out.WriteHeader(http.StatusBadRequest)
		return
	}
	_, _ = io.WriteString(out, noHits)
}

func (w *wiretap) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	defer func() { w.asked = nil }()
	return w.asked
}

// A replay is identical to the driver's request, byte by byte, credentials included.
func TestReplayRepeatsTheRequestExactly(t *testing.T) {
	tap := &wiretap{}
	server := httptest.NewServer(tap)
	defer server.Close()
	cfg := elasticindex.Config{URLs: []string{server.URL}, Prefix: "p", Username: "kith", Password: "secret"}
	d := driver(t, cfg)
	straight, err := elasticindex.NewStraight(cfg)
	expect.NoError(t, err)
	defer straight.Close()

	if err := find(t.Context(), d); err != nil { // not recorded
		t.Fatal(err)
	}
	tap.take()
	recording, noted := straight.Trace(t.Context())
	for _, id := range []int64{1, 2} {
		if _, err := d.Find(recording, index.People,
			index.FindRequest{Query: query.IDs{Values: []int64{id}}, Limit: 3}); err != nil {
			t.Fatal(err)
		}
	}
	sent := tap.take()
	requests, replay := noted()
	if len(sent) != 2 || len(requests) != 2 || !strings.HasPrefix(requests[0], "POST /p-people/_search?") {
		t.Fatalf("the driver sent %q, recorded %q", sent, requests)
	}
	for range 2 {
		expect.NoError(t, replay(t.Context()))
		if again := tap.take(); !slices.Equal(sent, again) {
			t.Errorf("sent at first\n%q, then\n%q", sent, again)
		}
	}
}

func TestReplayReportsARefusal(t *testing.T) {
	server := httptest.NewServer(&wiretap{})
	defer server.Close()
	cfg := elasticindex.Config{URLs: []string{server.URL}, Prefix: "p"}
	straight, err := elasticindex.NewStraight(cfg)
	expect.NoError(t, err)
	recording, noted := straight.Trace(t.Context())
	req := index.FindRequest{Query: query.Term{Field: query.City, Value: "refuse"}, Limit: 1}
	if _, err := driver(t, cfg).Find(recording, index.People, req); err == nil {
		t.Fatal("the driver overlooked the refusal")
	}
	if _, replay := noted(); replay(t.Context()) == nil {
		t.Error("the replay overlooked the refusal")
	}
}
