package wordpiece_test

import (
	"slices"
	"strings"
	"testing"

	"kith/query/wordpiece"
)

func TestWordsHaveTheLongestPiecesFromTheLeft(t *testing.T) {
	v := wordpiece.New()
	names := v.Names()
	for word, want := range map[string]string{
		"engineer":                               "engineer",
		"anaesthetist":                           "ana ##est ##het ##ist",
		"krakow":                                 "krakow",
		"":                                       "",
		"cook☃":                                  "",
		strings.Repeat("a", wordpiece.MaxWord+1): "",
	} {
		var got []string
		for _, id := range v.AppendWord(nil, word) {
			got = append(got, names[id])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: got %q, want %q", word, got, want)
		}
	}
	if !v.IsWord("engineer") || v.IsWord("anaesthetist") || v.IsWord("") {
		t.Error("words are other than those of one piece")
	}
	if got := v.AppendWord([]int{7}, "\x00"); !slices.Equal(got, []int{7}) {
		t.Errorf("a word without pieces changes the ids: got %d", got)
	}
}
