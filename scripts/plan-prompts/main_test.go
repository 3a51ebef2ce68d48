package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query/prompt/prompttest"
	"kith/query/prompt/reader"
)

// answered plans the prompts of a file, and returns its answers.
func answered(t *testing.T, file string, n int) []map[string]any {
	t.Helper()
	var out bytes.Buffer
	expect.NoError(t, answer(reader.New(prompttest.Lexicon(), nil), strings.NewReader(file), &out, n, false))
	var all []map[string]any
	for line := range strings.Lines(out.String()) {
		var a map[string]any
		expect.NoError(t, json.Unmarshal([]byte(line), &a))
		all = append(all, a)
	}
	return all
}

// at returns the JSON at a path of members.
func at(t *testing.T, v any, path ...string) string {
	t.Helper()
	for _, member := range path {
		v = v.(map[string]any)[member]
	}
	text, err := json.Marshal(v)
	expect.NoError(t, err)
	return string(text)
}

// Scorers read an answer as that of a server: its status, the mode and the interpretation.
func TestPlansHaveTheFormOfAnswers(t *testing.T) {
	all := answered(t, `{"id":"g1","prompt":"nurses in Berlin who are not managers"}`+"\n"+
		`{"prompt":"people who worked with Jane Doe at Acme"}`+"\n", 0)
	if len(all) != 2 {
		t.Fatalf("%d answers to 2 prompts", len(all))
	}
	expect.Values(t, "nurses", []any{
		at(t, all[0], "prompt"), at(t, all[0], "status"), at(t, all[0], "metadata", "mode"),
	}, `"nurses in Berlin who are not managers"`, "200", `"simple"`)
	expect.Parts(t, "filters", at(t, all[0], "metadata", "interpretation", "filters"),
		`"field":"position"`, `"text":"nurses"`, `"field":"city"`, `"value":"Berlin"`, `"excluded":true`)
	expect.Parts(t, "relations", at(t, all[1], "metadata", "interpretation", "conditions"), `"relation":"worked_with"`,
		`"step":0`)
	expect.Parts(t, "steps", at(t, all[1], "metadata", "interpretation", "steps"), `"name":"Jane Doe"`)
}

// To fit weights, each reading has its features, score and plan, best first.
func TestReadingsHaveFeatures(t *testing.T) {
	all := answered(t, `{"prompt":"engineers in Paris"}`, 3)
	readings := all[0]["readings"].([]any)
	if len(readings) < 2 || len(readings) > 3 {
		t.Fatalf("%d readings", len(readings))
	}
	best, last := readings[0].(map[string]any), readings[len(readings)-1].(map[string]any)
	if best["score"].(float64) < last["score"].(float64) || len(best["features"].(map[string]any)) == 0 ||
		!strings.Contains(best["plan"].(string), "Paris") || at(t, best, "metadata", "mode") != `"simple"` {
		t.Errorf("the readings are %v", readings)
	}
}

func TestBrokenPromptsAreReportedByLine(t *testing.T) {
	err := answer(reader.New(prompttest.Lexicon(), nil),
		strings.NewReader("{\"prompt\":\"nurses\"}\nnurses\n"), &bytes.Buffer{}, 0, false)
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a prompt that is no JSON: %v", err)
	}
}

// A cached vocabulary is the one that was counted.
func TestVocabularyIsCached(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "words.json")
	counted, err := words(cache, 50)
	expect.NoError(t, err)
	cached, err := words(cache, 0)
	expect.NoError(t, err)
	terms := []string{"software engineer", "mary", "german", "python"}
	want, err := counted.Known(t.Context(), kith.Operator(), terms, nil)
	expect.NoError(t, err)
	got, err := cached.Known(t.Context(), kith.Operator(), terms, nil)
	expect.NoError(t, err)
	if len(want) == 0 {
		t.Errorf("the vocabulary has none of %q", terms)
	}
	expect.Values(t, "vocabulary", []any{got}, want)
	expect.NoError(t, os.WriteFile(cache, []byte("{"), 0o600))
	if _, err := words(cache, 50); err == nil {
		t.Error("half a cache is accepted")
	}
}
