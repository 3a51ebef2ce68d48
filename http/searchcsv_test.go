package http_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"kith"
	"kith/internal/search"
	"kith/internal/test/expect"
)

// table reads a CSV answer of a search.
func (f *fixture) table(body string, headers ...string) [][]string {
	f.t.Helper()
	res := f.call(http.MethodPost, "/v2/people/search", body, append(headers, "Accept: text/csv", f.bearer())...)
	if res.StatusCode != http.StatusOK {
		f.t.Fatalf("%d: %s", res.StatusCode, res.body)
	}
	rows, err := csv.NewReader(strings.NewReader(string(res.body))).ReadAll()
	if err != nil {
		f.t.Fatalf("%v: %.300s", err, res.body)
	}
	return rows
}

// Without a limit, the CSV has the people of all pages in their order. With one it has a single page, and a
// trailer with the next cursor.
func TestSearchCSVHasAllPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	all := f.table(`{"filters":{"position":"engineer"},"scope":"global"}`)
	if len(all) != 9 || all[0][0] != "id" || len(all[0]) != 15 {
		t.Fatalf("%d rows; the first is %v", len(all), all[0])
	}
	var ids []string
	for cursor := ""; ; {
		var page struct {
			Data       []kith.Person
			Pagination search.Pagination
		}
		answer := f.search(`{"filters":{"position":"engineer"},"scope":"global","limit":3` + cursor + `}`)
		expect.NoError(t, json.Unmarshal(answer.body, &page))
		for _, p := range page.Data {
			ids = append(ids, strconv.FormatInt(p.ID, 10))
		}
		if !page.Pagination.HasNextPage {
			break
		}
		cursor = fmt.Sprintf(`,"cursor":%q`, page.Pagination.Cursor)
	}
	var got []string
	for _, row := range all[1:] {
		got = append(got, row[0])
	}
	if fmt.Sprint(got) != fmt.Sprint(ids) {
		t.Errorf("ids of the CSV and of the pages: %v\n%v", got, ids)
	}
	res := f.call(http.MethodPost, "/v2/people/search",
		`{"filters":{"position":"engineer"},"limit":3,"scope":"global"}`,
		"Accept: application/json;q=0.1, text/csv", f.bearer())
	if n := strings.Count(string(res.body), "\n"); n != 4 || res.Trailer.Get("X-Next-Cursor") == "" {
		t.Errorf("%d lines, trailer %q", n, res.Trailer)
	}
	f.call(http.MethodPost, "/v2/people/search", `{"filters":{"position":"engineer"},"stream":true,"limt":1}`,
		"Accept: text/csv", f.bearer()).
		wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
}
