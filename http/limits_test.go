package http_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"kith"
	kithhttp "kith/http"
	"kith/internal/access/auth"
	"kith/internal/test/expect"
)

// away is a database that fails every call.
type away struct{}

func (away) Take(context.Context, [32]byte, int, float64, int) (int, float64, error) {
	return 0, 0, errors.New("away")
}

// served counts how many of some requests pass two servers together.
func served(t *testing.T, shared func(*fixture) kithhttp.SharedLimits, requests int) int {
	t.Helper()
	var other *kithhttp.Server
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) {
		cfg.Rate, cfg.Burst, cfg.Shared = 0.001, 40, shared(f)
		second := *cfg
		var err error
		other, err = kithhttp.New(second)
		expect.NoError(t, err)
		cfg.Registry = nil
	})
	n := 0
	for range requests {
		for _, server := range []http.Handler{f.server, other} {
			req := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/v2/user/me", nil)
			req.Header.Set("Authorization", "Bearer "+f.token)
			rec := httptest.NewRecorder()
			server.ServeHTTP(rec, req)
			if rec.Code == http.StatusOK {
				n++
			}
		}
	}
	return n
}

// Two servers on a database allow as many requests as one. Without the database each counts alone.
func TestServersShareLimits(t *testing.T) {
	t.Parallel()
	if n := served(t, func(f *fixture) kithhttp.SharedLimits { return f.db.Limits() }, 60); n < 36 || n > 40 {
		t.Errorf("%d requests pass two servers that share a bucket of 40", n)
	}
	if n := served(t, func(*fixture) kithhttp.SharedLimits { return away{} }, 60); n != 80 {
		t.Errorf("%d requests pass two servers that cannot share buckets of 40", n)
	}
}

// All tokens of a user share a bucket, and so do all keys of an app.
func TestTokensOfAUserShareALimit(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(_ *fixture, cfg *kithhttp.Config) { cfg.Rate, cfg.Burst = 0.001, 2 })
	for range 2 {
		f.meAs(f.issue("u7")).wants(t, http.StatusOK, "")
	}
	f.meAs(f.issue("u7")).wants(t, http.StatusTooManyRequests, "RATE_LIMITED")
	_, second, err := f.auth.AddKey(
		t.Context(), kith.OperatorPrincipal(), f.app, auth.KeySpec{Name: "second", Scopes: 1 << 8},
	)
	expect.NoError(t, err)
	for _, key := range []string{f.key, second} {
		f.call(http.MethodPost, "/v2/auth/tokens", issueBody, "secret-key: "+key).wants(t, http.StatusOK, "")
	}
	f.call(http.MethodPost, "/v2/auth/tokens", issueBody, "secret-key: "+second).wants(t, http.StatusTooManyRequests,
		"RATE_LIMITED")
}

// Users have a quota of imported relationships. The repeat of an import does not count.
func TestImportedRelationshipsHaveAQuota(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(f *fixture, cfg *kithhttp.Config) { cfg.ImportQuota, cfg.Quotas = 3, f.db.Limits() })
	storePeople(t, f.db)
	two := `{"people":["https://social.example/in/jane-doe","https://social.example/in/jose-núñez"]}`
	for range 2 {
		f.call(http.MethodPost, "/v2/user/relationships", two, f.bearer(), "Idempotency-Key: k").wants(t, http.StatusOK,
			"")
	}
	res := f.call(http.MethodPost, "/v2/user/relationships", two, f.bearer()).wants(t, http.StatusTooManyRequests,
		"IMPORT_QUOTA")
	if res.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	f.call(http.MethodPost, "/v2/user/relationships", `{"people":["https://social.example/in/jane-doe"]}`,
		f.bearer()).wants(t, http.StatusOK, "")
	f.call(http.MethodPost, "/v2/user/relationships", two, "Authorization: Bearer "+f.issue("u2")).wants(t,
		http.StatusOK, "")
}
