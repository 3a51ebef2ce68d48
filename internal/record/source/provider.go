package source

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
	"golang.org/x/time/rate"

	"kith"
	"kith/internal/access/netguard"
	"kith/internal/imports/mapping"
	"kith/query/analysis"
)

// ProviderConfig configures a [Provider]; zero values take the defaults given below.
type ProviderConfig struct {
	// URL is the address to request a profile from. {url} in it is replaced by the profile's
	// escaped URL; without it, the parameter social_url is added.
	URL string
	// Key is sent as the mapping says; empty sends nothing.
	Key     string
	Mapping mapping.Mapping
	// Rate limits the requests per second of this process: 10; Burst the requests at once: same as Rate, at least 1.
	Rate  float64
	Burst int
	// Timeout limits one request, including redirects and waiting for the rate limit: 10 s.
	Timeout time.Duration
	// MaxBytes limits an unpacked answer: 1 MiB.
	MaxBytes int64
	// Trip is how many consecutive failures open the circuit breaker for half a minute: 5.
	Trip uint32
	// Now is the clock: time.Now.
	Now func() time.Time
}

// rest is how long the circuit breaker stays open.
const rest = 30 * time.Second

// maxRetryAfter limits how long a provider can make us wait.
const maxRetryAfter = time.Hour

// Provider requests data from a provider that speaks JSON over HTTP. It is safe for concurrent use.
type Provider struct {
	cfg     ProviderConfig
	base    *url.URL
	direct  *http.Client
	public  *http.Client
	limit   *rate.Limiter
	breaker *gobreaker.CircuitBreaker[Record]
	// silent is the end of the pause that the provider asked for, in Unix nanoseconds.
	silent atomic.Int64
}

// NewProvider returns a provider, or an error for an invalid URL.
func NewProvider(cfg ProviderConfig) (*Provider, error) {
	base, err := url.Parse(strings.ReplaceAll(cfg.URL, "{url}", "x"))
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" || base.User != nil {
		return nil, errors.New("the URL of the source must look like https://api.example.com/people?profile={url}, " +
			"without a user")
	}
	cfg = cfg.withDefaults()
	p := &Provider{cfg: cfg, base: base, limit: rate.NewLimiter(rate.Limit(cfg.Rate), cfg.Burst)}
	p.direct, p.public = direct(cfg.Timeout), netguard.Guard{}.Client(cfg.Timeout)
	p.breaker = gobreaker.NewCircuitBreaker[Record](gobreaker.Settings{
		Name: "source", Timeout: rest,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= cfg.Trip },
		IsSuccessful: isWorking, IsExcluded: callerGaveUp,
	})
	return p, nil
}

// direct returns a client for the operator's provider, at any address. It follows no
// redirects itself: see [Provider.get].
func direct(timeout time.Duration) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: timeout}).DialContext,
			TLSHandshakeTimeout: timeout, ResponseHeaderTimeout: timeout, IdleConnTimeout: time.Minute,
			MaxIdleConnsPerHost: 8, MaxResponseHeaderBytes: 64 << 10, ForceAttemptHTTP2: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (c ProviderConfig) withDefaults() ProviderConfig {
	c.Rate = cmp.Or(c.Rate, 10)
	c.Burst = cmp.Or(c.Burst, max(1, int(c.Rate)))
	c.Timeout = cmp.Or(c.Timeout, 10*time.Second)
	c.MaxBytes = cmp.Or(c.MaxBytes, 1<<20)
	c.Trip = cmp.Or(c.Trip, 5)
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

// isWorking reports whether the provider is working, regardless of its answer.
func isWorking(err error) bool {
	switch kith.KindOf(err) {
	case kith.NotFound, kith.RateLimited, kith.Invalid:
		return true
	default:
		return err == nil
	}
}

// callerGaveUp reports whether the caller ended the request (canceled or out of time), which says nothing about the
// provider.
func callerGaveUp(err error) bool {
	_, ok := errors.AsType[*kith.Error](err)
	return !ok && (errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded))
}

