package words_test

import (
	"testing"

	"kith/query/prompt/words"
)

func TestWordListsHaveTheirWords(t *testing.T) {
	for _, tt := range []struct {
		list words.List
		word string
		in   bool
	}{
		{words.Units, "yrs", true},
		{words.Units, "year of", false},
		{words.CountryShorts, "uk", true},
		{"no list", "uk", false},
	} {
		if got := words.In(tt.list, tt.word); got != tt.in {
			t.Errorf("%q in %q: %v, want %v", tt.word, tt.list, got, tt.in)
		}
	}
	for word, want := range map[string]string{"solicitor": "lawyer", "nurse": "nurse", "zebra": "", "uk": ""} {
		if got := words.Among(words.NounClass, word); got != want {
			t.Errorf("the noun class of %q is %q, want %q", word, got, want)
		}
	}
	if got := words.Among(words.SpokenMark, "full stop"); got != "." {
		t.Errorf("a full stop is %q", got)
	}
	if all := words.All(words.BeforeLanguage); len(all) == 0 || all[0] != "fluent" {
		t.Errorf("before a language: %q", all)
	}
}
