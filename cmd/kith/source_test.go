package main

import (
	"testing"
	"time"
)

func TestAgesAreParsed(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"90d": 90 * 24 * time.Hour, "0.5d": 12 * time.Hour,
		"12h": 12 * time.Hour, " 1d ": 24 * time.Hour, "0s": 0,
	} {
		var a age
		if err := a.UnmarshalText([]byte(text)); err != nil || time.Duration(a) != want {
			t.Errorf("%q: %v, %v", text, time.Duration(a), err)
		}
	}
	for _, text := range []string{"", "d", "90", "-1d", "-1h", "36501d", "NaNd", "Infd", "a year"} {
		var a age
		if err := a.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is accepted as %v", text, time.Duration(a))
		}
	}
}
