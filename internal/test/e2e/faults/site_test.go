package faults_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"kith/client"
	"kith/internal/test/e2e"
	"kith/internal/test/effort"
	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// The people of a site: those that stay as they are, and those who are refreshed and written to.
const stays, refreshed = 2000, 1000

// site is an installation whose connections, also those of its clients, go through proxies. In the short part it is one
// kith serve with the tests' own Postgres and Elasticsearch; in the long part two, with a Postgres and three nodes that
// a fault may stop.
type site struct {
	t      *testing.T // of all faults
	k      e2e.Kith
	world  *world
	people []e2e.Record // that stay, and then those to be loaded
	tokens map[string]string
	// servers are behind fronts, nodes behind elastic. standby is another way to Postgres, closed at first.
	servers           []*e2e.Server
	nodes             []*e2e.Node
	database          *pgtest.Server
	disk              string // of the database
	fronts, elastic   []*proxy
	postgres, standby *proxy
	engine, prefix    string // the address of a node, and of the indices there
	turn              atomic.Int64
}

func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{t: t, world: newWorld(t), tokens: map[string]string{}}
	if effort.Long() {
		s.startNodes(t)
	} else {
		s.engine = elastictest.URL(t)
		s.prefix = e2e.OwnIndices(t, s.engine)
		s.elastic = []*proxy{newProxy(t, hostOf(t, s.engine))}
	}
	var urls []string
	for _, p := range s.elastic {
		urls = append(urls, "http://"+p.host)
	}
	env := []string{
		"KITH_ELASTICSEARCH_URL=" + strings.Join(urls, ","), "KITH_ELASTICSEARCH_PREFIX=" + s.prefix,
		"KITH_DATABASE_URL=" + s.startPostgres(t),
	}
	s.k = e2e.Fresh(t, e2e.Alone(e2e.Engine{Name: "cluster", Env: func(*testing.T) []string { return env }}))
	return s
}

// startNodes starts three nodes together, because one alone does not get ready.
func (s *site) startNodes(t *testing.T) {
	t.Helper()
	ports := []int{e2e.FreePort(t), e2e.FreePort(t), e2e.FreePort(t)}
	var group errgroup.Group
	for i := range ports {
		n := e2e.NewNode(t, slices.Concat(ports[i:], ports[:i])...)
		s.nodes = append(s.nodes, n)
		group.Go(n.Start)
	}
	effort.Within(t, 10*time.Minute)
	expect.NoError(t, group.Wait())
	for _, n := range s.nodes {
		s.elastic = append(s.elastic, newProxy(t, hostOf(t, n.URL())))
	}
	s.engine, s.prefix = s.nodes[0].URL(), "faults"
}

// startPostgres returns the address of a new database, which names both proxies.
func (s *site) startPostgres(t *testing.T) string {
	t.Helper()
	var dsn string
	if effort.Long() {
		s.disk = smallDisk(t)
		s.database = pgtest.NewServerIn(t, s.disk)
		dsn = s.database.URL(t)
	} else {
		dsn = pgtest.URL(t)
	}
	dir, rest, _ := strings.Cut(strings.TrimPrefix(dsn, "host="), " ")
	socket := target{"unix", filepath.Join(dir, ".s.PGSQL.5432")}
	s.postgres, s.standby = newProxy(t, socket), newProxy(t, socket)
	s.standby.set(gone)
	_, first, _ := net.SplitHostPort(s.postgres.host)
	_, second, _ := net.SplitHostPort(s.standby.host)
	return fmt.Sprintf("host=127.0.0.1,127.0.0.1 port=%s,%s connect_timeout=2 target_session_attrs=read-write %s",
		first, second, rest)
}

// smallDisk makes a file system in memory.
func smallDisk(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "kith-disk") //nolint:usetesting // that of the test is only for its user
	expect.NoError(t, err)
	out, err := exec.CommandContext(t.Context(), "mount", "-t", "tmpfs", "-o", "size=1g,mode=755", "kith",
		dir).CombinedOutput()
	if err != nil {
		t.Fatalf("a disk that can get full needs the right to mount one: %v: %s", err, out)
	}
	t.Cleanup(func() {
		out, err := exec.CommandContext(context.Background(), "umount", dir).CombinedOutput()
		if err = errors.Join(err, os.Remove(dir)); err != nil {
			t.Errorf("removing the disk: %v: %s", err, out)
		}
	})
	return dir
}

// hostOf is where the server of an address listens.
func hostOf(t *testing.T, text string) target {
	t.Helper()
	at, err := url.Parse(text)
	expect.NoError(t, err)
	return target{"tcp", at.Host}
}

func mailOf(i int) string { return fmt.Sprintf("p%d@mail.example", i) }

// fill loads the people and starts the servers.
func (s *site) fill(t *testing.T) {
	t.Helper()
	g, others := e2e.Generate(t), e2e.Stale(refreshed)
	for i, p := range others {
		p["email"] = mailOf(i)
	}
	s.people = g.People
	s.k.Run(t, "load", g.Companies, s.k.Write(t, "people.ndjson", slices.Concat(g.People[:stays], others)))
	s.k.Run(t, "app", "create", "faults")
	s.k.Run(t, "webhook", "add", "--app", "faults", "--allow-network", "127.0.0.0/8", s.world.hook)
	for i := range len(s.nodes)/2 + 1 {
		s.servers, s.fronts = append(s.servers, nil), append(s.fronts, newProxy(t, target{}))
		s.serve(i)
	}
}

// serve starts a server, also in place of one that was killed.
func (s *site) serve(i int) {
	s.servers[i] = s.k.Serve(s.t, append(e2e.Unlimited(), "--import-quota", "0", "--list-quota", "0",
		"--allow-network", "127.0.0.0/8", "--source-rate", "100000", "--source-url", s.world.source)...)
	s.fronts[i].retarget(hostOf(s.t, s.servers[i].URL))
}

// as makes a client for a user.
func (s *site) as(user string) *client.Client {
	s.tokens[user] = s.k.Token(s.t, "faults", user)
	c, err := client.New(client.Config{URL: "http://kith", Token: s.tokens[user], Transport: s})
	expect.NoError(s.t, err)
	return c
}

// RoundTrip sends requests to the servers by turns. A change has a key of its content, so that it can be repeated.
func (s *site) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Host = ""
	req.URL.Host = s.fronts[int(s.turn.Add(1))%len(s.fronts)].host
	if req.GetBody != nil && !strings.HasSuffix(req.URL.Path, "/search") {
		body, err := req.GetBody()
		if err != nil {
			return nil, err
		}
		text, err := io.ReadAll(body)
		if err != nil {
			return nil, err
		}
		key := sha256.Sum256(append([]byte(req.Method+req.URL.Path), text...))
		req.Header.Set("Idempotency-Key", fmt.Sprintf("%x", key))
	}
	return http.DefaultTransport.RoundTrip(req)
}

// command runs kith with an input. One that fails says why.
func (s *site) command(ctx context.Context, input string, args ...string) error {
	cmd := s.k.Command(ctx, s.t, args...)
	var said bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(input), &said
	err := cmd.Run()
	if e2e.ExitCode(err) == 1 && said.Len() > 0 {
		lines := strings.Split(strings.TrimSpace(said.String()), "\n")
		s.t.Logf("kith %s: %s", args[0], lines[len(lines)-1])
		return refused("exit 1")
	}
	if err != nil && ctx.Err() == nil {
		return wrong(fmt.Sprintf("kith %s: %v\n%s", strings.Join(args, " "), err, said.String()))
	}
	return err
}
