package trust_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// pages walks a search from a cursor, or from the start, and returns the ids of the people and the cursor after
// the first page.
func pages(t *testing.T, s *e2e.Server, token, cursor string, n int) (ids []int64, first string) {
	t.Helper()
	for range n {
		body := map[string]any{"filters": map[string]string{"position": "engineer"}, "scope": "global", "limit": 5}
		if cursor != "" {
			body["cursor"] = cursor
		}
		p := s.Search(t, token, body)
		for _, r := range p.Data {
			ids = append(ids, r.ID)
		}
		cursor = p.Pagination.Cursor
		if first == "" {
			first = cursor
		}
		if cursor == "" {
			break
		}
	}
	return ids, first
}

// data returns the data of an answer.
func data(t *testing.T, s *e2e.Server, path, token string) string {
	t.Helper()
	res := s.Get(t, path, token)
	var body struct{ Data json.RawMessage }
	if err := json.Unmarshal(res.Body, &body); err != nil || res.Status != http.StatusOK {
		t.Fatalf("%s: %d %s", path, res.Status, res.Body)
	}
	return string(body.Data)
}

// An encrypted backup of a running installation is restored elsewhere, with the same tokens, cursors, identifiers,
// relationships, outreach and audit.
func TestRestoreBringsBackTheWholeInstallation(t *testing.T) {
	for _, e := range e2e.Engines() {
		t.Run(e.Name, func(t *testing.T) { restoreElsewhere(t, e) })
	}
}

const passphrase = "KITH_BACKUP_PASSPHRASE=correct horse battery"

func restoreElsewhere(t *testing.T, e e2e.Engine) {
	k := e2e.New(t, e)
	k.Env = append(k.Env, passphrase)
	g := e2e.Generate(t)
	k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", g.People[:300]))
	token := k.LiveToken(t)
	s := k.Serve(t, e2e.Unlimited()...)
	var known []any
	for i := range 20 {
		known = append(known, g.People[i]["social_url"])
	}
	s.Post(t, "/v2/user/relationships", token, map[string]any{"people": known})
	s.Post(t, "/v2/sequences", token, map[string]any{"name": "Q3"})
	s.Post(t, "/v2/lists", token, map[string]any{"name": "Q3"})
	s.Post(t, "/v2/searches", token, map[string]any{
		"name":   "Q3",
		"search": map[string]any{"filters": map[string]string{"position": "engineer"}},
	})
	wantIDs, cursor := pages(t, s, token, "", 4)
	reads := []string{"/v2/user/relationships?limit=50", "/v2/sequences", "/v2/lists", "/v2/searches"}
	want := map[string]string{}
	for _, path := range reads {
		want[path] = data(t, s, path, token)
	}
	head := strings.Fields(k.Run(t, "audit", "verify"))
	folder := filepath.Join(k.Dir, "backups")
	expect.NoError(t, os.Mkdir(folder, 0o700))
	written := strings.Fields(k.Run(t, "backup", folder, "--keep", "3"))
	signer := "--signer=" + written[len(written)-1]
	expect.Parts(t, "check of the backup", k.Run(t, "restore", folder, "--check"), "is complete: 300 people")
	refuses := func(why string, args ...string) {
		t.Helper()
		_, stderr, err := k.Try(t, append([]string{"restore", folder}, args...)...)
		if err == nil || !regexp.MustCompile(why).MatchString(stderr) {
			t.Errorf("restore with %v: %v, %s", args, err, stderr)
		}
	}
	refuses("not known here")
	refuses("signed by", "--signer="+strings.Repeat("0", 64))
	refuses("already served|--force", signer)
	s.Stop(t)
	refuses("--force", signer)

	other := e2e.Fresh(t, e)
	other.Env = append(other.Env, passphrase)
	expect.Parts(t, "restore", other.Run(t, "restore", folder, signer), "300 people")
	s = other.Serve(t, e2e.Unlimited()...)
	if got, _ := pages(t, s, token, "", 4); !slices.Equal(got, wantIDs) || len(got) != 20 {
		t.Errorf("the search finds %v, want %v", got, wantIDs)
	}
	if got, _ := pages(t, s, token, cursor, 3); !slices.Equal(got, wantIDs[5:]) {
		t.Errorf("the cursor continues with %v, want %v", got, wantIDs[5:])
	}
	for _, path := range reads {
		if got := data(t, s, path, token); got != want[path] {
			t.Errorf("%s:\n%s\nwant\n%s", path, got, want[path])
		}
	}
	expect.Parts(t, "relationships to compare", want[reads[0]], "social_url")
	other.Run(t, "audit", "verify", "--head", head[len(head)-1])
	expect.Parts(t, "audit", other.Run(t, "audit", "--action", "backup."), "backup.restored")
	if out := other.Run(t, "doctor"); strings.Contains(out, "problem") {
		t.Errorf("doctor: %s", out)
	}
}
