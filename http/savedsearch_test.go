package http_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith"
	kithhttp "kith/http"
	"kith/index"
	"kith/index/indextest"
	"kith/index/memindex"
	"kith/internal/access/audit"
	"kith/internal/outreach"
	"kith/internal/search"
	"kith/internal/search/saved"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/analysis"
	"kith/query/indexed"
	"kith/query/prompt/prompttest"
)

const engineersSaved = `{"name":"Engineers","search":{"filters":{"position":"engineer"},"scope":"global"}}`

// mostMatches is how many people a saved search of the tests may match.
const mostMatches = 30

// growing is a fixture with an index that can grow.
type growing struct {
	*fixture
	index    *memindex.Index
	searches *saved.Searches
	now      time.Time
}

func newGrowing(t *testing.T) *growing {
	t.Helper()
	g := &growing{index: memindex.New(), now: time.Now()}
	g.fixture = newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		searcher := search.New(search.Config{
			Index: index.New(g.index), Planner: prompttest.Planner(), Records: records{}, Settings: f.db,
			Sight: search.Everything{}, Seal: newSealer(t),
		})
		g.searches = saved.NewSearches(saved.Config{
			Store: f.db.Saved(), Searcher: searcher, Read: kithhttp.SavedRequest, Quotas: saved.Quotas{Searches: 3},
			Matches: mostMatches, Now: func() time.Time { return g.now },
		})
		cfg.Datasets[0].Search, cfg.Datasets[0].Searches = searcher, g.searches
	})
	g.engineers(1, 4)
	return g
}

// engineers adds matching people with the ids from first to last.
func (g *growing) engineers(first, last int64) {
	g.t.Helper()
	var docs []indexed.Document
	for id := first; id <= last; id++ {
		p := people()[0]
		p.ID, p.SocialURL = id, fmt.Sprintf("https://social.example/in/person-%d", id)
		d, err := analysis.Person(p, id, 1)
		expect.NoError(g.t, err)
		docs = append(docs, d)
	}
	indextest.Store(g.t, g.index, index.People, docs...)
}

// save saves a search for engineers.
func (g *growing) save() string {
	g.t.Helper()
	var s struct{ ID string }
	g.data(http.MethodPost, "/v2/searches", engineersSaved, &s)
	return "/v2/searches/" + s.ID
}

// news pages through the new matches.
func (g *growing) news(path string, limit int) string {
	g.t.Helper()
	var out []string
	for cursor := ""; ; {
		e := g.call(http.MethodGet, fmt.Sprintf("%s/new?limit=%d&cursor=%s", path, limit, url.QueryEscape(cursor)), "",
			g.bearer()).wants(g.t, http.StatusOK, "")
		var page struct {
			Data       []struct{ ID int64 }
			Pagination struct {
				Cursor      string
				HasNextPage bool `json:"has_next_page"`
				Count       int
			}
		}
		expect.NoError(g.t, json.Unmarshal(e.body, &page))
		for _, p := range page.Data {
			out = append(out, fmt.Sprint(p.ID))
		}
		if page.Pagination.HasNextPage != (page.Pagination.Cursor != "") || page.Pagination.Count != len(page.Data) ||
			page.Pagination.HasNextPage && len(page.Data) != limit {
			g.t.Errorf("pagination of the new matches: %s", e.body)
		}
		if cursor = page.Pagination.Cursor; cursor == "" {
			return strings.Join(out, " ")
		}
	}
}

