package source

import (
	"net/http"
	"net/url"
	"testing"

	"kith/internal/test/expect"
)

// A redirect never leads from https to http, even if the provider itself is at an http address.
func TestRedirectsKeepTLS(t *testing.T) {
	for _, tt := range []struct {
		from, to string
		follows  bool
	}{
		{"https://a.example/x", "https://b.example/x", true},
		{"https://a.example/x", "/y", true},
		{"https://a.example/x", "http://b.example/x", false},
		{"http://a.example/x", "http://b.example/x", true},
		{"http://a.example/x", "https://b.example/x", true},
		{"http://a.example/x", "file:///etc/passwd", false},
		{"http://a.example/x", "http://user@b.example/x", false},
	} {
		from, err := url.Parse(tt.from)
		expect.NoError(t, err)
		res := &http.Response{StatusCode: http.StatusFound, Header: http.Header{"Location": {tt.to}}}
		if next, err := follow(from, res); (err == nil && next != "") != tt.follows {
			t.Errorf("from %s to %s: %q, %v", tt.from, tt.to, next, err)
		}
	}
}
