package main

import "testing"

// An origin in a form that no browser sends would silently allow nobody, so the command refuses it.
func TestOriginsNoBrowserSendsAreRefused(t *testing.T) {
	for _, text := range []string{"*", "https://app.example.com", "http://localhost:3000", "https://[::1]:8443"} {
		var o origin
		if err := o.UnmarshalText([]byte(text)); err != nil || string(o) != text {
			t.Errorf("%q: %q, %v", text, o, err)
		}
	}
	for _, text := range []string{
		"", "app.example.com", "https://app.example.com/", "https://app.example.com/a",
		"https://App.example.com", "HTTPS://app.example.com", "ftp://app.example.com", "https://",
		"https://u@app.example.com", "localhost:3000", "https://a?b", "null",
	} {
		var o origin
		if err := o.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is accepted as an origin", text)
		}
	}
}
