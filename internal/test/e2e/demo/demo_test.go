package demo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tmaxmax/go-sse"

	"kith/http/apitest"
	"kith/internal/test/e2e"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
)

// kith starts as the README says. All read-only tests share that server.
func TestDemoWorksAsTheReadmeSays(t *testing.T) {
	t.Parallel()
	for _, e := range e2e.AnEngine(t) {
		t.Run(e.Name, func(t *testing.T) {
			t.Parallel()
			readDemo(t, e2e.Fresh(t, e2e.Alone(e)))
		})
	}
}

func readDemo(t *testing.T, k e2e.Kith) {
	s, page := demoLink(t, k, serveDemo(t, k))
	e2e.Eventually(t, "the messages of the demo's user are stored", func() bool {
		return strings.Contains(string(s.Get(t, "/v2/imports", e2e.DemoToken).Body), `"status":"succeeded"`)
	})
	t.Run("first answers", func(t *testing.T) { firstAnswers(t, k, s) })
	t.Run("first searches", func(t *testing.T) { firstSearches(t, s) })
	t.Run("streams are pages", func(t *testing.T) { streamsArePages(t, s) })
	t.Run("go-sse client", func(t *testing.T) { goSSEClient(t, s) })
	t.Run("walk", func(t *testing.T) { wholeWalk(t, s) })
	t.Run("bad requests", func(t *testing.T) { badRequests(t, s) })
	t.Run("refreshes", func(t *testing.T) { demoRefreshes(t, s) })
	t.Run("commands join", func(t *testing.T) { commandsJoin(t, k, s) })
	t.Run("datasets are separate", func(t *testing.T) { datasetsAreApart(t, k, s) })
	t.Run("without the demo", func(t *testing.T) { withoutDemo(t, k, page) })
}

func serveDemo(t *testing.T, k e2e.Kith) *e2e.Server {
	return k.Serve(t, "--demo", "--rate", "100000", "--burst", "100000")
}

func firstAnswers(t *testing.T, k e2e.Kith, s *e2e.Server) {
	p := s.Search(t, e2e.DemoToken, map[string]any{
		"filters": map[string]string{"position": "engineer", "country": "DACH", "companySize": "50-500"},
		"limit":   5, "include_counts": "global", "scope": "global",
	})
	if len(p.Data) != 5 || p.Metadata.Counts.Global.Value < 5 {
		t.Errorf("got %d people of %d", len(p.Data), p.Metadata.Counts.Global.Value)
	}
	if p.Metadata.SearchEngine != k.Engine || p.Metadata.Source != "global" || p.Metadata.Mode != "simple" {
		t.Errorf("metadata %+v", p.Metadata)
	}
	if p := s.Search(t, e2e.DemoToken, map[string]any{
		"prompt": "product manager berlin",
		"limit":  5,
	}); len(p.Data) == 0 {
		t.Error("the prompt finds nobody")
	}
	for path, want := range map[string]string{
		"/": "<!doctype html>", "/docs": "<!doctype html>", "/openapi.json": `"3.1.`, "/healthz": `"ok"`,
	} {
		if a := s.Get(t, path, ""); a.Status != http.StatusOK ||
			!strings.Contains(strings.ToLower(string(a.Body)), strings.ToLower(want)) {
			t.Errorf("GET %s: status %d, without %q", path, a.Status, want)
		}
	}
	e2e.Eventually(t, "the indices of both datasets are built",
		func() bool { return s.Get(t, "/readyz", "").Status == http.StatusOK })
}

// firstSearches asks what newcomers may ask first. Each has people who match, not only some who come close.
func firstSearches(t *testing.T, s *e2e.Server) {
	const enough = 5
	for _, prompt := range []string{
		"engineers at Google in Zurich", "Cambridge alumni at banks", "nurses in Boston", "who do I know at Bosch",
		"finance directors of Spanish companies with over 5,000 employees",
	} {
		p := s.Search(t, e2e.DemoToken, map[string]any{"prompt": prompt, "closest": false, "limit": enough})
		if len(p.Data) < enough {
			t.Errorf("%s: %d people", prompt, len(p.Data))
		}
	}
}

