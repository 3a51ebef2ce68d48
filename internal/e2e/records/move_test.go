package records_test

import (
	"strings"
	"testing"

	"kith/internal/e2e"
)

// TestMove moves a dataset from Postgres to Elasticsearch. Until the reindex
// kith says that one is due; who is deleted or forgotten then does not stay in
// what Postgres searched before.
func TestMove(t *testing.T) {
	t.Parallel()
	old := e2e.New(t, e2e.Postgres())
	moved := e2e.Kith{Dir: old.Dir, Engine: "elasticsearch", Env: e2e.Elasticsearch().Env(t)}
	g := e2e.Generate(t)
	people := g.People[:30]
	old.Run(t, "load", g.Companies, old.Write(t, "people.ndjson", people))
	profile := func(i int) string { url, _ := people[i]["social_url"].(string); return url }
	finds := func(i int) bool {
		return strings.Contains(old.Run(t, "search", "-f", "socialUrl="+profile(i)), profile(i))
	}
	if !finds(0) || !finds(1) || !finds(2) {
		t.Fatal("the people are not found before the move")
	}
	if out, _, err := moved.Try(t, "doctor"); e2e.ExitCode(err) != 1 || !strings.Contains(out, "kith reindex") {
		t.Errorf("the doctor of an index that was never filled: code %d\n%s", e2e.ExitCode(err), out)
	}
	if _, stderr, err := moved.Try(t, "search", "engineer"); err != nil || !strings.Contains(stderr, "kith reindex") {
		t.Errorf("a search in an index that was never filled: %v\n%s", err, stderr)
	}
	moved.Run(t, "reindex")
	if out := moved.Run(t, "doctor"); strings.Contains(out, "problem") ||
		!strings.Contains(out, "people that are stored: 30, in the index: 30\n") ||
		!strings.Contains(out, "changes that wait for the index: 0\n") {
		t.Errorf("after a reindex the doctor says\n%s", out)
	}
	moved.Run(t, "forget", "--yes", profile(0))
	moved.Run(t, "delete", "--yes", profile(1))
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
