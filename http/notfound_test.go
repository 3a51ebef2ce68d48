package http_test

import (
	"net/http"
	"strings"
	"testing"
)

// A browser gets a page whose links work from any path; a program gets a JSON error.
func TestUnknownPathsAnswerBrowsersAndPrograms(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	const browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
	for _, c := range []struct{ path, accept, wants string }{
		{"/nowhere", browser, `href="./assets/style.css"`},
		{"/no/such/place", browser, `href="./../../assets/style.css"`},
		{"/nowhere", "Accept: */*", "ROUTE_NOT_FOUND"},
		{"/nowhere", "Accept: application/json", "ROUTE_NOT_FOUND"},
		{"/v2/nowhere", browser, "ROUTE_NOT_FOUND"},
	} {
		res := f.call(http.MethodGet, c.path, "", c.accept)
		if res.StatusCode != http.StatusNotFound || !strings.Contains(string(res.body), c.wants) {
			t.Errorf("%s, %s: %d: %s", c.path, c.accept, res.StatusCode, res.body)
		}
		page := strings.HasPrefix(res.Header.Get("Content-Type"), "text/html")
		styled := strings.Contains(res.Header.Get("Content-Security-Policy"), "style-src 'self'")
		if page != strings.HasPrefix(c.wants, "href") || page && !styled {
			t.Errorf("%s, %s: %v", c.path, c.accept, res.Header)
		}
	}
	if res := f.call(http.MethodPost, "/nowhere", "{}", browser); !strings.Contains(string(res.body),
		"ROUTE_NOT_FOUND") {
		t.Errorf("POST: %s", res.body)
	}
}

// Messages are free of HTML escapes.
func TestMessagesAreNotEscaped(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	res := f.search(`{"filters":{"companySize":"<many>&"}}`)
	if body := string(res.body); strings.Contains(body, `\u00`) || !strings.Contains(body, "<many>&") {
		t.Errorf("the answer is %s", body)
	}
	res = f.call(http.MethodPost, "/v2/people/search", `{"filters":{"companySize":"<50"},"stream":true,"explain":true}`,
		f.bearer())
	if body := string(res.body); strings.Contains(body, `\u003c`) || !strings.Contains(body, "<50") {
		t.Errorf("the stream is %s", body)
	}
}
