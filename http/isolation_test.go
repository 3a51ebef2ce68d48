package http_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"kith"
	kithhttp "kith/http"
	"kith/index/memindex"
	"kith/internal/access/auth"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// The isolation test compares two worlds. The first holds all relationships of all users; the second lacks those
// that the caller may not see. After every action the caller must get the same answers from both, byte for byte,
// and both must read the same data for them.

// worldPeople are the people of both worlds. The first eight are users.
const (
	worldPeople = 24
	worldUsers  = 8
)

// isolated is one of the worlds.
type isolated struct {
	*fixture
	nets *network.Service
	// apps are acme, of the caller and users 1 to 5, and globex, of the others.
	apps   []auth.App
	actors []kith.Actor
	read   *reading
	// demo is a user of the demo, whose people have the same ids.
	demo     kith.Actor
	demoNets *network.Service
	cursors  []string
}

// newIsolated makes a world without relationships. Hidden records, of owners without any tie to the caller, exist
// only in the first world.
func newIsolated(t *testing.T, hidden bool) *isolated {
	t.Helper()
	w := &isolated{}
	w.fixture = newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		w.fill(t, f.db)
		if hidden {
			w.hide(t, f.db)
		}
		w.read = &reading{Store: f.db.Network()}
		circles := network.NewCircles(w.read, nil)
		live := &cfg.Datasets[0]
		live.Search = networked(t, f.db, memindex.New(), circles)
		live.Reach = network.NewReach(circles, f.db, newCompanyNames(f.db))
		w.addDemo(t, cfg)
	})
	w.nets, w.apps = network.New(w.db.Network()), []auth.App{w.app}
	globex, _, err := w.auth.CreateApp(t.Context(), "globex")
	expect.NoError(t, err)
	w.apps = append(w.apps, globex)
	for _, app := range w.apps {
		for _, team := range []string{"red", "blue"} {
			expect.NoError(t, w.db.Network().CreateTeam(t.Context(), app.ID, team))
		}
	}
	for i := range worldUsers {
		w.join(t, i)
	}
	if hidden {
		quiet := pgtest.User(t, w.db, w.app, "quiet", "quiet@example.com")
		w.own(t, "user:1000000", quiet.UserID)
		w.own(t, "user:1000001", w.actors[worldUsers-1].UserID)
	}
	return w
}

// hide loads records of a user of the caller's app who shares nothing, and of a user of another app. The people
// resemble the shared ones; some have the same profiles.
func (w *isolated) hide(t *testing.T, db *postgres.DB) {
	t.Helper()
	for i, owner := range []string{"user:1000000", "user:1000001"} {
		pgtest.Exec(t, db, "insert into owners (key) values ($1)", owner)
		var lines strings.Builder
		for n := range 12 {
			profile := 1000 + 100*i + n
			company := []string{
				`{"id":1}`, `{"name":"Secret Works","domain":"secret.example"}`, `{"name":"Initech, Inc."}`,
				`{"name":"Hooli","domain":"hooli.hidden.example"}`,
			}[n%4]
			fmt.Fprintf(&lines, `{"full_name":"Pat Hidden%d","social_url":"https://social.example/in/p%d",`+
				`"email":"p%d@example.com","headline":"Engineer",`+
				`"work_history":[{"title":"Engineer","company":%s,"start_date":"2011"}],"skills":["secrecy"]}`+"\n", n,
				profile, n+1, company)
		}
		people := loader.Options{Kind: record.People}
		if stats := pgtest.LoadOwned(t, db, owner, people, lines.String()); stats.Created != 12 {
			t.Fatal(stats)
		}
	}
}

// own makes records belong to a user.
func (w *isolated) own(t *testing.T, owner string, user int64) {
	t.Helper()
	pgtest.Exec(t, w.db, "update owners set user_id = $2 where key = $1", owner, user)
}

// appOf returns the app of a user.
func appOf(user int) int { return user / 6 }

func (w *isolated) join(t *testing.T, i int) {
	t.Helper()
	issued, err := w.auth.Issue(t.Context(), w.apps[appOf(i)],
		auth.Identity{ExternalID: fmt.Sprint("user", i), Email: fmt.Sprintf("p%d@example.com", i+1)})
	expect.NoError(t, err)
	actor, err := w.auth.Verify(t.Context(), issued.Token)
	expect.NoError(t, err)
	if w.actors = append(w.actors, actor); i == 0 {
		w.token = issued.Token
	}
}

