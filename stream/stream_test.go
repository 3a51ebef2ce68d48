package stream_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tmaxmax/go-sse"
	"go.uber.org/goleak"

	"kith/internal/test/expect"
	"kith/stream"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve starts a server that streams the events of make. The channel gets the result of Serve.
func serve(t *testing.T, opts stream.Options,
	events func(ctx context.Context) iter.Seq[stream.Event],
) (*httptest.Server, <-chan error) {
	t.Helper()
	returned := make(chan error, 1000)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, stop := context.WithCancel(r.Context())
		returned <- stream.Serve(w, r, events(ctx), stop, opts)
	}))
	t.Cleanup(srv.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	return srv, returned
}

func fixed(events ...stream.Event) func(context.Context) iter.Seq[stream.Event] {
	return func(context.Context) iter.Seq[stream.Event] {
		return func(yield func(stream.Event) bool) {
			for _, e := range events {
				if !yield(e) {
					return
				}
			}
		}
	}
}

// get sends a request and returns the headers and the body.
func get(t *testing.T, url string) (http.Header, io.ReadCloser) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	expect.NoError(t, err)
	res, err := http.DefaultClient.Do(req)
	expect.NoError(t, err)
	t.Cleanup(func() { res.Body.Close() })
	return res.Header, res.Body
}

func body(t *testing.T, url string) io.ReadCloser {
	t.Helper()
	_, b := get(t, url)
	return b
}

func TestServeWritesEventStreams(t *testing.T) {
	srv, returned := serve(t, stream.Options{}, fixed(
		stream.Event{Name: "metadata", Data: map[string]string{"a": "line\nbreak"}},
		stream.Event{Name: "result", ID: "c1", Data: []int{1}},
		stream.Event{Name: "done", Data: true},
	))
	header, stream := get(t, srv.URL)
	text, err := io.ReadAll(stream)
	expect.NoError(t, err)
	want := "event: metadata\ndata: {\"a\":\"line\\nbreak\"}\n\nid: c1\nevent: result\ndata: [1]\n\nevent: " +
		"done\ndata: true\n\n"
	if string(text) != want {
		t.Errorf("got\n%s", text)
	}
	for name, value := range map[string]string{
		"Content-Type": "text/event-stream", "Cache-Control": "no-cache, no-transform", "X-Accel-Buffering": "no",
	} {
		if got := header.Get(name); got != value {
			t.Errorf("%s: %q", name, got)
		}
	}
	if err := <-returned; err != nil {
		t.Error(err)
	}
}

// dated is a writer that records its write deadlines.
type dated struct {
	*httptest.ResponseRecorder
	until []time.Time
}

// SetWriteDeadline implements the method that [http.ResponseController] looks for.
func (d *dated) SetWriteDeadline(at time.Time) error {
	d.until = append(d.until, at)
	return nil
}

// The connection serves the next request after a stream, without an old deadline.
func TestConnectionServesRequestsAfterAStream(t *testing.T) {
	srv, _ := serve(t, stream.Options{}, fixed(stream.Event{Name: "done"}))
	for range 3 {
		if _, err := io.ReadAll(body(t, srv.URL)); err != nil {
			t.Fatal(err)
		}
	}
	w, r := &dated{ResponseRecorder: httptest.NewRecorder()},
		httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	err := stream.Serve(w, r, fixed(stream.Event{Name: "done"})(nil), func() {}, stream.Options{})
	if n := len(w.until); err != nil || n < 2 || w.until[0].IsZero() || !w.until[n-1].IsZero() {
		t.Errorf("the deadlines were %v; %v", w.until, err)
	}
}

func TestSSELibraryReadsStreams(t *testing.T) {
	var many []stream.Event
	for i := range 500 {
		many = append(many, stream.Event{Name: "result", ID: fmt.Sprint("c", i), Data: i})
	}
	srv, _ := serve(t, stream.Options{}, fixed(many...))
	n := 0
	for e, err := range sse.Read(body(t, srv.URL), nil) {
		expect.NoError(t, err)
		if e.Type != "result" || e.Data != fmt.Sprint(n) || e.LastEventID != fmt.Sprint("c", n) {
			t.Fatalf("event %d is %+v", n, e)
		}
		n++
	}
	if n != 500 {
		t.Errorf("the client read %d events", n)
	}
}

// Headers are sent with the first event, and a comment follows if no event comes for long.
func TestHeadersComeWithTheFirstEventOrHeartbeat(t *testing.T) {
	release := make(chan struct{})
	srv, _ := serve(t, stream.Options{Heartbeat: time.Millisecond}, func(context.Context) iter.Seq[stream.Event] {
		return func(yield func(stream.Event) bool) {
			yield(stream.Event{Name: "metadata"})
			<-release
			yield(stream.Event{Name: "done"})
		}
	})
	lines := bufio.NewReader(body(t, srv.URL))
	for line := ""; !strings.HasPrefix(line, ":"); {
		var err error
		line, err = lines.ReadString('\n')
		expect.NoError(t, err)
	}
	close(release)
	rest, err := io.ReadAll(lines)
	if err != nil || !strings.Contains(string(rest), "event: done\ndata: null\n\n") { // comments may follow
		t.Errorf("got %q, %v", rest, err)
	}
}

