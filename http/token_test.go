package http_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

const issueBody = `{"external_user_id":"u7","email":"u7@example.com"}`

func (f *fixture) issueOver(body string, headers ...string) answer {
	f.t.Helper()
	return f.call(http.MethodPost, "/v2/auth/tokens", body, append(headers, "secret-key: "+f.key)...)
}

func (f *fixture) meAs(token string) answer {
	f.t.Helper()
	return f.call(http.MethodGet, "/v2/user/me", "", "Authorization: Bearer "+token)
}

type issued struct {
	Token     string
	TokenType string    `json:"token_type"`
	ExpiresIn int       `json:"expires_in"`
	ExpiresAt time.Time `json:"expires_at"`
}

func (a answer) issued(t *testing.T) issued {
	t.Helper()
	var out issued
	expect.NoError(t, json.Unmarshal(a.envelope(t).Data, &out))
	return out
}

func TestTokensAreIssuedUsedAndRevoked(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	res := f.issueOver(issueBody).wants(t, http.StatusOK, "")
	got := res.issued(t)
	left := time.Until(got.ExpiresAt)
	if got.TokenType != "Bearer" || got.ExpiresIn != 86400 || left > 24*time.Hour || left < 23*time.Hour {
		t.Errorf("issued token: %+v", got)
	}
	var user map[string]any
	expect.NoError(t, json.Unmarshal(f.meAs(got.Token).wants(t, http.StatusOK, "").envelope(t).Data, &user))
	if user["id"] != "u7" || user["email"] != "u7@example.com" || user["demo"] != false || user["is_active"] != true {
		t.Errorf("user: %v", user)
	}
	second := f.issueOver(issueBody).issued(t)
	revoke := "/v2/auth/tokens/revoke"
	f.call(http.MethodPost, revoke, "", "Authorization: Bearer "+got.Token).wants(t, http.StatusOK, "")
	f.meAs(got.Token).wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
	f.meAs(second.Token).wants(t, http.StatusOK, "")
	third := f.issueOver(issueBody).issued(t)
	f.call(http.MethodPost, revoke, `{"all":true}`, "Authorization: Bearer "+third.Token).wants(t, http.StatusOK, "")
	f.meAs(second.Token).wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
	f.meAs(third.Token).wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
	f.meAs(f.token).wants(t, http.StatusOK, "")
}

// The server stores no tokens, so a repeat issues a new one. The first stays valid.
func TestRepeatedIssuanceGivesAFreshToken(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	first := f.issueOver(issueBody, "Idempotency-Key: k1").issued(t)
	again := f.issueOver(issueBody, "Idempotency-Key: k1")
	if fresh := again.issued(t); fresh.Token == first.Token || again.Header.Get("Idempotency-Replayed") != "" {
		t.Errorf("the repeat got %s", again.body)
	}
	f.meAs(first.Token).wants(t, http.StatusOK, "")
	f.meAs(again.issued(t).Token).wants(t, http.StatusOK, "")
	var kept int
	if err := f.db.Pool().QueryRow(t.Context(),
		"select count(*) from idempotency_keys where answer is not null").Scan(&kept); err != nil || kept != 0 {
		t.Errorf("%d answers with tokens are stored, %v", kept, err)
	}
	f.issueOver(strings.Replace(issueBody, "u7@", "u8@", 1), "Idempotency-Key: k1").wants(t, http.StatusConflict,
		"IDEMPOTENCY_CONFLICT")
	// The server stores no refusals: they changed nothing.
	f.issueOver(`{"external_user_id":"u7","email":"u7"}`, "Idempotency-Key: k3").wants(t,
		http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	f.issueOver(issueBody, "Idempotency-Key: k3").wants(t, http.StatusOK, "")
}

func TestRepeatedRevocationSucceeds(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	bearer := "Authorization: Bearer " + f.issue("u9")
	revoke := func(body, key string) answer {
		return f.call(http.MethodPost, "/v2/auth/tokens/revoke", body, bearer, "Idempotency-Key: "+key)
	}
	first := revoke("", "k1").wants(t, http.StatusOK, "")
	again := revoke("", "k1").wants(t, http.StatusOK, "")
	if string(again.body) != string(first.body) || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the repeat got %s", again.body)
	}
	revoke("", "k2").wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
	revoke(`{"all":true}`, "k1").wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
}

func TestRequestIDsAreEchoedIfValid(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	fresh := regexp.MustCompile(`^req_[0-9A-HJKMNP-TV-Z]{26}$`)
	for given, kept := range map[string]bool{
		"": false, "abc-123": true, strings.Repeat("a", 128): true, "a/b:c=d@e.f+g_h": true,
		strings.Repeat("a", 129): false, "a b": false, "a\"b": false, "é": false, "a,b": false,
	} {
		headers := []string{f.bearer()}
		if given != "" {
			headers = append(headers, "X-Request-Id: "+given)
		}
		res := f.call(http.MethodGet, "/v2/user/me", "", headers...)
		id := res.Header.Get("X-Request-Id")
		if kept != (id == given) || !kept && !fresh.MatchString(id) || res.envelope(t).Metadata["request_id"] != id {
			t.Errorf("%q became %q", given, id)
		}
	}
}

// After a demo restart its users are gone, but their tokens may still pass the cache. They need another token.
func TestDeletedUsersNeedAnotherToken(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	f.meAs(f.token).wants(t, http.StatusOK, "")
	pgtest.Exec(t, f.db, "delete from users")
	for _, tt := range []struct{ method, path, body string }{
		{http.MethodGet, "/v2/user/me", ""},
		{http.MethodPatch, "/v2/user/me", `{"sharing":"team"}`},
		{http.MethodPost, "/v2/user/relationships", `{"people":["nobody@example.com"]}`},
		{http.MethodDelete, "/v2/user/relationships/1", ""},
		{http.MethodPost, "/v2/user/integrations", `{"host":"smtp.example.com","from_email":"a@example.com"}`},
		{http.MethodPost, "/v2/sequences", `{"name":"Q3"}`},
	} {
		f.call(tt.method, tt.path, tt.body, f.bearer()).wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
	}
}
