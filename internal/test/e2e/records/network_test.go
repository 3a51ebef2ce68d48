package records_test

import (
	"net/http"
	"slices"
	"strconv"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// Searches in scope network follow every kind of write: cached results neither hide matching people nor show others.
func TestNetworkSearchesFollowWrites(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		g := e2e.Generate(t)
		companies, err := e2e.ReadRecords(g.Companies)
		expect.NoError(t, err)
		i := slices.IndexFunc(companies, func(c e2e.Record) bool { return c.ID() == 1 })
		keepers := e2e.Changed(g.People[:60], e2e.Record{
			"work_relevant": e2e.Job("Zzz Keeper"),
			"work_history":  []any{},
		})
		k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", slices.Concat(keepers[:40], g.People[40:2000])))
		n := &network{t: t, k: k, s: k.Serve(t, e2e.Unlimited()...), token: k.LiveToken(t)}
		n.meet(g.People[20:320])

		n.finds("at first", keepers[:40], nil)
		n.load(keepers[40:50])
		n.finds("after ten more", keepers[:50], nil)
		n.load(g.People[:5])
		n.finds("after five changed their job", keepers[5:50], nil)
		k.Run(t, append([]string{"delete", "--yes"}, idsOf(keepers[45:50])...)...)
		n.finds("after five were deleted", keepers[5:45], nil)
		k.Run(t, "load", "--kind", "companies",
			k.Write(t, "companies.ndjson", e2e.Changed(companies[i:i+1], e2e.Record{"employee_count": 123_457})))
		n.finds("after their company grew", keepers[5:45], keepers[5:45])
		k.Run(t, "reindex")
		n.load(keepers[50:60])
		n.finds("after the index was built anew", slices.Concat(keepers[5:45], keepers[50:60]),
			slices.Concat(keepers[5:45], keepers[50:60]))
	})
}

// network is a caller who searches in scope network.
type network struct {
	t     *testing.T
	k     e2e.Kith
	s     *e2e.Server
	token string
}

func (n *network) meet(people []e2e.Record) {
	n.t.Helper()
	var known []map[string]any
	for i, p := range people {
		known = append(known, map[string]any{"identifier": p["social_url"], "score": i % 11})
	}
	if a := n.s.Post(n.t, "/v2/user/relationships", n.token,
		map[string]any{"people": known}); a.Status != http.StatusOK {
		n.t.Fatalf("status %d: %s", a.Status, a.Body)
	}
}

func (n *network) load(people []e2e.Record) {
	n.t.Helper()
	n.k.Run(n.t, "load", "--kind", "people", n.k.Write(n.t, "some.ndjson", people))
}

// finds searches for the keepers, and for those at a company of one size, often enough to use every cache.
func (n *network) finds(when string, keepers, large []e2e.Record) {
	n.t.Helper()
	for range 4 {
		n.is(when, map[string]string{"position": "zzz keeper"}, keepers)
		n.is(when, map[string]string{"position": "zzz keeper", "companySize": "123456-123459"}, large)
	}
}

func (n *network) is(when string, filters map[string]string, want []e2e.Record) {
	n.t.Helper()
	var got, ids []int64
	body := map[string]any{"filters": filters, "scope": "network", "limit": 30}
	for more := true; more; {
		p := n.s.Search(n.t, n.token, body)
		for _, person := range p.Data {
			got = append(got, person.ID)
		}
		more = p.Pagination.HasNextPage
		body = map[string]any{"cursor": p.Pagination.Cursor}
	}
	for _, r := range want {
		ids = append(ids, r.ID())
	}
	slices.Sort(got)
	slices.Sort(ids)
	if !slices.Equal(got, ids) {
		n.t.Fatalf("%s, %v: found %v, want %v", when, filters, got, ids)
	}
}

func idsOf(people []e2e.Record) []string {
	ids := make([]string, len(people))
	for i, p := range people {
		ids[i] = strconv.FormatInt(p.ID(), 10)
	}
	return ids
}
