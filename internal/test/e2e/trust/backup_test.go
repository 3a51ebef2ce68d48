package trust_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// Postgres is restored to an older backup, while the index has later data and as many later writes follow. Kith
// notices, reports it, and brings the index in sync by itself. Changes after that are found, and a killed server
// does not count as a restored backup.
func TestIndexFollowsARestoredPostgres(t *testing.T) {
	e2e.AloneOnEngines(t, func(t *testing.T, k e2e.Kith) {
		g := e2e.Generate(t)
		people := g.People[:40]
		k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", people[:20]))
		token := k.LiveToken(t)
		restore := backup(t, k)

		k.Run(t, "load", k.Write(t, "later.ndjson",
			append(e2e.Changed(people[:10], e2e.Record{"headline": "came later"}), people[20:]...)), "--kind", "people")
		k.Run(t, "delete", "--yes", people[10]["social_url"].(string))
		s := k.Serve(t)
		if n := s.Found(t, token); n != 39 {
			t.Fatalf("searches find %d people before the restore", n)
		}
		s.Kill()
		if out := k.Run(t, "doctor"); strings.Contains(out, "problem") {
			t.Errorf("after the kill doctor reports\n%s", out)
		}

		restore()
		for i := range 3 {
			anew := e2e.Changed(people[:15], e2e.Record{"headline": strings.Repeat("put back ", i+1)})
			k.Run(t, "load", "--no-index", k.Write(t, "anew.ndjson", anew), "--kind", "people")
		}
		out, _, err := k.Try(t, "doctor")
		if strange := strings.Contains(out, "restored to an earlier state"); strange != (k.Engine == "elasticsearch") ||
			strange != (e2e.ExitCode(err) == 1) {
			t.Errorf("after the restore doctor exits with %d and reports\n%s", e2e.ExitCode(err), out)
		}
		s = k.Serve(t)
		e2e.Eventually(t, "the index is in sync with the records", func() bool {
			return s.Found(t, token) == 20 && saying(t, s, token, "put back") == 15 &&
				s.Get(t, "/readyz", "").Status == http.StatusOK
		})
		if n := s.Has(t, token, people); n != 20 {
			t.Errorf("searches find %d people, 20 are stored", n)
		}
		if n := saying(t, s, token, "came later"); n != 0 {
			t.Errorf("searches find %d people by headlines from after the backup", n)
		}
		if said := strings.Contains(s.Output(), "restored to an earlier state"); said != (k.Engine == "elasticsearch") {
			t.Errorf("the log of the server is\n%s", s.Output())
		}
		k.Run(t, "load", k.Write(t, "change.ndjson", e2e.Changed(people[:10], e2e.Record{"headline": "came later"})),
			"--kind", "people")
		if n := saying(t, s, token, "came later"); n != 10 {
			t.Errorf("searches find %d people by the new headlines, want 10", n)
		}
		if out := k.Run(t, "doctor"); strings.Contains(out, "problem") {
			t.Errorf("in the end doctor reports\n%s", out)
		}
	})
}

// backup copies the folder of the stopped embedded Postgres, and returns a function that restores it.
func backup(t *testing.T, k e2e.Kith) (restore func()) {
	t.Helper()
	kept := filepath.Join(k.Dir, "backup")
	e2e.CopyTree(t, k.Data(), kept)
	return func() {
		t.Helper()
		k.Clear(t)
		expect.NoError(t, os.RemoveAll(k.Data()))
		e2e.CopyTree(t, kept, k.Data())
	}
}

// saying counts the people with some words in their headline.
func saying(t *testing.T, s *e2e.Server, token, words string) int {
	t.Helper()
	p := s.Search(t, token, map[string]any{
		"filters": map[string]string{"keywords": `"` + words + `"`}, "scope": "global",
		"include_counts": "global",
	})
	return p.Metadata.Counts.Global.Value
}
