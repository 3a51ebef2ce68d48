package elasticindex

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"

	"kith/index"
)

// Straight resends requests of a [Driver] without the driver, as the baseline for measuring it.
type Straight struct {
	client *http.Client
	base   string
	auth   func(*http.Request)
}

// NewStraight returns a separate client for the first address of cfg. It does not connect.
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
	return &Straight{client: &http.Client{Transport: transport}, base: strings.TrimRight(cfg.URLs[0], "/"), auth: auth},
		nil
}

// Close closes idle connections.
func (s *Straight) Close() { s.client.CloseIdleConnections() }

// Trace returns a context under which every driver records its requests: see [index.TraceReplay]. The replay reads
// each answer completely.
func (s *Straight) Trace(
	ctx context.Context,
) (tracing context.Context, noted func() (requests []string, replay func(context.Context) error)) {
	return index.TraceReplay(ctx, func(r request) string {
		return fmt.Sprintf("%s %s?%s %s", r.method, r.path, r.params, r.body)
	}, s.send)
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
		return fmt.Errorf("%s %s: status %d", r.method, r.path, res.StatusCode)
	}
	return nil
}
