package analysis_test

import (
	"testing"

	"kith/query/analysis"
)

func TestMailProvidersAreKnownByDomain(t *testing.T) {
	for domain, want := range map[string]bool{
		"gmail.com": true, "GMX.de": true, "web.de": true, "qq.com": true, "yahoo.co.uk": true, "yahoo.com.br": true,
		"outlook.com": true, "icloud.com": true, "proton.me": true, "hotmail.fr": true,
		"acme.example": false, "mail.acme.com": false, "live.acme.com": false, "web.com": false, "": false,
		"yahoo.": false,
	} {
		if got := analysis.IsMailProvider(domain); got != want {
			t.Errorf("IsMailProvider(%q) is %v", domain, got)
		}
	}
}
