package e2e

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"kith/internal/elastictest"
)

// TestFirstStartWithoutElasticsearch starts a server for the first time while
// Elasticsearch is away: it serves, says what is missing, takes records, and
// has them in the index by itself when Elasticsearch appears. It does not run
// beside others, one of which starts a node too.
func TestFirstStartWithoutElasticsearch(t *testing.T) {
	port := freePort(t)
	k := newKith(t, engine{name: "elasticsearch", env: func(*testing.T) []string {
		return []string{fmt.Sprintf("KITH_ELASTICSEARCH_URL=http://127.0.0.1:%d", port)}
	}})
	s := k.serve(t, unlimited()...)
	g := generate(t)
	people := g.people[:200]
	k.run(t, "load", "--no-index", g.companies, k.write(t, "people.ndjson", people))
	o := &outage{k: k, s: s, token: k.liveToken(t), name: "elasticsearch"}
	o.away(t)
	startNode(t, port)
	eventually(t, "the server is ready", func() bool { return s.get(t, "/readyz", "").status == http.StatusOK })
	eventually(t, "what was loaded before is found", func() bool {
		a := s.post(t, "/v2/people/search", o.token, listOf(people))
		return a.status == http.StatusOK && len(decodePage(t, a).Data) == len(people)
	})
}

// startNode starts an Elasticsearch node at a port of loopback.
func startNode(t *testing.T, port int) {
	t.Helper()
	n, err := elastictest.Start(context.Background(), elastictest.Options{Port: port})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := n.Stop(); err != nil {
			t.Error(err)
		}
	})
}
