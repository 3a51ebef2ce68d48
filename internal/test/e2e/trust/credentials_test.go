package trust_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// issueWith requests a token with a secret key.
func issueWith(t *testing.T, s *e2e.Server, key string) e2e.Answer {
	t.Helper()
	req, err := s.Request(t.Context(), "/v2/auth/tokens", "",
		map[string]string{"external_user_id": "u1", "email": "u1@example.com"})
	expect.NoError(t, err)
	req.Header.Set("secret-key", key)
	a, err := e2e.Do(req)
	expect.NoError(t, err)
	return a
}

var numbered = regexp.MustCompile(`(?m)^\s*(\d+)\b`)

// numberIn returns the number at the start of the line with a text.
func numberIn(t *testing.T, out, text string) string {
	t.Helper()
	for line := range strings.Lines(out) {
		if m := numbered.FindStringSubmatch(line); m != nil && strings.Contains(line, text) {
			return m[1]
		}
	}
	t.Fatalf("no line has %q:\n%s", text, out)
	return ""
}

// The operator creates, rotates and ends keys, tokens and users. A running server follows within seconds.
func TestServersFollowChangesOfCredentials(t *testing.T) {
	k := e2e.New(t, e2e.Postgres())
	run := func(args ...string) string {
		t.Helper()
		return strings.TrimSpace(k.Run(t, args...))
	}
	first := run("app", "create", "acme")
	s := k.Serve(t, e2e.Unlimited()...)
	wants := func(what, key string, status int) {
		t.Helper()
		e2e.Eventually(t, what, func() bool { return issueWith(t, s, key).Status == status })
	}
	narrow := run("app", "add-key", "acme", "--key-name", "ci", "--scopes", "search", "--expires", "1h")
	wants("a key without the scope tokens is refused", narrow, http.StatusForbidden)
	second := run("app", "rotate", "acme")
	wants("the old key is valid for a while", first, http.StatusOK)
	wants("the new key is valid", second, http.StatusOK)
	show := run("app", "show", "acme")
	for _, want := range []string{"ci", "search", "first"} {
		if !strings.Contains(show, want) {
			t.Errorf("show has no %s:\n%s", want, show)
		}
	}
	if list := run("app", "list"); !strings.Contains(list, "acme") {
		t.Errorf("apps: %s", list)
	}
	run("app", "revoke", "--yes", "acme", numberIn(t, show, "ci"))
	wants("a revoked key is unknown", narrow, http.StatusUnauthorized)

	valid := func(token string) func() bool {
		return func() bool { return s.Get(t, "/v2/user/me", token).Status == http.StatusOK }
	}
	ends := func(what, token string) {
		t.Helper()
		e2e.Eventually(t, what, func() bool { return !valid(token)() })
	}
	lost := run("token", "--app", "acme", "--user", "u2", "--email", "u2@example.com")
	if !valid(lost)() {
		t.Error("a new token is not valid")
	}
	run("token", "revoke", "--yes", numberIn(t, run("token", "list", "--app", "acme"), "u2"))
	ends("a lost token ends", lost)
	other := run("token", "--app", "acme", "--user", "u2", "--email", "u2@example.com")
	run("user", "disable", "--app", "acme", "u2")
	ends("the tokens of a disabled user end", other)
	// The last column of u2, in the last line, is the time of the disabling.
	if users := run("user", "list", "--app", "acme"); !strings.HasSuffix(users, "Z") {
		t.Errorf("users: %s", users)
	}
	run("app", "delete", "acme", "--yes")
	wants("the keys of a deleted app are unknown", second, http.StatusUnauthorized)
	if out := run("audit"); !strings.Contains(out, "key.rotated") || !strings.Contains(out, "key.revoked") ||
		!strings.Contains(out, "app.deleted") {
		t.Errorf("audit: %s", out)
	}
}

// Every spelling of a forbidden address is refused.
func TestWebhooksToForbiddenHostsAreRefused(t *testing.T) {
	k := e2e.New(t, e2e.Postgres())
	k.Run(t, "app", "create", "acme")
	for _, url := range []string{
		"http://localhost/x", "http://127.1/x", "http://0x7f000001/x", "http://2130706433/x",
		"http://[::1]/x", "http://10.0.0.1/x", "http://169.254.169.254/x",
	} {
		if _, stderr, err := k.Try(t, "webhook", "add", "--app", "acme", url); err == nil ||
			!strings.Contains(stderr, "--allow-network") {
			t.Errorf("%s: %v, %s", url, err, stderr)
		}
	}
	if out := k.Run(t, "webhook", "list", "--app", "acme"); strings.TrimSpace(out) != "" {
		t.Errorf("webhooks were added: %s", out)
	}
}