// Without an event, Serve leaves the response untouched.
func TestStreamsWithoutEventsSendNoHeaders(t *testing.T) {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodPost, "/", nil)
	err := stream.Serve(w, r, func(func(stream.Event) bool) {}, func() {}, stream.Options{})
	if err != nil || len(w.Header()) != 0 || w.Body.Len() != 0 {
		t.Errorf("got %v, headers %v, body %q", err, w.Header(), w.Body)
	}
}

// endless yields events until its context ends, and then closes ended.
func endless(size int, ended chan<- struct{}) func(context.Context) iter.Seq[stream.Event] {
	data := strings.Repeat("x", size)
	return func(ctx context.Context) iter.Seq[stream.Event] {
		return func(yield func(stream.Event) bool) {
			defer close(ended)
			for yield(stream.Event{Name: "result", Data: data}) && ctx.Err() == nil {
			}
		}
	}
}

func TestDisconnectStopsTheWork(t *testing.T) {
	ended := make(chan struct{})
	srv, returned := serve(t, stream.Options{}, endless(10, ended))
	client := body(t, srv.URL)
	if _, err := bufio.NewReader(client).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	client.Close()
	<-ended
	if err := <-returned; !errors.Is(err, stream.ErrClientGone) {
		t.Errorf("got %v", err)
	}
}

// A disconnect also stops work that waits for something other than the client.
func TestDisconnectStopsWaitingWork(t *testing.T) {
	srv, returned := serve(t, stream.Options{}, func(ctx context.Context) iter.Seq[stream.Event] {
		return func(yield func(stream.Event) bool) {
			yield(stream.Event{Name: "metadata"})
			<-ctx.Done()
		}
	})
	client := body(t, srv.URL)
	if _, err := bufio.NewReader(client).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	client.Close()
	if err := <-returned; !errors.Is(err, stream.ErrClientGone) {
		t.Errorf("got %v", err)
	}
}

// A sequence that notices the disconnect by itself ends early; Serve still reports it.
func TestServeReportsADisconnectBeforeTheEnd(t *testing.T) {
	for range 20 {
		ctx, leave := context.WithCancel(t.Context())
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/", nil)
		err := stream.Serve(httptest.NewRecorder(), r, func(yield func(stream.Event) bool) {
			yield(stream.Event{Name: "metadata"})
			leave()
		}, func() {}, stream.Options{})
		if !errors.Is(err, stream.ErrClientGone) {
			t.Fatalf("got %v", err)
		}
	}
}

// A client that does not read is disconnected. The others get their events.
func TestSlowReadersAreDisconnected(t *testing.T) {
	begun, ended, cut := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, stop := context.WithCancel(r.Context())
		if r.URL.Path == "/slow" {
			close(begun)
			cut <- stream.Serve(w, r, endless(100_000, ended)(ctx), stop,
				stream.Options{WriteTimeout: 50 * time.Millisecond})
			return
		}
		if err := stream.Serve(w, r, fixed(stream.Event{Name: "done"})(ctx), stop, stream.Options{}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(srv.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", srv.Listener.Addr().String())
	expect.NoError(t, err)
	defer conn.Close()
	if _, err := io.WriteString(conn, "GET /slow HTTP/1.1\r\nHost: test\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	<-begun
	for range 5 {
		if text, err := io.ReadAll(body(t, srv.URL)); err != nil || !strings.Contains(string(text), "done") {
			t.Errorf("another client got %q, %v", text, err)
		}
	}
	if err := <-cut; !errors.Is(err, stream.ErrClientGone) {
		t.Errorf("Serve ended for the slow client with %v", err)
	}
	<-ended
}

// A panic in the sequence ends the writer as well.
func TestPanicStopsTheWriter(t *testing.T) {
	recovered := make(chan any, 1)
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() { recovered <- recover() }()
		_, stop := context.WithCancel(r.Context())
		t.Error(stream.Serve(w, r, func(func(stream.Event) bool) { panic("defect") }, stop, stream.Options{}))
	}))
	t.Cleanup(srv.Close)
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	if _, err := io.ReadAll(body(t, srv.URL)); err != nil {
		t.Error(err)
	}
	if got := <-recovered; got != "defect" {
		t.Errorf("recovered %v", got)
	}
}

func TestServeNeedsAFlushingWriter(t *testing.T) {
	type plain struct{ http.ResponseWriter }
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", nil)
	if err := stream.Serve(plain{httptest.NewRecorder()}, r, fixed(stream.Event{Name: "done"})(nil), func() {},
		stream.Options{}); err == nil {
		t.Error("no error")
	}
}
