package kith_test

import (
	"strings"
	"testing"

	"kith"
)

func TestNamesHaveAVisibleCharacter(t *testing.T) {
	for name, want := range map[string]bool{
		"Q3": true, "é": true, "a\u200bb": true, "e\u0301": true, "東京": true, "नि": true, "🚀": true, "-": true,
		"": false, " \t": false, "\u00a0\u3000": false, "\u200b": false, "\u2060\ufeff": false, "\u0301": false,
		"\ufe0f": false, "\u3164": false, "\u115f": false, "\U000e0041": false, "\u202e": false,
	} {
		if got := kith.HasVisible(name); got != want {
			t.Errorf("HasVisible(%q) = %v", name, got)
		}
		if err := kith.CheckName(name, "an app", "INVALID_APP_NAME"); (err == nil) != want {
			t.Errorf("CheckName(%q): %v", name, err)
		}
	}
}

func TestNamesForCommandsCanBeTyped(t *testing.T) {
	for _, bad := range []string{" x", "x ", "a\n", "a\x00", "\xff", strings.Repeat("é", kith.MaxName+1)} {
		err := kith.CheckName(bad, "a team", "INVALID_TEAM_NAME")
		if kith.KindOf(err) != kith.Invalid || !strings.Contains(err.Error(), "the name of a team must have") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if err := kith.CheckName(strings.Repeat("é", kith.MaxName), "a team", "INVALID_TEAM_NAME"); err != nil {
		t.Error(err)
	}
}
