package http_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"kith"
	kithhttp "kith/http"
	"kith/internal/access/auth"
	"kith/internal/test/expect"
)

const (
	signInPath   = "/v2/auth/sessions"
	sessionsPath = "/v2/user/sessions"
)

// link returns a sign-in link for a user.
func (f *fixture) link(user string) string {
	f.t.Helper()
	link, err := f.auth.LoginLink(
		f.t.Context(), kith.OperatorPrincipal(), f.app, auth.Identity{ExternalID: user, Email: user + "@example.com"},
	)
	expect.NoError(f.t, err)
	return link.Secret
}

// useLink sends a link as the sign-in page does.
func (f *fixture) useLink(link string, headers ...string) answer {
	f.t.Helper()
	return f.call(http.MethodPost, signInPath, `{"link":"`+link+`"}`, append(headers, "Sec-Fetch-Site: same-origin")...)
}

// cookie returns the only cookie that an answer sets.
func (a answer) cookie(t *testing.T) *http.Cookie {
	t.Helper()
	if set := a.Cookies(); len(set) == 1 {
		return set[0]
	}
	t.Fatalf("the answer sets %v", a.Cookies())
	return nil
}

// browser signs a user in and returns the header with the cookie.
func (f *fixture) browser(user string) string {
	f.t.Helper()
	c := f.useLink(f.link(user)).wants(f.t, http.StatusOK, "").cookie(f.t)
	return "Cookie: " + c.Name + "=" + c.Value
}

// fromPage returns the headers of a request by a page of this server.
func fromPage(cookie string) []string { return []string{cookie, "Sec-Fetch-Site: same-origin"} }

type shownSession struct {
	ID, Agent string
	Current   bool
}

func (f *fixture) sessionsOf(cookie string) []shownSession {
	f.t.Helper()
	var out []shownSession
	body := f.call(http.MethodGet, sessionsPath, "", cookie).wants(f.t, http.StatusOK, "").envelope(f.t).Data
	expect.NoError(f.t, json.Unmarshal(body, &out))
	return out
}

func TestSessionCookieHasSecureAttributes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	c := f.useLink(f.link("u1")).wants(t, http.StatusOK, "").cookie(t)
	if c.Name != "kith_session" || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" ||
		c.Domain != "" ||
		c.Secure || c.MaxAge != int(auth.SessionTTL/time.Second) {
		t.Errorf("cookie without TLS: %v", c)
	}
	behind := "X-Forwarded-Proto: https"
	c = f.useLink(f.link("u1"), behind).wants(t, http.StatusOK, "").cookie(t)
	if c.Name != "__Host-kith_session" || !c.Secure || !c.HttpOnly || c.SameSite != http.SameSiteStrictMode ||
		c.Path != "/" || c.Domain != "" {
		t.Errorf("cookie over TLS: %v", c)
	}
	me := "/v2/user/me"
	f.call(http.MethodGet, me, "", "Cookie: __Host-kith_session="+c.Value, behind).wants(t, http.StatusOK, "")
	// Over TLS the name without the __Host- prefix does not count: it may have been set without TLS.
	f.call(http.MethodGet, me, "", "Cookie: kith_session="+c.Value, behind).wants(t, http.StatusUnauthorized,
		"TOKEN_MISSING")
}

func TestSignInLinksWorkOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	link := f.link("u1")
	for range 2 { // a mail scanner that opens links does not use them up
		if page := f.call(http.MethodGet, "/sign-in", ""); page.StatusCode != http.StatusOK || len(page.Cookies()) > 0 {
			t.Fatalf("the sign-in page answered: %d, %v", page.StatusCode, page.Cookies())
		}
	}
	f.call(http.MethodGet, signInPath+"?link="+link, "").wants(t, http.StatusMethodNotAllowed, "METHOD_NOT_ALLOWED")
	f.useLink(link).wants(t, http.StatusOK, "")
	if again := f.useLink(link).wants(t, http.StatusUnauthorized, "LINK_INVALID"); len(again.Cookies()) > 0 {
		t.Errorf("a used link sets %v", again.Cookies())
	}
	for _, bad := range []string{"kl_unknown", f.token, f.key, strings.Repeat("k", 255)} {
		f.useLink(bad).wants(t, http.StatusUnauthorized, "LINK_INVALID")
	}
	f.useLink("").wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	for _, secret := range []string{link, "kl_"} {
		if strings.Contains(f.logs.String(), secret) {
			t.Errorf("the log has %q", secret)
		}
	}
}

