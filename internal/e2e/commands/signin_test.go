package commands_test

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"kith/internal/e2e"
	"kith/internal/expect"
)

// linkIn returns the sign-in link in a server's log, or "".
func linkIn(log string) string {
	for line := range strings.Lines(log) {
		var entry struct{ Message, URL string }
		if json.Unmarshal([]byte(line), &entry) == nil && strings.Contains(entry.Message, "sign in") {
			return entry.URL
		}
	}
	return ""
}

// visit opens a sign-in link and returns its secret.
func visit(t *testing.T, s *e2e.Server, link string) (secret string) {
	t.Helper()
	at, err := url.Parse(link)
	if err != nil || at.Path != "/sign-in" || !strings.HasPrefix(link, s.URL) || at.Fragment == "" {
		t.Fatalf("the link %q, %v", link, err)
	}
	return at.Fragment
}

// The output of the first start is enough to sign in and search, without any other command.
func TestFirstStartSignsIn(t *testing.T) {
	k := e2e.New(t, e2e.Alone(e2e.Postgres()))
	s := k.Serve(t)
	e2e.Eventually(t, "the log has a sign-in link", func() bool { return linkIn(s.Output()) != "" })
	secret := visit(t, s, linkIn(s.Output()))
	jar, err := cookiejar.New(nil)
	expect.NoError(t, err)
	browser := &http.Client{Jar: jar}
	send := func(path string, body any) int {
		t.Helper()
		req, err := s.Request(t.Context(), path, "", body)
		expect.NoError(t, err)
		req.Header.Set("Sec-Fetch-Site", "same-origin")
		res, err := browser.Do(req)
		expect.NoError(t, err)
		defer res.Body.Close()
		return res.StatusCode
	}
	signIn := map[string]any{"link": secret}
	if got := send("/v2/auth/sessions", signIn); got != http.StatusOK {
		t.Fatalf("sign-in answered %d", got)
	}
	if got := send("/v2/people/search", map[string]any{"prompt": "engineers"}); got != http.StatusOK {
		t.Errorf("the search answered %d", got)
	}
	if got := send("/v2/auth/sessions", signIn); got != http.StatusUnauthorized {
		t.Errorf("the second use of the link answered %d", got)
	}
	printed := strings.TrimSpace(k.Run(t, "login-link", "--app", "home", "--user", "me", "--url", s.URL+"/"))
	other := map[string]any{"link": visit(t, s, printed)}
	if got := send("/v2/auth/sessions", other); got != http.StatusOK {
		t.Errorf("a link of kith login-link answered %d", got)
	}
	s.Stop(t)
	again := k.Serve(t)
	if a := again.Get(t, "/healthz", ""); a.Status != http.StatusOK || linkIn(again.Output()) != "" {
		t.Errorf("a link was logged after the sign-in; answered %d", a.Status)
	}
}

func TestLoginLinkRefusesBadArguments(t *testing.T) {
	k := e2e.New(t, e2e.Postgres())
	k.Run(t, "app", "create", "acme")
	for _, tt := range []struct {
		args []string
		want string
		code int
	}{
		{[]string{"--app", "acme", "--user", "u1"}, "--email", 1},
		{[]string{"--app", "nobody", "--user", "u1"}, "app", 1},
		{[]string{"--app", "acme", "--user", "u1", "--url", "kith.example.com"}, "--url", 2},
	} {
		_, stderr, err := k.Try(t, append([]string{"login-link"}, tt.args...)...)
		if e2e.ExitCode(err) != tt.code || !strings.Contains(stderr, tt.want) {
			t.Errorf("%q: %v, %s", tt.args, err, stderr)
		}
	}
	// A server with apps has no single user, so it logs no link.
	s := k.Serve(t)
	if a := s.Get(t, "/healthz", ""); a.Status != http.StatusOK || linkIn(s.Output()) != "" {
		t.Errorf("a server with apps logs a sign-in link; answered %d", a.Status)
	}
}
