package records_test

import (
	"strings"
	"testing"

	"kith/internal/test/e2e"
)

// A dataset moves from Postgres to Elasticsearch. Until the reindex, kith says that one is due. A later deletion
// or erasure also removes the person from the old tables of the Postgres engine.
func TestDatasetMovesToElasticsearch(t *testing.T) {
	t.Parallel()
	old := e2e.New(t, e2e.Postgres())
	moved := e2e.Kith{Dir: old.Dir, Engine: "elasticsearch", Env: append(e2e.Elasticsearch().Env(t), old.Env...)}
	g := e2e.Generate(t)
	people := g.People[:30]
	old.Run(t, "load", g.Companies, old.Write(t, "people.ndjson", people))
	profile := func(i int) string { url, _ := people[i]["social_url"].(string); return url }
	finds := func(i int) bool {
		return strings.Contains(old.Find(t, "--json", "-f", "socialUrl="+profile(i)), profile(i))
	}
	if !finds(0) || !finds(1) || !finds(2) {
		t.Fatal("searches do not find the people before the move")
	}
	if out, _, err := moved.Try(t, "doctor"); e2e.ExitCode(err) != 1 || !strings.Contains(out, "kith reindex") {
		t.Errorf("doctor with an empty index: code %d\n%s", e2e.ExitCode(err), out)
	}
	if _, stderr, err := moved.Try(t, "search", "engineer"); e2e.ExitCode(err) != 1 ||
		!strings.Contains(stderr, "kith reindex") {
		t.Errorf("a search in an empty index: %v\n%s", err, stderr)
	}
	moved.Run(t, "reindex")
	if out := moved.Run(t, "doctor"); strings.Contains(out, "problem") ||
		!strings.Contains(out, "people stored: 30, in the index: 30\n") ||
		!strings.Contains(out, "changes waiting for the index: 0\n") {
		t.Errorf("after the reindex doctor reports\n%s", out)
	}
	moved.Run(t, "forget", "--yes", profile(0))
	moved.Run(t, "delete", "--yes", profile(1))
	if finds(0) {
		t.Error("the erased person is still in the tables of the Postgres engine")
	}
	if finds(1) {
		t.Error("the deleted person is still in the tables of the Postgres engine")
	}
	if !finds(2) {
		t.Error("another person is missing from the tables of the Postgres engine")
	}
}
