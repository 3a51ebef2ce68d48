package demo_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// linkOf waits for the sign-in link that a server prints, alone on a line and last, and returns it. The log has none.
func linkOf(t *testing.T, s *e2e.Server) string {
	t.Helper()
	link := ""
	e2e.Eventually(t, "the server prints a link", func() bool {
		lines := strings.Fields(s.Printed())
		if len(lines) > 0 {
			link = lines[len(lines)-1]
		}
		return strings.HasPrefix(link, s.URL+"/sign-in#") && strings.HasSuffix(s.Printed(), "\n  "+link+"\n\n")
	})
	if strings.Contains(s.Output(), link) {
		t.Error("the log has the link")
	}
	return link
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

// browser is a client with cookies, as the pages are.
type browser struct {
	*testing.T
	server *e2e.Server
	client *http.Client
}

func newBrowser(t *testing.T, s *e2e.Server) *browser {
	t.Helper()
	jar, err := cookiejar.New(nil)
	expect.NoError(t, err)
	return &browser{t, s, &http.Client{Jar: jar}}
}

// send posts a body as a page does.
func (b *browser) send(path string, body any) (status int, answer []byte) {
	b.Helper()
	req, err := b.server.Request(b.Context(), path, "", body)
	expect.NoError(b.T, err)
	req.Header.Set("Sec-Fetch-Site", "same-origin")
	res, err := b.client.Do(req)
	expect.NoError(b.T, err)
	defer res.Body.Close()
	answer, err = io.ReadAll(res.Body)
	expect.NoError(b.T, err)
	return res.StatusCode, answer
}

// signIn uses a link, and returns the status of the answer.
func (b *browser) signIn(link string) int {
	b.Helper()
	status, _ := b.send("/v2/auth/sessions", map[string]any{"link": visit(b.T, b.server, link)})
	return status
}

// found searches for engineers and returns how many come.
func (b *browser) found() int {
	b.Helper()
	status, answer := b.send("/v2/people/search", map[string]any{"prompt": "engineers", "closest": false})
	if status != http.StatusOK {
		b.Fatalf("the search answered %d: %s", status, answer)
	}
	return len(e2e.DecodePage(b.T, e2e.Answer{Body: answer}).Data)
}

// choose sets or deletes the cookie with which pages change between the demo and one's own data.
func (b *browser) choose(demo bool) {
	b.Helper()
	at, err := url.Parse(b.server.URL)
	expect.NoError(b.T, err)
	age := -1
	if demo {
		age = 3600
	}
	b.client.Jar.SetCookies(at, []*http.Cookie{{Name: "kith_dataset", Value: "demo", Path: "/", MaxAge: age}})
}

// account is what tests read of a user.
type account struct {
	ID   string
	Demo bool
}

// me returns the signed-in user.
func (b *browser) me() account {
	b.Helper()
	res, err := b.client.Get(b.server.URL + "/v2/user/me")
	expect.NoError(b.T, err)
	defer res.Body.Close()
	var answer struct{ Data account }
	expect.NoError(b.T, json.NewDecoder(res.Body).Decode(&answer))
	return answer.Data
}

// The output of the first start is enough to sign in and search, without any other command.
func TestFirstStartSignsIn(t *testing.T) {
	k := e2e.New(t, e2e.Alone(e2e.Postgres()))
	s := k.Serve(t)
	link := linkOf(t, s)
	one := newBrowser(t, s)
	if got := one.signIn(link); got != http.StatusOK {
		t.Fatalf("sign-in answered %d", got)
	}
	if got := one.found(); got != 0 {
		t.Errorf("the search of an empty dataset finds %d people", got)
	}
	if got := one.signIn(link); got != http.StatusUnauthorized {
		t.Errorf("the second use of the link answered %d", got)
	}
	printed := strings.TrimSpace(k.Run(t, "login-link", "--app", "home", "--user", "me", "--url", s.URL+"/"))
	if got := newBrowser(t, s).signIn(printed); got != http.StatusOK {
		t.Errorf("a link of kith login-link answered %d", got)
	}
	s.Stop(t)
	again := k.Serve(t)
	if got := newBrowser(t, again).signIn(linkOf(t, again)); got != http.StatusOK {
		t.Errorf("the link of a later start answered %d", got)
	}
	again.Stop(t)
	k.Run(t, "app", "create", "acme") // with apps, no user owns the installation
	shared := k.Serve(t)
	if a := shared.Get(t, "/healthz", ""); a.Status != http.StatusOK || shared.Printed() != "" {
		t.Errorf("a server with another app answers %d and prints %q", a.Status, shared.Printed())
	}
}

// demoLink follows the link of a server with the demo, which leads to the demo's people. The browser changes to its
// user's own data and back. It returns a new server, on which the browser is still signed in.
func demoLink(t *testing.T, k e2e.Kith, s *e2e.Server) (*e2e.Server, *browser) {
	t.Helper()
	page := newBrowser(t, s)
	if got := page.signIn(linkOf(t, s)); got != http.StatusOK {
		t.Fatalf("sign-in answered %d", got)
	}
	if me := page.me(); me.ID != "demo" || !me.Demo {
		t.Errorf("the link signs in %+v", me)
	}
	if page.found() == 0 {
		t.Error("the link leads to nobody")
	}
	page.choose(false)
	if me, n := page.me(), page.found(); me.ID != "me" || me.Demo || n != 0 {
		t.Errorf("one's own data: %d people of %+v", n, me)
	}
	page.choose(true)
	if page.found() == 0 {
		t.Error("the way back leads to nobody")
	}
	s.Stop(t)
	page.server = serveDemo(t, k) // which makes the demo's users anew
	if page.found() == 0 {
		t.Error("after a restart, the browser finds nobody")
	}
	return page.server, page
}

// withoutDemo serves the same data without the demo.
func withoutDemo(t *testing.T, k e2e.Kith, page *browser) {
	page.server.Stop(t)
	page.server = k.Serve(t)
	if me := page.me(); me.ID != "me" {
		t.Errorf("without the demo, the browser is that of %+v", me)
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
}
