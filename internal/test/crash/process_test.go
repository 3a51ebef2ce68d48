package crash_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"path"
	"strings"
	"sync"
	"sync/atomic"
)

// process is the process that crashes: its connections to the servers pass through it. It counts the points.
type process struct {
	cut     cut
	cancel  context.CancelFunc
	crashed atomic.Bool

	mu     sync.Mutex
	ended  bool
	open   []io.Closer
	points []point
}

// point is where a process may crash.
type point int

const (
	begin    point = iota // a statement that begins a transaction
	within                // a statement within a transaction
	commit                // the end of a transaction
	reading               // a statement that is a transaction of its own, or the first of a batch that is one
	writing               // the same, and the server changed something
	question              // a request that changes nothing
	request               // a request that changes something
)

// commits reports whether what the process sends there may change what the servers keep.
func (p point) commits() bool { return p == commit || p == writing || p == request }

func (p point) String() string {
	return [...]string{"begin", "within", "commit", "reading", "writing", "question", "request"}[p]
}

// between returns the addresses of proxies in front of the servers.
func (p *process) between(ctx context.Context, at servers) (servers, error) {
	host, rest, _ := strings.Cut(strings.TrimPrefix(at.database, "host="), " ")
	port, err := p.passStatements(ctx, host)
	if err != nil {
		return at, err
	}
	at.database = fmt.Sprintf("host=127.0.0.1 port=%d %s", port, rest)
	if at.elasticsearch != "" {
		at.elasticsearch, err = p.passRequests(ctx, at.elasticsearch)
	}
	return at, err
}

// keep notes what the end closes. After the end it closes everything and returns false.
func (p *process) keep(open ...io.Closer) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = append(p.open, open...)
	if p.ended {
		p.close()
	}
	return !p.ended
}

// end closes all connections and opens no more.
func (p *process) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.close()
}

func (p *process) close() {
	for _, c := range p.open {
		_ = c.Close() // what is closed already has ended
	}
}

// reach notes a point and returns its number, from 1.
func (p *process) reach(kind point) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.points = append(p.points, kind)
	return len(p.points)
}

// wrote notes that a statement outside transactions changed something.
func (p *process) wrote(number int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.points[number-1] == reading {
		p.points[number-1] = writing
	}
}

// crash ends everything.
func (p *process) crash() {
	p.crashed.Store(true)
	p.end()
	p.cancel()
}

var errCrashed = errors.New("the process has crashed")

// passRequests starts the proxy in front of Elasticsearch and returns its address.
func (p *process) passRequests(ctx context.Context, to string) (address string, err error) {
	target, err := url.Parse(to)
	if err != nil {
		return "", err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	server := &http.Server{Handler: p.requests(target)} //nolint:gosec // only the test's own client connects
	p.keep(server)
	go func() { _ = server.Serve(listener) }() // the end closes it
	return "http://" + listener.Addr().String(), nil
}

// requests forwards requests to Elasticsearch, up to the cut.
func (p *process) requests(target *url.URL) http.Handler {
	forward := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ModifyResponse: func(r *http.Response) error {
			if r.Request.Context().Value(lastKey{}) == nil {
				return nil
			}
			_, err := io.Copy(io.Discard, r.Body)
			p.crash()
			return errors.Join(errCrashed, err)
		},
		ErrorHandler: func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		number := p.reach(kindOf(r))
		if err != nil || number == p.cut.at && !p.cut.executed {
			p.crash()
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		if number == p.cut.at { // the server must execute it, although the connection of its sender may end
			r = r.WithContext(context.WithValue(context.WithoutCancel(r.Context()), lastKey{}, true))
		}
		forward.ServeHTTP(w, r)
	})
}

// lastKey marks the request of the cut.
type lastKey struct{}

// kindOf tells requests that change something.
func kindOf(r *http.Request) point {
	switch last := path.Base(r.URL.Path); {
	case r.Method == http.MethodGet, r.Method == http.MethodHead:
		return question
	case strings.HasPrefix(last, "_search"), last == "_count", last == "_msearch", last == "_mget":
		return question
	}
	return request
}
