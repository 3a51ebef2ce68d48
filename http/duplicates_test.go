package http_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"kith/internal/imports/loader"
	"kith/internal/record"
	"kith/internal/record/identity"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// twin is a record of one of two people of the same name and company.
func twin(last, title string) string {
	return fmt.Sprintf(`{"full_name":"Ann %s","sources":["%s:%[1]s"],`+
		`"work_relevant":{"title":%[2]q,"company":{"name":"Twins"}}}`, last, title)
}

func TestDuplicatesAreListedInPages(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	var lines []string
	for _, last := range []string{"Moe", "Poe", "Zoe"} {
		for _, title := range []string{"Engineer", "Head of Sales"} {
			lines = append(lines, twin(last, title))
		}
	}
	united := loader.Options{Kind: record.People, Uniter: identity.Uniter{}}
	if stats := pgtest.LoadOwned(t, f.db, record.Everyone, united, lines...); stats.Created != 6 {
		t.Fatal(stats)
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
		expect.NoError(t, json.Unmarshal(answer.body, &page))
		for _, d := range page.Data {
			if d.Score != 6 || len(d.Reasons) != 3 || len(d.People) != 2 ||
				d.People[0].FullName != d.People[1].FullName {
				t.Errorf("duplicate: %+v", d)
			}
			seen[d.People[0].FullName] = true
		}
		path = "/v2/people/duplicates?limit=2&cursor=" + page.Pagination.Cursor
	}
	if len(seen) != 3 || page.Pagination.HasNextPage {
		t.Errorf("pairs and last pagination: %v, %+v", seen, page.Pagination)
	}
	f.call(http.MethodGet, "/v2/people/duplicates?cursor=nonsense", "", f.bearer()).wants(t, 400, "CURSOR_INVALID")
}

type shownDecision struct {
	People []struct {
		ID       int64
		FullName string `json:"full_name"`
	}
	Decision  string
	DecidedBy string `json:"decided_by"`
}

type shownPair struct {
	People []struct {
		ID       int64
		FullName string `json:"full_name"`
	}
	Decidable bool
}

// own stores two records of a user with one name, which may be one person.
func (f *fixture) own(t *testing.T, user string) {
	t.Helper()
	users, err := f.db.Auth().UsersNamed(t.Context(), "acme", user)
	expect.NoError(t, err)
	owner, err := f.db.Network().UserOwner(t.Context(), users[0].UserID)
	expect.NoError(t, err)
	var lines []string
	for _, title := range []string{"Engineer", "Head of Sales"} {
		lines = append(lines, twin("Own", title))
	}
	pgtest.LoadOwned(t, f.db, owner, loader.Options{Kind: record.People, Uniter: identity.Uniter{}}, lines...)
}

// Users merge their own records or keep them apart, and take that back. Decisions persist. Only operators decide
// about records that others see.
func TestUsersDecideDuplicatesOfTheirRecords(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const path = "/v2/people/duplicates"
	f.own(t, "u1")
	pairs := func(header string) []shownPair { return as[[]shownPair](t, f.call(http.MethodGet, path, "", header)) }
	first := pairs(f.bearer())
	if len(first) != 1 || !first[0].Decidable {
		t.Fatalf("open pairs: %+v", first)
	}
	a, b := first[0].People[0].ID, first[0].People[1].ID
	decide := func(decision, header string) answer {
		return f.call(http.MethodPost, path, fmt.Sprintf(`{"people":[%d,"%d"],"decision":%s}`, a, b, decision), header)
	}
	decided := func() string {
		var out []string
		for _, d := range as[[]shownDecision](t, f.call(http.MethodGet, path+"/decided", "", f.bearer())) {
			out = append(out, d.Decision+" "+d.People[0].FullName+" "+d.People[1].FullName+" "+d.DecidedBy)
		}
		return strings.Join(out, ", ")
	}
	wants := func(when string, records, open int, want string) {
		t.Helper()
		f.own(t, "u1") // decisions survive another load
		if n := f.count("people where owner <> ''"); n != records || len(pairs(f.bearer())) != open ||
			decided() != want {
			t.Errorf("%s: %d people, %d open pairs, decided %q", when, n, len(pairs(f.bearer())), decided())
		}
	}
	decide(`"merge"`, "Authorization: Bearer "+f.issue("u2")).wants(t, http.StatusNotFound, "PERSON_NOT_FOUND")
	decide(`"merge"`, f.bearer()).wants(t, http.StatusOK, "")
	wants("merged", 1, 0, "merge Ann Own Ann Own user u1")
	decide("null", f.bearer()).wants(t, http.StatusOK, "")
	wants("taken back", 2, 1, "")
	decide(`"apart"`, f.bearer()).wants(t, http.StatusOK, "")
	wants("kept apart", 2, 0, "apart Ann Own Ann Own user u1")
	decide("null", f.bearer()).wants(t, http.StatusOK, "")
	wants("taken back again", 2, 1, "")
	decide(`"maybe"`, f.bearer()).wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	pgtest.Exec(t, f.db, "update people set owner = '' where owner <> ''")
	decide(`"merge"`, f.bearer()).wants(t, http.StatusForbidden, "NOT_YOUR_RECORDS")
	if open := pairs(f.bearer()); len(open) != 1 || open[0].Decidable {
		t.Errorf("open pairs: %+v", open)
	}
	operator := f.operatorSession()
	if open := pairs(operator); len(open) != 1 || !open[0].Decidable {
		t.Errorf("open pairs: %+v", open)
	}
	f.call(http.MethodPost, path, fmt.Sprintf(`{"people":[%d,%d],"decision":"merge"}`, a, b), fromPage(operator)...).
		wants(t, http.StatusOK, "")
}
