package planner_test

import (
	"strings"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query/prompt"
	"kith/query/prompt/prompttest"
)

// The table has the corrections of each prompt and one resulting filter.
func TestMisspeltWordsAreCorrected(t *testing.T) {
	p := newPlanner(t)
	for _, tt := range []struct{ text, corrections, filter string }{
		{
			"registred nurses in Pheonix", "registred → registered; Pheonix → Phoenix",
			`position: "registered nurse", rn`,
		},
		{"acountants at KPGM in Johanesburg", "KPGM → KPMG; Johanesburg → Johannesburg", "company: KPMG"},
		{"cheif people oficer at startups", "cheif → chief; oficer → officer", `position: "chief people officer"`},
		{
			"morgage brokers in Charolette NC", "morgage → mortgage; Charolette → Charlotte",
			`position: "mortgage broker"`,
		},
		{"people at Amazn in Seatle", "Amazn → Amazon; Seatle → Seattle", "company: Amazon"},
		{"phsychologists in Copenhagen", "phsychologists → psychologists", "position: psychologist"},
		{"engineers at Сбербонк", "Сбербонк → Сбербанк", "company: Сбербанк"},
		{"nurses with pediatric experiance", "experiance → experience", "position: nurse"},
		// Correct words stay: places in no table, names, and words of other languages.
		{"nurses in Sonoma", "", "city: Sonoma"},
		{"engineers at Vanterra", "", "company: Vanterra"},
		{"Jon Smyth at Acme", "", "name: Jon Smyth"},
		{"CTO in SF", "", "position: "},
	} {
		plan, err := p.Plan(t.Context(), kith.Operator(), tt.text, prompt.Auto)
		expect.NoError(t, err)
		for want := range strings.SplitSeq(tt.corrections, "; ") {
			if got := corrections(plan); !strings.Contains(got, want) || tt.corrections == "" && got != "" {
				t.Errorf("%s: corrections %q, want %q", tt.text, got, tt.corrections)
			}
		}
		if !strings.Contains(plan.String(), "\n"+tt.filter) {
			t.Errorf("%s: no %s in\n%s", tt.text, tt.filter, plan)
		}
	}
}

func corrections(plan prompt.Plan) string {
	var out []string
	for _, c := range plan.Corrections {
		out = append(out, c.From+" → "+c.To)
	}
	return strings.Join(out, "; ")
}

// Words of the lexicon are never corrected, and the span of a correction holds its word.
func TestKnownWordsAreNotCorrected(t *testing.T) {
	p, lex := newPlanner(t), prompttest.Lexicon()
	known := map[string]bool{}
	for _, s := range lex.Spellings() {
		known[s.Word] = true
	}
	for text := range prompts(t) {
		plan, err := p.Plan(t.Context(), kith.Operator(), text, prompt.Auto)
		expect.NoError(t, err)
		for _, c := range plan.Corrections {
			if word := strings.ToLower(c.From); known[word] || lex.IsWord(word) {
				t.Errorf("%s: %s is a known word, but was corrected", text, c.From)
			}
			if at := string([]rune(text)[c.Span[0]:c.Span[1]]); at != c.From {
				t.Errorf("%s: the span of %s is %q", text, c.From, at)
			}
		}
	}
}
