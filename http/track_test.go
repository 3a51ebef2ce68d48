package http_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	kithhttp "kith/http"
	"kith/internal/test/expect"
	"kith/query/cursor"
)

func TestOpensAndClicksAreRecorded(t *testing.T) {
	t.Parallel()
	const target = "https://acme.example/a?b=1&c=%20d#e"
	f, s, leads := outreachFixture(t)
	f.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	var drafted struct{ Activity activityData }
	f.data(http.MethodPost, "/v2/sequences/"+s.ID+"/leads/"+leads[0].ID+"/emails", `{"subject":"Hi","body":"Hello"}`,
		&drafted)
	var user, email int64
	if err := f.db.Pool().QueryRow(t.Context(), "update emails set status = 'sent', sent_at = $1 returning user_id, id",
		time.Now()).Scan(&user, &email); err != nil {
		t.Fatal(err)
	}
	links := kithhttp.EmailLinks(newSealer(t), "", user, email, "")
	seen := func() []any {
		var opened, clicked bool
		err := f.db.Pool().QueryRow(t.Context(),
			"select opened_at is not null, clicked_at is not null from emails").Scan(&opened, &clicked)
		expect.NoError(t, err)
		return []any{opened, clicked}
	}
	for _, header := range []string{"Sec-Purpose: prefetch;prerender", "Purpose: preview", "X-Moz: prefetch"} {
		f.call(http.MethodGet, links.Opened, "", header)
		f.call(http.MethodGet, links.Clicked(target), "", header)
	}
	f.call(http.MethodHead, links.Clicked(target), "")
	expect.Values(t, "opened and clicked after a prefetch", seen(), false, false)
	picture := f.call(http.MethodGet, links.Opened, "")
	head := picture.Header
	expect.Values(t, "tracking picture",
		[]any{
			picture.StatusCode, head.Get("Content-Type"), head.Get("Cache-Control"),
			strings.HasPrefix(string(picture.body), "GIF89a"),
		}, http.StatusOK, "image/gif", "no-store", true)
	expect.Values(t, "opened and clicked after the picture", seen(), true, false)
	for range 2 {
		res := f.call(http.MethodGet, links.Clicked(target), "")
		expect.Values(t, "tracked link",
			[]any{res.StatusCode, res.Header.Get("Location"), res.Header.Get("Referrer-Policy")},
			http.StatusFound, target, "no-referrer")
	}
	expect.Values(t, "opened and clicked after the click", seen(), true, true)
	var all []leadData
	f.data(http.MethodGet, "/v2/sequences/"+s.ID+"/leads", "", &all)
	if len(all) == 0 || all[0].LatestUpdate != "Link in the e-mail opened" {
		t.Errorf("leads after the click: %+v", all)
	}
	// A link still redirects after its e-mail was deleted.
	gone := kithhttp.EmailLinks(newSealer(t), "", user, email+1, "")
	res := f.call(http.MethodGet, gone.Clicked(target), "")
	expect.Values(t, "link of a deleted e-mail", []any{res.StatusCode, res.Header.Get("Location")},
		http.StatusFound, target)
}

// Only the server's key makes links that redirect.
func TestForgedLinksDoNotRedirect(t *testing.T) {
	t.Parallel()
	f, _, _ := outreachFixture(t)
	f.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	key := make([]byte, cursor.KeySize)
	key[0] = 1
	forged, err := cursor.New(key)
	expect.NoError(t, err)
	own := kithhttp.EmailLinks(newSealer(t), "", 1, 1, "")
	links := []string{
		kithhttp.EmailLinks(forged, "", 1, 1, "").Clicked("https://evil.example"),
		own.Clicked("https://evil.example") + "x", own.Clicked("https://evil.example")[:40],
		own.Clicked("javascript:alert(1)"), own.Clicked("//evil.example"),
		own.Clicked("https://evil.example/\r\nSet-Cookie: a=b"),
		strings.Replace(own.Opened, "/opened/", "/clicked/", 1),
		strings.Replace(own.Unsubscribe, "/unsubscribe/", "/clicked/", 1),
		strings.Replace(own.Clicked("https://evil.example"), "/clicked/", "/opened/", 1),
		"/v2/clicked/https://evil.example", "/v2/clicked/https:%2F%2Fevil.example",
		"/v2/clicked/x?url=https://evil.example", "/v2/opened/x",
	}
	for _, link := range links {
		if res := f.call(http.MethodGet, link, ""); res.StatusCode != http.StatusNotFound ||
			res.Header.Get("Location") != "" {
			t.Errorf("%.60s: %d %q", link, res.StatusCode, res.Header.Get("Location"))
		}
	}
}

func TestTrackingIsOptIn(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const account = `{"host":"smtp.example.com","from_email":"jane@example.com"`
	for more, want := range map[string]string{
		"": `"track_opens":false,"track_clicks":false`,
		`,"track_opens":true,"track_clicks":true`:  `"track_opens":true,"track_clicks":true`,
		`,"track_opens":false,"track_clicks":true`: `"track_opens":false,"track_clicks":true`,
	} {
		if got := f.call(http.MethodPost, integrationsPath, account+more+"}", f.bearer()).wants(t, http.StatusOK,
			""); !strings.Contains(string(got.body), want) {
			t.Errorf("the integration has other tracking: %s", got.body)
		}
	}
	for _, host := range []string{"127.0.0.1", "10.0.0.1", "169.254.169.254", "192.168.1.1", "0.0.0.0"} {
		e := f.call(http.MethodPost, integrationsPath, `{"host":"`+host+`","from_email":"jane@example.com"}`,
			f.bearer()).
			wants(t, http.StatusUnprocessableEntity, "VALIDATION_FAILED").envelope(t).Error
		if len(e.Errors) != 1 || e.Errors[0].Code != "PRIVATE_ADDRESS" {
			t.Errorf("%s: %+v", host, e.Errors)
		}
	}
}
