package e2e

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
)

// TestDemo starts kith as the README says, once for each engine, and has all
// tests that only read share that server.
func TestDemo(t *testing.T) {
	onEngines(t, func(t *testing.T, k kith) {
		s := k.serve(t, "--demo", "--rate", "100000", "--burst", "100000")
		t.Run("first answers", func(t *testing.T) { firstAnswers(t, k, s) })
		t.Run("streams are pages", func(t *testing.T) { streamsArePages(t, s) })
		t.Run("go-sse client", func(t *testing.T) { goSSEClient(t, s) })
		t.Run("walk", func(t *testing.T) { wholeWalk(t, s) })
		t.Run("bad requests", func(t *testing.T) { badRequests(t, s) })
		t.Run("refreshes", func(t *testing.T) { demoRefreshes(t, s) })
		t.Run("commands join", func(t *testing.T) { commandsJoin(t, k, s) })
		t.Run("directories are apart", func(t *testing.T) { directoriesAreApart(t, k, s) })
	})
}

func firstAnswers(t *testing.T, k kith, s *server) {
	p := s.search(t, demoToken, map[string]any{
		"filters": map[string]string{"position": "engineer", "country": "DACH", "companySize": "50-500"},
		"limit":   5, "include_counts": "global", "scope": "global",
	})
	if len(p.Data) != 5 || p.Metadata.Counts.Global.Value < 5 {
		t.Errorf("got %d people of %d", len(p.Data), p.Metadata.Counts.Global.Value)
	}
	if p.Metadata.SearchEngine != k.engine || p.Metadata.Source != "global" || p.Metadata.Mode != "simple" {
		t.Errorf("metadata %+v", p.Metadata)
	}
	if p := s.search(t, demoToken, map[string]any{"prompt": "product manager berlin", "limit": 5}); len(p.Data) == 0 {
		t.Error("a prompt finds no one")
	}
	for path, want := range map[string]string{"/": "<!doctype html>", "/docs": "<!doctype html>", "/openapi.json": `"3.1.`, "/healthz": `"ok"`} {
		if a := s.get(t, path, ""); a.status != http.StatusOK || !strings.Contains(strings.ToLower(string(a.body)), strings.ToLower(want)) {
			t.Errorf("GET %s: status %d, without %q", path, a.status, want)
		}
	}
	eventually(t, "the indices of both directories are built", func() bool { return s.get(t, "/readyz", "").status == http.StatusOK })
}

