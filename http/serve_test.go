package http_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
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
	"kith/internal/access/auth"
	"kith/internal/network"
	"kith/internal/test/expect"
)

// patient is a writer that records the read deadline of its request.
type patient struct {
	*httptest.ResponseRecorder
	until time.Time
}

// SetReadDeadline implements the method that [http.ResponseController] looks for.
func (r *patient) SetReadDeadline(at time.Time) error {
	r.until = at
	return nil
}

// exporter is an export.
type exporter func(context.Context) error

// Export implements [kithhttp.Exporter].
func (e exporter) Export(ctx context.Context, _ kith.Viewer, _ io.Writer) error { return e(ctx) }

// The read deadline covers only the body. After it, net/http would report a disconnect, which must not cancel the work.
func TestReadDeadlineEndsWithTheBody(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ method, path, body string }{
		{http.MethodPost, "/v2/people/search", `{"prompt":"engineer"}`},
		{
			http.MethodPost, "/mcp", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_people",` +
				`"arguments":{"prompt":"engineer"}}}`,
		},
		{http.MethodGet, "/v2/user/export", ""},
	} {
		t.Run(tt.path, func(t *testing.T) {
			w := &patient{ResponseRecorder: httptest.NewRecorder(), until: time.Now().Add(time.Minute)}
			asked := false
			work := func(ctx context.Context) error {
				if asked = true; !w.until.IsZero() {
					t.Error("the work goes on with the read deadline set")
				}
				return ctx.Err()
			}
			f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
				cfg.Datasets[0].Search, cfg.Datasets[0].Export = newSearch(t, f.db, work), exporter(work)
			})
			var body io.Reader = http.NoBody
			if tt.body != "" {
				body = strings.NewReader(tt.body)
			}
			req := httptest.NewRequest(tt.method, tt.path, body)
			req.Header.Set("Authorization", "Bearer "+f.token)
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json, text/event-stream")
			if f.server.ServeHTTP(w, req); !asked {
				t.Errorf("answered %d %s", w.Code, w.Body)
			}
		})
	}
}

// Many clients read the answer only after they have sent the whole request. A refusal must reach them too, however
// large the body.
func TestRefusalsReachClientsThatReadLate(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	body := `{"social_url":"x"` + strings.Repeat(" ", 16<<20) + "}"
	for name, tt := range map[string]struct {
		path, headers, body string
		status              int
	}{
		"too large":     {"/v2/people/enrich", f.bearer() + "\r\n", body, http.StatusRequestEntityTooLarge},
		"token expired": {"/v2/people/search", "Authorization: Bearer gone\r\n", body, http.StatusUnauthorized},
		"asks before": {
			"/v2/people/search", "Authorization: Bearer gone\r\nExpect: 100-continue\r\n", "", http.StatusUnauthorized,
		},
	} {
		t.Run(name, func(t *testing.T) {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(f.url, "http://"))
			expect.NoError(t, err)
			defer conn.Close()
			head := fmt.Sprintf("POST %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: "+
				"%d\r\n%s\r\n", tt.path, len(body), tt.headers)
			if _, err := io.WriteString(conn, head+tt.body); err != nil {
				t.Fatal(err)
			}
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			expect.NoError(t, err)
			defer res.Body.Close()
			if res.StatusCode != tt.status {
				t.Errorf("%d, want %d", res.StatusCode, tt.status)
			}
		})
	}
}

// crowded is a listener that once fails with too many open files.
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

// Messages of net/http are in the log in its usual format, one record a line.
func TestErrorsOfNetHTTPAreLogged(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(t, err)
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
		t.Errorf("the log lacks the error of the listener: %s", text)
	}
}

// endless is a network whose calls last until their context ends.
type endless struct {
	kithhttp.Reach
	kithhttp.Network
	working chan struct{}
}

func (e endless) wait(ctx context.Context) error {
	e.working <- struct{}{}
	<-ctx.Done()
	return ctx.Err()
}

func (e endless) Person(ctx context.Context, _ kith.Viewer, _ int64) (network.Target, error) {
	return network.Target{}, e.wait(ctx)
}

func (e endless) Company(
	ctx context.Context, _ kith.Viewer, _ network.CompanyName, _ int,
) (network.CompanyReach, error) {
	return network.CompanyReach{}, e.wait(ctx)
}

func (e endless) Summary(ctx context.Context, _ kith.Actor) (network.Summary, error) {
	return network.Summary{}, e.wait(ctx)
}

func (e endless) Named(context.Context, kith.Viewer, string) (int64, error) { return 1, nil }

func (e endless) Delete(ctx context.Context, _ kith.Actor, _ int64) error { return e.wait(ctx) }

// endlessAuth issues no token until its context ends.
type endlessAuth struct {
	kithhttp.Auth
	endless
}

func (e endlessAuth) IssueBy(ctx context.Context, _ auth.Key, _ auth.Identity, _ kith.Scopes) (auth.Issued, error) {
	return auth.Issued{}, e.wait(ctx)
}

// A stopping server answers requests that outlast the grace period, on every route: a closed connection would say
// nothing.
func TestStoppingServersAnswerOpenRequests(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ method, path, body string }{
		{http.MethodPost, "/v2/companies/paths", `{"domain":"acme.example"}`},
		{http.MethodPost, "/v2/people/1/paths", ""},
		{http.MethodGet, "/v2/user/me", ""},
		{http.MethodDelete, "/v2/user/relationships/1", ""},
		{http.MethodPost, "/v2/auth/tokens", issueBody},
	} {
		t.Run(tt.path, func(t *testing.T) {
			e := endless{working: make(chan struct{}, 1)}
			f := newFixture(t, func(_ *fixture, cfg *kithhttp.Config) {
				cfg.Grace = time.Millisecond
				cfg.Datasets[0].Reach, cfg.Datasets[0].Network = e, e
				cfg.Datasets[0].Auth = endlessAuth{cfg.Datasets[0].Auth, e}
			})
			stop, served := f.serve()
			go func() {
				<-e.working
				stop()
			}()
			f.call(tt.method, tt.path, tt.body, f.bearer(), "secret-key: "+f.key).wants(t,
				http.StatusServiceUnavailable, "SHUTTING_DOWN")
			if err := <-served; err != nil {
				t.Error(err)
			}
		})
	}
}
