package http_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"kith/internal/access/audit"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

type listData struct {
	ID     string
	Name   string
	People int
}

type listChange struct {
	Summary struct{ Processed, Changed, Unchanged, NotFound int }
	Results []struct {
		Identifier, Status string
		PersonID           int64 `json:"person_id"`
	}
}

func (f *fixture) list(name string) string {
	f.t.Helper()
	var l listData
	f.data(http.MethodPost, "/v2/lists", fmt.Sprintf(`{"name":%q}`, name), &l)
	return "/v2/lists/" + l.ID
}

// storeEveryone stores the people of the search, so that lists can hold them.
func (f *fixture) storeEveryone() {
	f.t.Helper()
	var lines []string
	for _, p := range people() {
		lines = append(lines, fmt.Sprintf(`{"id":%d,"full_name":%q,"headline":%q,"social_url":%q,`+
			`"email":"p%[1]d@example.com"}`, p.ID, p.FullName, p.Headline, p.SocialURL))
	}
	storeLines(f.t, f.db, lines...)
}

// Users add people to a list and remove them, by id, email and profile URL. Nobody is on a list twice, and a
// search can be restricted to a list.
func TestListsRestrictSearches(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.storeEveryone()
	path := f.list("Q3")
	var ch listChange
	f.data(http.MethodPost, path+"/people",
		`{"people":[3,"p5@example.com","https://social.example/in/person-7?x=1","person-7","nobody@example.com",`+
			`99,"3"]}`, &ch)
	var got []any
	for _, r := range ch.Results {
		got = append(got, fmt.Sprint(r.Status, " ", r.PersonID))
	}
	expect.Values(t, "results", got,
		"added 3", "added 5", "added 7", "unchanged 7", "not_found 0", "not_found 0", "unchanged 3")
	ids := func() string {
		t.Helper()
		var out []string
		for cursor := ""; ; {
			e := f.call(http.MethodGet, path+"/people?limit=2&cursor="+url.QueryEscape(cursor), "", f.bearer()).wants(t,
				http.StatusOK, "")
			var page struct {
				Data       []struct{ ID int64 }
				Pagination struct{ Cursor string }
			}
			expect.NoError(t, json.Unmarshal(e.body, &page))
			for _, p := range page.Data {
				out = append(out, fmt.Sprint(p.ID))
			}
			if cursor = page.Pagination.Cursor; cursor == "" {
				return strings.Join(out, " ")
			}
		}
	}
	if got := ids(); got != "3 5 7" {
		t.Errorf("the list has %s", got)
	}
	within := func() string {
		t.Helper()
		id := strings.TrimPrefix(path, "/v2/lists/")
		e := f.search(`{"filters":{"position":"engineer"},"scope":"specific_list",`+
			`"specific_list_data":{"list":"`+id+`"}}`).
			wants(t, http.StatusOK, "")
		var page struct{ Data []struct{ ID int64 } }
		expect.NoError(t, json.Unmarshal(e.body, &page))
		return fmt.Sprint(page.Data)
	}
	if got := within(); got != "[{5} {7}]" && got != "[{7} {5}]" {
		t.Errorf("a search within the list finds %s", got)
	}
	f.data(http.MethodDelete, path+"/people", `{"people":[5,7,7,8]}`, &ch)
	expect.Len(t, "results of the removal", ch.Results, 4)
	expect.Values(t, "list after the removal",
		[]any{ids(), ch.Results[0].Status, ch.Results[2].Status, ch.Results[3].Status},
		"3", "removed", "unchanged", "unchanged")
	f.data(http.MethodDelete, path+"/people", `{"people":[3]}`, &ch)
	if got := within(); got != "[]" {
		t.Errorf("a search within an empty list finds %s", got)
	}
	var l listData
	f.data(http.MethodPatch, path, `{"name":"Q4"}`, &l)
	if l.Name != "Q4" || l.People != 0 {
		t.Errorf("renamed list: %+v", l)
	}
	f.call(http.MethodDelete, path, "", f.bearer()).wants(t, http.StatusOK, "")
	f.call(http.MethodGet, path, "", f.bearer()).wants(t, http.StatusNotFound, "LIST_NOT_FOUND")
	var told []string
	err := f.db.Audit().Each(t.Context(), audit.Filter{Action: "list."},
		func(e audit.Entry) error { told = append(told, e.Action); return nil })
	if want := "list.created list.changed list.changed list.changed list.deleted"; err != nil ||
		strings.Join(told, " ") != want {
		t.Errorf("audit event kinds are %v, %v", told, err)
	}
}

// The number of lists and the people on a list are limited, and users see only their own lists.
func TestListsAreLimitedAndPrivate(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.storeEveryone()
	path := f.list("A")
	f.list("B")
	f.list("C")
	f.call(http.MethodPost, "/v2/lists", `{"name":"D"}`, f.bearer()).wants(t, http.StatusConflict, "LIST_QUOTA")
	f.call(http.MethodPost, "/v2/lists", `{"name":"  "}`, f.bearer()).wants(t, http.StatusUnprocessableEntity,
		"VALIDATION_FAILED")
	pgtest.Exec(t, f.db, `insert into people (id, record, hash, rank, version, company_ids)
			select 1000 + n, '{}', '', 0, 0, '{}' from generate_series(1, 9999) n`)
	_, err := f.db.Pool().Exec(t.Context(),
		"insert into list_people (list_id, person_id) select (select min(id) from lists), id from people where id > "+
			"1000")
	expect.NoError(t, err)
	var ch listChange
	f.data(http.MethodPost, path+"/people", `{"people":[1]}`, &ch)
	f.call(http.MethodPost, path+"/people", `{"people":[2]}`, f.bearer()).wants(t, http.StatusConflict, "LIST_FULL")
	f.data(http.MethodPost, path+"/people", `{"people":[1]}`, &ch)

	other := "Authorization: Bearer " + f.issue("u2")
	id := strings.TrimPrefix(path, "/v2/lists/")
	for _, r := range []struct{ method, path, body string }{
		{http.MethodGet, path, ""},
		{http.MethodPatch, path, `{"name":"mine"}`},
		{http.MethodDelete, path, ""},
		{http.MethodGet, path + "/people", ""},
		{http.MethodPost, path + "/people", `{"people":[1]}`},
		{http.MethodDelete, path + "/people", `{"people":[1]}`},
	} {
		f.call(r.method, r.path, r.body, other).wants(t, http.StatusNotFound, "LIST_NOT_FOUND")
	}
	f.call(http.MethodPost, "/v2/people/search",
		`{"filters":{"position":"engineer"},"scope":"specific_list","specific_list_data":{"list":"`+id+`"}}`, other).
		wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	if e := f.call(http.MethodGet, "/v2/lists", "", other).wants(t, http.StatusOK,
		""); !strings.Contains(string(e.body), `"data":[]`) {
		t.Errorf("lists of another user: %s", e.body)
	}
}
