package search_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kith"
	"kith/internal/demo"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query/prompt/planner"
	"kith/query/prompt/prompttest"
)

// golden are the prompts with golden plans.
const golden = "../../query/prompt/planner/testdata/golden"

// Each engine must find the same people in the same order on every page.
func TestEnginesAgreeOnGoldenPrompts(t *testing.T) {
	people, companies := namedDemo(t, 600)
	vocabulary, err := prompttest.New(people, companies)
	expect.NoError(t, err)
	memory := newFixture(t, people...)
	memory.config.Planner = planner.New(prompttest.Lexicon(), vocabulary).At(memory.config.Now)
	memory.Service = search.New(memory.config)
	prompts := goldenPrompts(t)
	want := make([][]string, len(prompts))
	found := 0
	for i, p := range prompts {
		if want[i] = memory.pages(t, p); want[i][0] != "[]" {
			found++
		}
	}
	if len(prompts) < 400 || found < 150 {
		t.Errorf("%d prompts, %d of which find someone", len(prompts), found)
	}
	for name, on := range map[string]func(*testing.T, *fixture) *fixture{
		"postgres":      onPostgres,
		"elasticsearch": onElasticsearch,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := on(t, memory)
			for i, p := range prompts {
				if got := f.pages(t, p); !slices.Equal(got, want[i]) {
					t.Errorf("%q\nmemory %v\nhere   %v", p, want[i], got)
				}
			}
		})
	}
}

// pages returns the people on the first pages of a search as text. Some prompts find hundreds.
func (f *fixture) pages(t *testing.T, text string) []string {
	t.Helper()
	var pages []string
	req := search.Request{Prompt: text, Limit: 40, Scope: search.ScopeGlobal}
	for range 4 {
		p := f.page(t, req)
		pages = append(pages, fmt.Sprint(personIDs(t, p.People)))
		if !p.Pagination.HasNextPage {
			break
		}
		req = search.Request{Cursor: p.Pagination.Cursor}
	}
	return pages
}

// goldenPrompts reads the prompts: the lines that begin with "> ".
func goldenPrompts(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(golden, "*.txt"))
	expect.NoError(t, err)
	var prompts []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		expect.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if p, is := strings.CutPrefix(strings.TrimRight(line, "\r\n"), "> "); is && strings.TrimSpace(p) != "" {
				prompts = append(prompts, p)
			}
		}
	}
	return prompts
}

// namedDemo is a small demo dataset with the companies and schools in the golden prompts, and Jane Doe.
func namedDemo(t *testing.T, n int) ([]kith.Person, []kith.Company) {
	t.Helper()
	d, err := demo.New(demo.Config{Seed: demo.Default().Seed, People: n, Now: time.Date(2026, 1, 1, 0, 0, 0, 0,
		time.UTC)})
	expect.NoError(t, err)
	employers, schools := goldenTerms(t, "company"), goldenTerms(t, "school")
	companies := slices.Collect(d.Companies())
	for i, name := range employers[:min(len(employers), len(companies))] {
		companies[i].Name = name
	}
	var people []kith.Person
	for p := range d.People() {
		if p.ID%200 == 0 {
			p.FirstName, p.LastName, p.FullName = "Jane", "Doe", "Jane Doe"
		}
		if len(p.EducationHistory) > 0 && p.ID%3 == 0 && len(schools) > 0 {
			p.EducationHistory[0].Institute = schools[int(p.ID/3)%len(schools)]
		}
		if p.WorkRelevant != nil {
			p.WorkRelevant.Company = companies[p.WorkRelevant.Company.ID-1]
		}
		for i := range p.WorkHistory {
			p.WorkHistory[i].Company = companies[p.WorkHistory[i].Company.ID-1]
		}
		people = append(people, p)
	}
	return people, companies
}

// goldenTerms returns the terms of a kind in the vocabulary of the golden prompts.
func goldenTerms(t *testing.T, kind string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(golden, "..", "vocabulary.tsv"))
	expect.NoError(t, err)
	var terms []string
	for line := range strings.Lines(string(text)) {
		if cells := strings.Split(line, "\t"); len(cells) == 3 && cells[0] == kind {
			terms = append(terms, cells[1])
		}
	}
	return terms
}