// People who match when a user saves a search are not new; later ones are, on every page size, until the user
// marks them as seen. People who match again are new again.
func TestSavedSearchesReportNewMatches(t *testing.T) {
	t.Parallel()
	g := newGrowing(t)
	path := g.save()
	if got := g.news(path, 25); got != "" {
		t.Errorf("new matches at once: %s", got)
	}
	g.engineers(5, 9)
	for _, limit := range []int{1, 2, 5, 25} {
		if got := g.news(path, limit); len(strings.Fields(got)) != 5 || strings.ContainsAny(got, "1234") {
			t.Errorf("page size %d: new matches are %s", limit, got)
		}
	}
	var seen struct{ Seen int }
	g.data(http.MethodPost, path+"/seen", `{"people":[5,"6",7,"777"]}`, &seen)
	if got := g.news(path, 1); seen.Seen != 7 || got != "8 9" && got != "9 8" {
		t.Errorf("%d seen, new matches are %s", seen.Seen, got)
	}
	indextest.Drop(t, g.index, index.People, 2, 9)
	g.data(http.MethodPost, path+"/seen", `{}`, &seen)
	g.engineers(2, 2)
	if got := g.news(path, 25); seen.Seen != 7 || got != "2" {
		t.Errorf("%d seen, new matches are %s", seen.Seen, got)
	}
	e := g.call(http.MethodGet, "/v2/searches", "", g.bearer()).wants(t, http.StatusOK, "")
	if !strings.Contains(string(e.body), `"filters":{"position":"engineer"}`) {
		t.Errorf("the list of saved searches lacks the filters: %s", e.body)
	}
	g.call(http.MethodDelete, path, "", g.bearer()).wants(t, http.StatusOK, "")
	g.call(http.MethodGet, path+"/new", "", g.bearer()).wants(t, http.StatusNotFound, "SEARCH_NOT_FOUND")
	var told []string
	err := g.db.Audit().Each(t.Context(), audit.Filter{Action: "search."},
		func(e audit.Entry) error { told = append(told, e.Action); return nil })
	if err != nil || strings.Join(told, " ") != "search.saved search.deleted" {
		t.Errorf("audit event kinds are %v, %v", told, err)
	}
}

// A saved search keeps the reading that was chosen, which the prompt must have.
func TestSavedSearchesKeepTheirReading(t *testing.T) {
	t.Parallel()
	g := newGrowing(t)
	search := func(reading int) string {
		return fmt.Sprintf(`{"name":"A","search":{"prompt":"engineers","reading":%d,"scope":"global"}}`, reading)
	}
	var kept struct {
		ID     string
		Search struct{ Reading int }
	}
	g.data(http.MethodPost, "/v2/searches", search(1), &kept)
	g.engineers(5, 5)
	expect.Values(t, "reading and new matches", []any{kept.Search.Reading, g.news("/v2/searches/"+kept.ID, 25)}, 1, "5")
	e := g.call(http.MethodPost, "/v2/searches", search(3), g.bearer()).wants(t, http.StatusUnprocessableEntity,
		"VALIDATION_FAILED")
	expect.Parts(t, "answer", string(e.body), "NO_SUCH_READING")
}

// The refusal names the part of the body that cannot be saved.
func TestUnsuitableSearchesAreNotSaved(t *testing.T) {
	t.Parallel()
	g := newGrowing(t)
	for body, want := range map[string]string{
		`{"name":"A","search":{}}`: "search.prompt",
		`{"name":"A","search":{"filters":{"position":"engineer"},"limit":5}}`: "search.limit",
		`{"name":"A","search":{"filters":{"companySize":"many"}}}`:            "search.filters.companySize",
		`{"name":" ","search":{"filters":{"position":"engineer"}}}`:           "name",

		`{"name":"A","search":{"filters":{"position":"engineer"},"scope":"specific_list"}}`: "search.scope",
	} {
		e := g.call(http.MethodPost, "/v2/searches", body, g.bearer()).wants(t, http.StatusUnprocessableEntity,
			"VALIDATION_FAILED")
		if !strings.Contains(string(e.body), `"field":"`+want+`"`) {
			t.Errorf("%s: %s", body, e.body)
		}
	}
	path := g.save()
	g.save()
	g.save()
	g.call(http.MethodPost, "/v2/searches", engineersSaved, g.bearer()).wants(t, http.StatusConflict, "SEARCH_QUOTA")
	g.engineers(5, mostMatches+1)
	g.call(http.MethodPost, "/v2/searches", engineersSaved, g.bearer()).wants(t, http.StatusUnprocessableEntity,
		"VALIDATION_FAILED")
	g.call(http.MethodPost, path+"/seen", `{}`, g.bearer()).wants(t, http.StatusUnprocessableEntity,
		"VALIDATION_FAILED")

	other := "Authorization: Bearer " + g.issue("u2")
	for _, r := range []struct{ method, path, body string }{
		{http.MethodGet, path, ""},
		{http.MethodDelete, path, ""},
		{http.MethodGet, path + "/new", ""},
		{http.MethodPost, path + "/seen", `{}`},
	} {
		g.call(r.method, r.path, r.body, other).wants(t, http.StatusNotFound, "SEARCH_NOT_FOUND")
	}
}

