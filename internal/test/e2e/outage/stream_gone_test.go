package outage_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"kith/internal/test/e2e"
	"kith/internal/test/effort"
	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
)

// gonePeople is the number of people in the searched dataset.
const gonePeople = 100

// The client disconnects while its search waits in Postgres for a lock that the test holds: only a canceled
// statement ends.
func TestClientGoneStopsPostgres(t *testing.T) {
	t.Parallel()
	k := e2e.New(t, e2e.Postgres())
	s, token := serveGone(t, k)
	in := k.Look(t)
	tx, err := in.DB.Pool().Begin(t.Context())
	expect.NoError(t, err)
	defer func() { _ = tx.Rollback(context.Background()) }() // it only holds a lock
	var lock string
	if err := tx.QueryRow(t.Context(), `SELECT 'LOCK TABLE ' ||
			string_agg(quote_ident(n.nspname) || '.' || quote_ident(relname), ', ') || ' IN ACCESS EXCLUSIVE MODE'
		FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
		WHERE n.nspname = $1 AND relkind = 'r' AND relname LIKE 'people\_%'`, in.DB.Schema()).Scan(&lock); err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(t.Context(), lock); err != nil {
		t.Fatal(err)
	}
	waiting := func() int {
		var n int
		expect.NoError(t, in.DB.Pool().QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE state = 'active' AND wait_event_type = 'Lock' AND datname = current_database()`).Scan(&n))
		return n
	}
	for _, stream := range []bool{true, false} {
		hangUp, answered := ask(t, s, token, stream)
		e2e.Eventually(t, "the search waits in Postgres", func() bool { return waiting() > 0 })
		began := time.Now()
		hangUp()
		for deadline := began.Add(effort.Patience()); waiting() > 0; {
			if time.Now().After(deadline) {
				t.Fatal("the statement still runs without its client")
			}
		}
		t.Logf("stream %v: Postgres stopped %v after the disconnect", stream,
			time.Since(began).Round(100*time.Microsecond))
		<-answered
	}
}

// The client disconnects while a stand-in before Elasticsearch holds the search. The stand-in sees its own client
// disconnect. Elasticsearch would see the same and cancel the task of the search.
func TestClientGoneStopsElasticsearch(t *testing.T) {
	t.Parallel()
	node := elastictest.URL(t)
	at, err := url.Parse(node)
	expect.NoError(t, err)
	between := &holding{
		next: httputil.NewSingleHostReverseProxy(at), arrived: make(chan struct{}), gone: make(chan time.Time, 1),
	}
	proxy := httptest.NewServer(between)
	t.Cleanup(proxy.Close)
	k := e2e.New(t, e2e.Engine{Name: "elasticsearch", Env: func(t *testing.T) []string {
		return []string{"KITH_ELASTICSEARCH_URL=" + proxy.URL, "KITH_ELASTICSEARCH_PREFIX=" + e2e.OwnIndices(t, node)}
	}})
	s, token := serveGone(t, k)
	for _, stream := range []bool{true, false} {
		hangUp, answered := ask(t, s, token, stream)
		select {
		case <-between.arrived:
		case <-time.After(effort.Patience()):
			t.Fatalf("no search arrived\n%s", s.Output())
		}
		began := time.Now()
		hangUp()
		select {
		case at := <-between.gone:
			t.Logf("stream %v: the request to Elasticsearch ended %v after the disconnect", stream,
				at.Sub(began).Round(100*time.Microsecond))
		case <-time.After(effort.Patience()):
			t.Fatal("the search still runs without its client")
		}
		<-answered
	}
}

// serveGone starts a server over a few people.
func serveGone(t *testing.T, k e2e.Kith) (*e2e.Server, string) {
	t.Helper()
	g := e2e.Generate(t)
	k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", g.People[:gonePeople]))
	return k.Serve(t, e2e.Unlimited()...), k.LiveToken(t)
}

// heldCompany marks the searches of clients that disconnect.
const heldCompany = "Heldcorp"

// ask sends a search whose client can disconnect. Its answer does not matter; answered is closed at the client's end.
func ask(t *testing.T, s *e2e.Server, token string, stream bool) (hangUp func(), answered <-chan struct{}) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(cancel)
	body := map[string]any{
		"filters": map[string]string{"pastCompany": heldCompany}, "scope": "global",
		"stream": stream,
	}
	req, err := s.Request(ctx, "/v2/people/search", token, body)
	expect.NoError(t, err)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if a, err := e2e.Do(req); err == nil {
			t.Errorf("a search that should hang answered %d: %s", a.Status, a.Body)
		}
	}()
	return cancel, done
}

// holding forwards requests to Elasticsearch. It holds the marked searches until their client has disconnected.
type holding struct {
	next    http.Handler
	arrived chan struct{}
	gone    chan time.Time
}

// ServeHTTP implements [http.Handler].
func (h *holding) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !strings.Contains(r.URL.Path, "_search") {
		h.next.ServeHTTP(w, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if !strings.Contains(strings.ToLower(string(body)), strings.ToLower(heldCompany)) {
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.next.ServeHTTP(w, r)
		return
	}
	select {
	case h.arrived <- struct{}{}:
		<-r.Context().Done()
		h.gone <- time.Now()
	case <-r.Context().Done():
	}
}
