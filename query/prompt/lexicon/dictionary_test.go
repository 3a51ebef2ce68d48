package lexicon_test

import (
	"strings"
	"testing"

	"kith/query/prompt/prompttest"
	"kith/query/tokenizer"
)

// Phrases of other languages are translated word by word, in the order of English, compounds included.
func TestEnglish(t *testing.T) {
	l := prompttest.Lexicon()
	for _, c := range []struct{ language, text, english string }{
		{"fr", "directrices des achats", "purchasing director"},
		{"es", "maquinaria agrícola", "agricultural machinery"},
		{"it", "responsabile qualità", "quality manager"}, //nolint:misspell // Italian
		{"de", "Einkaufsleiterinnen", "purchasing manager"},
		{"de", "erneuerbare Energien", "renewable energy"},
		{"de", "Leiter Einkauf", "purchasing manager"},
		{"de", "Brauereien", "brewery"},
		{"nl", "fietsenwinkels", "bicycle shop"},
		{"pt", "desenvolvedores Kotlin", "kotlin developer"},
		{"", "saldatori", "welder"},
	} {
		got, ok := l.English(tokenizer.Tokens(c.text), c.language)
		if !ok || strings.Join(got, " ") != c.english {
			t.Errorf("%s: %q, want %q", c.text, got, c.english)
		}
	}
	if got, ok := l.English([]string{"kotlin"}, "de"); ok {
		t.Errorf("kotlin, which the dictionary lacks, is translated to %q", got)
	}
}
