package imports_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// The owner of an export is a person of the directory, but no result of the owner's own searches, counts and facets.
// Other users who see the record find it.
func TestOwnersAreNotAmongTheirOwnResults(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		k.Run(t, "app", "create", "acme")
		dir := networkExport(t, k)
		k.Run(t, "import", "--yes", "--app", "acme", "--user", "me", zipped(t, dir))
		for _, name := range []string{"messages.csv", "people.ndjson"} { // they have profile URLs
			expect.NoError(t, os.Remove(filepath.Join(dir, name)))
		}
		k.Run(t, "import", "--yes", "--app", "acme", "--user", "nameless", dir)
		me, nameless, other := k.Token(t, "acme", "me"), k.Token(t, "acme", "nameless"), k.Token(t, "acme", "other")
		s := k.Serve(t, e2e.Unlimited()...)
		named := map[string]any{"filters": map[string]any{"name": "Me Myself"}}
		for _, token := range []string{me, nameless} {
			for what, body := range map[string]map[string]any{
				"company":  {"filters": map[string]any{"company": "Import Example"}},
				"prompt":   {"prompt": "people at Import Example", "closest": true},
				"everyone": {"filters": map[string]any{"position": "-zzz"}},
			} {
				for _, scope := range []string{"global", "network"} {
					checkOwnResults(t, s, token, what, scope, body)
				}
			}
			if page := s.Search(t, token, named); len(page.Data) != 0 {
				t.Errorf("a user finds themselves by name: %v", page.Data)
			}
		}
		setSharing(t, s, me)
		if page := s.Search(t, other, named); len(page.Data) != 1 {
			t.Errorf("another user does not find the owner of shared records: %v", page.Data)
		}
	})
}

// checkOwnResults checks that the pages, the stream, the counts and the facets of a search agree, and lack the caller.
func checkOwnResults(t *testing.T, s *e2e.Server, token, what, scope string, ask map[string]any) {
	t.Helper()
	body := map[string]any{"scope": scope, "limit": 100, "include_counts": "all", "facets": []string{"company"}}
	for name, value := range ask {
		body[name] = value
	}
	page := s.Search(t, token, body)
	var names []string
	for _, p := range page.Data {
		names = append(names, p.FullName)
	}
	if len(names) == 0 || strings.Contains(strings.Join(names, " "), "Myself") {
		t.Errorf("%s, %s: results %v", what, scope, names)
	}
	body["stream"] = true
	streamed := s.Stream(t, token, body)
	if text, _ := json.Marshal(streamed.People); len(streamed.People) != len(names) ||
		strings.Contains(string(text), "Myself") {
		t.Errorf("%s, %s: %d results, and %d in the stream: %s", what, scope, len(names), len(streamed.People), text)
	}
	facet, _ := json.Marshal(page.Metadata.Facets["company"])
	if n := page.Metadata.Counts.Global.Value; n != len(names) ||
		!strings.Contains(string(facet), `"Import Example GmbH","count":3`) {
		t.Errorf("%s, %s: %d counted of %v, facets %s", what, scope, n, names, facet)
	}
}

func setSharing(t *testing.T, s *e2e.Server, token string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPatch, s.URL+"/v2/user/me",
		strings.NewReader(`{"sharing":"community"}`))
	expect.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+token)
	if a, err := e2e.Do(req); err != nil || a.Status != http.StatusOK {
		t.Fatalf("share: %v, status %d: %s", err, a.Status, a.Body)
	}
}