// randomSearches returns plausible searches of a user, the same for each seed.
func randomSearches(n int) []map[string]any {
	rng := rand.New(rand.NewPCG(7, 11))
	pick := func(values ...string) string { return values[rng.IntN(len(values))] }
	filters := []func() (string, string){
		func() (string, string) {
			return "position", pick("engineer", "senior engineer", "manager, director", "-intern", `"product manager"`,
				"cto", "vp sales")
		},
		func() (string, string) {
			return "country", pick("Germany", "US", "Europe", "DACH, Nordics", "-United States", "Atlantis")
		},
		func() (string, string) { return "city", pick("Berlin", "London", "NYC", "Paris, Tokyo") },
		func() (string, string) {
			return "companySize", pick("<50", "50-200", "1000+", "small, enterprise", "200")
		},
		func() (string, string) { return "function", pick("engineering", "sales, marketing", "-finance") },
		func() (string, string) { return "seniority", pick("senior", "director, vp", "cxo") },
		func() (string, string) { return "pastPosition", pick("engineer", "analyst", "-manager") },
		func() (string, string) { return "experienceYears", pick("5+", "<3", "3-10") },
		func() (string, string) { return "name", pick("maria", "anna", "robert", "jose") },
		func() (string, string) { return "keywords", pick("data", "senior berlin", "python") },
		func() (string, string) { return "school", pick("university", "institute") },
	}
	searches := make([]map[string]any, n)
	for i := range searches {
		body := map[string]any{"limit": 1 + rng.IntN(60), "scope": pick("network", "global")}
		chosen := map[string]string{}
		for range 1 + rng.IntN(3) {
			name, value := filters[rng.IntN(len(filters))]()
			chosen[name] = value
		}
		body["filters"] = chosen
		if rng.IntN(4) == 0 {
			body["prompt"] = pick("engineer", "product manager", "berlin", "data scientist london")
		}
		if rng.IntN(4) == 0 {
			body["include_counts"] = "all"
		}
		if rng.IntN(6) == 0 {
			body["explain"] = true
		}
		if rng.IntN(6) == 0 {
			body["facets"] = []string{"country", "seniority"}
		}
		searches[i] = body
	}
	return searches
}

// streamsArePages compares the JSON page of 200 searches with their stream.
func streamsArePages(t *testing.T, s *e2e.Server) {
	for i, body := range randomSearches(200) {
		asPage := s.Post(t, "/v2/people/search", e2e.DemoToken, body)
		var want struct {
			Data       []json.RawMessage
			Metadata   map[string]any
			Pagination map[string]any
		}
		if err := json.Unmarshal(asPage.Body, &want); err != nil || asPage.Status != http.StatusOK {
			t.Fatalf("search %d %v: status %d: %s", i, body, asPage.Status, asPage.Body)
		}
		body["stream"] = true
		got := s.Stream(t, e2e.DemoToken, body)
		if !slices.EqualFunc(got.People, want.Data, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			t.Errorf("search %d %v: stream and page have different people", i, body)
		}
		if !sameButSecrets(got.Done.Metadata, want.Metadata) {
			t.Errorf("search %d %v: metadata\nstream %v\npage   %v", i, body, got.Done.Metadata, want.Metadata)
		}
		if !sameButSecrets(got.Done.Pagination, want.Pagination) || !got.Done.Complete {
			t.Errorf("search %d %v: pagination\nstream %v\npage   %v", i, body, got.Done.Pagination, want.Pagination)
		}
	}
}

// sameButSecrets compares everything except sealed and random values.
func sameButSecrets(a, b map[string]any) bool {
	for _, m := range []map[string]any{a, b} {
		for _, secret := range []string{"request_id", "counts_token", "cursor"} {
			if text, ok := m[secret].(string); ok {
				m[secret] = text != ""
			}
		}
	}
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

// goSSEClient reads a stream with an independent client of the protocol, and resumes it after the last event of
// that client.
func goSSEClient(t *testing.T, s *e2e.Server) {
	body := `{"prompt":"engineer","stream":true,"limit":20,"scope":"global"}`
	whole := readWithClient(t, s, body, "")
	if len(whole.People) != 20 {
		t.Fatalf("got %d people", len(whole.People))
	}
	rest := readWithClient(t, s, body, whole.IDs[9])
	same := func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }
	if !slices.EqualFunc(rest.People, whole.People[10:], same) {
		t.Error("a stream does not resume with the rest of its page, right after the event of its Last-Event-ID")
	}
}

