package cue

import (
	"strings"
	"testing"
)

// A phrase of the table that is longer than what is looked up, or that a slip of a
// bracket left a pattern, would never be found.
func TestTable(t *testing.T) {
	if len(cues()) < 4000 {
		t.Errorf("%d phrases, want at least 4000", len(cues()))
	}
	for phrase, says := range cues() {
		if words := strings.Fields(phrase); len(words) == 0 || len(words) > MaxWords {
			t.Errorf("%q has %d words, want 1 to %d", phrase, len(words), MaxWords)
		}
		if strings.ContainsAny(phrase, "()[]|") {
			t.Errorf("%q is not a phrase", phrase)
		}
		for _, c := range says {
			if c == None {
				t.Errorf("%q says nothing", phrase)
			}
		}
	}
}
