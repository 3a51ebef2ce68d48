package elasticindex

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
)

// Straight sends requests to Elasticsearch that a [Driver] has sent before,
// without the driver: it is what the driver is measured against.
type Straight struct {
	client *http.Client
	base   string
	auth   func(*http.Request)
}

// NewStraight returns a client of its own for the first address of cfg. It
// does not connect.
func NewStraight(cfg Config) (*Straight, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	transport, err := newTransport(cfg.CA)
	if err != nil {
		return nil, err
	}
	auth := func(*http.Request) {}
	switch {
	case cfg.APIKey != "":
		auth = func(r *http.Request) { r.Header.Set("Authorization", "ApiKey "+cfg.APIKey) }
	case cfg.Username != "":
		auth = func(r *http.Request) { r.SetBasicAuth(cfg.Username, cfg.Password) }
	}
	return &Straight{client: &http.Client{Transport: transport}, base: strings.TrimRight(cfg.URLs[0], "/"), auth: auth}, nil
}

// Close lets go of idle connections.
func (s *Straight) Close() { s.client.CloseIdleConnections() }

// Record returns a context under which every driver notes what it sends, and a
// function that tells what was sent until it is called: the requests in words,
// and what sends them again, one after the other, reading each answer to its
// end.
func (s *Straight) Record(ctx context.Context) (recording context.Context, noted func() (requests []string, replay func(context.Context) error)) {
	t := &tape{}
	return context.WithValue(ctx, tapeKey{}, t), func() ([]string, func(context.Context) error) {
		sent := t.all()
		requests := make([]string, len(sent))
		for i, r := range sent {
			requests[i] = fmt.Sprintf("%s %s?%s %s", r.method, r.path, r.params, r.body)
		}
		return requests, func(ctx context.Context) error { return s.replay(ctx, sent) }
	}
}

func (s *Straight) replay(ctx context.Context, sent []request) error {
	for _, r := range sent {
		if err := s.send(ctx, r); err != nil {
			return fmt.Errorf("replay %s %s: %w", r.method, r.path, err)
		}
	}
	return nil
}

func (s *Straight) send(ctx context.Context, r request) error {
	req := r.http(ctx)
	full, err := req.URL.Parse(s.base + req.URL.String())
	if err != nil {
		return err
	}
	req.URL, req.Host = full, full.Host
	s.auth(req)
	res, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if _, err := io.Copy(io.Discard, res.Body); err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	return nil
}

// tape holds the requests of one recording, in the order in which they began.
type tape struct {
	mu   sync.Mutex
	sent []request
}

type tapeKey struct{}

// note puts a request on the tape of ctx, if there is one.
func note(ctx context.Context, r request) {
	t, ok := ctx.Value(tapeKey{}).(*tape)
	if !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent = append(t.sent, r)
}

func (t *tape) all() []request {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]request(nil), t.sent...)
}
