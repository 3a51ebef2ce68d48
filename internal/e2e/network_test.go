package e2e

import (
	"net/http"
	"slices"
	"strconv"
	"testing"
)

// TestNetworkFollowsWrites asks the same searches in scope network before and
// after everything that changes who satisfies them: what is remembered of a
// search hides no one and shows no one who does not belong there.
func TestNetworkFollowsWrites(t *testing.T) {
	onEngines(t, func(t *testing.T, k kith) {
		g := generate(t)
		companies, err := readRecords(g.companies)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(companies, func(c record) bool { return c.id() == 1 })
		keepers := changed(g.people[:60], record{"work_relevant": job("Zzz Keeper"), "work_history": []any{}})
		k.run(t, "load", g.companies, k.write(t, "people.ndjson", slices.Concat(keepers[:40], g.people[40:2000])))
		n := &network{t: t, k: k, s: k.serve(t, unlimited()...), token: k.liveToken(t)}
		n.meet(g.people[20:320])

		n.finds("at first", keepers[:40], nil)
		n.load(keepers[40:50])
		n.finds("after ten more", keepers[:50], nil)
		n.load(g.people[:5])
		n.finds("after five changed their job", keepers[5:50], nil)
		k.run(t, append([]string{"delete"}, idsOf(keepers[45:50])...)...)
		n.finds("after five were deleted", keepers[5:45], nil)
		k.run(t, "load", "--kind", "companies", k.write(t, "companies.ndjson", changed(companies[i:i+1], record{"employee_count": 123_457})))
		n.finds("after their company grew", keepers[5:45], keepers[5:45])
		k.run(t, "reindex")
		n.load(keepers[50:60])
		n.finds("after the index was built anew", slices.Concat(keepers[5:45], keepers[50:60]), slices.Concat(keepers[5:45], keepers[50:60]))
	})
}

// network is a caller who searches in scope network.
type network struct {
	t     *testing.T
	k     kith
	s     *server
	token string
}

func (n *network) meet(people []record) {
	n.t.Helper()
	var known []map[string]any
	for i, p := range people {
		known = append(known, map[string]any{"identifier": p["social_url"], "score": i % 11})
	}
	if a := n.s.post(n.t, "/v2/user/relationships", n.token, map[string]any{"people": known}); a.status != http.StatusOK {
		n.t.Fatalf("status %d: %s", a.status, a.body)
	}
}

func (n *network) load(people []record) {
	n.t.Helper()
	n.k.run(n.t, "load", "--kind", "people", n.k.write(n.t, "some.ndjson", people))
}

// finds asks for the keepers, and for those at a company of one size, as often as
// it takes until all that is remembered is used.
func (n *network) finds(when string, keepers, large []record) {
	n.t.Helper()
	for range 4 {
		n.is(when, map[string]string{"position": "zzz keeper"}, keepers)
		n.is(when, map[string]string{"position": "zzz keeper", "companySize": "123456-123459"}, large)
	}
}

func (n *network) is(when string, filters map[string]string, want []record) {
	n.t.Helper()
	var got, ids []int64
	body := map[string]any{"filters": filters, "scope": "network", "limit": 30}
	for more := true; more; {
		p := n.s.search(n.t, n.token, body)
		for _, person := range p.Data {
			got = append(got, person.ID)
		}
		more = p.Pagination.HasNextPage
		body = map[string]any{"cursor": p.Pagination.Cursor}
	}
	for _, r := range want {
		ids = append(ids, r.id())
	}
	slices.Sort(got)
	slices.Sort(ids)
	if !slices.Equal(got, ids) {
		n.t.Fatalf("%s, %v: found %v, want %v", when, filters, got, ids)
	}
}

func idsOf(people []record) []string {
	ids := make([]string, len(people))
	for i, p := range people {
		ids[i] = strconv.FormatInt(p.id(), 10)
	}
	return ids
}