func readWithClient(t *testing.T, s *e2e.Server, body, lastID string) e2e.Streamed {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), effort.Patience())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/v2/people/search", strings.NewReader(body))
	expect.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+e2e.DemoToken)
	if lastID != "" {
		req.Header.Set("Last-Event-ID", lastID)
	}
	client := sse.Client{Backoff: sse.Backoff{MaxRetries: -1}}
	conn := client.NewConnection(req)
	conn.Buffer(nil, 1<<22)
	var out e2e.Streamed
	conn.SubscribeToAll(func(event sse.Event) {
		if event.Type == "result" {
			var r struct{ Person json.RawMessage }
			if json.Unmarshal([]byte(event.Data), &r) == nil {
				out.People, out.IDs = append(out.People, r.Person), append(out.IDs, event.LastEventID)
			}
		}
		out.Events = append(out.Events, event.Type)
	})
	_ = conn.Connect() // it returns the end of the stream as an error
	if n := len(out.Events); n == 0 || out.Events[n-1] != "done" {
		t.Fatalf("the client saw %v", out.Events)
	}
	return out
}

// wholeWalk pages through all matches and compares them with the count.
func wholeWalk(t *testing.T, s *e2e.Server) {
	body := map[string]any{
		"filters": map[string]string{"function": "engineering", "country": "Germany, France"},
		"limit":   100, "scope": "global", "include_counts": "global",
	}
	seen := map[int64]bool{}
	want := 0
	for n := 0; ; n++ {
		p := s.Search(t, e2e.DemoToken, body)
		if n == 0 {
			want = p.Metadata.Counts.Global.Value
		}
		for _, person := range p.Data {
			if seen[person.ID] {
				t.Fatalf("person %d is on two pages", person.ID)
			}
			seen[person.ID] = true
		}
		if !p.Pagination.HasNextPage {
			break
		}
		body = map[string]any{"cursor": p.Pagination}
	}
	if len(seen) != want || want < 500 {
		t.Errorf("the pages have %d people, the count is %d", len(seen), want)
	}
}

func badRequests(t *testing.T, s *e2e.Server) {
	apitest.Run(t, apitest.Target{
		BaseURL: s.URL, Client: http.DefaultClient, Prompt: "engineer", SecretKey: "demo_sk_global",
		Token: demoUser(t, s, "bad1"), OtherToken: demoUser(t, s, "bad2"),
	})
}

// demoUser gets a token for a user of the demo.
func demoUser(t *testing.T, s *e2e.Server, name string) string {
	t.Helper()
	body := fmt.Sprintf(`{"external_user_id":%q,"email":"%s@example.com"}`, name, name)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v2/auth/tokens",
		strings.NewReader(body))
	expect.NoError(t, err)
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("secret-key", "demo_sk_global")
	a, err := e2e.Do(req)
	expect.NoError(t, err)
	var answer struct{ Data struct{ Token string } }
	if err := json.Unmarshal(a.Body, &answer); err != nil || answer.Data.Token == "" {
		t.Fatalf("token: status %d: %s", a.Status, a.Body)
	}
	return answer.Data.Token
}

// commandsJoin runs commands on the dataset of a running server.
func commandsJoin(t *testing.T, k e2e.Kith, _ *e2e.Server) {
	if out := k.Run(t, "search", "--demo", "-n", "3", "engineer"); strings.Count(out, "\n") != 4 {
		t.Errorf("kith search printed\n%s", out)
	}
	if _, stderr, err := k.Try(t, "serve", "--listen", "127.0.0.1:0"); e2e.ExitCode(err) != 1 ||
		!strings.Contains(stderr, "already served") {
		t.Errorf("a second server: code %d\n%s", e2e.ExitCode(err), stderr)
	}
	if out := k.Run(t, "doctor", "--demo"); strings.Contains(out, "problem") {
		t.Errorf("doctor reports\n%s", out)
	}
	explainCommand(t, k)
	modelCommand(t, k)
}

