package http_test

import (
	"bytes"
	"io"
	"net/http"
	"slices"
	"testing"

	"github.com/klauspost/compress/gzip"

	"kith/internal/test/expect"
)

func files() []string {
	return []string{"/", "/docs", "/openapi.json"}
}

// A client with a current copy gets 304, in each encoding.
func TestUnchangedFilesAreNotSentAgain(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for _, path := range files() {
		plain := f.call(http.MethodGet, path, "", "Accept-Encoding: identity")
		packed := f.call(http.MethodGet, path, "", "Accept-Encoding: gzip")
		if !bytes.Equal(plain.body, packed.body) {
			t.Errorf("%s: the compressed file differs", path)
		}
		if plain.Header.Get("ETag") == packed.Header.Get("ETag") {
			t.Errorf("%s: both encodings have the same ETag", path)
		}
		for coding, first := range map[string]answer{"identity": plain, "gzip": packed} {
			h := first.Header
			if h.Get("Cache-Control") != "no-cache" || !slices.Contains(h.Values("Vary"), "Accept-Encoding") ||
				first.ContentLength <= 0 {
				t.Errorf("%s as %s: %v", path, coding, h)
			}
			again := f.call(http.MethodGet, path, "", "Accept-Encoding: "+coding, "If-None-Match: "+h.Get("ETag"))
			if again.StatusCode != http.StatusNotModified || len(again.body) != 0 ||
				again.Header.Get("ETag") != h.Get("ETag") ||
				again.Header.Get("Content-Encoding") != "" || again.Header.Get("Cache-Control") != "no-cache" {
				t.Errorf("%s as %s, repeated: %d %v", path, coding, again.StatusCode, again.Header)
			}
		}
	}
}

func TestIfNoneMatchIsHonoured(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	tag := f.call(http.MethodGet, "/docs", "", "Accept-Encoding: identity").Header.Get("ETag")
	for _, tt := range []struct {
		given string
		want  int
	}{
		{tag, http.StatusNotModified},
		{"W/" + tag, http.StatusNotModified},
		{`"other", ` + tag, http.StatusNotModified},
		{"*", http.StatusNotModified},
		{`"other"`, http.StatusOK},
		{tag[1 : len(tag)-1], http.StatusOK},
		{"", http.StatusOK},
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			if got := f.call(method, "/docs", "", "Accept-Encoding: identity",
				"If-None-Match: "+tt.given).StatusCode; got != tt.want {
				t.Errorf("%s with %q: %d", method, tt.given, got)
			}
		}
	}
}

func TestAcceptEncodingIsHonoured(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	for given, want := range map[string]string{
		"gzip":                        "gzip",
		"GZIP;q=0.5":                  "gzip",
		"br;q=1.0, gzip;q=0.8, *;q=0": "gzip",
		"deflate,gzip":                "gzip",
		"gzip;q=0":                    "",
		"gzip; q=0.000, identity":     "",
		"br":                          "",
		"*":                           "",
	} {
		res := f.call(http.MethodGet, "/docs", "", "Accept-Encoding: "+given)
		if got := res.Header.Get("Content-Encoding"); got != want || res.StatusCode != http.StatusOK {
			t.Errorf("%q: %d, %q", given, res.StatusCode, got)
		}
	}
}

// Pages with different tokens have different ETags: no cache may take one for the other.
func TestPagesWithOtherTokensHaveOtherETags(t *testing.T) {
	t.Parallel()
	f, _ := demoFixture(t)
	without := newFixture(t, nil).call(http.MethodGet, "/", "").Header.Get("ETag")
	if with := f.call(http.MethodGet, "/", "", "If-None-Match: "+without); with.StatusCode != http.StatusOK ||
		with.Header.Get("ETag") == without {
		t.Errorf("answer for another token: %d %v", with.StatusCode, with.Header)
	}
}

func unpacked(t *testing.T, packed []byte) []byte {
	t.Helper()
	r, err := gzip.NewReader(bytes.NewReader(packed))
	expect.NoError(t, err)
	out, err := io.ReadAll(r)
	expect.NoError(t, err)
	return out
}
