package source_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kith"
	"kith/internal/record/source"
	"kith/internal/test/expect"
)

// standIn is a provider whose answer a test sets.
type standIn struct {
	*httptest.Server
	asked atomic.Int64
	keys  atomic.Value
}

func newStandIn(t *testing.T, answer http.HandlerFunc) *standIn {
	t.Helper()
	s := &standIn{}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.asked.Add(1)
		s.keys.Store(r.Header.Get("Authorization"))
		answer(w, r)
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *standIn) provider(t *testing.T, change func(*source.ProviderConfig)) *source.Provider {
	t.Helper()
	cfg := source.ProviderConfig{
		URL: s.URL + "/people", Key: "s3cret", Rate: 1000, Timeout: time.Minute,
		MaxBytes: 10_000,
	}
	if change != nil {
		change(&cfg)
	}
	p, err := source.NewProvider(cfg)
	expect.NoError(t, err)
	t.Cleanup(p.Close)
	return p
}

const jane = "https://social.example/in/jane-doe"

func person(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintf(w, `{"full_name":"Jane Doe","social_url":%q,"employee_count":12345678901234567}`,
		r.URL.Query().Get("social_url"))
}

// wants checks the kind and code of an error. Its text must reveal nothing internal.
func wants(t *testing.T, err error, kind kith.Kind, code string) {
	t.Helper()
	e, ok := errors.AsType[*kith.Error](err)
	if !ok || e.Kind != kind || e.Code != code {
		t.Fatalf("got %v, want kind %d, %s", err, kind, code)
	}
	for _, inside := range []string{"127.0.0.1", "s3cret", "localhost"} {
		if strings.Contains(e.Detail, inside) {
			t.Errorf("the detail reveals %q: %s", inside, e.Detail)
		}
	}
}

func TestProviderIsAskedForTheProfile(t *testing.T) {
	s := newStandIn(t, person)
	rec, err := s.provider(t, nil).Fetch(t.Context(),
		"HTTP://www.Social.example/in/Jane-Doe/?x=1&social_url=https://evil.example")
	expect.NoError(t, err)
	if !strings.Contains(string(rec.Line), `"`+jane+`"`) || !strings.Contains(string(rec.Line), "12345678901234567") ||
		!rec.AsOf.IsZero() {
		t.Errorf("got the line %s as of %s", rec.Line, rec.AsOf)
	}
	if s.keys.Load() != "Bearer s3cret" {
		t.Errorf("the key was sent as %q", s.keys.Load())
	}
}

func TestProviderOutcomes(t *testing.T) {
	status := func(code int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) }
	}
	text := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, s) }
	}
	for _, c := range []struct {
		name   string
		answer http.HandlerFunc
		kind   kith.Kind
		code   string
	}{
		{"unknown", status(404), kith.NotFound, "PERSON_NOT_FOUND"},
		{"gone", status(410), kith.NotFound, "PERSON_NOT_FOUND"},
		{"nothing", status(204), kith.NotFound, "PERSON_NOT_FOUND"},
		{"failing", status(500), kith.Unavailable, "SOURCE_UNAVAILABLE"},
		{"not let in", status(401), kith.Unavailable, "SOURCE_REFUSED"},
		{"late behind a gateway", status(504), kith.Timeout, "SOURCE_TIMEOUT"},
		{"rate-limiting", status(429), kith.RateLimited, "SOURCE_RATE_LIMITED"},
		{"a bad request", status(400), kith.Invalid, "SOURCE_MALFORMED"},
		{"malformed", text(`{"full_name":`), kith.Invalid, "SOURCE_MALFORMED"},
		{
			"more than one answer", text(`{"full_name":"Jane Doe"}{"full_name":"John Doe"}`), kith.Invalid,
			"SOURCE_MALFORMED",
		},
		{"a list", text(`[1]`), kith.Invalid, "SOURCE_MALFORMED"},
		{"null", text(`null`), kith.Invalid, "SOURCE_MALFORMED"},
		{"a page", text(`<html>`), kith.Invalid, "SOURCE_MALFORMED"},
		{"huge", text(`{"full_name":"` + strings.Repeat("x", 20_000) + `"}`), kith.Invalid, "SOURCE_TOO_LARGE"},
		{"endless", func(w http.ResponseWriter, r *http.Request) {
			for r.Context().Err() == nil {
				if _, err := w.Write(make([]byte, 64<<10)); err != nil {
					return
				}
			}
		}, kith.Invalid, "SOURCE_TOO_LARGE"},
		{"a bomb", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = z.Write(make([]byte, 1<<20)) // the client stops in the middle
			_ = z.Close()
		}, kith.Invalid, "SOURCE_TOO_LARGE"},
		{"cut off", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			fmt.Fprint(w, "{")
		}, kith.Unavailable, "SOURCE_UNAVAILABLE"},
		{
			"hanging up", func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, kith.Unavailable,
			"SOURCE_UNAVAILABLE",
		},
		{"a redirect to nowhere", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://[::")
			w.WriteHeader(302)
		}, kith.Unavailable, "SOURCE_UNAVAILABLE"},
		{"round in circles", func(w http.ResponseWriter,
			r *http.Request,
		) {
			http.Redirect(w, r, r.URL.String(), http.StatusFound)
		}, kith.Invalid, "SOURCE_REDIRECT_REFUSED"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStandIn(t, c.answer)
			_, err := s.provider(t, nil).Fetch(t.Context(), jane)
			wants(t, err, c.kind, c.code)
		})
	}
}

