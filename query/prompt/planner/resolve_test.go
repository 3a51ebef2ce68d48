package planner_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query/prompt"
	"kith/query/prompt/frame"
	"kith/query/prompt/planner"
	"kith/query/prompt/prompttest"
)

// TestMarkedPromptsHaveTheirPlans compares the plan of each marked prompt with its golden plan, in files like those of
// TestGolden.
func TestMarkedPromptsHaveTheirPlans(t *testing.T) {
	p := newPlanner(t)
	for _, file := range goldenFiles(t, "marked") {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			expect.NoError(t, err)
			got, n := replanned(t, want, func(text string) prompt.Plan { return resolved(t, p, text) })
			if *update {
				expect.NoError(t, os.WriteFile(file, got, 0o600))
				return
			}
			if n == 0 {
				t.Error("the file has no prompts")
			}
			compare(t, file, string(got), string(want))
		})
	}
}

// resolved returns the plan of a marked prompt.
func resolved(t *testing.T, p *planner.Planner, marked string) prompt.Plan {
	t.Helper()
	f, err := frame.Parse(marked)
	expect.NoError(t, err)
	plan, err := p.Resolve(t.Context(), kith.Operator(), f, prompt.Auto)
	expect.NoError(t, err)
	return plan
}

// Every marked word is in a part of the plan, or the plan says that it is not. Cues choose the part of others.
func TestNoMarkIsLost(t *testing.T) {
	files, err := filepath.Glob("../reader/data/*.txt")
	expect.NoError(t, err)
	checked := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		expect.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
				continue
			}
			if checked++; checked%8 > 0 { // a share of them is enough
				continue
			}
			f, err := frame.Parse(line)
			expect.NoError(t, err)
			plan := resolved(t, prompttest.Planner(), line)
			for _, m := range f.Marks {
				if m.Kind != frame.Cue && !isTold(plan, f, m) {
					t.Errorf("%s: %q is in no part of the plan\n%s", line, f.Words(m), plan)
				}
			}
		}
	}
	if checked < 2000 {
		t.Errorf("only %d lines were read", checked)
	}
}

// isTold reports whether the words of a mark are in a source, the ignored words or the notes of a plan.
func isTold(plan prompt.Plan, f frame.Frame, m frame.Mark) bool {
	from := len([]rune(f.Prompt[:m.From]))
	to := from + len([]rune(f.Words(m)))
	for _, s := range sources(plan) {
		if s.Span[0] < to && from < s.Span[1] {
			return true
		}
	}
	told := strings.Join(append(slices.Clone(plan.Ignored), plan.Notes...), " ")
	return slices.ContainsFunc(strings.Fields(f.Words(m)), func(w string) bool {
		return strings.Contains(told, strings.Trim(w, "'’s.,"))
	})
}

// sources returns the sources of all parts of a plan.
func sources(plan prompt.Plan) (out []prompt.Source) {
	for _, f := range append(slices.Clone(plan.Filters), plan.Preferred...) {
		out = append(out, f.Source)
	}
	for _, c := range plan.Conditions {
		out = append(out, c.Source)
	}
	for _, s := range plan.Steps {
		out = append(out, s.Source)
	}
	for _, r := range plan.Relations {
		out = append(out, r.Source)
	}
	for _, c := range plan.Criteria {
		out = append(out, c.Source)
	}
	if plan.Network != nil {
		out = append(out, plan.Network.Source)
	}
	return out
}

// A reading tells what it marked.
func TestReadingsAreMarked(t *testing.T) {
	p := newPlanner(t)
	for text, want := range map[string]string{
		"senior engineers in Berlin or Paris":  "{t senior engineers} in {p Berlin} or {p.or Paris}",
		"former Google engineers in Zurich":    "former {c.past Google} {t engineers} in {p Zurich}",
		"head of marketing at fintechs":        "head of {L marketing} at {i fintechs}",
		"nurses, not at Google":                "{t nurses}, not at {c.not Google}",
		"engineers at Swedish banks":           "{t engineers} at {p.co Swedish} {i banks}",
		"cooks with 5 to 8 years experience":   "{t cooks} with {y.min 5} to {y.max 8} years experience",
		"people who moved from Google to Meta": "people {q.moved who moved from} {c.s1 Google} to {c.s2 Meta}",
		"people who left Google in 2021":       "people who left {c.past Google} in {w.left 2021}",
		"who worked with Jane Doe at Google":   "{q.worked_with who worked with} {n.s1 Jane Doe} at {c.s1 Google}",
		"who do I know at Google":              "{N.1 who do I know} at {c Google}",
		"engineers in Boston, sorry, Austin":   "{t engineers} in Boston, sorry, {p Austin}",
		"a {brace} in Berlin":                  `a \{brace\} in {p Berlin}`,
	} {
		readings, err := p.Readings(t.Context(), kith.Operator(), text, 1, nil)
		expect.NoError(t, err)
		if got := readings[0].Frame.String(); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}

// Marks carry what the grammar read: most of its examples have the same plan after marking and resolving. Marks tell no
// pairs, and notes and alternatives belong to a reading.
func TestMarksKeepThePlan(t *testing.T) {
	p, same, all := prompttest.Planner(), 0, examples(t)
	for _, e := range all {
		readings, err := p.Readings(t.Context(), kith.Operator(), e.prompt, 1, nil)
		expect.NoError(t, err)
		plan, err := p.Resolve(t.Context(), kith.Operator(), readings[0].Frame, prompt.Auto)
		expect.NoError(t, err)
		if askedBy(plan) == askedBy(readings[0].Plan) {
			same++
		}
	}
	if share := float64(same) / float64(len(all)); share < 0.7 {
		t.Errorf("%d of %d examples keep their plan", same, len(all))
	} else {
		t.Logf("%d of %d examples keep their plan", same, len(all))
	}
}

// askedBy returns what a plan asks for, without the words that say so.
func askedBy(p prompt.Plan) string {
	p.Alternatives, p.Ignored, p.Notes = nil, nil, nil
	var lines []string
	for line := range strings.Lines(p.String()) {
		line, _, _ = strings.Cut(line, "  ← ")
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n")
}

// FuzzResolve resolves any marked prompt: the filters compile, and the words of each part lie in the prompt.
func FuzzResolve(f *testing.F) {
	for _, seed := range []string{
		"ex-{c.past McKinsey} {t.past consultants} who are now {t COOs} in {p Zurich}",
		"{q.stay.not left within} {y.ten.max one} year, {N.1.not friends}, {z.adj.any small} {i.or firms}",
		"{q.intro introduce us} to {n.s1 Jane Doe}, {w.s1.left 2021}, {F.min 1990} to {F.max 1980}, {g.later series b}",
		"{q.atleast.not two of} {c.s3 Google}, {j best}, {u pay}, {S.both Uppsala} {D law} {G.last 5}",
		"{t cooks} since {y.min 2019}, {y.ten 2020}, {w.left.not.last last 200} years",
	} {
		f.Add(seed)
	}
	p := prompttest.Planner()
	f.Fuzz(func(t *testing.T, text string) {
		read, err := frame.Parse(text)
		if err != nil || len(text) > 500 {
			t.Skip()
		}
		plan, err := p.Resolve(t.Context(), kith.Operator(), read, prompt.Auto)
		expect.NoError(t, err)
		compiles(t, plan)
		for _, s := range sources(plan) {
			if s.Span[0] < 0 || s.Span[0] > s.Span[1] || s.Span[1] > len([]rune(read.Prompt)) {
				t.Errorf("%s: %q has the span %v", text, s.Text, s.Span)
			}
		}
	})
}
