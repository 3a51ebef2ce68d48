package http_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith"
	kithhttp "kith/http"
	"kith/index"
	"kith/index/indextest"
	"kith/index/memindex"
	"kith/internal/access/auth"
	"kith/internal/access/idempotency"
	"kith/internal/access/netguard"
	"kith/internal/imports"
	"kith/internal/network"
	"kith/internal/outreach"
	"kith/internal/postgres"
	"kith/internal/record/enrich"
	"kith/internal/record/identity"
	"kith/internal/search"
	"kith/internal/search/saved"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query/analysis"
	"kith/query/cursor"
	"kith/query/indexed"
	"kith/query/prompt/prompttest"
)

// fixture is a whole server over a small dataset in memory, with its tokens in a real Postgres.
type fixture struct {
	// importing returns the service for imports over a database.
	importing func(*postgres.DB) *imports.Service
	// sequences returns the store of sequences over a database.
	sequences func(*postgres.DB) outreach.Store
	t         *testing.T
	db        *postgres.DB
	server    *kithhttp.Server
	url       string
	client    *http.Client
	auth      *auth.Service
	app       auth.App
	key       string
	token     string
	logs      *logs
	// privacyKey may erase people; empty until a test needs it.
	privacyKey string
}

// logs keeps the log of the server.
type logs struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *logs) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logs) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// people returns the dataset: engineers and designers in two cities.
func people() []kith.Person {
	var out []kith.Person
	start := "2020-01-01"
	for i := range int64(12) {
		title, city := "Software Engineer", "Berlin"
		if i%3 == 2 {
			title, city = "Designer", "Oslo"
		}
		name := fmt.Sprintf("Person%d Example", i+1)
		out = append(out, kith.Person{
			ID: i + 1, FirstName: fmt.Sprintf("Person%d", i+1), LastName: "Example", FullName: name,
			SocialURL: fmt.Sprintf("https://social.example/in/person-%d", i+1), Headline: title + " in " + city,
			Location: kith.Location{City: city, Country: map[string]string{
				"Berlin": "Germany",
				"Oslo":   "Norway",
			}[city]},
			WorkRelevant: &kith.Job{
				Title: title, StartDate: &start,
				Company: kith.Company{ID: 1, Name: "Initech", Industry: "Software", EmployeeCount: 120},
			},
		})
	}
	return out
}

// records looks the people up by id.
type records struct{}

func (records) People(_ context.Context, _ kith.Viewer, ids []int64) ([]kith.Person, error) {
	all := people()
	var out []kith.Person
	for _, id := range ids {
		if id >= 1 && id <= int64(len(all)) {
			out = append(out, all[id-1])
		}
	}
	return out, nil
}

func newSealer(t *testing.T) *cursor.Sealer {
	t.Helper()
	s, err := cursor.New(make([]byte, cursor.KeySize))
	expect.NoError(t, err)
	return s
}

// driver is an engine in memory. It calls before ahead of each Find; an error fails that Find.
type driver struct {
	*memindex.Index
	before func(context.Context) error
}

func (d driver) Find(ctx context.Context, c index.Collection, req index.FindRequest) ([]index.Hit, error) {
	if d.before != nil {
		if err := d.before(ctx); err != nil {
			return nil, err
		}
	}
	return d.Index.Find(ctx, c, req)
}

// newSearch returns a search service over the people.
func newSearch(t *testing.T, settings search.Settings, before func(context.Context) error) *search.Service {
	t.Helper()
	return search.New(searchConfig(t, settings, before))
}

func searchConfig(t *testing.T, settings search.Settings, before func(context.Context) error) search.Config {
	t.Helper()
	ix := memindex.New()
	var docs []indexed.Document
	for _, p := range people() {
		d, err := analysis.Person(p, p.ID, 1)
		expect.NoError(t, err)
		docs = append(docs, d)
	}
	indextest.Store(t, ix, index.People, docs...)
	return search.Config{
		Index: index.New(driver{ix, before}), Planner: prompttest.Planner(), Records: records{},
		Settings: settings, Sight: search.Everything{}, Seal: newSealer(t),
	}
}

// newFixture starts a server. change may modify its configuration.
func newFixture(t *testing.T, change func(*fixture, *kithhttp.Config)) *fixture {
	t.Helper()
	db := pgtest.NewDataset(t)
	f := &fixture{t: t, db: db, auth: auth.New(db.Auth(), auth.Config{}), logs: &logs{}}
	searcher := newSearch(t, db, nil)
	folder := imports.Folder(t.TempDir())
	f.importing = func(db *postgres.DB) *imports.Service { return imports.NewService(db.Imports(), folder) }
	f.sequences = func(db *postgres.DB) outreach.Store { return db.Outreach() }
	services := func(db *postgres.DB) *kithhttp.Services { return f.services(db, searcher) }
	cfg := kithhttp.Config{
		Datasets: []kithhttp.Dataset{{
			Services: *services(db), Answers: idempotency.New(postgres.NewAnswers(db, services), newSealer(t), nil),
			Name: "live", Search: searcher, Reach: newReach(db), Enrich: enrich.New(db, nil),
			Export: db, Seal: newSealer(t),
		}},
		Dependencies: []kithhttp.Dependency{{Name: "postgres", Check: db.Ping}},
		Logger:       zerolog.New(f.logs),
		Rate:         1000, Burst: 2000,
	}
	withOutreach(t, db, &cfg.Datasets[0])
	withOperator(t, db, &cfg.Datasets[0])
	if change != nil {
		change(f, &cfg)
	}
	var err error
	f.server, err = kithhttp.New(cfg)
	expect.NoError(t, err)
	f.app, f.key, err = f.auth.CreateApp(t.Context(), "acme")
	expect.NoError(t, err)
	f.token = f.issue("u1")
	srv := httptest.NewServer(f.server)
	t.Cleanup(srv.Close)
	f.url, f.client = srv.URL, srv.Client()
	return f
}