// fill loads the people: every third worked at company 1, every fourth at company 2, each at a different time.
func (w *isolated) fill(t *testing.T, db *postgres.DB) {
	t.Helper()
	var lines strings.Builder
	for id := 1; id <= worldPeople; id++ {
		jobs := []string{}
		for _, company := range []int{1, 2} {
			if id%(company+2) == 0 {
				jobs = append(jobs, fmt.Sprintf(`{"title":"Engineer","company":{"id":%d},"start_date":"20%d"}`, company,
					10+id%5))
			}
		}
		fmt.Fprintf(&lines, `{"id":%[1]d,"full_name":"Pat Number%[1]d",`+
			`"social_url":"https://social.example/in/p%[1]d","email":"p%[1]d@example.com","headline":"Engineer",`+
			`"work_history":[%[2]s]}`+"\n", id, strings.Join(jobs,
			","))
	}
	pgtest.Load(t, db, record.Companies, `{"id":1,"name":"Initech","domain":"initech.example","employee_count":40}
{"id":2,"name":"Hooli","domain":"hooli.example","employee_count":12}`)
	pgtest.Load(t, db, record.People, lines.String())
}

// addDemo adds a demo of the same people, with a user.
func (w *isolated) addDemo(t *testing.T, cfg *kithhttp.Config) {
	t.Helper()
	db := pgtest.NewDataset(t)
	w.fill(t, db)
	svc, circles := auth.New(db.Auth(), auth.Config{}), network.NewCircles(db.Network(), nil)
	app, _, err := svc.CreateApp(t.Context(), "acme")
	expect.NoError(t, err)
	issued, err := svc.Issue(t.Context(), app, auth.Identity{ExternalID: "user0", Email: "p1@example.com"})
	expect.NoError(t, err)
	w.demo, err = svc.Verify(t.Context(), issued.Token)
	expect.NoError(t, err)
	w.demoNets = network.New(db.Network())
	demo := cfg.Datasets[0]
	demo.Name, demo.Demo, demo.Auth, demo.Network = "demo", true, svc, w.demoNets
	demo.Search, demo.Reach = networked(t, db, memindex.New(), circles),
		network.NewReach(circles, db, newCompanyNames(db))
	cfg.Datasets = append(cfg.Datasets, demo)
}

// reset deletes everything that users have added.
func (w *isolated) reset() {
	for _, sql := range []string{
		"delete from relationships", "delete from team_members", "delete from circles",
		"update users set sharing = 'none', network_updated_at = null, network_version = network_version + 1",
	} {
		pgtest.Exec(w.t, w.db, sql)
	}
	w.cursors = nil
}

// meet gives a user relationships with people.
func (w *isolated) meet(user int, people map[int]float64) {
	var elements []network.Element
	for person, score := range people {
		elements = append(elements, network.Element{Identifier: fmt.Sprint("p", person), Score: &score})
	}
	if _, err := w.nets.Import(w.t.Context(), w.actors[user], elements, 5); err != nil {
		w.t.Fatal(err)
	}
}

func (w *isolated) part(user int, person int64) {
	if err := w.nets.Delete(w.t.Context(), w.actors[user], person); err != nil && kith.KindOf(err) != kith.NotFound {
		w.t.Fatal(err)
	}
}

// isolatedRequest is a request of the caller.
type isolatedRequest struct{ method, path, body string }

