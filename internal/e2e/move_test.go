package e2e

import (
	"strings"
	"testing"
)

// TestMoveErases moves a directory from Postgres to Elasticsearch: who is
// deleted or forgotten there does not stay in what Postgres searched before.
func TestMoveErases(t *testing.T) {
	t.Parallel()
	on := map[string]engine{}
	for _, e := range engines() {
		on[e.name] = e
	}
	old := newKith(t, on["postgres"])
	moved := kith{dir: old.dir, engine: "elasticsearch", env: on["elasticsearch"].env(t)}
	g := generate(t)
	people := g.people[:30]
	old.run(t, "load", g.companies, old.write(t, "people.ndjson", people))
	profile := func(i int) string { url, _ := people[i]["social_url"].(string); return url }
	finds := func(i int) bool {
		return strings.Contains(old.run(t, "search", "-f", "socialUrl="+profile(i)), profile(i))
	}
	if !finds(0) || !finds(1) || !finds(2) {
		t.Fatal("the people are not found before the move")
	}
	moved.run(t, "reindex")
	moved.run(t, "forget", profile(0))
	moved.run(t, "delete", profile(1))
	if finds(0) {
		t.Error("who was forgotten is still in the tables of the Postgres engine")
	}
	if finds(1) {
		t.Error("who was deleted is still in the tables of the Postgres engine")
	}
	if !finds(2) {
		t.Error("somebody else is not")
	}
}
