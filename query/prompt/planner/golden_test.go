package planner_test

import (
	"bufio"
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/analysis"
	"kith/query/prompt"
	"kith/query/prompt/planner"
	"kith/query/prompt/prompttest"
)

var update = flag.Bool("update", false, "write the plans that the golden prompts have now")

// TestGolden compares the plan of each prompt with its golden plan. There is a file for each topic: lines with "> " are
// prompts, the lines up to the next empty line their plan, and lines with "# " remarks.
func TestGolden(t *testing.T) {
	p := newPlanner(t)
	prompts := 0
	for _, file := range goldenFiles(t, "golden") {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		t.Run(name, func(t *testing.T) {
			want, err := os.ReadFile(file)
			expect.NoError(t, err)
			got, n := replanned(t, want, func(text string) prompt.Plan { return planned(t, p, text) })
			prompts += n
			if *update {
				expect.NoError(t, os.WriteFile(file, got, 0o600))
				return
			}
			compare(t, file, string(got), string(want))
		})
	}
	if prompts < 400 {
		t.Errorf("%d golden prompts, want at least 400", prompts)
	}
}

// replanned returns a golden file with the current plans.
func replanned(t *testing.T, file []byte, planned func(text string) prompt.Plan) ([]byte, int) {
	t.Helper()
	var out bytes.Buffer
	n := 0
	lines := bufio.NewScanner(bytes.NewReader(file))
	for lines.Scan() {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "> "):
			n++
			if out.Len() > 0 && !bytes.HasSuffix(out.Bytes(), []byte("\n\n")) {
				out.WriteByte('\n')
			}
			out.WriteString(line + "\n" + shown(planned(line[2:])))
		case strings.HasPrefix(line, "# "):
			out.WriteString("\n" + line + "\n")
		}
	}
	expect.NoError(t, lines.Err())
	return bytes.TrimLeft(out.Bytes(), "\n"), n
}

// fewAlternatives is how many alternatives of a filter the golden files show. The tests of the
// lexicon cover all values of a role.
const fewAlternatives = 3

// shown returns a plan with its longest filters cut short.
func shown(plan prompt.Plan) string {
	text := plan.String()
	for line := range strings.Lines(text) {
		if value, _, found := strings.Cut(line, "  ← "); found {
			alternatives := strings.Split(value, ", ")
			if n := len(alternatives) - fewAlternatives; n > 2 {
				short := append(slices.Clone(alternatives[:fewAlternatives]), "and "+strconv.Itoa(n)+" more")
				short = append(short, required(alternatives[fewAlternatives:])...)
				text = strings.Replace(text, value, strings.Join(short, ", "), 1)
			}
		}
	}
	return text
}

// required returns the alternatives marked as required.
func required(alternatives []string) []string {
	return slices.DeleteFunc(slices.Clone(alternatives), func(a string) bool { return !strings.HasPrefix(a, "+") })
}

func planned(t *testing.T, p *planner.Planner, text string) prompt.Plan {
	t.Helper()
	plan, err := p.Plan(t.Context(), kith.Operator(), text, prompt.Auto)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	compiles(t, plan)
	return plan
}

// compiles checks that the filters of a plan and of its steps compile.
func compiles(t *testing.T, plan prompt.Plan) {
	t.Helper()
	sets := []query.Filters{plan.Values()}
	for _, s := range plan.Steps {
		sets = append(sets, s.Filters)
	}
	for _, filters := range sets {
		if _, problems := analysis.Compile(filters, today()); len(problems) > 0 {
			t.Errorf("%v in the plan\n%s", problems, plan)
		}
	}
}

// compare reports the prompts whose plans differ.
func compare(t *testing.T, file, got, want string) {
	t.Helper()
	if got == want {
		return
	}
	before, after := strings.Split(want, "\n\n"), strings.Split(got, "\n\n")
	for i := range max(len(before), len(after)) {
		var a, b string
		if i < len(before) {
			a = before[i]
		}
		if i < len(after) {
			b = after[i]
		}
		if a != b {
			t.Errorf("%s\n--- golden\n%s\n--- now\n%s", filepath.Base(file), a, b)
		}
	}
}

func goldenFiles(t *testing.T, folder string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", folder, "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	return files
}

// goldenVocabulary reads kind, term and number of people from each line.
func goldenVocabulary(t testing.TB) *prompttest.Vocabulary {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", "vocabulary.tsv"))
	expect.NoError(t, err)
	counts := map[analysis.Term]int{}
	for line := range strings.Lines(string(file)) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		people, err := strconv.Atoi(cells[len(cells)-1])
		if len(cells) != 3 || err != nil {
			t.Fatalf("vocabulary: %q must be kind, term and number of people", line)
		}
		counts[analysis.Term{Kind: analysis.TermKind(cells[0]), Text: cells[1]}] = people
	}
	return prompttest.Of(counts)
}