// request draws a request. cursor is the number of a walk, which both worlds know, to continue.
func request(t *rapid.T, walks int) (r isolatedRequest, cursor int) {
	person := rapid.IntRange(1, worldPeople+1).Draw(t, "asked")
	filters := []string{
		`{}`, `{"connection_degrees":[1]}`, `{"connection_degrees":[2]}`,
		fmt.Sprintf(`{"introducer_social_ids":["p%d"]}`, person),
		`{"user_to_introducer_min_score":"good"}`, `{"introducer_to_target_types":["team","community"]}`,
		`{"introducer_to_target_min_score":"okay"}`, `{"exclude_teams":true}`, `{"exclude_community":true}`,
	}
	switch rapid.IntRange(0, 11).Draw(t, "request") {
	case 8:
		// Hidden records have ids above those of shared people, which end with worldPeople.
		return isolatedRequest{
			http.MethodPost,
			fmt.Sprintf("/v2/people/%d/paths", worldPeople+rapid.IntRange(1, 24).Draw(t, "hidden")), "",
		}, -1
	case 9:
		profile := rapid.SampledFrom([]int{3, 1000, 1001, 1100, 1101}).Draw(t, "profile")
		return isolatedRequest{
			http.MethodPost, "/v2/people/enrich",
			fmt.Sprintf(`{"social_url":"https://social.example/in/p%d"}`, profile),
		}, -1
	case 10:
		if rapid.Bool().Draw(t, "duplicates") {
			return isolatedRequest{http.MethodGet, "/v2/people/duplicates", ""}, -1
		}
		identifier := rapid.SampledFrom([]string{
			"p1@example.com", "p12@example.com", strconv.Itoa(worldPeople + 1),
			strconv.Itoa(worldPeople + 13),
		}).Draw(t, "identifier")
		return isolatedRequest{http.MethodPost, "/v2/people/enrich", fmt.Sprintf(`{"social_url":%q}`, identifier)}, -1
	case 0, 1:
		if walks > 0 {
			return isolatedRequest{http.MethodPost, "/v2/people/search", `{"limit":4}`},
				rapid.IntRange(0, walks-1).Draw(t, "walk")
		}
	case 2:
		company := rapid.SampledFrom([]string{
			`"domain":"initech.example"`, `"domain":"hooli.example"`, `"domain":"secret.example"`,
			`"name":"Initech"`, `"name":"Hooli"`, `"name":"Secret Works"`, `"id":3`, `"id":4`,
		}).Draw(t, "company")
		return isolatedRequest{http.MethodPost, "/v2/companies/paths", "{" + company + "}"}, -1
	case 11:
		// Hidden companies follow the two of the shared ones.
		return isolatedRequest{
			http.MethodGet, rapid.SampledFrom([]string{
				"/v2/companies/1", "/v2/companies/3", "/v2/companies/4", fmt.Sprintf("/v2/people/%d", person),
				fmt.Sprintf("/v2/people/%d", worldPeople+rapid.IntRange(1, 24).Draw(t, "hidden")),
			}).Draw(t, "read"), "",
		}, -1
	case 3:
		return isolatedRequest{http.MethodPost, fmt.Sprintf("/v2/people/%d/paths", person), ""}, -1
	case 4:
		return isolatedRequest{http.MethodGet, relationshipsPath + "?limit=3", ""}, -1
	case 5:
		return isolatedRequest{http.MethodGet, "/v2/user/me", ""}, -1
	}
	if rapid.IntRange(0, 2).Draw(t, "prompt") == 0 {
		return isolatedRequest{http.MethodPost, "/v2/people/search", fmt.Sprintf(
			`{"prompt":%q,"limit":%d,"explain":%v,"stream":%v,"include_counts":"all","facets":["company"]}`,
			rapid.SampledFrom([]string{
				"people I know", "who can I reach", "my strongest connections", "who can introduce me to engineers",
				"people who know engineers",
			}).Draw(t, "asks"), rapid.IntRange(1, 30).Draw(t, "limit"), rapid.Bool().Draw(t, "explain"),
			rapid.Bool().Draw(t, "stream"))}, -1
	}
	scope := rapid.SampledFrom([]string{"network", "network", "global"}).Draw(t, "scope")
	if scope == "global" {
		filters = filters[:1]
	}
	return isolatedRequest{http.MethodPost, "/v2/people/search", fmt.Sprintf(
		`{"filters":{"keywords":"engineer"},"scope":%q,"limit":%d,"explain":%v,"stream":%v,"include_counts":"all",`+
			`"facets":["company"],"network_filters":%s}`,
		scope, rapid.IntRange(1, 30).Draw(t, "limit"), rapid.Bool().Draw(t, "explain"), rapid.Bool().Draw(t, "stream"),
		rapid.SampledFrom(filters).Draw(t, "filters"))}, -1
}

var (
	requestName = regexp.MustCompile(`req_[0-9A-Z]{26}`)
	moments     = regexp.MustCompile(`"20\d\d-\d\d-\d\dT[^"]*"`)
	sealed      = regexp.MustCompile(`("(?:cursor|counts_token|id)":|id: )"?[A-Za-z0-9_.-]{40,}"?`)
)

