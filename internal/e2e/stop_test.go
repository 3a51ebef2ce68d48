package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/tmaxmax/go-sse"
)

// stopPeople with faultText bytes each do not fit in the buffers between
// server and client: a stream of them is under way until it is read.
const stopPeople = 3000

// TestStop tells a server to stop while a client reads a long stream: no one
// is served any more, and the stream goes on to its end.
func TestStop(t *testing.T) {
	onEngines(t, func(t *testing.T, k kith) {
		g := generate(t)
		people := changed(g.people[:stopPeople], record{"about_me": strings.Repeat("Long about. ", faultText/12)})
		k.run(t, "load", g.companies, k.write(t, "people.ndjson", people))
		s := k.serve(t, append(unlimited(), "--grace", "5m")...)
		address := strings.TrimPrefix(s.URL, "http://")
		portInUse(t, address)
		events, hangUp := s.open(t, k.liveToken(t), listOf(people))
		defer hangUp()
		var out streamed
		readTo(t, &out, events, "result")
		if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the server takes no connection", func() bool {
			conn, err := net.Dial("tcp", address)
			if err == nil {
				conn.Close()
			}
			return err != nil
		})
		select {
		case <-s.gone:
			t.Error("the server ended before its stream")
		default:
		}
		readTo(t, &out, events, "done")
		if len(out.people) != stopPeople || !out.done.Complete {
			t.Errorf("%d of %d people came, complete %v", len(out.people), stopPeople, out.done.Complete)
		}
		<-s.gone // a second signal would end it at once
		if s.err != nil {
			t.Errorf("kith serve ended with %v", s.err)
		}
		if log := s.output(); strings.Contains(log, `"level":"error"`) {
			t.Errorf("the log of the server has errors:\n%s", log)
		}
	})
}

// portInUse starts a server at an address that is taken.
func portInUse(t *testing.T, address string) {
	t.Helper()
	_, stderr, err := offline(t).try(t, "serve", "--listen", address)
	if exitCode(err) != 1 || !strings.Contains(stderr, address) || !strings.Contains(stderr, "--listen") || !strings.Contains(stderr, "in use") {
		t.Errorf("a server at an address that is taken: code %d\n%s", exitCode(err), stderr)
	}
}

// TestMetricsAddressTaken serves metrics at an address that is taken: a server that
// cannot do all of its work does not start, and says why.
func TestMetricsAddressTaken(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	address := taken.Addr().String()
	k := newKith(t, engines()[0])
	_, stderr, err := k.try(t, "serve", "--listen", "127.0.0.1:0", "--metrics-listen", address)
	if exitCode(err) != 1 || !strings.Contains(stderr, address) || !strings.Contains(stderr, "--metrics-listen") || !strings.Contains(stderr, "in use") {
		t.Errorf("metrics at an address that is taken: code %d\n%s", exitCode(err), stderr)
	}
	if _, err := os.Stat(k.data()); err == nil {
		t.Error("something was started before the address was tried")
	}
}

// open asks for a stream and gives its events as they are read.
func (s *server) open(t *testing.T, token string, body map[string]any) (next func() (sse.Event, error, bool), hangUp func()) {
	t.Helper()
	body["stream"] = true
	req, err := s.request(t.Context(), "/v2/people/search", token, body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req) //nolint:bodyclose // hangUp closes it
	if err != nil {
		t.Fatal(err)
	}
	next, stop := iter.Pull2(sse.Read(resp.Body, &sse.ReadConfig{MaxEventSize: 1 << 22}))
	return next, func() {
		stop()
		resp.Body.Close()
	}
}

// readTo reads a stream up to the next event of a type.
func readTo(t *testing.T, out *streamed, next func() (sse.Event, error, bool), until string) {
	t.Helper()
	for {
		event, err, more := next()
		if err != nil || !more {
			t.Fatalf("the stream ends before %s, after %d people: %v", until, len(out.people), err)
		}
		out.add(t, event)
		if event.Type == until {
			return
		}
	}
}

