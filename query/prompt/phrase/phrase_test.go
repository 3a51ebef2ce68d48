package phrase_test

import (
	"slices"
	"testing"

	"kith/query/prompt/phrase"
)

func TestExpandListsEveryVariant(t *testing.T) {
	for pattern, want := range map[string][]string{
		"":                        {""},
		"based in":                {"based in"},
		"based (in|near)":         {"based in", "based near"},
		"[who] left":              {"who left", "left"},
		"[who|that]  left [for] ": {"who left for", "that left for", "left for", "who left", "that left", "left"},
		"(go|move) (on|over to)":  {"go on", "move on", "go over to", "move over to"},
		"in (house":               {"in (house"},
		"in house)":               {"in house)"},
	} {
		if got := phrase.Expand(pattern); !slices.Equal(got, want) {
			t.Errorf("Expand(%q) = %q, want %q", pattern, got, want)
		}
	}
}

func TestTablePairsHeadingsWithPhrases(t *testing.T) {
	const table = `# What is said of places.
in
	in [central]; within
	in; inside

near
	(close|next) to
`
	var got []string
	for heading, text := range phrase.Table(table) {
		got = append(got, heading+": "+text)
	}
	want := []string{"in: in central", "in: in", "in: within", "in: inside", "near: close to", "near: next to"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
