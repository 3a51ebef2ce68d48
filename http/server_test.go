package http_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kith"
	kithhttp "kith/http"
	"kith/internal/access/auth"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func TestRateLimitsAreEnforcedAndShown(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	f := newFixture(t, func(_ *fixture, cfg *kithhttp.Config) {
		cfg.Rate, cfg.Burst, cfg.Now = 1, 3, func() time.Time { return now }
	})
	header := func(a answer, name string) int {
		n, err := strconv.Atoi(a.Header.Get(name))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return n
	}
	for left := 2; left >= 0; left-- {
		res := f.meAs(f.token).wants(t, http.StatusOK, "")
		if header(res, "X-RateLimit-Limit") != 3 || header(res, "X-RateLimit-Remaining") != left ||
			int64(header(res, "X-RateLimit-Reset")) != now.Unix()+int64(3-left) {
			t.Errorf("with %d requests left, the headers are %v", left, res.Header)
		}
	}
	res := f.meAs(f.token).wants(t, http.StatusTooManyRequests, "RATE_LIMITED")
	if header(res, "Retry-After") != 1 || header(res, "X-RateLimit-Remaining") != 0 ||
		!res.envelope(t).Error.Retryable {
		t.Errorf("the refusal has the headers %v", res.Header)
	}
	f.meAs(f.issue("u1")).wants(t, http.StatusTooManyRequests, "RATE_LIMITED") // another token of the same user
	f.meAs(f.issue("u2")).wants(t, http.StatusOK, "")
	now = now.Add(time.Second)
	f.meAs(f.token).wants(t, http.StatusOK, "")
	for range 3 {
		f.issueOver(issueBody).wants(t, http.StatusOK, "")
	}
	f.issueOver(issueBody).wants(t, http.StatusTooManyRequests, "RATE_LIMITED")
	codes := map[int]int{}
	for range 60 {
		codes[f.meAs("kt_unknown").StatusCode]++
	}
	if codes[http.StatusUnauthorized] != 50 || codes[http.StatusTooManyRequests] != 10 {
		t.Errorf("unknown tokens got %v", codes)
	}
	now = now.Add(time.Minute)
	f.meAs(f.token).wants(t, http.StatusOK, "")
	metrics := httptest.NewRecorder()
	f.server.Metrics().ServeHTTP(metrics, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	for _, want := range []string{
		`kith_http_rate_limited_total{bucket="user"} 2`, `kith_http_rate_limited_total{bucket="app"} 1`,
		`kith_http_rate_limited_total{bucket="address"} 10`,
		`kith_http_requests_total{method="GET",route="/v2/user/me",status="401"} 50`,
		"go_goroutines",
	} {
		if !strings.Contains(metrics.Body.String(), want) {
			t.Errorf("the metrics lack %s", want)
		}
	}
}

// Uncounted requests show the remaining requests without valid credentials, and use none up.
func TestUncountedRequestsUseNoLimit(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.meAs("kt_unknown").wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
	for _, tt := range []struct{ method, path string }{
		{http.MethodGet, "/nothing"},
		{http.MethodOptions, "/nothing"},
		{http.MethodOptions, "/v2/people/search"},
		{http.MethodGet, "/v2/people/search"},
		{http.MethodGet, "/v2/sequences/activities/1"},
		{http.MethodGet, "/healthz"},
		{http.MethodGet, "/docs"},
	} {
		h := f.call(tt.method, tt.path, "").Header
		if left, err := strconv.Atoi(h.Get("X-RateLimit-Remaining")); h.Get("X-RateLimit-Limit") != "50" ||
			err != nil || left < 49 {
			t.Errorf("%s %s: %v", tt.method, tt.path, h)
		}
	}
}

func TestOtherMethodsAreNotAllowed(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, tt := range []struct{ method, path, allow string }{
		{"GET", "/v2/people/search", "POST, OPTIONS"},
		{"POST", "/v2/user/me", "GET, HEAD, PATCH, OPTIONS"},
		{"DELETE", "/healthz", "GET, HEAD, OPTIONS"},
		{"PATCH", "/v2/sequences/activities", "GET, HEAD, OPTIONS"},
		{"GET", "/v2/sequences/activities/1", "PATCH, OPTIONS"},
		{"DELETE", "/v2/sequences/a%2Fb", "GET, HEAD, PATCH, OPTIONS"},
	} {
		res := f.call(tt.method, tt.path, "").wants(t, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
		if got := res.Header.Get("Allow"); got != tt.allow {
			t.Errorf("%s %s allows %q", tt.method, tt.path, got)
		}
		options := f.call(http.MethodOptions, tt.path, "")
		if options.StatusCode != http.StatusNoContent || options.Header.Get("Allow") != tt.allow {
			t.Errorf("OPTIONS %s: %d, %q", tt.path, options.StatusCode, options.Header.Get("Allow"))
		}
	}
	if got := f.call(http.MethodOptions, "/nothing", "").wants(t, http.StatusNotFound,
		"ROUTE_NOT_FOUND").envelope(t).Error.Type; got != "not_found_error" {
		t.Errorf("an unknown path has error type %s", got)
	}
	f.call("PURGE", "/nothing", "").wants(t, http.StatusNotFound, "ROUTE_NOT_FOUND")
	head := f.call(http.MethodHead, "/v2/user/me", "", f.bearer())
	if head.StatusCode != http.StatusOK || len(head.body) != 0 || head.ContentLength <= 0 {
		t.Errorf("HEAD: %d with %d bytes of %d", head.StatusCode, len(head.body), head.ContentLength)
	}
}

func TestOnlyAllowedOriginsGetCORSHeaders(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(_ *fixture, cfg *kithhttp.Config) { cfg.AllowedOrigins = []string{"https://ui.example"} })
	preflight := func(origin string) answer {
		return f.call(http.MethodOptions, "/v2/people/search", "", "Origin: "+origin,
			"Access-Control-Request-Method: POST")
	}
	res := preflight("https://ui.example")
	if res.Header.Get("Access-Control-Allow-Origin") != "https://ui.example" ||
		!strings.Contains(res.Header.Get("Access-Control-Allow-Methods"), "POST") ||
		!strings.Contains(res.Header.Get("Access-Control-Allow-Headers"), "Authorization") {
		t.Errorf("preflight headers: %v", res.Header)
	}
	if strings.Contains(strings.ToLower(res.Header.Get("Access-Control-Allow-Headers")), "secret") {
		t.Error("pages may send a secret key")
	}
	if got := preflight("https://evil.example").Header.Get("Access-Control-Allow-Origin"); got != "" {
		t.Errorf("an unknown origin is allowed: %q", got)
	}
	me := f.call(http.MethodGet, "/v2/user/me", "", f.bearer(), "Origin: https://ui.example")
	if me.Header.Get("Access-Control-Allow-Origin") != "https://ui.example" ||
		!slices.Contains(me.Header.Values("Vary"), "Origin") {
		t.Errorf("answer headers: %v", me.Header)
	}
	if got := newFixture(t, nil).call(http.MethodGet, "/healthz", "",
		"Origin: https://ui.example").Header; got.Get("Access-Control-Allow-Origin") != "" {
		t.Error("some origin is allowed by default")
	}
}

func TestReadinessNamesTheFailingPart(t *testing.T) {
	t.Parallel()
	down := kith.Unreachable("elasticsearch", errors.New("dial tcp 10.0.0.7:9200: refused"))
	f := newFixture(t, func(_ *fixture, cfg *kithhttp.Config) {
		cfg.Dependencies = append(cfg.Dependencies,
			kithhttp.Dependency{Name: "elasticsearch", Check: func(context.Context) error { return down }})
	})
	res := f.call(http.MethodGet, "/readyz", "")
	text := string(res.body)
	if res.StatusCode != http.StatusServiceUnavailable || !strings.Contains(text, `{"name":"postgres","status":"ok"`) ||
		!strings.Contains(text, `{"name":"elasticsearch","status":"down"`) || strings.Contains(text, "10.0.0.7") ||
		res.Header.Get("Retry-After") == "" {
		t.Errorf("readiness without Elasticsearch: %d %s", res.StatusCode, text)
	}
	if ok := newFixture(t, nil).call(http.MethodGet, "/readyz", ""); ok.StatusCode != http.StatusOK {
		t.Errorf("readiness with all dependencies: %s", ok.body)
	}
	if ok := f.call(http.MethodGet, "/healthz", ""); ok.StatusCode != http.StatusOK {
		t.Errorf("liveness without Elasticsearch: %s", ok.body)
	}
}

// Searches go on while a part of a dependency is silent, so the server stays ready.
func TestReadinessNamesTheSlowPart(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(_ *fixture, cfg *kithhttp.Config) {
		cfg.Dependencies = append(cfg.Dependencies, kithhttp.Dependency{
			Name: "elasticsearch", Check: func(context.Context) error { return nil },
			Slow: func() string { return "addresses that do not answer: 1 of 3" },
		})
	})
	res := f.call(http.MethodGet, "/readyz", "")
	want := `{"name":"elasticsearch","status":"slow","detail":"addresses that do not answer: 1 of 3"}`
	if text := string(res.body); res.StatusCode != http.StatusOK || !strings.Contains(text, want) ||
		!strings.HasPrefix(text, `{"status":"ok"`) {
		t.Errorf("readiness with a silent node: %d %s", res.StatusCode, text)
	}
}

