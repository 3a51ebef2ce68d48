package tagger_test

import (
	"bufio"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/query/prompt/frame"
	"kith/query/prompt/lexicon"
	"kith/query/prompt/reader/tagger"
)

func newTagger(t testing.TB) *tagger.Tagger {
	t.Helper()
	return tagger.New(lexicon.New())
}

// example is what the program that trained the model says about a prompt.
type example struct {
	Prompt  string    `json:"prompt"`
	Marked  string    `json:"marked"`
	LogP    float64   `json:"log_p"`
	Nothing []float64 `json:"nothing"`
	// Gold are the right marks.
	Gold     string  `json:"gold"`
	GoldLogP float64 `json:"gold_log_p"`
}

func examples(t testing.TB) (out []example) {
	t.Helper()
	f, err := os.Open("testdata/golden.jsonl")
	expect.NoError(t, err)
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var e example
		expect.NoError(t, json.Unmarshal(lines.Bytes(), &e))
		out = append(out, e)
	}
	return out
}

// near reports whether two logarithms of probabilities differ by rounding only.
func near(a, b float64) bool { return math.Abs(a-b) < 0.002*max(1, math.Abs(b)) }

func TestReadingsAreThoseOfTheTrainingProgram(t *testing.T) {
	tag := newTagger(t)
	for _, e := range examples(t) {
		r := tag.Read(e.Prompt)
		read := frame.Frame{Prompt: e.Prompt, Marks: r.Marks()}
		want, err := frame.Parse(e.Marked)
		expect.NoError(t, err)
		if read.String() != want.String() {
			t.Errorf("got  %s\nwant %s", read, want)
		}
		gold, err := frame.Parse(e.Gold)
		expect.NoError(t, err)
		if got := r.Score(want.Marks); !near(got, e.LogP) {
			t.Errorf("%s: the reading has the probability e^%v, want e^%v", e.Marked, got, e.LogP)
		}
		if got := r.Score(gold.Marks); !near(got, e.GoldLogP) {
			t.Errorf("%s: the right reading has the probability e^%v, want e^%v", e.Gold, got, e.GoldLogP)
		}
		for i := range r.Words() {
			want, got := 1.0, 1.0 // after the words that the model reads
			if i < len(e.Nothing) {
				want = e.Nothing[i]
			}
			if kinds := r.Kinds(i); kinds != nil {
				got = kinds[""]
			}
			if math.Abs(got-want) > 0.002 {
				t.Errorf("%s: word %d asks for nothing with the probability %v, want %v", e.Prompt, i, got, want)
			}
		}
	}
}

func TestOddPrompts(t *testing.T) {
	tag := newTagger(t)
	for _, prompt := range []string{"", " ", "\xff\xfe", "?", "a\x00b", strings.Repeat("é☃ ", 5000)} {
		r := tag.Read(prompt)
		marks := r.Marks()
		for _, m := range marks {
			if p := r.LogP(m); p > 0 || math.IsNaN(p) {
				t.Errorf("%.20q: %+v has no probability", prompt, m)
			}
		}
		if _, err := frame.New(prompt, marks); err != nil {
			t.Errorf("%.20q: %v", prompt, err)
		}
		if p := r.Score(marks); p > 0 || math.IsNaN(p) || math.IsInf(p, 0) {
			t.Errorf("%.20q: the reading has the probability e^%v", prompt, p)
		}
	}
}

func TestScoresOfMarks(t *testing.T) {
	r := newTagger(t).Read("nurses in Lyon")
	nurses, lyon := frame.Mark{Kind: frame.Title, From: 0, To: 6}, frame.Mark{Kind: frame.Place, From: 10, To: 14}
	right := r.Score([]frame.Mark{nurses, lyon})
	for name, marks := range map[string][]frame.Mark{
		"none":            nil,
		"one":             {nurses},
		"another kind":    {nurses, {Kind: frame.Company, From: 10, To: 14}},
		"other words":     {nurses, {Kind: frame.Place, From: 7, To: 14}},
		"another meaning": {nurses, {Kind: frame.Place, From: 10, To: 14, Not: true}},
		"overlapping":     {{Kind: frame.Title, From: 0, To: 9}, {Kind: frame.Place, From: 7, To: 14}},
		"no kind":         {{Kind: "animal", From: 0, To: 6}},
	} {
		if got := r.Score(marks); got > right-1 {
			t.Errorf("%s: got e^%v, the right marks have e^%v", name, got, right)
		}
	}
	if one, both := r.LogP(lyon), right; one < both || one > 0 {
		t.Errorf("a mark has the probability e^%v, with another e^%v", one, both)
	}
	if got := r.LogP(frame.Mark{Kind: "animal", From: 0, To: 6}); !math.IsInf(got, -1) {
		t.Errorf("an unknown kind has the probability e^%v", got)
	}
}

func BenchmarkRead(b *testing.B) {
	tag := newTagger(b)
	const prompt = "I'm looking for senior backend engineers or data engineers in Dublin who worked at Stripe for at " +
		"least five years, not at agencies, with Go and Kafka"
	for b.Loop() {
		tag.Read(prompt).Marks()
	}
}
