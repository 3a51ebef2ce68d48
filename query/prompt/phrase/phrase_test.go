package phrase_test

import (
	"slices"
	"testing"

	"kith/query/prompt/phrase"
)

func TestPatternsHaveEveryVariant(t *testing.T) {
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
		p := phrase.Parse(pattern)
		if got := slices.Collect(p.Phrases()); !slices.Equal(got, want) {
			t.Errorf("%q has the phrases %q, want %q", pattern, got, want)
		}
		for _, text := range append(variants(want), want...) {
			if p.Matches(text) != slices.Contains(want, text) {
				t.Errorf("%q matches %q: %t", pattern, text, p.Matches(text))
			}
		}
	}
}

// variants returns texts like those given: shortened, extended and joined.
func variants(texts []string) (out []string) {
	for _, text := range texts {
		for i := range text {
			out = append(out, text[:i], text[i:])
		}
		out = append(out, " "+text, text+" ", text+"s", text+" "+text)
	}
	return out
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
