package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

func TestFlagsAreChecked(t *testing.T) {
	for args, says := range map[string]string{
		"":              "<nil>",
		"--set fit":     "<nil>",
		"--set other":   `--set must be measure or fit (got "other")`,
		"--readings 15": "--readings needs --out",
		"--postgres postgres://h/d --elasticsearch http://h": "--postgres and --elasticsearch exclude each other",
	} {
		if _, err := parse(strings.Fields(args)); !strings.Contains(fmt.Sprint(err), says) {
			t.Errorf("%q: %v, want %s", args, err, says)
		}
	}
}

// Every answer names people of the population, in order.
func TestAnswersNamePeople(t *testing.T) {
	people, _, err := population()
	expect.NoError(t, err)
	known := map[int64]bool{}
	for _, p := range people {
		known[p.ID] = true
	}
	for _, set := range sets() {
		prompts, err := read[prompted](set)
		expect.NoError(t, err)
		for _, p := range prompts {
			stranger := func(id int64) bool { return !known[id] }
			if p.Text == "" || slices.ContainsFunc(slices.Concat(p.Want, p.Allowed), stranger) ||
				!slices.IsSorted(p.Want) || !slices.IsSorted(p.Allowed) {
				t.Errorf("%s: %+v", set, p)
			}
		}
	}
}

// asked returns a prompt with its correct answer.
func asked(t *testing.T, d *dataset, text, category string) prompted {
	t.Helper()
	found, err := d.ask(t.Context(), text)
	expect.NoError(t, err)
	if len(found.ids) == 0 {
		t.Fatalf("%q finds nobody", text)
	}
	return prompted{Text: text, Category: category, Mode: found.mode, Want: slices.Sorted(slices.Values(found.ids))}
}

// Scores count all pages of an answer and its mode.
func TestAnswersAreScored(t *testing.T) {
	d, err := inMemory()
	expect.NoError(t, err)
	right := asked(t, d, "people in the United States", "simple/right")
	mode, wrong := right, right
	mode.Category, mode.Mode = "complex/mode", "lookup"
	wrong.Category, wrong.Want = "simple/wrong", nil
	report := &strings.Builder{}
	o := options{out: filepath.Join(t.TempDir(), "scores.jsonl"), misses: 1, plans: true, to: report}
	expect.NoError(t, o.evaluate(t.Context(), d, []prompted{right, mode, wrong, wrong}))
	scores, err := os.ReadFile(o.out)
	expect.NoError(t, err)
	expect.Values(t, "scores", []any{strings.Split(strings.TrimSpace(string(scores)), "\n")}, []string{
		`{"category":"simple/right","f1":1,"grade":1,"mode_right":true,"prompt":"people in the United States"}`,
		`{"category":"complex/mode","f1":1,"grade":0,"mode_right":false,"prompt":"people in the United States"}`,
		`{"category":"simple/wrong","f1":0,"grade":0,"mode_right":true,"prompt":"people in the United States"}`,
		`{"category":"simple/wrong","f1":0,"grade":0,"mode_right":true,"prompt":"people in the United States"}`,
	})
	expect.Parts(t, "report", report.String(), "| all | 4 | 0.500 | 0.500 | 0.500 | 0.750 |",
		"| simple/right | 1 | 1.000 | 1.000 | 1.000 | 1.000 |", "1.00 complex/mode:", "0.00 simple/wrong:",
		"    extra ", "country: United States")
	if n := strings.Count(report.String(), "0.00 simple/wrong"); n != 1 {
		t.Errorf("--misses 1 shows %d answers of a category:\n%s", n, report)
	}
}

// An engine finds the same people as the index in memory.
func TestPostgresAnswersAsMemoryDoes(t *testing.T) {
	var reports [2]strings.Builder
	for i, args := range [][]string{nil, {"--postgres", pgtest.URL(t)}} {
		expect.NoError(t, run(t.Context(), append(args, "--category", "lookup/e-mail"), &reports[i]))
	}
	if memory := reports[0].String(); memory != reports[1].String() || !strings.Contains(memory,
		"| all | 34 | 1.000 ") {
		t.Errorf("memory:\n%s\nPostgres:\n%s", memory, reports[1].String())
	}
}

// Words that find nobody else do not make plans different.
func TestPlansThatAskTheSameAreGradedOnce(t *testing.T) {
	const plan = "mode: simple\nfilter: city = Berlin\n"
	for text, same := range map[string]bool{
		plan: true, plan + "ignored: please\nnote: n\n": true,
		"mode: simple\nalternative: a\nfilter: city = Berlin\n": true,
		"mode: simple\nfilter: city = Paris\n":                  false, plan + "condition: notes\n": false,
	} {
		if (asks(text) == plan) != same {
			t.Errorf("%q asks %q", text, asks(text))
		}
	}
}

// A reading is graded by the people that it finds.
func TestReadingsAreGraded(t *testing.T) {
	d, err := inMemory()
	expect.NoError(t, err)
	right := asked(t, d, "people in the United States", "simple/right")
	wrong := prompted{Text: right.Text, Category: "simple/wrong", Mode: right.Mode}
	o := options{readings: 3, out: filepath.Join(t.TempDir(), "readings.jsonl")}
	expect.NoError(t, o.grade(t.Context(), d, []prompted{right, wrong}))
	file, err := os.ReadFile(o.out)
	expect.NoError(t, err)
	lines := strings.Split(strings.TrimSpace(string(file)), "\n")
	for i, line := range lines {
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
	if len(lines) != 2 {
		t.Errorf("%d lines", len(lines))
	}
}