// services returns services over a database, or over a transaction of it.
func (f *fixture) services(db *postgres.DB, searcher *search.Service) *kithhttp.Services {
	f.t.Helper()
	svc, outbox := f.auth.On(db.Auth()), db.Delivery(newSealer(f.t))
	return &kithhttp.Services{
		Auth: svc, Administration: svc, Network: network.New(db.Network()),
		Lists: saved.NewLists(db.Saved(), saved.Quotas{Lists: 3}), Searches: savedSearches(db, searcher),
		Duplicates: identity.NewService(db), Imports: f.importing(db),
		Outreach: newOutreach(db, f.sequences(db)), Audit: db.Audit(),
		Integrations: outreach.NewIntegrations(outbox,
			outreach.IntegrationRules{Track: true, Reachable: netguard.Guard{}.AllowsHost}),
		Webhooks: newWebhooks(outbox),
	}
}

// savedSearches returns the saved searches of a dataset; each user may have three.
func savedSearches(db *postgres.DB, searcher *search.Service) *saved.Searches {
	return saved.NewSearches(saved.Config{
		Store: db.Saved(), Searcher: searcher, Read: kithhttp.SavedRequest, Quotas: saved.Quotas{Searches: 3},
	})
}

func (f *fixture) issue(user string) string {
	f.t.Helper()
	issued, err := f.auth.Issue(f.t.Context(), f.app, auth.Identity{ExternalID: user, Email: user + "@example.com"})
	expect.NoError(f.t, err)
	return issued.Token
}

// answer is a response with its body.
type answer struct {
	*http.Response
	body []byte
}

// call sends a request and checks the answer against the description of the API. Headers are "Name: value".
func (f *fixture) call(method, path, body string, headers ...string) answer {
	f.t.Helper()
	ctx, cancel := context.WithTimeout(f.t.Context(), 5*time.Minute)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, f.url+path, strings.NewReader(body))
	expect.NoError(f.t, err)
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		if strings.HasPrefix(value, "multipart/") {
			req.Header.Del(name)
		}
		req.Header.Add(name, value)
	}
	res, err := f.client.Do(req)
	expect.NoError(f.t, err)
	defer res.Body.Close()
	out := answer{Response: res}
	out.body, err = io.ReadAll(res.Body)
	expect.NoError(f.t, err)
	if res.Header.Get("Content-Encoding") == "gzip" && method != http.MethodHead {
		out.body = unpacked(f.t, out.body)
	}
	conforms(f.t, req, res, out.body)
	return out
}

// serve moves the fixture to a listener of its own, until the caller stops it.
func (f *fixture) serve() (stop context.CancelFunc, served <-chan error) {
	f.t.Helper()
	var lc net.ListenConfig
	ln, err := lc.Listen(f.t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(f.t, err)
	f.url = "http://" + ln.Addr().String()
	ctx, stop := context.WithCancel(f.t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.server.Serve(ctx, ln) }()
	return stop, ended
}

func (f *fixture) bearer() string { return "Authorization: Bearer " + f.token }

func (f *fixture) search(body string) answer {
	f.t.Helper()
	return f.call(http.MethodPost, "/v2/people/search", body, f.bearer())
}

// envelope is any JSON answer.
type envelope struct {
	Data       json.RawMessage
	Metadata   map[string]any
	Pagination struct {
		Cursor      string
		HasNextPage bool `json:"has_next_page"`
		Count       int
	}
	Error struct {
		Type, Code, Detail string
		Status             int
		Retryable          bool
		Errors             []kith.FieldError
	}
}

func (a answer) envelope(t *testing.T) envelope {
	t.Helper()
	var e envelope
	if err := json.Unmarshal(a.body, &e); err != nil {
		t.Fatalf("%v: %.300s", err, a.body)
	}
	return e
}

// wants checks status and error code ("" for none).
func (a answer) wants(t *testing.T, status int, code string) answer {
	t.Helper()
	if got := a.envelope(t).Error.Code; a.StatusCode != status || got != code {
		t.Fatalf("got %d %s, want %d %s: %.500s", a.StatusCode, got, status, code, a.body)
	}
	return a
}
