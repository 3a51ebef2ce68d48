package elasticindex

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"time"

	"kith/index"
)

// cluster sends requests.
type cluster struct {
	transport *http.Transport
	nodes     *nodes
	out       *lookout
	// timeout is the limit for one request that reads. Others get four times as long: see changeTimeout.
	timeout time.Duration
	// bodies is reusable memory for answers.
	bodies sync.Pool
}

// request is one request to the cluster.
type request struct {
	method, path string
	params       string // encoded query parameters
	body         []byte
	kind         string // of the body; empty means JSON
	gzipped      bool
	// timeout is for one attempt; 0 means that of the method: see limit.
	timeout time.Duration
	// once forbids to wait for a cluster that asks for patience: checks need an answer now.
	once bool
	// shards means that the request reads shards, of which the cluster chooses the copies.
	shards bool
}

// answer is the cluster's answer, whatever its status.
type answer struct {
	status int
	body   []byte
}

const (
	// attempts is the most attempts of a request that is answered with 429, 502 or 503: with the pauses, about two
	// seconds.
	attempts   = 6
	firstPause = 50 * time.Millisecond
	longPause  = 2 * time.Second
)

// do sends a request, repeats it while the cluster asks for patience, and returns the last answer. After a lost
// connection or from a silent address it goes to each other address, and is sent at least twice, without a pause: a
// node may have closed an idle connection. All requests of the driver must be repeatable: versions of documents make
// writes so.
func (c *cluster) do(ctx context.Context, r request) (answer, error) {
	index.TraceRequest(ctx, r)
	var tried []*node
	for attempt, most := 1, max(len(c.nodes.all), 2); ; {
		n, prefer := c.nodes.pick(tried)
		a, err := c.sendRequest(ctx, r, n, prefer, len(tried)+1 == most)
		switch {
		case ctx.Err() != nil:
			return answer{}, ctx.Err()
		case errors.Is(err, errSilent):
			tried = append(tried, n)
		case err != nil:
			if tried = append(tried, n); len(tried) == most || errors.Is(err, errExpired) {
				return answer{}, lostError(err)
			}
			c.nodes.lost(n)
			c.watch()
		case !isRetryable(a.status) || r.once || attempt == attempts:
			return a, nil
		default:
			if err := pause(ctx, attempt); err != nil {
				return answer{}, err
			}
			attempt++
		}
	}
}

// isRetryable reports whether a status asks to retry later.
func isRetryable(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusBadGateway ||
		status == http.StatusServiceUnavailable
}

// pause waits before another attempt, longer after each, or until ctx ends. Jitter keeps clients from retrying at the
// same time.
func pause(ctx context.Context, attempt int) error {
	wait := min(firstPause<<(attempt-1), longPause)
	timer := time.NewTimer(wait/2 + rand.N(wait/2))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// The causes for which an attempt is given up.
var (
	errExpired = errors.New("no answer within the time limit")
	errSilent  = errors.New("a node does not answer")
)

// sendRequest sends a request to one address. Unless it is the last attempt, it ends with errSilent as soon as another
// address or other shards are known to be better.
func (c *cluster) sendRequest(ctx context.Context, r request, n *node, prefer string, last bool) (answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.limit(r), errExpired)
	defer cancel()
	ctx, leave := context.WithCancelCause(ctx)
	defer leave(nil)
	if !last {
		better := func() bool { return c.nodes.betterElsewhere(n, r, prefer) }
		defer c.attend(ctx, func() { leave(errSilent) }, better)()
	}
	a, err := c.perform(n.http(ctx, r.preferring(prefer)))
	if err != nil && ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return a, err
}

func (c *cluster) perform(req *http.Request) (answer, error) {
	res, err := c.transport.RoundTrip(req)
	if err != nil {
		return answer{}, err
	}
	defer res.Body.Close()
	if res.StatusCode/100 == 2 && res.Header.Get("X-Elastic-Product") != "Elasticsearch" {
		return answer{}, errNotElasticsearch
	}
	body, err := c.readBody(res)
	return answer{status: res.StatusCode, body: body}, err
}

// preferring returns the request with a preference for the shards of some nodes; Elasticsearch uses others for shards
// that those lack.
func (r request) preferring(nodes string) request {
	switch {
	case !r.shards || nodes == "":
	case r.kind != "": // a multi-search, where each search has its own
		head := strings.TrimSuffix(batchHead, "}\n") + `,"preference":"` + nodes + "\"}\n"
		r.body = bytes.ReplaceAll(r.body, []byte(batchHead), []byte(head))
	default:
		r.params = strings.TrimPrefix(r.params+"&preference="+nodes, "&")
	}
	return r
}

// http returns the request to an address.
func (n *node) http(ctx context.Context, r request) *http.Request {
	address := *n.url
	address.User, address.Path, address.RawQuery = nil, n.url.Path+r.path, r.params
	req := (&http.Request{
		Method: r.method, URL: &address, Host: address.Host, Header: make(http.Header, 6),
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
	}).WithContext(ctx)
	req.Header["User-Agent"] = []string{"kith"}
	if n.auth != "" {
		req.Header["Authorization"] = []string{n.auth}
	}
	if r.body == nil {
		return req
	}
	req.ContentLength = int64(len(r.body))
	req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(r.body)), nil }
	req.Body, _ = req.GetBody() // cannot fail
	req.Header["Content-Type"] = []string{cmp.Or(r.kind, "application/json")}
	if r.gzipped {
		req.Header["Content-Encoding"] = []string{"gzip"}
	}
	return req
}

// readBody reads an answer of unknown length.
func (c *cluster) readBody(res *http.Response) ([]byte, error) {
	buf, again := c.bodies.Get().(*bytes.Buffer)
	if !again {
		buf = &bytes.Buffer{}
	}
	if _, err := buf.ReadFrom(res.Body); err != nil {
		return nil, fmt.Errorf("read the response: %w", err)
	}
	return buf.Bytes(), nil
}

// largestKept is the largest body whose memory is reused, in bytes.
const largestKept = 1 << 20

// recycle makes the memory of an answer reusable: keep nothing that refers to its body.
func (c *cluster) recycle(a answer) {
	if cap(a.body) <= largestKept {
		c.bodies.Put(bytes.NewBuffer(a.body[:0]))
	}
}

// changeTimeout is the limit for a request that writes. Changes of indexes wait for each other and for the disk.
// Elasticsearch gives up itself after 30 seconds, with an answer after which do tries again.
func (c *cluster) changeTimeout() time.Duration { return 4 * c.timeout }

// limit returns the limit for one attempt. By default, what is put or deleted is a change, and everything else reads.
func (c *cluster) limit(r request) time.Duration {
	switch {
	case r.timeout > 0:
		return r.timeout
	case r.method == http.MethodPut, r.method == http.MethodDelete:
		return c.changeTimeout()
	}
	return c.timeout
}

// change sends a request that writes, and checks only that it succeeded.
func (c *cluster) change(ctx context.Context, doing string, r request) error {
	r.timeout = c.changeTimeout()
	_, err := c.ask(ctx, doing, r)
	return err
}

// ask sends a request that must succeed, and returns the body of the answer.
func (c *cluster) ask(ctx context.Context, doing string, r request) ([]byte, error) {
	a, err := c.do(ctx, r)
	if err == nil && a.status != http.StatusOK {
		err = statusError(doing, a)
	}
	return a.body, err
}
