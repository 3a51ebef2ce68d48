package rules_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kith"
	"kith/index/analysis"
	"kith/query/prompt"
	"kith/query/prompt/prompttest"
	"kith/query/prompt/rules"
)

// TestTitleFindsItself asks for every title of the lexicon by its name, in a
// directory in which somebody has just that title: that person is found.
func TestTitleFindsItself(t *testing.T) {
	words := prompttest.Lexicon()
	titles := listedTitles(t)
	for _, title := range titles {
		normal := strings.Join(analysis.Title(title), " ")
		planner := rules.New(words, prompttest.Of(map[analysis.Term]int{{Kind: prompt.Title, Text: normal}: 1})).At(today)
		plan, err := planner.Plan(t.Context(), title, prompt.Auto)
		if err != nil {
			t.Fatal(err)
		}
		if !satisfies(t, plan, kith.Person{FullName: "Ann Lee", WorkHistory: []kith.Job{{Title: title, Company: kith.Company{Name: "Acme"}}}}) {
			t.Errorf("%q does not find whoever has that title:\n%s", title, plan)
		}
	}
	if len(titles) < 8500 {
		t.Errorf("%d titles", len(titles))
	}
}

// listedTitles are the titles of the lexicon, in English and other languages, that need
// no cue; a possessive cuts a title in two.
func listedTitles(t *testing.T) []string {
	t.Helper()
	var titles []string
	for column, file := range []string{"roles.tsv", "foreign_roles.tsv"} {
		table, err := os.ReadFile(filepath.Join("..", "lexicon", "data", file))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(table)) {
			if strings.HasPrefix(line, "#") {
				continue
			}
			for s := range strings.SplitSeq(strings.Split(strings.TrimSpace(line)+"\t", "\t")[column], ";") {
				s = strings.TrimPrefix(strings.TrimSpace(s), "!")
				if s != "" && !strings.HasSuffix(s, "~") && !strings.Contains(s, "'s ") {
					titles = append(titles, s)
				}
			}
		}
	}
	return titles
}

// TestBareRole wants a role without more to find whoever has no more in the
// title, and not the other trades with that noun.
func TestBareRole(t *testing.T) {
	planner := rules.New(prompttest.Lexicon(), prompttest.Of(nil)).At(today)
	for _, tt := range []struct{ prompt, finds, leaves string }{
		{"engineers", "Engineer; Developer; Software Engineer; Go Developer; Entwickler", "Data Engineer; Sales Engineer; Developer Advocate; Mechanical Engineer"},
		{"designers", "Designer; Product Designer; UX Designer", "Architectural Designer; Instructional Designer; Design Manager"},
		{"principals", "Principal; School Principal", "Principal Engineer; Principal Product Manager"},
		{"payroll analysts", "Payroll Analyst; Senior Payroll Analyst", "Payroll Manager; Data Analyst"},
		{"policy leads", "Policy Lead; Lead, Policy", "Policy Analyst; Tech Lead"},
		{"founding marketers", "Founding Marketer", "Marketer; Founding Engineer"},
	} {
		plan, err := planner.Plan(t.Context(), tt.prompt, prompt.Auto)
		if err != nil {
			t.Fatal(err)
		}
		for want, titles := range map[bool]string{true: tt.finds, false: tt.leaves} {
			for title := range strings.SplitSeq(titles, "; ") {
				p := kith.Person{FullName: "Ann Lee", WorkHistory: []kith.Job{{Title: title, Company: kith.Company{Name: "Acme"}}}}
				if satisfies(t, plan, p) != want {
					t.Errorf("%q finds %q: %t, want %t", tt.prompt, title, !want, want)
				}
			}
		}
	}
}
