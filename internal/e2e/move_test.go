package e2e

import (
	"strings"
	"testing"
)

// TestMove moves a directory from Postgres to Elasticsearch. Until the reindex
// kith says that one is due; who is deleted or forgotten then does not stay in
// what Postgres searched before.
func TestMove(t *testing.T) {
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
	if out, _, err := moved.try(t, "doctor"); exitCode(err) != 1 || !strings.Contains(out, "kith reindex") {
		t.Errorf("the doctor of an index that was never filled: code %d\n%s", exitCode(err), out)
	}
	if _, stderr, err := moved.try(t, "search", "engineer"); err != nil || !strings.Contains(stderr, "kith reindex") {
		t.Errorf("a search in an index that was never filled: %v\n%s", err, stderr)
	}
	moved.run(t, "reindex")
	if out := moved.run(t, "doctor"); strings.Contains(out, "problem") || !strings.Contains(out, "people that are stored: 30, in the index: 30\n") ||
		!strings.Contains(out, "changes that wait for the index: 0\n") {
		t.Errorf("after a reindex the doctor says\n%s", out)
	}
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