func TestSlowProviderTimesOut(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"hanging": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
		"slow in the middle": func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `{"full_name":`)
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStandIn(t, answer)
			p := s.provider(t, func(c *source.ProviderConfig) { c.Timeout = 50 * time.Millisecond })
			_, err := p.Fetch(t.Context(), jane)
			wants(t, err, kith.Timeout, "SOURCE_TIMEOUT")
		})
	}
	s := newStandIn(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	_, err := s.provider(t, func(c *source.ProviderConfig) { c.Timeout = time.Nanosecond }).Fetch(t.Context(), jane)
	wants(t, err, kith.Timeout, "SOURCE_TIMEOUT") // the deadline has passed before the request
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.provider(t, nil).Fetch(ctx, jane); !errors.Is(err, context.Canceled) {
		t.Errorf("a canceled caller: %v", err)
	}
}

// Redirects of the provider must not reach the private network, whatever spelling of an address they use.
func TestRedirectsToPrivateNetworksAreRefused(t *testing.T) {
	inside := newStandIn(t, person)
	port := inside.URL[strings.LastIndexByte(inside.URL, ':'):]
	for _, to := range []string{
		inside.URL + "/secret", "http://localhost" + port + "/", "http://[::1]" + port + "/", "http://127.1" + port,
		"http://0.0.0.0" + port,
		"http://2130706433" + port, "http://169.254.169.254/latest/meta-data", "http://10.0.0.1/",
		"http://[::ffff:127.0.0.1]" + port,
		"http://[64:ff9b::7f00:1]" + port, "file:///etc/passwd", "gopher://127.0.0.1/", "//127.0.0.1" + port,
		"http://user:pass@127.0.0.1" + port,
	} {
		t.Run(to, func(t *testing.T) {
			s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", to)
				w.WriteHeader(http.StatusFound)
			})
			// These hosts need a resolver, which may take long.
			name := strings.Contains(to, "127.1") || strings.Contains(to, "21307")
			_, err := s.provider(t, func(c *source.ProviderConfig) {
				if name {
					c.Timeout = time.Second
				}
			}).Fetch(t.Context(), jane)
			if err == nil {
				t.Fatal("the redirect was followed")
			}
			if !name && kith.KindOf(err) != kith.Invalid {
				t.Errorf("got %v, want Invalid", err)
			}
		})
	}
	if n := inside.asked.Load(); n != 0 {
		t.Errorf("the private server was asked %d times", n)
	}
}

func TestRedirectsWithinTheProviderAreFollowed(t *testing.T) {
	s := newStandIn(t, func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/people" {
			http.Redirect(w, r, "/v2/people?"+r.URL.RawQuery, http.StatusMovedPermanently)
			return
		}
		person(w, r)
	})
	if _, err := s.provider(t, nil).Fetch(t.Context(), jane); err != nil {
		t.Error(err)
	}
}

