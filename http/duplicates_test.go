package http_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"kith/index/load"
	"kith/internal/identity"
)

// TestDuplicates lists pairs of people who may be one, page by page.
func TestDuplicates(t *testing.T) {
	f := newFixture(t, nil)
	var lines []string
	for _, last := range []string{"Moe", "Poe", "Zoe"} {
		for _, title := range []string{"Engineer", "Head of Sales"} {
			lines = append(lines, `{"full_name":"Ann `+last+`","sources":["`+title+`:`+last+`"],"work_relevant":{"title":"`+title+`","company":{"name":"Twins"}}}`)
		}
	}
	stats, err := load.NewLoader(f.db).File(t.Context(), "-", load.Options{
		Kind: load.People, Stdin: strings.NewReader(strings.Join(lines, "\n")), Rejects: t.TempDir(),
		Uniter: identity.Uniter{},
	})
	if err != nil || stats.Created != 6 {
		t.Fatal(stats, err)
	}
	var page struct {
		Data []struct {
			People []struct {
				ID       int64
				FullName string `json:"full_name"`
			}
			Score   float64
			Reasons []string
		}
		Pagination struct {
			Cursor      string
			HasNextPage bool `json:"has_next_page"`
		}
	}
	path, seen := "/v2/people/duplicates?limit=2", map[string]bool{}
	for range 2 {
		answer := f.call(http.MethodGet, path, "", f.bearer()).wants(t, http.StatusOK, "")
		if err := json.Unmarshal(answer.body, &page); err != nil {
			t.Fatal(err)
		}
		for _, d := range page.Data {
			if d.Score != 6 || len(d.Reasons) != 3 || len(d.People) != 2 || d.People[0].FullName != d.People[1].FullName {
				t.Errorf("%+v", d)
			}
			seen[d.People[0].FullName] = true
		}
		path = "/v2/people/duplicates?limit=2&cursor=" + page.Pagination.Cursor
	}
	if len(seen) != 3 || page.Pagination.HasNextPage {
		t.Errorf("%v, %+v", seen, page.Pagination)
	}
	f.call(http.MethodGet, "/v2/people/duplicates?cursor=nonsense", "", f.bearer()).wants(t, 400, "CURSOR_INVALID")
}
