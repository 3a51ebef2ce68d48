package planner_test

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kith/index/analysis"
	"kith/query/prompt"
	"kith/query/prompt/planner"
	"kith/query/prompt/prompttest"
)

func today() time.Time { return time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC) }

func newPlanner(t testing.TB) *planner.Planner {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("..", "rules", "testdata", "golden", "vocabulary.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	counts := map[analysis.Term]int{}
	for line := range strings.Lines(string(file)) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		people, err := strconv.Atoi(cells[len(cells)-1])
		if err != nil {
			t.Fatal(err)
		}
		counts[analysis.Term{Kind: prompt.Kind(cells[0]), Text: cells[1]}] = people
	}
	p := planner.New(prompttest.Lexicon(), prompttest.Of(counts))
	return p.At(today)
}

// TestAgree counts how many golden prompts get the filters on record.
func TestAgree(t *testing.T) {
	p := newPlanner(t)
	files, _ := filepath.Glob("../rules/testdata/golden/*.txt")
	total, same := 0, 0
	show := os.Getenv("SHOW")
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		scan := bufio.NewScanner(f)
		said, want := "", []string{}
		n, ok := 0, 0
		flush := func() {
			if said == "" {
				return
			}
			plan, err := p.Plan(t.Context(), said, prompt.Auto)
			if err != nil {
				t.Fatal(err)
			}
			got := lines(plan)
			n++
			if strings.Join(got, "\n") == strings.Join(want, "\n") {
				ok++
			} else if show != "" && strings.Contains(name, show) {
				t.Logf("> %s\n  want %s\n  got  %s", said, strings.Join(want, " | "), strings.Join(got, " | "))
			}
			said, want = "", nil
		}
		for scan.Scan() {
			line := scan.Text()
			switch {
			case strings.HasPrefix(line, "> "):
				flush()
				said = line[2:]
			case strings.HasPrefix(line, "#"), line == "", line == "simple", line == "complex", line == "lookup":
			case strings.HasPrefix(line, "ignored:"), strings.HasPrefix(line, "note:"), line == "no one":
			default:
				want = append(want, short(line))
			}
		}
		flush()
		f.Close()
		t.Logf("%-20s %4d of %4d", filepath.Base(name), ok, n)
		total, same = total+n, same+ok
	}
	t.Logf("%d of %d golden prompts: %.3f", same, total, float64(same)/float64(total))
}

// short keeps of a line the filter and its first alternatives.
func short(line string) string {
	line, _, _ = strings.Cut(line, "  ← ")
	name, value, ok := strings.Cut(line, ": ")
	if !ok {
		return line
	}
	parts := strings.Split(value, ", ")
	if name == "condition" || strings.HasPrefix(name, "step") || name == "relation" {
		return line
	}
	return name + ": " + strings.Join(parts[:min(2, len(parts))], ", ")
}

func lines(plan prompt.Plan) (out []string) {
	for line := range strings.Lines(plan.String()) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case line == "simple", line == "complex", line == "lookup", line == "no one":
		case strings.HasPrefix(line, "ignored:"), strings.HasPrefix(line, "note:"):
		default:
			out = append(out, short(line))
		}
	}
	return out
}