func TestConcurrentUsesOfALinkStartOneSession(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	link := f.link("u1")
	var wg sync.WaitGroup
	codes := make([]int, 8)
	for i := range codes {
		wg.Go(func() { codes[i] = f.useLink(link).StatusCode })
	}
	wg.Wait()
	won := 0
	for _, code := range codes {
		if code == http.StatusOK {
			won++
		}
	}
	if won != 1 || len(f.sessionsOf(f.browser("u1"))) != 2 {
		t.Errorf("one link began %d sessions: %v", won, codes)
	}
}

// A page of another site, or of another port of this host, changes nothing and signs nobody in.
func TestCrossOriginRequestsWithASessionAreRefused(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	cookie := f.browser("u1")
	write := func(headers ...string) answer {
		return f.call(http.MethodPost, "/v2/lists", `{"name":"L"}`, append(headers, cookie)...)
	}
	hostile := [][]string{
		{"Sec-Fetch-Site: cross-site"},
		{"Sec-Fetch-Site: same-site"},
		{"Origin: https://evil.example"},
		{"Origin: null"},
		{"Origin: http://127.0.0.1:1"},
		{"Sec-Fetch-Site: cross-site", "Origin: " + f.url},
	}
	for _, headers := range hostile {
		write(headers...).wants(t, http.StatusForbidden, "CROSS_ORIGIN_REQUEST")
		link := f.link("u1")
		res := f.call(http.MethodPost, signInPath, `{"link":"`+link+`"}`, headers...)
		if res.wants(t, http.StatusForbidden, "CROSS_ORIGIN_REQUEST"); len(res.Cookies()) > 0 {
			t.Errorf("a request with %v signs a user in", headers)
		}
		f.useLink(link).wants(t, http.StatusOK, "")
		f.call(http.MethodDelete, sessionsPath, "", append(headers, cookie)...).wants(t, http.StatusForbidden,
			"CROSS_ORIGIN_REQUEST")
		f.call(http.MethodPost, "/v2/auth/tokens/revoke", "", append(headers, cookie)...).wants(t, http.StatusForbidden,
			"CROSS_ORIGIN_REQUEST")
	}
	// A form cannot send JSON, and a client with a token needs no cookie.
	f.call(http.MethodPost, "/v2/lists", `name=L`, cookie, "Content-Type: application/x-www-form-urlencoded").
		wants(t, http.StatusUnsupportedMediaType, "UNSUPPORTED_MEDIA_TYPE")
	write("Sec-Fetch-Site: same-origin").wants(t, http.StatusOK, "")
	write("Origin: "+f.url).wants(t, http.StatusOK, "")
	f.call(http.MethodPost, "/v2/lists", `{"name":"M"}`, f.bearer(), "Sec-Fetch-Site: cross-site").wants(t,
		http.StatusOK, "")
}

// Pages of allowed origins call the API with their own tokens, never with the session of the browser.
func TestAllowedOriginsHaveNoSession(t *testing.T) {
	t.Parallel()
	f := newFixture(t, func(_ *fixture, cfg *kithhttp.Config) { cfg.AllowedOrigins = []string{"*"} })
	cookie := f.browser("u1")
	res := f.call(http.MethodGet, "/v2/user/me", "", cookie, "Origin: https://evil.example")
	if res.Header.Get("Access-Control-Allow-Credentials") != "" {
		t.Error("another origin may read answers to a session")
	}
	f.call(http.MethodPost, "/v2/lists", `{"name":"L"}`, cookie, "Origin: https://evil.example").
		wants(t, http.StatusForbidden, "CROSS_ORIGIN_REQUEST")
}

