package streams_test

import (
	"iter"
	"net"
	"strings"
	"syscall"
	"testing"

	"github.com/tmaxmax/go-sse"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// stopPeople with stopText bytes each exceed the buffers between server and client, so a stream of them stays open
// until it is read.
const (
	stopPeople = 3000
	stopText   = 5000
)

// A server is stopped while a client reads a long stream. It accepts no new connections, and the stream continues
// to its end.
func TestStoppingServerFinishesStreams(t *testing.T) {
	e2e.OnAnEngine(t, func(t *testing.T, k e2e.Kith) {
		g := e2e.Generate(t)
		people := e2e.Changed(g.People[:stopPeople], e2e.Record{"about_me": strings.Repeat("Long about. ",
			stopText/12)})
		k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", people))
		s := k.Serve(t, append(e2e.Unlimited(), "--grace", "5m")...)
		address := strings.TrimPrefix(s.URL, "http://")
		portInUse(t, address)
		events, hangUp := open(t, s, k.LiveToken(t), e2e.ListOf(people))
		defer hangUp()
		var out e2e.Streamed
		readTo(t, &out, events, "result")
		expect.NoError(t, s.Signal(syscall.SIGTERM))
		e2e.Eventually(t, "the server takes no connection", func() bool {
			conn, err := net.Dial("tcp", address)
			if err == nil {
				conn.Close()
			}
			return err != nil
		})
		select {
		case <-s.Gone:
			t.Error("the server ended before its stream")
		default:
		}
		readTo(t, &out, events, "done")
		if len(out.People) != stopPeople || !out.Done.Complete {
			t.Errorf("the stream has %d of %d people, complete %v", len(out.People), stopPeople, out.Done.Complete)
		}
		<-s.Gone // a second signal would end it at once
		if s.Err != nil {
			t.Errorf("kith serve ended with %v", s.Err)
		}
		if log := s.Output(); strings.Contains(log, `"level":"error"`) {
			t.Errorf("the log of the server has errors:\n%s", log)
		}
	})
}

// portInUse starts a server at an address in use.
func portInUse(t *testing.T, address string) {
	t.Helper()
	_, stderr, err := e2e.Offline(t).Try(t, "serve", "--listen", address)
	if e2e.ExitCode(err) != 1 || !strings.Contains(stderr, address) || !strings.Contains(stderr, "--listen") ||
		!strings.Contains(stderr, "in use") {
		t.Errorf("a server at an address in use: code %d\n%s", e2e.ExitCode(err), stderr)
	}
}

// open opens a stream and returns an iterator over its events.
func open(t *testing.T, s *e2e.Server, token string,
	body map[string]any,
) (next func() (sse.Event, error, bool), hangUp func()) {
	t.Helper()
	body["stream"] = true
	answer := s.Begin(t, token, body)
	next, stop := iter.Pull2(sse.Read(answer, &sse.ReadConfig{MaxEventSize: 1 << 22}))
	return next, func() {
		stop()
		answer.Close()
	}
}

// readTo reads a stream up to the next event of a type.
func readTo(t *testing.T, out *e2e.Streamed, next func() (sse.Event, error, bool), until string) {
	t.Helper()
	for {
		event, err, more := next()
		if err != nil || !more {
			t.Fatalf("the stream ends before %s, after %d people: %v", until, len(out.People), err)
		}
		out.Add(t, event)
		if event.Type == until {
			return
		}
	}
}
