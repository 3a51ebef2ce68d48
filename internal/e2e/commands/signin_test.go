package commands_test

import (
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"kith/internal/e2e"
)

// linkIn is the link to sign in with that a server has logged; empty where there is none.
func linkIn(log string) string {
	for line := range strings.Lines(log) {
		var entry struct{ Message, URL string }
		if json.Unmarshal([]byte(line), &entry) == nil && strings.Contains(entry.Message, "sign in") {
			return entry.URL
		}
	}
	return ""
}

// visit is the address with which a browser asks, and the secret that it has from a link.
func visit(t *testing.T, s *e2e.Server, link string) (secret string) {
	t.Helper()
	at, err := url.Parse(link)
	if err != nil || at.Path != "/sign-in" || !strings.HasPrefix(link, s.URL) || at.Fragment == "" {
		t.Fatalf("the link %q, %v", link, err)
	}
	return at.Fragment
}

// TestFirstStartSignsIn goes from the first start to an answer with what the server says, and
// no other command.
func TestFirstStartSignsIn(t *testing.T) {
	k := e2e.New(t, e2e.Postgres())
	s := k.Serve(t)
	e2e.Eventually(t, "a link to sign in with", func() bool { return linkIn(s.Output()) != "" })
	secret := visit(t, s, linkIn(s.Output()))
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	send := func(path string, body any) int {
		t.Helper()
		req, err := s.Request(t.Context(), path, "", body)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Sec-Fetch-Site", "same-origin")
		res, err := browser.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		return res.StatusCode
	}
	signIn := map[string]any{"link": secret}
	if got := send("/v2/auth/sessions", signIn); got != http.StatusOK {
		t.Fatalf("signing in: %d", got)
	}
	if got := send("/v2/people/search", map[string]any{"prompt": "engineers"}); got != http.StatusOK {
		t.Errorf("a search: %d", got)
	}
	if got := send("/v2/auth/sessions", signIn); got != http.StatusUnauthorized {
		t.Errorf("the link, again: %d", got)
	}
	printed := strings.TrimSpace(k.Run(t, "login-link", "--app", "home", "--user", "me", "--url", s.URL+"/"))
	other := map[string]any{"link": visit(t, s, printed)}
	if got := send("/v2/auth/sessions", other); got != http.StatusOK {
		t.Errorf("a link of kith login-link: %d", got)
	}
	s.Stop(t)
	again := k.Serve(t)
	if a := again.Get(t, "/healthz", ""); a.Status != http.StatusOK || linkIn(again.Output()) != "" {
		t.Errorf("%d; who has signed in is given another link", a.Status)
	}
}

func TestLoginLinkRefuses(t *testing.T) {
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
	// A server of an app is nobody's own.
	s := k.Serve(t)
	if a := s.Get(t, "/healthz", ""); a.Status != http.StatusOK || linkIn(s.Output()) != "" {
		t.Errorf("%d; a link to sign in is logged", a.Status)
	}
}
