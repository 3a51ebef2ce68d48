package main

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"pgregory.net/rapid"

	"kith"
	"kith/internal/test/expect"
	"kith/query/prompt"
)

// constraint is a part of a prompt with a meaning of its own, in several equivalent forms.
type constraint struct {
	kind  string
	forms []string
}

// subjects begin a prompt, and constraints follow in any order. A prompt has one constraint of each
// kind, because "in Berlin in Munich" is a list.
func subjects() []string {
	return []string{
		"engineers", "product managers", "designers", "recruiters", "senior engineers", "data scientists",
		"account executives", "people", "directors", "marketing people",
	}
}

func constraints() []constraint {
	return []constraint{
		{"place", []string{"in Germany", "based in Germany", "living in Germany"}},
		{"place", []string{"in the United States", "based in the US", "located in the USA"}},
		{"place", []string{"in München", "in Munchen", "in MÜNCHEN", "based in Munich"}},
		{"place", []string{"in São Paulo", "in Sao Paulo"}},
		{"place", []string{"in Europe", "located in Europe"}},
		{"place", []string{"not in Berlin", "who don't live in Berlin", "outside Berlin"}},
		{"place", []string{"in London or Paris", "in Paris or London"}},
		{"size", []string{"at companies with more than 200 employees", "at companies with over 200 people"}},
		{"size", []string{"at companies with fewer than 500 employees", "at companies with less than 500 employees"}},
		{"experience", []string{"with more than 5 years of experience", "with over 5 years of experience"}},
		{"experience", []string{"with 3-15 years of experience", "with 3 to 15 years of experience"}},
		{"education", []string{"with a PhD", "who hold a PhD"}},
		{"education", []string{"who studied computer science", "with a degree in computer science"}},
		{"education", []string{"without an MBA"}},
	}
}

// wish is a prompt in its parts.
type wish struct {
	subject string
	parts   []constraint
}

func drawn(t *rapid.T) wish {
	a := wish{subject: rapid.SampledFrom(subjects()).Draw(t, "subject")}
	for _, c := range rapid.Permutation(constraints()).Draw(t, "constraints")[:rapid.IntRange(1, 6).Draw(t, "tried")] {
		if !slices.ContainsFunc(a.parts, func(o constraint) bool { return o.kind == c.kind }) {
			a.parts = append(a.parts, c)
		}
	}
	return a
}

// text writes the prompt with the first form of each part.
func (a wish) text() string {
	words := []string{a.subject}
	for _, c := range a.parts {
		words = append(words, c.forms[0])
	}
	return strings.Join(words, " ")
}

// inMemory is the population in memory, made once.
var inMemory = sync.OnceValues(func() (*dataset, error) { return newDataset(context.Background(), engineAddress{}) })

