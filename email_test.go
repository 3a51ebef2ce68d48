package kith_test

import (
	"strings"
	"testing"

	"kith"
)

func TestValidEmail(t *testing.T) {
	for _, good := range []string{"jane@example.com", "a.b+c@sub.example.co", "jürgen@müller.de", "j•••@example.com", "j•••@•••.com"} {
		if !kith.ValidEmail(good) {
			t.Errorf("%q is refused", good)
		}
	}
	for _, bad := range []string{
		"", "jane", "jane@", "@example.com", "Jane <jane@example.com>", "jane@example.com\r\nBcc: x@example.com", "jane@example.com, joe@example.com",
		`"a b"@example.com`, "a@[127.0.0.1]", "jane@example.com\x00", "ja\u0081ne@example.com", strings.Repeat("a", 260) + "@example.com",
	} {
		if kith.ValidEmail(bad) {
			t.Errorf("%q is accepted", bad)
		}
	}
}
