package http_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
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
	if err := json.Unmarshal(a.envelope(t).Data, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func TestTokenLife(t *testing.T) {
	f := newFixture(t, nil)
	res := f.issueOver(issueBody).wants(t, http.StatusOK, "")
	got := res.issued(t)
	left := time.Until(got.ExpiresAt)
	if got.TokenType != "Bearer" || got.ExpiresIn != 86400 || left > 24*time.Hour || left < 23*time.Hour {
		t.Errorf("%+v", got)
	}
	var user map[string]any
	if err := json.Unmarshal(f.meAs(got.Token).wants(t, http.StatusOK, "").envelope(t).Data, &user); err != nil {
		t.Fatal(err)
	}
	if user["id"] != "u7" || user["email"] != "u7@example.com" || user["demo"] != false || user["is_active"] != true {
		t.Errorf("me: %v", user)
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

func TestIdempotentIssuance(t *testing.T) {
	f := newFixture(t, nil)
	first := f.issueOver(issueBody, "Idempotency-Key: k1").wants(t, http.StatusOK, "")
	if first.Header.Get("Idempotency-Replayed") != "" {
		t.Error("the first answer is called a repeat")
	}
	again := f.issueOver(issueBody, "Idempotency-Key: k1").wants(t, http.StatusOK, "")
	if string(again.body) != string(first.body) || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the repeat is %s", again.body)
	}
	f.issueOver(strings.Replace(issueBody, "u7@", "u8@", 1), "Idempotency-Key: k1").wants(t, http.StatusConflict, "IDEMPOTENCY_CONFLICT")
	if other := f.issueOver(issueBody, "Idempotency-Key: k2"); string(other.body) == string(first.body) {
		t.Error("another key got the same answer")
	}
	// A refusal is not kept: it changed nothing.
	f.issueOver(`{"external_user_id":"u7","email":"u7"}`, "Idempotency-Key: k3").wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	f.issueOver(issueBody, "Idempotency-Key: k3").wants(t, http.StatusOK, "")
}

func TestIdempotentAtOnce(t *testing.T) {
	f := newFixture(t, nil)
	var mu sync.Mutex
	tokens := map[string]bool{}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			res := f.issueOver(issueBody, "Idempotency-Key: same")
			if res.StatusCode == http.StatusConflict {
				if e := res.envelope(t).Error; e.Code != "IDEMPOTENCY_IN_PROGRESS" || !e.Retryable || res.Header.Get("Retry-After") == "" {
					t.Errorf("%+v", e)
				}
				return
			}
			mu.Lock()
			defer mu.Unlock()
			tokens[res.issued(t).Token] = true
		})
	}
	wg.Wait()
	if len(tokens) != 1 {
		t.Errorf("%d tokens came of one key", len(tokens))
	}
}

func TestIdempotentRevocation(t *testing.T) {
	f := newFixture(t, nil)
	bearer := "Authorization: Bearer " + f.issue("u9")
	revoke := func(body, key string) answer {
		return f.call(http.MethodPost, "/v2/auth/tokens/revoke", body, bearer, "Idempotency-Key: "+key)
	}
	first := revoke("", "k1").wants(t, http.StatusOK, "")
	again := revoke("", "k1").wants(t, http.StatusOK, "")
	if string(again.body) != string(first.body) || again.Header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the repeat is %s", again.body)
	}
	revoke("", "k2").wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
	revoke(`{"all":true}`, "k1").wants(t, http.StatusUnauthorized, "TOKEN_INVALID")
}

func TestRequestID(t *testing.T) {
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

// Whoever is gone while a token of theirs still passes, as the users of a demo that
// is begun anew, needs another token.
func TestUserWhoIsGone(t *testing.T) {
	f := newFixture(t, nil)
	f.meAs(f.token).wants(t, http.StatusOK, "")
	if _, err := f.db.Pool().Exec(t.Context(), "delete from users"); err != nil {
		t.Fatal(err)
	}
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