// A load balancer that disconnects is no sign of an outage.
func TestCanceledReadinessChecksAreNotLogged(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	gone, leave := context.WithCancel(t.Context())
	leave()
	f.server.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(gone, http.MethodGet, "/readyz", nil))
	if text := f.logs.String(); strings.Contains(text, "not ready") {
		t.Errorf("the log has %s", text)
	}
}

// Logs have no secrets, names or prompts.
func TestLogsHoldNoSecrets(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	token := f.issueOver(`{"external_user_id":"privy-user","email":"privy@example.com"}`,
		"Idempotency-Key: privy-key").issued(t).Token
	f.call(http.MethodPost, "/v2/people/search?q=privy-query", `{"prompt":"privy-prompt"}`,
		"Authorization: Bearer "+token)
	f.call(http.MethodPost, "/v2/people/search", `{"privy-member":"privy-prompt"`, "Authorization: Bearer "+token)
	f.call(http.MethodGet, "/privy-path", "")
	f.meAs("kt_privy")
	text := f.logs.String()
	for _, secret := range []string{"privy", f.key, token} {
		if strings.Contains(text, secret) {
			t.Errorf("the log has %q", secret)
		}
	}
	if !strings.Contains(text, `"route":"/v2/people/search","status":200`) ||
		!strings.Contains(text, `"request_id":"req_`) {
		t.Errorf("the log lacks requests: %s", text)
	}
}