// The profile URL of a caller is sent to the provider as data, wherever it points.
func TestProfileURLIsData(t *testing.T) {
	inside := newStandIn(t, person)
	var got atomic.Value
	s := newStandIn(t, func(w http.ResponseWriter, r *http.Request) {
		got.Store(r.URL.String())
		person(w, r)
	})
	p := s.provider(t, func(c *source.ProviderConfig) { c.URL = s.URL + "/by/{url}/full" })
	if _, err := p.Fetch(t.Context(), inside.URL+"/in/../../admin?x=#y&key=1"); err != nil {
		t.Fatal(err)
	}
	if u, _ := got.Load().(string); !strings.HasPrefix(u, "/by/https%3A%2F%2F127.0.0.1") ||
		!strings.HasSuffix(u, "/full") {
		t.Errorf("asked for %s", u)
	}
	if inside.asked.Load() != 0 {
		t.Error("a request was sent to the profile URL itself")
	}
}

func TestFailingProviderIsPaused(t *testing.T) {
	s := newStandIn(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(500) })
	p := s.provider(t, func(c *source.ProviderConfig) { c.Trip = 3 })
	for range 10 {
		_, err := p.Fetch(t.Context(), jane)
		wants(t, err, kith.Unavailable, "SOURCE_UNAVAILABLE")
	}
	if n := s.asked.Load(); n != 3 {
		t.Errorf("the provider was asked %d times, want 3", n)
	}
	// Refusals are not failures.
	s = newStandIn(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) })
	p = s.provider(t, func(c *source.ProviderConfig) { c.Trip = 3 })
	for range 10 {
		_, err := p.Fetch(t.Context(), jane)
		wants(t, err, kith.NotFound, "PERSON_NOT_FOUND")
	}
}

func TestProviderCanAskForAPause(t *testing.T) {
	now := atomic.Int64{}
	s := newStandIn(t, func(w http.ResponseWriter, r *http.Request) {
		if now.Load() == 0 {
			w.Header().Set("Retry-After", "30")
			w.WriteHeader(429)
			return
		}
		person(w, r)
	})
	p := s.provider(t, func(c *source.ProviderConfig) {
		c.Now = func() time.Time { return time.Unix(1_000_000_000+now.Load(), 0) }
	})
	for range 3 {
		_, err := p.Fetch(t.Context(), jane)
		wants(t, err, kith.RateLimited, "SOURCE_RATE_LIMITED")
		if e, _ := errors.AsType[*kith.Error](err); e.RetryAfter != 30*time.Second {
			t.Errorf("got a pause of %v", e.RetryAfter)
		}
	}
	if n := s.asked.Load(); n != 1 {
		t.Errorf("the provider was asked %d times, want once", n)
	}
	for name, at := range map[string]int64{"when the time is over": 31, "when the clock was put back": -24 * 60 * 60} {
		now.Store(at)
		if _, err := p.Fetch(t.Context(), jane); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Callers with short deadlines, such as an import of many strangers, must not pause the provider.
func TestCanceledCallersDoNotPauseTheProvider(t *testing.T) {
	var patient atomic.Bool
	s := newStandIn(t, func(w http.ResponseWriter, r *http.Request) {
		if patient.Load() {
			person(w, r)
			return
		}
		<-r.Context().Done()
	})
	p := s.provider(t, func(c *source.ProviderConfig) { c.Trip = 3 })
	for range 3 {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		if _, err := p.Fetch(ctx, jane); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want DeadlineExceeded", err)
		}
		cancel()
	}
	patient.Store(true)
	if _, err := p.Fetch(t.Context(), jane); err != nil {
		t.Error(err)
	}
}

func TestProviderKeepsItsRate(t *testing.T) {
	s := newStandIn(t, person)
	p := s.provider(t, func(c *source.ProviderConfig) { c.Rate, c.Burst = 0.001, 2 })
	for range 2 {
		if _, err := p.Fetch(t.Context(), jane); err != nil {
			t.Fatal(err)
		}
	}
	_, err := p.Fetch(t.Context(), jane)
	wants(t, err, kith.RateLimited, "SOURCE_RATE_LIMITED")
}

func TestInvalidProviderURLsAreRefused(t *testing.T) {
	for _, u := range []string{
		"", "api.example.com", "ftp://api.example.com", "https://user:pw@api.example.com",
		"http://",
	} {
		if _, err := source.NewProvider(source.ProviderConfig{URL: u}); err == nil {
			t.Errorf("%q is accepted", u)
		}
	}
}