func found(t *rapid.T, d *dataset, text string) []int64 {
	answer, err := d.ask(context.Background(), text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return slices.Sorted(slices.Values(answer.ids))
}

// same demands that two prompts have the same filters and mode. The words they came from may differ.
func same(t *rapid.T, d *dataset, a, b string) {
	t.Helper()
	p, q := understood(t, d, a), understood(t, d, b)
	if p != q {
		t.Fatalf("%q\n%s\n%q\n%s", a, p, b, q)
	}
}

// understood returns a plan without the words of the prompt.
func understood(t *rapid.T, d *dataset, text string) string {
	plan, err := d.planner.Plan(context.Background(), kith.Operator(), text, prompt.Auto)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	var lines []string
	for _, f := range plan.Filters {
		values := strings.Split(f.Value, ", ")
		slices.Sort(values)
		lines = append(lines, string(f.Name)+": "+strings.ToLower(strings.Join(values, ", ")))
	}
	for _, c := range plan.Conditions {
		lines = append(lines, "condition: "+strings.ToLower(c.Says))
	}
	slices.Sort(lines)
	return string(plan.Mode) + "\n" + strings.Join(lines, "\n")
}

func property(t *testing.T, check func(t *rapid.T, d *dataset, a wish)) {
	t.Helper()
	d, err := inMemory()
	expect.NoError(t, err)
	rapid.Check(t, func(t *rapid.T) { check(t, d, drawn(t)) })
}

func TestOrderOfConstraintsDoesNotMatter(t *testing.T) {
	property(t, func(t *rapid.T, d *dataset, a wish) {
		other := wish{a.subject, rapid.Permutation(a.parts).Draw(t, "order")}
		same(t, d, a.text(), other.text())
	})
}

func TestCaseDoesNotMatter(t *testing.T) {
	property(t, func(t *rapid.T, d *dataset, a wish) {
		same(t, d, a.text(), strings.ToLower(a.text()))
		same(t, d, a.text(), strings.ToUpper(a.text()))
	})
}

func TestPolitenessDoesNotMatter(t *testing.T) {
	before := []string{
		"Can you find me ", "please show me ", "I am looking for ", "Hello! We need ", "find ",
		"who are the ", "list all ",
	}
	behind := []string{"", ", please", ". Thanks!", "?", " please", ", thank you very much"}
	property(t, func(t *rapid.T, d *dataset, a wish) {
		text := rapid.SampledFrom(before).Draw(t, "before") + a.text() + rapid.SampledFrom(behind).Draw(t, "behind")
		same(t, d, a.text(), text)
	})
}

func TestPhrasingDoesNotMatter(t *testing.T) {
	property(t, func(t *rapid.T, d *dataset, a wish) {
		words := []string{a.subject}
		for _, c := range a.parts {
			words = append(words, rapid.SampledFrom(c.forms).Draw(t, "form"))
		}
		other := strings.Join(words, " ")
		if x, y := found(t, d, a.text()), found(t, d, other); !slices.Equal(x, y) {
			t.Fatalf("%q finds %d, %q finds %d", a.text(), len(x), other, len(y))
		}
	})
}

func TestDiacriticsDoNotMatter(t *testing.T) {
	plain := strings.NewReplacer("ü", "u", "Ü", "U", "ã", "a")
	property(t, func(t *rapid.T, d *dataset, a wish) {
		text := a.text()
		without := plain.Replace(text)
		if strings.ContainsFunc(without, func(r rune) bool { return r > unicode.MaxASCII }) {
			t.Fatalf("%q still has diacritics", without)
		}
		same(t, d, text, without)
	})
}

func TestConstraintsOnlyNarrow(t *testing.T) {
	property(t, func(t *rapid.T, d *dataset, a wish) {
		n := len(a.parts)
		fewer := wish{a.subject, a.parts[:n-1]}
		wide, narrow := found(t, d, fewer.text()), found(t, d, a.text())
		if len(fewer.parts) == 0 && a.subject == "people" {
			return // "people" by itself asks for nothing
		}
		for _, id := range narrow {
			if _, ok := slices.BinarySearch(wide, id); !ok {
				t.Fatalf("%q finds %s, and %q does not", a.text(), d.describe(id), fewer.text())
			}
		}
	})
}

func TestNegationFindsOtherPeople(t *testing.T) {
	pairs := [][2]string{
		{"in Germany", "not in Germany"},
		{"in London or Paris", "not in London or Paris"},
		{"with a PhD", "without a PhD"},
		{
			"who worked at companies with more than 200 employees",
			"who never worked at companies with more than 200 employees",
		},
		{"at startups", "not at startups"},
	}
	property(t, func(t *rapid.T, d *dataset, a wish) {
		pair := rapid.SampledFrom(pairs).Draw(t, "pair")
		is, not := found(t, d, a.subject+" "+pair[0]), found(t, d, a.subject+" "+pair[1])
		for _, id := range is {
			if _, both := slices.BinarySearch(not, id); both {
				t.Fatalf("%s is found for %q and for %q", d.describe(id), a.subject+" "+pair[0], a.subject+" "+pair[1])
			}
		}
	})
}

// The test covers prompts whose plans consist of filters only.
func TestFiltersOfAPlanFindTheSamePeople(t *testing.T) {
	property(t, func(t *rapid.T, d *dataset, a wish) {
		plan, err := d.planner.Plan(context.Background(), kith.Operator(), a.text(), prompt.Auto)
		expect.NoError(t, err)
		if len(plan.Filters) == 0 || len(plan.Conditions)+len(plan.Relations)+len(plan.Criteria) > 0 {
			return
		}
		back, err := d.filter(context.Background(), plan.Values())
		if err != nil {
			t.Fatalf("%q: the filters are refused: %v\n%s", a.text(), err, plan)
		}
		if x, y := found(t, d, a.text()), slices.Sorted(slices.Values(back.ids)); !slices.Equal(x, y) {
			t.Fatalf("%q finds %d, its filters find %d\n%s", a.text(), len(x), len(y), plan)
		}
	})
}