// explainCommand explains a prompt as text and as JSON.
func explainCommand(t *testing.T, k e2e.Kith) {
	out := k.Run(t, "explain", "--demo", "engineers in Berlin")
	for _, want := range []string{
		"MARKED\n  grammar, chosen: ", "CONFIDENCE: ", "DERIVATION OF THE GRAMMAR\n  leaves\n", "IN \"in\"",
		"PLAN\n  simple\n", "FROM people_search p", "SENT TO " + k.Engine + "\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("kith explain does not say %q:\n%s", want, out)
		}
	}
	var e struct {
		Derivation   struct{ Leaves, Tree, Features []string }
		GeneratedSQL string `json:"generated_sql"`
		Requests     []string
		Found        int
	}
	expect.NoError(t, json.Unmarshal([]byte(k.Run(t, "explain", "--demo", "--json", "engineers in Berlin")), &e))
	if e.Found == 0 || len(e.Requests) == 0 || len(e.Derivation.Leaves) < 2 || len(e.Derivation.Tree) < 3 ||
		len(e.Derivation.Features) < 3 || !strings.HasPrefix(e.GeneratedSQL, "SELECT") {
		t.Errorf("kith explain --json: %+v", e)
	}
}

// datasetsAreApart searches the demo as a live caller, and the other way round.
func datasetsAreApart(t *testing.T, k e2e.Kith, s *e2e.Server) {
	live := k.LiveToken(t)
	if p := s.Search(t, live, map[string]any{
		"filters":        map[string]string{"keywords": "engineer"},
		"include_counts": "all",
	}); len(p.Data) != 0 || p.Metadata.Counts.Global.Value != 0 {
		t.Errorf("a live caller sees %d demo people", len(p.Data))
	}
	cursor := s.Search(t, e2e.DemoToken, map[string]any{"prompt": "engineer", "limit": 1}).Pagination.Cursor
	if a := s.Post(t, "/v2/people/search", live, map[string]any{"cursor": cursor}); a.Status != http.StatusBadRequest {
		t.Errorf("a cursor of the demo used live: status %d", a.Status)
	}
}

// If the demo cannot write temporary files, the error names the variable for another folder.
func TestDemoNamesTheVariableForTemporaryFiles(t *testing.T) {
	t.Parallel()
	k := e2e.Fresh(t, e2e.Postgres())
	k.Env = append(k.Env, "TMPDIR="+filepath.Join(k.Dir, "missing"))
	_, stderr, err := k.Try(t, "serve", "--demo", "--listen", "127.0.0.1:0")
	if e2e.ExitCode(err) != 1 || !strings.Contains(stderr, "TMPDIR") {
		t.Errorf("code %d\n%s", e2e.ExitCode(err), stderr)
	}
}

// demoRefreshes refreshes people of the demo, which is its own source. Their data stays the same.
func demoRefreshes(t *testing.T, s *e2e.Server) {
	who := map[string]any{"filters": map[string]string{"position": "engineer"}, "scope": "global", "limit": 3}
	before := s.Post(t, "/v2/people/search", e2e.DemoToken, who)
	var page struct {
		Data []struct {
			ID  int64
			URL string `json:"social_url"`
		}
	}
	if err := json.Unmarshal(before.Body, &page); err != nil || len(page.Data) != 3 {
		t.Fatalf("%v: %s", err, before.Body)
	}
	urls := []string{"https://social.example/in/nobody-of-the-demo"}
	for _, p := range page.Data {
		urls = append(urls, p.URL)
	}
	a := s.Post(t, "/v2/people/refresh", e2e.DemoToken, map[string]any{"social_urls": urls, "realtime": true})
	var got struct {
		Data struct {
			People   []struct{ ID int64 }
			Failures []struct{ Error string }
		}
	}
	if err := json.Unmarshal(a.Body, &got); err != nil || len(got.Data.People) != 3 || len(got.Data.Failures) != 1 {
		t.Fatalf("%v: %d %s", err, a.Status, a.Body)
	}
	for i, p := range got.Data.People {
		if p.ID != page.Data[i].ID {
			t.Errorf("the refresh of person %d returned %d", page.Data[i].ID, p.ID)
		}
	}
	if code := got.Data.Failures[0].Error; code != "PERSON_NOT_FOUND" {
		t.Errorf("a profile outside the demo: %s", code)
	}
	var people struct{ Data json.RawMessage }
	data := func(a e2e.Answer) string {
		expect.NoError(t, json.Unmarshal(a.Body, &people))
		return string(people.Data)
	}
	if was, is := data(before), data(s.Post(t, "/v2/people/search", e2e.DemoToken, who)); was != is {
		t.Errorf("a refresh from itself changed people:\n%s\n%s", was, is)
	}
}