// Sign-in always makes a new session: an earlier cookie in the browser gives no access.
func TestSignInIgnoresEarlierCookies(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	planted := "ks_" + strings.Repeat("A", 43)
	c := f.useLink(f.link("u1"), "Cookie: kith_session="+planted).wants(t, http.StatusOK, "").cookie(t)
	if c.Value == planted {
		t.Error("the session has the secret that was planted")
	}
	f.call(http.MethodGet, "/v2/user/me", "", "Cookie: kith_session="+planted).wants(t, http.StatusUnauthorized,
		"SESSION_ENDED")
	attacker := f.browser("u2")
	f.useLink(f.link("u1"), attacker).wants(t, http.StatusOK, "")
	f.call(http.MethodGet, "/v2/user/me", "", attacker).wants(t, http.StatusUnauthorized, "SESSION_ENDED")
	// The server refuses two cookies of one name, a token as a cookie, and a cookie as a token.
	mine := f.browser("u1")
	f.call(http.MethodGet, "/v2/user/me", "", mine+"; kith_session="+planted).wants(t, http.StatusUnauthorized,
		"SESSION_MALFORMED")
	f.call(http.MethodGet, "/v2/user/me", "", "Cookie: kith_session="+f.token).wants(t, http.StatusUnauthorized,
		"SESSION_MALFORMED")
	_, secret, _ := strings.Cut(mine, "=")
	f.meAs(secret).wants(t, http.StatusUnauthorized, "TOKEN_MALFORMED")
	f.call(http.MethodGet, "/v2/user/me", "", mine, f.bearer()).wants(t, http.StatusOK, "")
}

func TestSessionsAreListedAndEnded(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	first := f.browser("u1")
	other := f.browser("u2")
	c := f.useLink(f.link("u1"), "User-Agent: Second\tBrowser").wants(t, http.StatusOK, "").cookie(t)
	second := "Cookie: kith_session=" + c.Value
	shown := f.sessionsOf(second)
	if len(shown) != 2 || !shown[0].Current || shown[0].Agent != "SecondBrowser" || shown[1].Current {
		t.Fatalf("sessions: %+v", shown)
	}
	theirs := f.sessionsOf(other)[0].ID
	end := func(cookie, id string) answer {
		return f.call(http.MethodDelete, sessionsPath+"/"+id, "", fromPage(cookie)...)
	}
	end(second, theirs).wants(t, http.StatusNotFound, "SESSION_NOT_FOUND")
	end(second, "nonsense").wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED")
	if res := end(second, shown[1].ID).wants(t, http.StatusOK, ""); len(res.Cookies()) > 0 {
		t.Errorf("ending another session sets %v", res.Cookies())
	}
	f.call(http.MethodGet, "/v2/user/me", "", first).wants(t, http.StatusUnauthorized, "SESSION_ENDED")
	if gone := end(second, "current").wants(t, http.StatusOK, "").cookie(t); gone.Value != "" || gone.MaxAge >= 0 {
		t.Errorf("signed out with the cookie %v", gone)
	}
	f.call(http.MethodGet, sessionsPath, "", second).wants(t, http.StatusUnauthorized, "SESSION_ENDED")
	f.call(http.MethodDelete, sessionsPath+"/current", "", f.bearer()).wants(t, http.StatusNotFound,
		"SESSION_NOT_FOUND")
}

func TestSignOutEverywhereEndsAllSessions(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	here, there, other, unused := f.browser("u1"), f.browser("u1"), f.browser("u2"), f.link("u1")
	gone := f.call(http.MethodDelete, sessionsPath, "", fromPage(here)...).wants(t, http.StatusOK, "").cookie(t)
	if gone.MaxAge >= 0 {
		t.Errorf("cookie after the sign-out: %v", gone)
	}
	for _, cookie := range []string{here, there} {
		f.call(http.MethodGet, "/v2/user/me", "", cookie).wants(t, http.StatusUnauthorized, "SESSION_ENDED")
	}
	f.useLink(unused).wants(t, http.StatusUnauthorized, "LINK_INVALID")
	f.call(http.MethodGet, "/v2/user/me", "", other).wants(t, http.StatusOK, "")
	f.meAs(f.token).wants(t, http.StatusOK, "")
}

// Disabling a user, or deleting the app, ends every session and allows no new one.
func TestSessionsEndWithTheirUser(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	cookie, link := f.browser("u1"), f.link("u1")
	expect.NoError(t, f.auth.SetDisabled(t.Context(), kith.OperatorPrincipal(), f.app, "u1", true))
	gone := func(cookie string) {
		t.Helper()
		replica := auth.New(f.db.Auth(), auth.Config{}) // no cache has seen the session
		_, secret, _ := strings.Cut(cookie, "=")
		if _, err := replica.Verify(t.Context(), secret); err == nil {
			t.Error("the session is still valid")
		}
	}
	gone(cookie)
	f.useLink(link).wants(t, http.StatusUnauthorized, "LINK_INVALID")
	_, err := f.auth.LoginLink(t.Context(), kith.OperatorPrincipal(), f.app, auth.Identity{ExternalID: "u1"})
	if err == nil {
		t.Error("a disabled user gets a link")
	}
	cookie = f.browser("u2")
	expect.NoError(t, f.auth.DeleteApp(t.Context(), kith.OperatorPrincipal(), f.app))
	gone(cookie)
}

