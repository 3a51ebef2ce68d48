package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kith/internal/demo"
	"kith/internal/devtools/evalset"
	"kith/internal/devtools/evalset/memory"
	"kith/internal/expect"
	"kith/query/prompt"
)

func TestFlagsAreChecked(t *testing.T) {
	for args, says := range map[string]string{
		"--memory":                             "<nil>",
		"--url http://127.0.0.1 --part unseen": "<nil>",
		"--list":                               "<nil>",
		"":                                     "--url (of a server with the demo dataset) or --memory is needed",
		"--memory --part other":                `--part must be tuning or unseen (got "other")`,
	} {
		if _, err := parse(strings.Fields(args)); !strings.Contains(fmt.Sprint(err), says) {
			t.Errorf("%q: %v, want %s", args, err, says)
		}
	}
}

// server answers searches by prompt with pages of ids, and rejects other tokens than "t".
func server(t *testing.T, mode prompt.Mode, pages map[string][]string) options {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Prompt, Cursor, Scope string }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || r.URL.Path != "/v2/people/search" ||
			r.Header.Get("Authorization") != "Bearer t" || asked.Cursor == "" && asked.Scope != "global" {
			http.Error(w, "unexpected", http.StatusBadRequest)
			return
		}
		text, page := asked.Prompt, 0
		if asked.Cursor != "" {
			_, _ = fmt.Sscanf(asked.Cursor, "%s %d", &text, &page)
		}
		fmt.Fprintf(w, `{"data":[%s],"metadata":{"mode":%q},"pagination":{"cursor":"%s %d","has_next_page":%t}}`,
			pages[text][page], mode, text, page+1, page+1 < len(pages[text]))
	}))
	t.Cleanup(srv.Close)
	return options{url: srv.URL + "/", token: "t", to: &strings.Builder{}}
}

// Scores count all pages of an answer and its mode.
func TestAnswersOfAServerAreScored(t *testing.T) {
	o := server(t, prompt.Simple, map[string][]string{"right": {`{"id":1},{"id":2}`, `{"id":3}`}, "wrong": {`{"id":5}`}})
	o.out, o.misses = filepath.Join(t.TempDir(), "scores.jsonl"), 1
	expect.NoError(t, o.evaluate(t.Context(), nil, []evalset.Prompt{
		{Text: "right", Category: "simple/a", Mode: prompt.Simple, Part: evalset.Tuning, Want: []int64{1, 2, 3}},
		{Text: "right", Category: "complex/b", Mode: prompt.Complex, Part: evalset.Tuning, Want: []int64{1, 2, 3}},
		{Text: "wrong", Category: "simple/a", Mode: prompt.Simple, Part: evalset.Unseen, Want: []int64{4}},
		{Text: "wrong", Category: "simple/a", Mode: prompt.Simple, Part: evalset.Unseen, Want: []int64{4}},
	}))
	scores, err := os.ReadFile(o.out)
	expect.NoError(t, err)
	expect.Values(t, "scores", []any{strings.Split(strings.TrimSpace(string(scores)), "\n")}, []string{
		`{"category":"simple/a","f1":1,"grade":1,"mode_right":true,"part":"tuning","prompt":"right"}`,
		`{"category":"complex/b","f1":1,"grade":0,"mode_right":false,"part":"tuning","prompt":"right"}`,
		`{"category":"simple/a","f1":0,"grade":0,"mode_right":true,"part":"unseen","prompt":"wrong"}`,
		`{"category":"simple/a","f1":0,"grade":0,"mode_right":true,"part":"unseen","prompt":"wrong"}`,
	})
	report := fmt.Sprint(o.to)
	expect.Parts(t, "report", report, "\ntuning\n", "| all | 2 | 1.000 | 1.000 | 1.000 | 0.500 |",
		"\nunseen\n", "| all | 2 | 0.000 | 0.000 | 0.000 | 1.000 |",
		`1.00 complex/b: "right", mode simple, 3 found, 3 expected, 0 extra, 0 missing`, "extra [5] missing [4]")
	if n := strings.Count(report, `"wrong"`); n != 1 {
		t.Errorf("--misses 1 shows %d answers of a category:\n%s", n, report)
	}
}

