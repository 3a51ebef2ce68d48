package http_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kith"
	kithhttp "kith/http"
	"kith/internal/search"
)

// patient is a writer that knows until when the request is to be read.
type patient struct {
	*httptest.ResponseRecorder
	until time.Time
}

// SetReadDeadline implements what [http.ResponseController] looks for.
func (r *patient) SetReadDeadline(at time.Time) error {
	r.until = at
	return nil
}

// searcher is a search that is a function.
type searcher func()

func (s searcher) Search(context.Context, search.Request) (*search.Results, error) {
	s()
	return nil, kith.Errorf(kith.NotFound, "NOTHING", "nothing is searched")
}

// The time to read a request is that of its body: net/http takes the end of that time
// for a client that went away, which what is asked must not be broken off for.
func TestTimeToReadEndsWithTheBody(t *testing.T) {
	w := &patient{ResponseRecorder: httptest.NewRecorder(), until: time.Now().Add(time.Minute)}
	asked := false
	f := newFixture(t, func(_ *fixture, cfg *kithhttp.Config) {
		cfg.Directories[0].Search = searcher(func() {
			if asked = true; !w.until.IsZero() {
				t.Error("a search is at work in the time to read its request")
			}
		})
	})
	req := httptest.NewRequest(http.MethodPost, "/v2/people/search", strings.NewReader(`{"prompt":"engineer"}`))
	req.Header.Set("Authorization", "Bearer "+f.token)
	req.Header.Set("Content-Type", "application/json")
	if f.server.ServeHTTP(w, req); !asked {
		t.Errorf("%d %s", w.Code, w.Body)
	}
}

// crowded is a listener of a process that has all files open that it may, for once.
type crowded struct {
	net.Listener
	once sync.Once
}

func (c *crowded) Accept() (conn net.Conn, err error) {
	c.once.Do(func() { err = &net.OpError{Op: "accept", Net: "tcp", Err: syscall.EMFILE} })
	if err != nil {
		return nil, err
	}
	return c.Listener.Accept()
}

// What net/http has to say is in the log like anything else, one record a line.
func TestWhatHTTPSaysIsLogged(t *testing.T) {
	f := newFixture(t, nil)
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	f.url = "http://" + ln.Addr().String()
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- f.server.Serve(ctx, &crowded{Listener: ln}) }()
	f.call(http.MethodGet, "/healthz", "")
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
	text := f.logs.String()
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "{") {
			t.Errorf("the log has the line %q", line)
		}
	}
	if !strings.Contains(text, "Accept error") {
		t.Errorf("the log lacks why nobody was let in: %s", text)
	}
}