// A stream ends within seconds after another client ended its session.
func TestStreamEndsWithItsSession(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	begin := sync.OnceFunc(func() { close(begun) })
	f := failing(t, 2, func(ctx context.Context) error {
		begin()
		<-ctx.Done()
		return ctx.Err()
	})
	here, there := f.browser("u1"), f.browser("u1")
	go func() {
		<-begun
		f.call(http.MethodDelete, sessionsPath, "", fromPage(there)...)
	}()
	res := f.call(http.MethodPost, "/v2/people/search",
		`{"filters":{"position":"engineer, software engineer"},"stream":true,"scope":"global"}`, fromPage(here)...)
	if text := string(res.body); !strings.Contains(text, "SESSION_ENDED") ||
		!strings.HasSuffix(names(read(t, res.body)), "error done") {
		t.Errorf("end of the stream: %s", text)
	}
}

// The audit names the user or operator behind each session and link.
func TestSessionsAreAudited(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	cookie := f.browser("u1")
	f.call(http.MethodDelete, sessionsPath+"/current", "", fromPage(cookie)...).wants(t, http.StatusOK, "")
	rows, err := f.db.Pool().Query(t.Context(), `select actor || ' ' || action || ' ' || subject from audit
		where action like 'link.%' or action like 'session.%' order by seq`)
	expect.NoError(t, err)
	defer rows.Close()
	var got []string
	for rows.Next() {
		var line string
		expect.NoError(t, rows.Scan(&line))
		got = append(got, line)
	}
	want := "operator link.issued user u1, user u1 session.created user u1, user u1 session.revoked user u1"
	if strings.Join(got, ", ") != want {
		t.Errorf("got %q", got)
	}
}

// A demo link shows the demo in its browser for as long as the cookie stays. Another link shows its user's data.
func TestDemoLinksShowTheDemo(t *testing.T) {
	f, _ := demoFixture(t)
	me := func(cookies ...string) string {
		return string(f.call(http.MethodGet, "/v2/user/me", "", cookies...).wants(t, http.StatusOK, "").body)
	}
	link, err := f.auth.DemoLink(
		t.Context(), kith.OperatorPrincipal(), f.app, auth.Identity{ExternalID: "u1", Email: "u1@example.com"},
	)
	expect.NoError(t, err)
	set := f.useLink(link.Secret).wants(t, http.StatusOK, "").Cookies()
	if len(set) != 2 || set[1].Name != "kith_dataset" || set[1].Value != "demo" || set[1].HttpOnly {
		t.Fatalf("a demo link sets %v", set)
	}
	session, demo := set[0].Name+"="+set[0].Value, "kith_dataset=demo"
	expect.Parts(t, "with both cookies", me("Cookie: "+session+"; "+demo), `"id":"demo"`, `"demo":true`)
	expect.Parts(t, "with the session", me("Cookie: "+session), `"id":"u1"`, `"demo":false`, "operator")
	expect.Parts(t, "with a token", me("Cookie: "+demo, "Authorization: Bearer "+f.token), `"demo":false`)
	f.call(http.MethodPost, "/v2/people/search", `{"prompt":"x"}`, "Cookie: "+demo, "Sec-Fetch-Site: cross-site").
		wants(t, http.StatusForbidden, "CROSS_ORIGIN_REQUEST")
	set = f.useLink(f.link("u1"), "Cookie: "+demo).wants(t, http.StatusOK, "").Cookies()
	if len(set) != 2 || set[1].Name != "kith_dataset" || set[1].MaxAge >= 0 {
		t.Errorf("another link sets %v", set)
	}
}

func TestDemoCookieNeedsADemo(t *testing.T) {
	f := newFixture(t, nil)
	f.call(http.MethodGet, "/v2/user/me", "", "Cookie: kith_dataset=demo").wants(t, http.StatusUnauthorized,
		"TOKEN_MISSING")
}
