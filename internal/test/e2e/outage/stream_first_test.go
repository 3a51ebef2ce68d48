package outage_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
)

// A server starts for the first time without Elasticsearch. It names the missing engine, accepts records, and
// indexes them once Elasticsearch appears. The test runs alone, because others start a node too.
func TestFirstStartWaitsForElasticsearch(t *testing.T) {
	port := e2e.FreePort(t)
	k := e2e.Fresh(t, e2e.Engine{Name: "elasticsearch", Env: func(*testing.T) []string {
		return []string{fmt.Sprintf("KITH_ELASTICSEARCH_URL=http://127.0.0.1:%d", port)}
	}})
	s := k.Serve(t, e2e.Unlimited()...)
	g := e2e.Generate(t)
	people := g.People[:200]
	k.Run(t, "load", "--no-index", g.Companies, k.Write(t, "people.ndjson", people))
	o := &outage{k: k, s: s, token: k.LiveToken(t), name: "elasticsearch"}
	o.away(t)
	startNode(t, port)
	e2e.Eventually(t, "the server is ready", func() bool { return s.Get(t, "/readyz", "").Status == http.StatusOK })
	e2e.Eventually(t, "searches find the people loaded before", func() bool {
		a := s.Post(t, "/v2/people/search", o.token, e2e.ListOf(people))
		return a.Status == http.StatusOK && len(e2e.DecodePage(t, a).Data) == len(people)
	})
}

// startNode starts an Elasticsearch node at a loopback port.
func startNode(t *testing.T, port int) {
	t.Helper()
	n, err := elastictest.Start(context.Background(), elastictest.Options{Port: port, Brief: true})
	expect.NoError(t, err)
	t.Cleanup(func() {
		if err := n.Stop(); err != nil {
			t.Error(err)
		}
	})
}
