package outage_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/tmaxmax/go-sse"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// dependency is a server that kith needs and that a test may stop.
type dependency interface {
	stop(t *testing.T)
	start(t *testing.T)
}

// node is an Elasticsearch node for one test.
type node struct{ *e2e.Node }

func (n node) stop(t *testing.T)  { t.Helper(); n.Kill(t) }
func (n node) start(t *testing.T) { t.Helper(); expect.NoError(t, n.Start()) }

// postgresServer is a Postgres for one test.
type postgresServer struct{ *pgtest.Server }

func (p postgresServer) stop(t *testing.T)  { t.Helper(); p.Stop(t) }
func (p postgresServer) start(t *testing.T) { t.Helper(); p.Start(t) }

// Elasticsearch stops and starts again under a running server.
func TestServerSurvivesElasticsearchOutage(t *testing.T) {
	t.Parallel()
	n := node{e2e.NewNode(t)}
	n.start(t)
	k := e2e.New(t, e2e.Engine{Name: "elasticsearch", Env: func(*testing.T) []string {
		return []string{"KITH_ELASTICSEARCH_URL=" + n.URL()}
	}})
	o := newOutage(t, k, n, "elasticsearch")
	o.run(t)
}

// An operator's Postgres stops and starts again under a running server.
func TestServerSurvivesPostgresOutage(t *testing.T) {
	t.Parallel()
	p := pgtest.NewServer(t)
	k := e2e.Fresh(t, e2e.Alone(e2e.Engine{Name: "postgres", Env: func(t *testing.T) []string {
		return []string{"DATABASE_URL=" + p.URL(t)}
	}}))
	o := newOutage(t, k, postgresServer{p}, "postgres")
	o.run(t)
}

// outage is a server with one dependency that stops and comes back.
type outage struct {
	k      e2e.Kith
	s      *e2e.Server
	token  string
	lost   dependency
	name   string
	people []e2e.Record
	spare  []e2e.Record
}

// faultPeople with faultText bytes each exceed the memory of a list search and the buffers on the way to a client,
// so a stream of them still needs the engine after its first results.
const (
	faultPeople = 6000
	faultText   = 5000
)

func newOutage(t *testing.T, k e2e.Kith, lost dependency, name string) *outage {
	t.Helper()
	g := e2e.Generate(t)
	text := strings.Repeat("Long about. ", faultText/len("Long about. "))
	o := &outage{
		k: k, lost: lost, name: name, people: e2e.Changed(g.People[:faultPeople], e2e.Record{"about_me": text}),
		spare: g.People[faultPeople : faultPeople+50],
	}
	k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", o.people))
	o.s, o.token = k.Serve(t, e2e.Unlimited()...), k.LiveToken(t)
	return o
}

func (o *outage) run(t *testing.T) {
	if !t.Run("a stream in progress", o.streamBreaksOff) {
		t.Fatal("the dependency may still be running")
	}
	o.away(t)
	meanwhile := o.writeMeanwhile(t)
	o.lost.start(t)
	e2e.Eventually(t, "the server is ready again",
		func() bool { return o.s.Get(t, "/readyz", "").Status == http.StatusOK })
	e2e.Eventually(t, "searches succeed again", func() bool {
		return o.s.Post(t, "/v2/people/search", o.token, o.search(false)).Status == http.StatusOK
	})
	e2e.Eventually(t, "searches find the people loaded during the outage", func() bool {
		return o.s.Found(t, o.token) == faultPeople+meanwhile
	})
}

func (o *outage) search(stream bool) map[string]any {
	return map[string]any{"filters": e2e.Everyone(), "scope": "global", "limit": 5, "stream": stream}
}

// away checks the server's answers without the dependency.
func (o *outage) away(t *testing.T) {
	t.Helper()
	for _, stream := range []bool{false, true} {
		a := o.s.Post(t, "/v2/people/search", o.token, o.search(stream))
		var failure struct {
			Error struct {
				Status    int
				Code      string
				Retryable bool
			}
		}
		if err := json.Unmarshal(a.Body, &failure); err != nil || a.Status != http.StatusServiceUnavailable ||
			failure.Error.Status != a.Status || !failure.Error.Retryable {
			t.Errorf("search with stream %v: status %d: %s", stream, a.Status, a.Body)
		}
		if seconds, err := strconv.Atoi(a.Header.Get("Retry-After")); err != nil || seconds < 1 {
			t.Errorf("search with stream %v: Retry-After %q", stream, a.Header.Get("Retry-After"))
		}
	}
	var ready struct {
		Dependencies []struct{ Name, Status string }
	}
	a := o.s.Get(t, "/readyz", "")
	if err := json.Unmarshal(a.Body, &ready); err != nil || a.Status != http.StatusServiceUnavailable ||
		a.Header.Get("Retry-After") == "" {
		t.Errorf("/readyz: status %d: %s", a.Status, a.Body)
	}
	for _, d := range ready.Dependencies {
		if (d.Status == "down") != (d.Name == o.name) {
			t.Errorf("/readyz has %s as %s", d.Name, d.Status)
		}
	}
	if a := o.s.Get(t, "/healthz", ""); a.Status != http.StatusOK {
		t.Errorf("/healthz: status %d", a.Status)
	}
}

// writeMeanwhile loads people during the outage, if they can be stored, and returns their number.
func (o *outage) writeMeanwhile(t *testing.T) int {
	t.Helper()
	path := o.k.Write(t, "people-meanwhile.ndjson", o.spare)
	_, stderr, err := o.k.Try(t, "load", "--no-index", path)
	if o.name == "postgres" {
		if e2e.ExitCode(err) != 1 || stderr == "" {
			t.Errorf("a load without Postgres: code %d\n%s", e2e.ExitCode(err), stderr)
		}
		return 0
	}
	if err != nil {
		t.Errorf("a load while Elasticsearch is away: %v\n%s", err, stderr)
		return 0
	}
	return len(o.spare)
}

// streamBreaksOff stops the dependency after the first person of a stream, and reads on.
func (o *outage) streamBreaksOff(t *testing.T) {
	body := e2e.ListOf(o.people)
	body["stream"], body["explain"] = true, true
	answer := o.s.Begin(t, o.token, body)
	defer answer.Close()
	var last []string
	results, complete := 0, true
	for event, err := range sse.Read(answer, &sse.ReadConfig{MaxEventSize: 1 << 22}) {
		if err != nil {
			t.Fatalf("after %d people: %v", results, err)
		}
		if event.Type == "result" {
			if results++; results == 1 {
				o.lost.stop(t)
			}
			continue
		}
		last = append(last, event.Type)
		if event.Type == "done" {
			var done struct{ Complete bool }
			if err := json.Unmarshal([]byte(event.Data), &done); err != nil {
				t.Error(err)
			}
			complete = done.Complete
		}
	}
	if n := len(last); n < 2 || fmt.Sprint(last[n-2:]) != "[error done]" || complete || results == faultPeople {
		t.Errorf("after %d people the stream ended with %v, complete %v", results, last, complete)
	}
}