// Webhooks get the number of new matches once, and none if there are no new ones.
func TestWebhooksGetNewMatchesOnce(t *testing.T) {
	t.Parallel()
	g := newGrowing(t)
	path := g.save()
	delivery := g.db.Delivery(newSealer(t))
	var hook outreach.Webhook
	watch := func() string {
		t.Helper()
		expect.NoError(t, g.searches.Watch(t.Context(), zerolog.Nop()))
		later := time.Now().Add(24 * time.Hour)
		events, err := delivery.Take(t.Context(), outreach.Receiver{App: g.app.ID, Webhook: hook.ID}, later, 100)
		expect.NoError(t, err)
		var out []string
		for _, e := range events {
			out = append(out, e.ExternalID+" "+*e.News.Detail)
			expect.NoError(t, delivery.Accepted(t.Context(), e.ID))
		}
		return strings.Join(out, ", ")
	}
	later := func(d time.Duration) { g.now = g.now.Add(d) }
	wants := func(when, want string) {
		t.Helper()
		if got := watch(); got != want {
			t.Errorf("%s: webhooks got %q, want %q", when, got, want)
		}
	}
	g.engineers(5, 6)
	later(25 * time.Hour)
	wants("without webhooks", "")
	var err error
	hook, err = delivery.AddWebhook(t.Context(), outreach.Subscriber{App: g.app.ID, By: kith.OperatorPrincipal()},
		outreach.Webhook{URL: "https://example.com/", Secret: "s"})
	expect.NoError(t, err)
	wants("after a day", `u1 {"count": 2}`)
	wants("at once again", "")
	later(25 * time.Hour)
	wants("a day later, with nobody further", "")
	g.engineers(7, 7)
	later(2 * time.Hour)
	wants("before a day is over, while records are as they were", "")
	storeLines(t, g.db, `{"full_name":"New","social_url":"https://social.example/in/new"}`)
	pgtest.Exec(t, g.db, "update index_level set version = version + 1")
	wants("after records changed", `u1 {"count": 1}`)
	var seen struct{ Seen int }
	g.data(http.MethodPost, path+"/seen", `{}`, &seen)
	g.engineers(8, 8)
	later(25 * time.Hour)
	wants("after the rest was looked at", `u1 {"count": 1}`)
	expect.NoError(t, g.auth.SetDisabled(t.Context(), kith.OperatorPrincipal(), g.app, "u1", true))
	g.engineers(9, 9)
	later(25 * time.Hour)
	wants("of a user who is disabled", "")
}

// A saved search with too many matches reports that and does not delay other ones.
func TestTooWideSavedSearchesReportIt(t *testing.T) {
	t.Parallel()
	g := newGrowing(t)
	of := outreach.Subscriber{App: g.app.ID, By: kith.OperatorPrincipal()}
	if _, err := g.db.Delivery(newSealer(t)).AddWebhook(t.Context(), of,
		outreach.Webhook{URL: "https://example.com/", Secret: "s"}); err != nil {
		t.Fatal(err)
	}
	path := g.save()
	g.engineers(5, mostMatches+1)
	g.now = g.now.Add(25 * time.Hour)
	expect.NoError(t, g.searches.Watch(t.Context(), zerolog.Nop()))
	if e := g.call(http.MethodGet, path, "", g.bearer()).wants(t, http.StatusOK, ""); !strings.Contains(string(e.body),
		"matches more than 30 people") {
		t.Errorf("the saved search does not report its width: %s", e.body)
	}
}