// randomSearches are searches that a user could make, the same for a seed.
func randomSearches(n int) []map[string]any {
	rng := rand.New(rand.NewPCG(7, 11))
	pick := func(values ...string) string { return values[rng.IntN(len(values))] }
	filters := []func() (string, string){
		func() (string, string) {
			return "position", pick("engineer", "senior engineer", "manager, director", "-intern", `"product manager"`, "cto", "vp sales")
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
func streamsArePages(t *testing.T, s *server) {
	for i, body := range randomSearches(200) {
		asPage := s.post(t, "/v2/people/search", demoToken, body)
		var want struct {
			Data       []json.RawMessage
			Metadata   map[string]any
			Pagination map[string]any
		}
		if err := json.Unmarshal(asPage.body, &want); err != nil || asPage.status != http.StatusOK {
			t.Fatalf("search %d %v: status %d: %s", i, body, asPage.status, asPage.body)
		}
		body["stream"] = true
		got := s.stream(t, demoToken, body)
		if !slices.EqualFunc(got.people, want.Data, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
			t.Errorf("search %d %v: the stream has other people than the page", i, body)
		}
		if !sameButSecrets(got.done.Metadata, want.Metadata) {
			t.Errorf("search %d %v: metadata\nstream %v\npage   %v", i, body, got.done.Metadata, want.Metadata)
		}
		if !sameButSecrets(got.done.Pagination, want.Pagination) || !got.done.Complete {
			t.Errorf("search %d %v: pagination\nstream %v\npage   %v", i, body, got.done.Pagination, want.Pagination)
		}
	}
}

// sameButSecrets compares all but what is sealed or random.
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

// streamed is a stream that was read to its end.
type streamed struct {
	events []string
	people []json.RawMessage
	ids    []string
	done   struct {
		Complete   bool
		Metadata   map[string]any
		Pagination map[string]any
	}
}

// stream reads a stream to its done.
func (s *server) stream(t *testing.T, token string, body any) streamed {
	t.Helper()
	req, err := s.request(t.Context(), "/v2/people/search", token, body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if got := resp.Header.Get("Content-Type"); got != "text/event-stream" {
		t.Fatalf("stream %v: content type %q, status %d", body, got, resp.StatusCode)
	}
	var out streamed
	for event, err := range sse.Read(resp.Body, &sse.ReadConfig{MaxEventSize: 1 << 22}) {
		if err != nil {
			t.Fatalf("stream %v: %v", body, err)
		}
		out.add(t, event)
	}
	if n := len(out.events); n == 0 || out.events[n-1] != "done" || out.events[0] != "metadata" {
		t.Fatalf("stream %v: events %v", body, out.events)
	}
	return out
}

func (out *streamed) add(t *testing.T, event sse.Event) {
	t.Helper()
	out.events = append(out.events, event.Type)
	switch event.Type {
	case "result":
		var r struct {
			Index  int
			Person json.RawMessage
		}
		if err := json.Unmarshal([]byte(event.Data), &r); err != nil || r.Index != len(out.people) {
			t.Fatalf("result %d: %v: %s", len(out.people), err, event.Data)
		}
		out.people = append(out.people, r.Person)
		out.ids = append(out.ids, event.LastEventID)
	case "done":
		if err := json.Unmarshal([]byte(event.Data), &out.done); err != nil {
			t.Fatalf("done: %v: %s", err, event.Data)
		}
	}
}

// goSSEClient reads a stream with a client that keeps its own idea of the
// protocol, and lets it resume with the id of the last event that it saw.
func goSSEClient(t *testing.T, s *server) {
	body := `{"prompt":"engineer","stream":true,"limit":20,"scope":"global"}`
	whole := readWithClient(t, s, body, "")
	if len(whole.people) != 20 {
		t.Fatalf("got %d people", len(whole.people))
	}
	rest := readWithClient(t, s, body, whole.ids[9])
	if len(rest.people) != 20 || !bytes.Equal(rest.people[0], whole.people[10]) {
		t.Error("a stream does not resume right after the event of its Last-Event-ID")
	}
}

func readWithClient(t *testing.T, s *server, body, lastID string) streamed {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/v2/people/search", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+demoToken)
	if lastID != "" {
		req.Header.Set("Last-Event-ID", lastID)
	}
	client := sse.Client{Backoff: sse.Backoff{MaxRetries: -1}}
	conn := client.NewConnection(req)
	conn.Buffer(nil, 1<<22)
	var out streamed
	conn.SubscribeToAll(func(event sse.Event) {
		if event.Type == "result" {
			var r struct{ Person json.RawMessage }
			if json.Unmarshal([]byte(event.Data), &r) == nil {
				out.people, out.ids = append(out.people, r.Person), append(out.ids, event.LastEventID)
			}
		}
		out.events = append(out.events, event.Type)
	})
	_ = conn.Connect() // it reports the end of the stream as an error
	if n := len(out.events); n == 0 || out.events[n-1] != "done" {
		t.Fatalf("the client saw %v", out.events)
	}
	return out
}

// wholeWalk pages through all that matches and compares with the count.
func wholeWalk(t *testing.T, s *server) {
	body := map[string]any{"filters": map[string]string{"function": "engineering"}, "limit": 100, "scope": "global", "include_counts": "global"}
	seen := map[int64]bool{}
	want := 0
	for n := 0; ; n++ {
		p := s.search(t, demoToken, body)
		if n == 0 {
			want = p.Metadata.Counts.Global.Value
		}
		for _, person := range p.Data {
			if seen[person.ID] {
				t.Fatalf("person %d came twice", person.ID)
			}
			seen[person.ID] = true
		}
		if !p.Pagination.HasNextPage {
			break
		}
		body = map[string]any{"cursor": p.Pagination}
	}
	if len(seen) != want || want < 1000 {
		t.Errorf("the walk saw %d people, the count is %d", len(seen), want)
	}
}

func badRequests(t *testing.T, s *server) {
	apitest.Run(t, apitest.Target{
		BaseURL: s.URL, Client: http.DefaultClient, Prompt: "engineer", SecretKey: "demo_sk_global",
		Token: s.demoUser(t, "bad1"), OtherToken: s.demoUser(t, "bad2"),
	})
}

// demoUser gets a token for a user of the demo.
func (s *server) demoUser(t *testing.T, name string) string {
	t.Helper()
	body := fmt.Sprintf(`{"external_user_id":%q,"email":"%s@example.com"}`, name, name)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v2/auth/tokens", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("secret-key", "demo_sk_global")
	a, err := do(req)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct{ Data struct{ Token string } }
	if err := json.Unmarshal(a.body, &answer); err != nil || answer.Data.Token == "" {
		t.Fatalf("token: status %d: %s", a.status, a.body)
	}
	return answer.Data.Token
}

// commandsJoin runs commands on the directory while the server has it.
func commandsJoin(t *testing.T, k kith, _ *server) {
	if out := k.run(t, "search", "--demo", "-n", "3", "engineer"); strings.Count(out, "\n") != 3 {
		t.Errorf("kith search printed\n%s", out)
	}
	if _, stderr, err := k.try(t, "serve", "--listen", "127.0.0.1:0"); exitCode(err) != 1 || !strings.Contains(stderr, "already served") {
		t.Errorf("a second server: code %d\n%s", exitCode(err), stderr)
	}
	if out := k.run(t, "doctor", "--demo"); strings.Contains(out, "problem") {
		t.Errorf("doctor says\n%s", out)
	}
	explainCommand(t, k)
	modelCommand(t, k)
}

// explainCommand has a prompt explained, for people and for programs.
func explainCommand(t *testing.T, k kith) {
	out := k.run(t, "explain", "--demo", "engineers in Berlin")
	for _, want := range []string{"READING\n  tokens\n", "cue in (grammar)", "PLAN\n  simple\n", "FROM people_search p", "SENT TO " + k.engine + "\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("kith explain does not say %q:\n%s", want, out)
		}
	}
	var e struct {
		Trace        struct{ Tokens, Spans, Chosen []json.RawMessage }
		GeneratedSQL string `json:"generated_sql"`
		Requests     []string
		Found        int
	}
	if err := json.Unmarshal([]byte(k.run(t, "explain", "--demo", "--json", "engineers in Berlin")), &e); err != nil {
		t.Fatal(err)
	}
	if e.Found == 0 || len(e.Requests) == 0 || len(e.Trace.Tokens) != 3 || len(e.Trace.Spans) < 3 || len(e.Trace.Chosen) != 3 || !strings.HasPrefix(e.GeneratedSQL, "SELECT") {
		t.Errorf("kith explain --json: %+v", e)
	}
}

// directoriesAreApart lets live and demo callers look for each other's people.
func directoriesAreApart(t *testing.T, k kith, s *server) {
	live := k.liveToken(t)
	if p := s.search(t, live, map[string]any{"filters": map[string]string{"keywords": "engineer"}, "include_counts": "all"}); len(p.Data) != 0 || p.Metadata.Counts.Global.Value != 0 {
		t.Errorf("a live caller sees %d demo people", len(p.Data))
	}
	cursor := s.search(t, demoToken, map[string]any{"prompt": "engineer", "limit": 1}).Pagination.Cursor
	if a := s.post(t, "/v2/people/search", live, map[string]any{"cursor": cursor}); a.status != http.StatusBadRequest {
		t.Errorf("a cursor of the demo used live: status %d", a.status)
	}
}

// TestDemoWithoutTemporaryFiles generates the demo where temporary files cannot be made: what
// is said names the variable that chooses another place for them.
func TestDemoWithoutTemporaryFiles(t *testing.T) {
	t.Parallel()
	k := newKith(t, engines()[0])
	k.env = append(k.env, "TMPDIR="+filepath.Join(k.dir, "missing"))
	_, stderr, err := k.try(t, "serve", "--demo", "--listen", "127.0.0.1:0")
	if exitCode(err) != 1 || !strings.Contains(stderr, "TMPDIR") {
		t.Errorf("code %d\n%s", exitCode(err), stderr)
	}
}