// TestPostgresKilled kills the embedded Postgres under a server, with no other
// kith about that would start it again.
func TestPostgresKilled(t *testing.T) {
	onEngines(t, func(t *testing.T, k kith) {
		g := generate(t)
		people := g.people[:200]
		k.run(t, "load", g.companies, k.write(t, "people.ndjson", people))
		s := k.serve(t, unlimited()...)
		token := k.liveToken(t)
		// A connection of before may still fail one request after the server is back.
		finds := func(people []record) {
			eventually(t, "the server is ready and finds everyone", func() bool {
				if s.get(t, "/readyz", "").status != http.StatusOK {
					return false
				}
				a := s.post(t, "/v2/people/search", token, listOf(people))
				return a.status == http.StatusOK && len(decodePage(t, a).Data) == len(people)
			})
		}
		for range 2 {
			killed, err := k.postgresPID()
			if err != nil {
				t.Fatal(err)
			}
			k.killPostgres(t)
			// Until they notice, what it has started answers on.
			eventually(t, "there is another server", func() bool {
				pid, err := k.postgresPID()
				return err == nil && pid != killed
			})
			finds(people)
		}
		k.run(t, "load", k.write(t, "people-more.ndjson", g.people[200:250]))
		finds(g.people[:250])
	})
}

// TestInterrupted tells commands to stop in the middle of what they do: they say so, and
// not that something else is wrong.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	g := generate(t)
	t.Run("load", func(t *testing.T) {
		t.Parallel()
		k := newKith(t, engines()[0])
		k.run(t, "load", g.companies)
		cmd := k.command(t.Context(), "load", "--kind", "people", "-")
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		cmd.Stdin = in
		interrupted(t, cmd, func() {
			in.Close() // so that only the command reads
			// It is written to until nobody reads any more: it has not come to the end.
			for n := 0; ; n++ {
				person := maps.Clone(g.people[n%len(g.people)])
				delete(person, "id")
				person["social_url"] = fmt.Sprintf("https://social.example/in/endless-%d", n)
				if json.NewEncoder(out).Encode(person) != nil {
					break
				}
				if n == 5000 {
					_ = cmd.Process.Signal(os.Interrupt)
				}
			}
			out.Close()
		})
	})
	for _, args := range [][]string{{"doctor"}, {"search", "x"}, {"reindex"}} {
		t.Run(args[0], func(t *testing.T) {
			t.Parallel()
			k := newKith(t, engines()[0])
			asked := make(chan struct{}, 100)
			silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
				asked <- struct{}{}
				_, _ = io.Copy(io.Discard, r.Body)
				<-r.Context().Done()
			}))
			defer silent.Close()
			cmd := k.command(t.Context(), args...)
			cmd.Env = append(cmd.Env, "KITH_ELASTICSEARCH_URL="+silent.URL)
			interrupted(t, cmd, func() {
				<-asked
				_ = cmd.Process.Signal(os.Interrupt)
			})
		})
	}
}

// TestTerminalCloses closes the terminal of a server, which ends with its Postgres, and
// that of a load under nohup, which goes on.
func TestTerminalCloses(t *testing.T) {
	t.Parallel()
	// Where the tests run under nohup themselves, kith would go on: whoever listens
	// hands the signal on to those who are started.
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	defer signal.Stop(heard)
	k := newKith(t, engines()[0])
	s := k.serve(t)
	if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	<-s.gone
	if pid, err := k.postgresPID(); s.err != nil || err == nil {
		t.Errorf("kith serve ended with %v, Postgres runs as %d\n%s", s.err, pid, s.output())
	}
	cmd := k.command(t.Context(), "load", "--kind", "people", "--no-index", "-")
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, cmd.Args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	const lines = 10_000
	line := strings.Repeat(" ", 200) + "{}\n" // more than a pipe holds: once they are written, the load has begun
	if _, err := io.WriteString(in, strings.Repeat(line, lines)); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	in.Close()
	if err := cmd.Wait(); err != nil || !strings.Contains(stdout.String(), fmt.Sprintf("%d lines read", lines)) {
		t.Errorf("%v: %s", err, &stdout)
	}
}

// interrupted runs a command that is interrupted meanwhile.
func interrupted(t *testing.T, cmd *exec.Cmd, meanwhile func()) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	meanwhile()
	if err := cmd.Wait(); exitCode(err) != 130 || !strings.HasSuffix(stderr.String(), "kith: interrupted\n") || strings.Contains(stdout.String(), "problem") {
		t.Errorf("code %d\nstdout: %s\nstderr: %s", exitCode(err), &stdout, &stderr)
	}
}
