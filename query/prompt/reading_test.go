package prompt_test

import (
	"slices"
	"testing"

	"kith/query"
	"kith/query/prompt"
)

// asking returns a plan with a filter of the words of a prompt.
func asking(name query.FilterName, value, text string) prompt.Plan {
	return prompt.Plan{Mode: prompt.Simple, Filters: []prompt.Filter{{
		Source: prompt.Source{Text: text, Span: [2]int{0, len(text)}}, Name: name, Value: value,
	}}}
}

// Readings that ask for the same are no alternatives, whichever words they come from.
func TestAlternativesAskForSomethingElse(t *testing.T) {
	plan := asking(query.FilterCity, "Nice", "Nice").WithReadings([]prompt.Plan{
		asking(query.FilterCity, "Nice", "in Nice"), asking(query.FilterCompany, "Nice", "Nice"),
		asking(query.FilterCompany, "Nice", "at Nice"), asking(query.FilterKeywords, "nice", "Nice"),
		asking(query.FilterPersonName, "Nice", "Nice"),
	})
	var says []string
	for i, a := range plan.Alternatives {
		if a.Reading != i+2 || !slices.Equal(a.Words, []string{"Nice"}) || len(a.Filters) != 1 {
			t.Errorf("alternative %d: %+v", i, a)
		}
		says = append(says, a.Says)
	}
	if want := []string{"company: Nice", "keywords: nice"}; !slices.Equal(says, want) {
		t.Errorf("the alternatives are %q, want %q", says, want)
	}
}

// Each reading can be taken by its number, and then the others are its alternatives.
func TestReadingsAreTakenByNumber(t *testing.T) {
	plan := asking(query.FilterCity, "Nice", "Nice")
	plan.Confidence, plan.Probability = prompt.Low, 0.2
	relation := prompt.Plan{
		Steps:     []prompt.Step{{Says: "Jane"}},
		Relations: []prompt.Relation{{Kind: prompt.WorkedWith}},
	}
	plan = plan.WithReadings([]prompt.Plan{asking(query.FilterCompany, "Nice", "Nice"), relation})
	for number, want := range map[int]string{1: "city: Nice", 2: "company: Nice", 3: "worked with: Jane"} {
		taken, ok := plan.Take(number)
		if !ok || taken.Says() != want || taken.Reading != number || taken.Confidence != "" || taken.Probability != 0 {
			t.Errorf("reading %d is %q, %+v", number, taken.Says(), taken)
		}
		numbers := []int{number}
		for _, a := range taken.Alternatives {
			numbers = append(numbers, a.Reading)
			if (a.Filters == nil) != (a.Reading == 3) {
				t.Errorf("reading %d has the filters %v", a.Reading, a.Filters)
			}
		}
		slices.Sort(numbers)
		if !slices.Equal(numbers, []int{1, 2, 3}) {
			t.Errorf("reading %d and its alternatives are the readings %v", number, numbers)
		}
	}
	for _, number := range []int{0, 4} {
		if _, ok := plan.Take(number); ok {
			t.Errorf("there is a reading %d", number)
		}
	}
}

// What one plan asks for beyond another is named by kind, once for each part.
func TestBeyond(t *testing.T) {
	plan := asking(query.FilterCity, "Nice", "Nice")
	plan.Filters = append(plan.Filters, prompt.Filter{Name: query.FilterCompany, Value: "-Acme", Excluded: true})
	plan.Network = &prompt.Network{Degrees: []int{1}}
	want := []string{"-company", "network"}
	if got := plan.Beyond(asking(query.FilterCity, "Nice", "in Nice")); !slices.Equal(got, want) {
		t.Errorf("beyond the same city: %q", got)
	}
	if got := plan.Beyond(asking(query.FilterCity, "Paris", "Paris")); len(got) != 3 {
		t.Errorf("beyond another city: %q", got)
	}
}