// Close implements [Source].
func (p *Provider) Close() {
	p.direct.CloseIdleConnections()
	p.public.CloseIdleConnections()
}

// Fetch implements [Source].
func (p *Provider) Fetch(ctx context.Context, profileURL string) (Record, error) {
	key, ok := analysis.URLKey(profileURL)
	if !ok {
		return Record{}, errUnknown()
	}
	// A longer wait means that the clock was set back.
	if wait := time.Unix(0, p.silent.Load()).Sub(p.cfg.Now()); wait > 0 && wait <= maxRetryAfter {
		return Record{}, errRateLimited(wait)
	}
	rec, err := p.breaker.Execute(func() (Record, error) { return p.ask(ctx, "https://"+key) })
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		err = &kith.Error{
			Kind: kith.Unavailable, Code: CodeUnavailable,
			Detail: "the data source failed several times and is paused; try again later", RetryAfter: rest, Cause: err,
		}
	}
	return rec, err
}

func errRateLimited(wait time.Duration) error {
	return &kith.Error{
		Kind: kith.RateLimited, Code: CodeRateLimited,
		Detail: "the rate limit of the data source is reached; try again later", RetryAfter: wait,
	}
}

// ask makes one request, with its redirects, within the timeout.
func (p *Provider) ask(ctx context.Context, profile string) (Record, error) {
	inTime, cancel := context.WithTimeout(ctx, p.cfg.Timeout)
	defer cancel()
	if err := p.limit.Wait(inTime); err != nil {
		if over := whyEnded(ctx); over != nil {
			return Record{}, over
		}
		if whyEnded(inTime) != nil { // timed out before reaching the rate limit
			return Record{}, errTimeout(err)
		}
		return Record{}, errRateLimited(time.Duration(float64(time.Second) / p.cfg.Rate))
	}
	body, err := p.get(inTime, p.address(profile))
	if err != nil {
		return Record{}, explain(ctx, err)
	}
	line, asOf, err := p.cfg.Mapping.Line(body)
	if err != nil {
		return Record{}, errMalformed(err)
	}
	return Record{Line: line, AsOf: p.day(asOf)}, nil
}

// address returns the request address for a profile.
func (p *Provider) address(profile string) string {
	escaped := url.QueryEscape(profile)
	if strings.Contains(p.cfg.URL, "{url}") {
		return strings.ReplaceAll(p.cfg.URL, "{url}", escaped)
	}
	join := "?"
	if p.base.RawQuery != "" {
		join = "&"
	}
	return p.cfg.URL + join + "social_url=" + escaped
}

// whyEnded returns why a context has ended. It treats a passed deadline as ended, because
// other code may notice the deadline before the context's timer fires.
func whyEnded(ctx context.Context) error {
	if at, ok := ctx.Deadline(); ok && ctx.Err() == nil && !time.Now().Before(at) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// explain converts a network error.
func explain(ctx context.Context, err error) error {
	if _, ok := errors.AsType[*kith.Error](err); ok {
		return err
	}
	switch timeout, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err); {
	case whyEnded(ctx) != nil:
		return whyEnded(ctx)
	case ok && timeout.Timeout(), errors.Is(err, context.DeadlineExceeded):
		return errTimeout(err)
	}
	return errUnavailable(err)
}

// day parses the day of the data; it ignores days in the future.
func (p *Provider) day(text string) time.Time {
	for _, layout := range []string{time.RFC3339Nano, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil && !t.After(p.cfg.Now()) {
			return t.UTC()
		}
	}
	return time.Time{}
}

// request returns a GET request; only the provider itself receives the key.
func (p *Provider) request(ctx context.Context, address string, own bool) (*http.Request, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("address of the source: %w", err)
	}
	req.Header.Set("Accept", "application/json")
	req.Header.Set("User-Agent", "kith")
	if own && p.cfg.Key != "" {
		header, prefix := p.cfg.Mapping.KeyHeader, p.cfg.Mapping.KeyPrefix
		if header == "" {
			header, prefix = "Authorization", "Bearer "
		}
		req.Header.Set(header, prefix+p.cfg.Key)
	}
	return req, nil
}
