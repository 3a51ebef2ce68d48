package http_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"kith"
	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// fill stores the people of the fixture as records.
func (f *fixture) fill() {
	f.t.Helper()
	f.load(people())
}

// load stores people as records.
func (f *fixture) load(people []kith.Person) {
	f.t.Helper()
	var lines strings.Builder
	for _, p := range people {
		line, err := json.Marshal(p)
		expect.NoError(f.t, err)
		lines.Write(append(line, '\n'))
	}
	pgtest.Load(f.t, f.db, record.People, lines.String())
}

const relationshipsPath = "/v2/user/relationships"

func TestRelationshipsAreImportedListedAndDeleted(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.fill()
	body := `{"people":["https://social.example/in/person-1",{"identifier":"person-2","score":9.5},"nobody@example.com",
		1.5,{"identifier":"person-3","score":"high"},{},{"identifier":2,"score":8},
		{"identifier":"person-4","score":1e999},"person-3\u0000",{"identifier":"p3\n@example.com"}],"min_score":3}`
	var got struct {
		Summary map[string]int
		Results []struct {
			Identifier, Status string
			Person             *struct{ ID, Name string }
			Error              *struct{ Code string }
		}
	}
	res := f.call(http.MethodPost, relationshipsPath, body, f.bearer()).wants(t, http.StatusOK, "")
	expect.NoError(t, json.Unmarshal(res.envelope(t).Data, &got))
	var said []string
	for _, r := range got.Results {
		text := r.Identifier + " " + r.Status
		if r.Person != nil {
			text += " " + r.Person.ID + " " + r.Person.Name
		}
		if r.Error != nil {
			text += " " + r.Error.Code
		}
		said = append(said, text)
	}
	want := []string{
		"https://social.example/in/person-1 created 1 Person1 Example", "person-2 created 2 Person2 Example",
		"nobody@example.com failed PERSON_NOT_FOUND", "1.5 failed INVALID_IDENTIFIER", "person-3 failed INVALID_SCORE",
		" failed INVALID_IDENTIFIER", "2 created 2 Person2 Example", "person-4 failed INVALID_SCORE",
		"person-3\x00 failed INVALID_IDENTIFIER", "p3\n@example.com failed INVALID_IDENTIFIER",
	}
	if strings.Join(said, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s", strings.Join(said, "\n"))
	}
	expect.Values(t, "summary", []any{got.Summary},
		map[string]int{"processed": 10, "created": 3, "failed": 7, "updated": 0, "unchanged": 0})

	page := f.call(http.MethodGet, relationshipsPath+"?limit=1", "", f.bearer()).wants(t, http.StatusOK, "").envelope(t)
	if !strings.Contains(string(page.Data), `"score":8,"score_label":"very_good","types":["social_contact"]`) ||
		!page.Pagination.HasNextPage {
		t.Errorf("first page: %s, %+v", page.Data, page.Pagination)
	}
	next := relationshipsPath + "?limit=1&cursor=" + url.QueryEscape(page.Pagination.Cursor)
	second := f.call(http.MethodGet, next, "", f.bearer()).wants(t, http.StatusOK, "").envelope(t)
	var list []struct{ ID string }
	if err := json.Unmarshal(second.Data, &list); err != nil || len(list) != 1 || second.Pagination.HasNextPage ||
		second.Pagination.Cursor != "" {
		t.Fatalf("second page %s, %+v, %v", second.Data, second.Pagination, err)
	}
	f.call(http.MethodGet, next, "", "Authorization: Bearer "+f.issue("u2")).wants(t, http.StatusBadRequest,
		"CURSOR_INVALID")

	one := relationshipsPath + "/" + list[0].ID
	f.call(http.MethodDelete, one, "", "Authorization: Bearer "+f.issue("u2")).wants(t, http.StatusNotFound,
		"RELATIONSHIP_NOT_FOUND")
	f.call(http.MethodDelete, one, "", f.bearer()).wants(t, http.StatusOK, "")
	f.call(http.MethodDelete, one, "", f.bearer()).wants(t, http.StatusNotFound, "RELATIONSHIP_NOT_FOUND")
}

func TestRelationshipImportsAreIdempotent(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.fill()
	body := `{"people":["person-1"]}`
	first := f.call(http.MethodPost, relationshipsPath, body, f.bearer(), "Idempotency-Key: k1").wants(t, http.StatusOK,
		"")
	again := f.call(http.MethodPost, relationshipsPath, body, f.bearer(), "Idempotency-Key: k1").wants(t, http.StatusOK,
		"")
	if string(first.body) != string(again.body) || !strings.Contains(string(first.body), `"created":1`) {
		t.Errorf("first and repeated answer: %s\n%s", first.body, again.body)
	}
	f.call(http.MethodPost, relationshipsPath, `{"people":["person-2"]}`, f.bearer(), "Idempotency-Key: k1").wants(t,
		http.StatusConflict, "IDEMPOTENCY_CONFLICT")
}

func TestSharingSettingsAreKept(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.fill()
	f.call(http.MethodPost, relationshipsPath, `{"people":["person-1","person-2"]}`, f.bearer()).wants(t, http.StatusOK,
		"")
	f.call(http.MethodPatch, "/v2/user/me", `{"sharing":"community"}`, f.bearer()).wants(t, http.StatusOK, "")
	me := string(f.meAs(f.token).wants(t, http.StatusOK, "").body)
	if !strings.Contains(me, `"relationships":2`) || !strings.Contains(me, `"sharing":"community"`) ||
		strings.Contains(me, `"updated_at":null`) {
		t.Error("the user's settings:", me)
	}
	other := string(f.meAs(f.issue("u2")).wants(t, http.StatusOK, "").body)
	if !strings.Contains(other, `"relationships":0,"updated_at":null,"sharing":"none"`) {
		t.Error("another user's settings:", other)
	}
}
