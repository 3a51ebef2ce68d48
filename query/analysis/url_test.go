package analysis_test

import (
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query/analysis"
)

func TestURLKey(t *testing.T) {
	for in, want := range expect.Examples(t, "testdata/urlkeys.txt") {
		if got, ok := analysis.URLKey(in); !ok || got != want {
			t.Errorf("URLKey(%q) = %q, %v; want %q", in, got, ok, want)
		}
	}
	for _, in := range []string{
		"", " ", "stripe", "https://", "https:///in/x", "not a url", "a b.com", "http://.com", "a..com",
		"https://x.example/a b", "https://x.example/a\x00", "javascript:alert(1)", "?q=a.b", "<a.b>",
	} {
		if got, ok := analysis.URLKey(in); ok {
			t.Errorf("URLKey(%q) = %q; want none", in, got)
		}
	}
}

func TestSocialID(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"https://social.example/in/Jose-Nunez/", "jose-nunez"},
		{"https://social.example/company/stripe?x=y", "stripe"},
		{"social.example/in/a", "a"},
		{"https://social.example/", ""},
		{"https://social.example/in/jos%C3%A9", "josé"},
		{"jose-nunez", "jose-nunez"},
		{" JOSE-nunez ", "jose-nunez"},
		{"@jose", "jose"},
		{"in/jose", "jose"},
		{"j.doe", "j.doe"},
		{"", ""},
		{"two words", ""},
		{"\u200e@jose\u200b", "jose"},
	} {
		if got := analysis.SocialID(tt.in); got != tt.want {
			t.Errorf("SocialID(%q) = %q; want %q", tt.in, got, tt.want)
		}
	}
}

func TestSiteKey(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"https://www.acme.example/about", "acme.example"},
		{"acme.example", "acme.example"},
		{"https://facebook.com/joes.pizza/", "facebook.com/joes.pizza"},
		{"https://de-de.facebook.com/joes.pizza?ref=x", "de-de.facebook.com/joes.pizza"},
		{"facebook.com/", "facebook.com"},
		{"https://sites.google.com/view/acme", "sites.google.com/view/acme"},
		{"google.com/maps", "google.com"},
		{"notfacebook.com/acme", "notfacebook.com"},
	} {
		key, ok := analysis.URLKey(tt.in)
		if got := analysis.SiteKey(key); !ok || got != tt.want {
			t.Errorf("SiteKey of %q = %q; want %q", tt.in, got, tt.want)
		}
	}
}

func FuzzURLKey(f *testing.F) {
	for _, s := range []string{"https://a.b/c", "a.b", "://", "a.b/%zz", "%00", "a.b//", "x@y.z", "a.b:80", "İ.com/İ"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		key, ok := analysis.URLKey(s)
		if !ok {
			return
		}
		if key == "" || len(key) > 500 || strings.HasSuffix(key, "/") && len(key) < 500 {
			t.Fatalf("URLKey(%q) = %q", s, key)
		}
	})
}

func TestSiteName(t *testing.T) {
	for site, want := range map[string]string{
		"stripe.com": "stripe", "pay.stripe.co.uk": "stripe", "acme.example": "acme", "münchen.de": "münchen",
		"com":   "",
		"co.uk": "", "social.example/company/acme": "",
	} {
		if got := analysis.SiteName(site); got != want {
			t.Errorf("SiteName(%q) = %q, want %q", site, got, want)
		}
	}
}