func TestPanicsDoNotReachTheClient(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		cfg.Datasets[0].Search = newSearch(t, f.db, func(context.Context) error { panic("secret detail") })
	})
	res := f.search(`{"prompt":"engineer"}`).wants(t, http.StatusInternalServerError, "INTERNAL_ERROR")
	if strings.Contains(string(res.body), "secret detail") {
		t.Errorf("the answer reveals the panic: %s", res.body)
	}
	text := f.logs.String()
	if !strings.Contains(text, "secret detail") || !strings.Contains(text, `"stack":`) ||
		!strings.Contains(text, res.Header.Get("X-Request-Id")) {
		t.Errorf("the log lacks the panic: %s", text)
	}
}

func TestEngineOutageIsReported(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		cfg.Datasets[0].Search = newSearch(t, f.db,
			func(context.Context) error { return kith.Unreachable("engine", errors.New("refused by 10.0.0.7")) })
	})
	res := f.search(`{"prompt":"engineer"}`).wants(t, http.StatusServiceUnavailable, "ENGINE_UNAVAILABLE")
	if e := res.envelope(t).Error; !e.Retryable || res.Header.Get("Retry-After") != "1" ||
		strings.Contains(string(res.body), "10.0.0.7") {
		t.Errorf("answer without the engine: %s", res.body)
	}
}

func TestPostgresOutageIsReported(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.db.Close()
	res := f.meAs("kt_notinthecache")
	if res.StatusCode < http.StatusInternalServerError {
		t.Errorf("without a database: %d %s", res.StatusCode, res.body)
	}
}