// ask sends a request to a world. It returns the answer without the values that differ each time, and the reads
// behind it.
func (w *isolated) ask(r isolatedRequest, walk int) (text string, read []string) {
	body := r.body
	if walk >= 0 {
		body = strings.Replace(body, "{", fmt.Sprintf(`{"cursor":%q,`, w.cursors[walk]), 1)
	}
	req := httptest.NewRequestWithContext(w.t.Context(), r.method, r.path, strings.NewReader(body))
	req.Header.Set("Authorization", "Bearer "+w.token)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	w.read.taken()
	res := httptest.NewRecorder()
	w.server.ServeHTTP(res, req)
	answer := res.Body.Bytes()
	var page struct{ Pagination struct{ Cursor string } }
	if json.Unmarshal(answer, &page) == nil && page.Pagination.Cursor != "" && strings.HasSuffix(r.path, "search") {
		w.cursors = append(w.cursors, page.Pagination.Cursor)
	}
	text = requestName.ReplaceAllString(fmt.Sprint(res.Code, "\n", string(answer)), "REQUEST")
	text = sealed.ReplaceAllString(moments.ReplaceAllString(text, "MOMENT"), "${1}SEALED")
	return countsLast(text), w.read.taken()
}

// countsLast moves the counts of a stream, which arrive when they are ready, to its end.
func countsLast(text string) string {
	events := strings.SplitAfter(text, "\n\n")
	slices.SortStableFunc(events, func(a, b string) int {
		return strings.Count(a, "event: counts") - strings.Count(b, "event: counts")
	})
	return strings.Join(events, "")
}

// compare sends the same request to both worlds.
func (w *worlds) compare(t *rapid.T, r isolatedRequest, walk int) string {
	whole, readWhole := w.whole.ask(r, walk)
	seen, readSeen := w.seen.ask(r, walk)
	if whole != seen {
		t.Fatalf("%s %s %s (walk %d)\nall data:     %s\nvisible data: %s", r.method, r.path, r.body, walk, whole, seen)
	}
	// In scope global, explanations and counts both compute the caller's reach, concurrently. Which of them reads
	// more is chance.
	if !strings.Contains(r.body, `"scope":"global"`) && !slices.Equal(readWhole, readSeen) {
		t.Fatalf("%s %s %s\nreads with all data: %v\nreads with visible data: %v", r.method, r.path, r.body,
			readWhole, readSeen)
	}
	return whole
}

func TestUnsharedDataIsInvisible(t *testing.T) {
	t.Parallel()
	w := &worlds{whole: newIsolated(t, true), seen: newIsolated(t, false)}
	answered := map[string]int{}
	ask := func(rt *rapid.T, r isolatedRequest, walk int) {
		answer := w.compare(rt, r, walk)
		answered[fmt.Sprint(r.path, " ", answer[:3])]++
		for _, shared := range []string{
			`"is_direct":true`, `"introduces":[`, "shares with you that they know",
			"Shared by your team", "Shared by the community",
		} {
			if strings.Contains(answer, shared) {
				answered[shared]++
			}
		}
	}
	check := func(rt *rapid.T) {
		effort.Deadline(t)
		w.begin(rand.New(rand.NewPCG(rapid.Uint64().Draw(rt, "seed"), 1)))
		for range rapid.IntRange(3, 12).Draw(rt, "steps") {
			w.act(rt)
			if rapid.IntRange(0, 3).Draw(rt, "quiet") > 0 {
				r, walk := request(rt, len(w.whole.cursors))
				ask(rt, r, walk)
			}
		}
		for user := 1; user < worldUsers; user++ {
			w.share(user, network.ShareNone)
		}
		w.settle()
		for walk := range w.whole.cursors {
			ask(rt, isolatedRequest{http.MethodPost, "/v2/people/search", `{"limit":4}`}, walk)
		}
	}
	wanted := []string{
		"/v2/people/search 200", "/v2/people/search 410", `"is_direct":true`, `"introduces":[`,
		"shares with you that they know", "Shared by your team", "Shared by the community",
	}
	lacking := func() bool {
		return slices.ContainsFunc(wanted, func(want string) bool { return answered[want] == 0 })
	}
	checks := effort.Scaled(100)
	expect.NoError(t, flag.Set("rapid.checks", strconv.Itoa(checks)))
	rapid.Check(t, check)
	for done := checks; lacking() && done < 500; done += checks { // some rounds may lack a kind of sharing
		rapid.Check(t, check)
	}
	if lacking() {
		t.Errorf("the rounds did not cover all of %q: %v", wanted, answered)
	}
}
