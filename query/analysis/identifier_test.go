package analysis_test

import (
	"testing"

	"kith/query/analysis"
)

func TestIdentifier(t *testing.T) {
	for _, tt := range []struct {
		in   string
		kind analysis.IdentifierKind
		key  string
	}{
		{"https://www.social.example/in/Jane-Doe/?x=1", analysis.ProfileIdentifier, "social.example/in/jane-doe"},
		{" social.example/in/jane ", analysis.ProfileIdentifier, "social.example/in/jane"},
		{"https://social.example/@jane", analysis.ProfileIdentifier, "social.example/@jane"},
		{"Jane@Example.com", analysis.EmailIdentifier, "jane@example.com"},
		{"mailto:Jane@Example.com", analysis.EmailIdentifier, "jane@example.com"},
		{" jane@localhost ", analysis.EmailIdentifier, "jane@localhost"},
		{"jane", analysis.SocialIdentifier, "jane"},
		{"\u202ajane\u202c", analysis.SocialIdentifier, "jane"},
		{" jane@exam\u00adple.com\u200b", analysis.EmailIdentifier, "jane@example.com"},
		{"Jane@xn--bcher-kva.example", analysis.EmailIdentifier, "jane@bücher.example"},
		{"Jose\u0301@example.com", analysis.EmailIdentifier, "josé@example.com"},
		{"@Jane", analysis.SocialIdentifier, "jane"},
		{"@jane@social.example", analysis.SocialIdentifier, "jane@social.example"},
		{"j.doe", analysis.SocialIdentifier, "j.doe"},
		{"in/jane", analysis.SocialIdentifier, "jane"},
		{"4711", analysis.SocialIdentifier, "4711"},
		{"", analysis.NoIdentifier, ""},
		{"@", analysis.NoIdentifier, ""},
		{"jane@", analysis.NoIdentifier, ""},
		{"a@b@example.com", analysis.NoIdentifier, ""},
		{"jane doe@example.com", analysis.NoIdentifier, ""},
		{"jane doe", analysis.NoIdentifier, ""},
		{"https://social.example/", analysis.NoIdentifier, ""},
		{"https://localhost/in/jane", analysis.NoIdentifier, ""},
		{"https://", analysis.NoIdentifier, ""},
	} {
		if kind, key := analysis.Identifier(tt.in); kind != tt.kind || key != tt.key {
			t.Errorf("%q: %d %q, want %d %q", tt.in, kind, key, tt.kind, tt.key)
		}
	}
}