// demoFixture has a live and a demo dataset.
func demoFixture(t *testing.T) (f *fixture, demo *auth.Service) {
	t.Helper()
	f = newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		db := pgtest.Dataset(t, pgtest.URL(t), postgres.Options{Schema: "kith_demo"})
		demo = auth.New(db.Auth(), auth.Config{})
		cfg.Datasets = append(cfg.Datasets, kithhttp.Dataset{
			Name: "demo", Demo: true, PublishedToken: "demo_token_global", Search: newSearch(t, db, nil),
			Services: kithhttp.Services{Auth: demo, Network: network.New(db.Network())},
			Reach:    newReach(db), Seal: newSealer(t),
		})
	})
	err := demo.EnsureFixed(t.Context(), auth.Fixed{
		App: "demo", Key: "demo_sk_global", Token: "demo_token_global",
		User: auth.Identity{ExternalID: "demo", Email: "demo@example.com"},
	})
	expect.NoError(t, err)
	return f, demo
}

func TestDatasetsAreSeparate(t *testing.T) {
	t.Parallel()
	f, demo := demoFixture(t)
	if text := string(f.meAs("demo_token_global").wants(t, http.StatusOK, "").body); !strings.Contains(text,
		`"demo":true`) {
		t.Errorf("demo user: %s", text)
	}
	if text := string(f.meAs(f.token).wants(t, http.StatusOK, "").body); !strings.Contains(text, `"demo":false`) {
		t.Errorf("live user: %s", text)
	}
	res := f.call(http.MethodPost, "/v2/auth/tokens", issueBody, "secret-key: demo_sk_global").wants(t, http.StatusOK,
		"")
	if text := string(f.meAs(res.issued(t).Token).body); !strings.Contains(text, `"demo":true`) {
		t.Errorf("user of the demo key: %s", text)
	}
	if _, err := f.auth.Verify(t.Context(), "demo_token_global"); kith.KindOf(err) != kith.Unauthorized {
		t.Errorf("the live dataset answers the demo token with %v", err)
	}
	if _, err := demo.Verify(t.Context(), f.token); kith.KindOf(err) != kith.Unauthorized {
		t.Errorf("the demo dataset answers a live token with %v", err)
	}
	for _, body := range []string{"", `{"all":true}`} {
		f.call(http.MethodPost, "/v2/auth/tokens/revoke", body, "Authorization: Bearer demo_token_global").wants(t,
			http.StatusForbidden, "TOKEN_FIXED")
	}
	live := f.search(`{"prompt":"engineer","limit":1,"scope":"global"}`).envelope(t).Pagination.Cursor
	f.call(http.MethodPost, "/v2/people/search", `{"cursor":"`+live+`"}`, "Authorization: Bearer demo_token_global").
		wants(t, http.StatusBadRequest, "CURSOR_INVALID")
	page := f.call(http.MethodGet, "/", "")
	if !strings.Contains(string(page.body), `content="demo_token_global"`) {
		t.Error("the page does not have the demo token")
	}
}

func TestPagesHaveSecurityHeaders(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, path := range []string{"/", "/docs"} {
		h := f.call(http.MethodGet, path, "").Header
		if csp := h.Get("Content-Security-Policy"); !strings.Contains(csp, "default-src 'none'") ||
			strings.Contains(csp, "unsafe") {
			t.Errorf("%s: policy %q", path, csp)
		}
		if h.Get("X-Content-Type-Options") != "nosniff" || h.Get("X-Frame-Options") != "DENY" {
			t.Errorf("%s: %v", path, h)
		}
	}
}

func TestTruncatedBodiesAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	req := httptest.NewRequest(http.MethodPost, "/v2/people/search",
		io.MultiReader(strings.NewReader(`{"prompt":`), brokenReader{}))
	req.Header.Set("Authorization", "Bearer "+f.token)
	req.Header.Set("Content-Type", "application/json")
	rec := httptest.NewRecorder()
	f.server.ServeHTTP(rec, req)
	if rec.Code != http.StatusBadRequest || !strings.Contains(rec.Body.String(), "BODY_INCOMPLETE") {
		t.Errorf("answered %d %s", rec.Code, rec.Body)
	}
}

type brokenReader struct{}

func (brokenReader) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