// With --check, scores below the targets of the selected part fail.
func TestCheckFailsOnLowScores(t *testing.T) {
	prompts := []evalset.Prompt{{Text: "p", Category: "lookup/a", Part: evalset.Unseen, Want: []int64{1}}}
	const low = "F1 of lookup is 0.000 and should be 0.97"
	for found, says := range map[string]string{`{"id":1}`: "<nil>", `{"id":2}`: low} {
		for part, says := range map[string]string{"": says, evalset.Unseen: says, evalset.Tuning: "<nil>"} {
			o := server(t, prompt.Lookup, map[string][]string{"p": {found}})
			o.check, o.part = true, part
			if err := o.evaluate(t.Context(), nil, prompts); fmt.Sprint(err) != says {
				t.Errorf("%s of %q: %v, want %s", found, part, err, says)
			}
		}
	}
}

func TestRefusedPromptsEndTheRun(t *testing.T) {
	o := server(t, prompt.Lookup, nil)
	o.token = "other"
	err := o.evaluate(t.Context(), nil, []evalset.Prompt{{Text: "p", Part: evalset.Tuning}})
	if err == nil || err.Error() != `"p": the server answers 400 Bad Request` {
		t.Errorf("a refused prompt: %v", err)
	}
}

// Words that find nobody else do not make plans different.
func TestPlansThatAskTheSameAreGradedOnce(t *testing.T) {
	const plan = "mode: simple\nfilter: city = Berlin\n"
	for text, same := range map[string]bool{
		plan: true, plan + "ignored: please\nnote: n\n": true, "mode: simple\nalternative: a\nfilter: city = Berlin\n": true,
		"mode: simple\nfilter: city = Paris\n": false, plan + "condition: notes\n": false,
	} {
		if (asks(text) == plan) != same {
			t.Errorf("%q asks %q", text, asks(text))
		}
	}
}

// A reading is graded by the people that it finds.
func TestReadingsAreGraded(t *testing.T) {
	d, err := demo.New(demo.Config{Seed: 1, People: 60, Companies: 10, Now: demo.Default().Now})
	expect.NoError(t, err)
	local, err := memory.New(t.Context(), d, d.Config().Now)
	expect.NoError(t, err)
	const text = "people in the United States"
	found, err := local.Ask(t.Context(), text)
	expect.NoError(t, err)
	o := options{readings: 3}
	right := evalset.Prompt{
		Text: text, Category: "simple/right", Mode: found.Mode, Want: slices.Sorted(slices.Values(found.IDs)),
	}
	wrong := evalset.Prompt{Text: text, Category: "simple/wrong", Mode: found.Mode}
	if err := o.grade(t.Context(), local, nil); err == nil {
		t.Error("--readings is accepted without --out")
	}
	o.out = filepath.Join(t.TempDir(), "readings.jsonl")
	expect.NoError(t, o.grade(t.Context(), local, []evalset.Prompt{right, wrong}))
	lines, err := os.ReadFile(o.out)
	expect.NoError(t, err)
	for i, line := range strings.Split(strings.TrimSpace(string(lines)), "\n") {
		var got struct {
			Category string
			Readings []reading
		}
		expect.NoError(t, json.Unmarshal([]byte(line), &got))
		best := got.Readings[0]
		if want := float64(1 - i); best.Grade != want || len(best.Features) == 0 || len(got.Readings) > 3 {
			t.Errorf("%s: the best reading has the grade %v of %v:\n%s", got.Category, best.Grade, want, best.Plan)
		}
	}
	if len(found.IDs) == 0 || strings.Count(string(lines), "\n") != 2 {
		t.Errorf("%d people, %s", len(found.IDs), lines)
	}
}
