package e2e

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestBackupPutBack puts Postgres back to an earlier day under an index that has
// followed what came later, and has stored as much as came later before anyone
// looks at the index. Kith notices, says so, and brings the index level by itself;
// a change that then comes is found, and a server that was killed is no backup.
func TestBackupPutBack(t *testing.T) {
	onEngines(t, func(t *testing.T, k kith) {
		g := generate(t)
		people := g.people[:40]
		k.run(t, "load", g.companies, k.write(t, "people.ndjson", people[:20]))
		token := k.liveToken(t)
		restore := k.backup(t)

		k.run(t, "load", k.write(t, "later.ndjson", append(changed(people[:10], record{"headline": "came later"}), people[20:]...)), "--kind", "people")
		k.run(t, "delete", people[10]["social_url"].(string))
		s := k.serve(t)
		if n := s.found(t, token); n != 39 {
			t.Fatalf("%d people are found before the backup is put back", n)
		}
		s.kill()
		if out := k.run(t, "doctor"); strings.Contains(out, "problem") {
			t.Errorf("after the server was killed the doctor says\n%s", out)
		}

		restore()
		for i := range 3 {
			anew := changed(people[:15], record{"headline": strings.Repeat("put back ", i+1)})
			k.run(t, "load", "--no-index", k.write(t, "anew.ndjson", anew), "--kind", "people")
		}
		out, _, err := k.try(t, "doctor")
		if strange := strings.Contains(out, "put back to an earlier day"); strange != (k.engine == "elasticsearch") || strange != (exitCode(err) == 1) {
			t.Errorf("after the backup was put back the doctor says, with code %d\n%s", exitCode(err), out)
		}
		s = k.serve(t)
		eventually(t, "the index is that of the records", func() bool {
			return s.found(t, token) == 20 && s.saying(t, token, "put back") == 15 && s.get(t, "/readyz", "").status == http.StatusOK
		})
		if n := s.has(t, token, people); n != 20 {
			t.Errorf("%d people are found, 20 are stored", n)
		}
		if n := s.saying(t, token, "came later"); n != 0 {
			t.Errorf("%d people are found by what they have not said yet", n)
		}
		if said := strings.Contains(s.output(), "put back to an earlier day"); said != (k.engine == "elasticsearch") {
			t.Errorf("the server says\n%s", s.output())
		}
		k.run(t, "load", k.write(t, "change.ndjson", changed(people[:10], record{"headline": "came later"})), "--kind", "people")
		if n := s.saying(t, token, "came later"); n != 10 {
			t.Errorf("%d people are found by what they say then, want 10", n)
		}
		if out := k.run(t, "doctor"); strings.Contains(out, "problem") {
			t.Errorf("in the end the doctor says\n%s", out)
		}
	})
}

// backup keeps the directory of the embedded Postgres, which rests, and returns
// what puts it back.
func (k kith) backup(t *testing.T) (restore func()) {
	t.Helper()
	kept := filepath.Join(k.dir, "backup")
	copyTree := func(from, to string) {
		t.Helper()
		if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
			t.Fatalf("copy %s: %v\n%s", from, err, out)
		}
	}
	copyTree(k.data(), kept)
	return func() {
		t.Helper()
		k.clear(t)
		if err := os.RemoveAll(k.data()); err != nil {
			t.Fatal(err)
		}
		copyTree(kept, k.data())
	}
}

// saying is how many people have some words in their headline.
func (s *server) saying(t *testing.T, token, words string) int {
	t.Helper()
	p := s.search(t, token, map[string]any{"filters": map[string]string{"keywords": `"` + words + `"`}, "scope": "global", "include_counts": "global"})
	return p.Metadata.Counts.Global.Value
}
