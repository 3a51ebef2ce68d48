package prompttest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/test/expect"
	"kith/query/prompt"
	"kith/query/prompt/prompttest"
)

func date(s string) *string { return &s }

func vocabulary(t *testing.T) *prompttest.Vocabulary {
	t.Helper()
	square := kith.Company{
		ID: 1, Name: "Square, Inc.", Aliases: []string{"Block"}, Industry: "Financial Services",
		Keywords: []string{"Point of Sale"},
	}
	people := []kith.Person{
		{
			ID: 1, FirstName: "Dr. José", LastName: "Núñez Müller", FullName: "José Núñez Müller",
			Skills:       []string{"C++", "Machine Learning"},
			WorkRelevant: &kith.Job{Title: "VP Eng", Company: square},
			WorkHistory: []kith.Job{
				{Title: "Sr. Software Engineer", Company: square, StartDate: date("2015"), EndDate: date("2018")},
				{Title: "Engineer", Company: kith.Company{Name: "booking.com"}, EndDate: date("2012")},
			},
			EducationHistory: []kith.Education{{Institute: "Technische Universität München"}},
		},
		{
			ID: 2, FullName: "Jane Q. Doe", Skills: []string{"machine learning"},
			WorkRelevant: &kith.Job{Title: "vice president engineering", Company: square},
		},
	}
	v, err := prompttest.New(people, []kith.Company{square, {ID: 2, Name: "Goldmann Sachse AG"}})
	expect.NoError(t, err)
	return v
}

// show writes the known terms in order.
func show(found []prompt.Known) string {
	var parts []string
	for _, k := range found {
		s := fmt.Sprintf("%s:%s=%d", k.Kind, k.Term, k.People)
		if k.Distance > 0 {
			s += fmt.Sprintf("~%s/%d", k.For, k.Distance)
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, " ")
}

func TestVocabularyKnowsItsTerms(t *testing.T) {
	v := vocabulary(t)
	tests := []struct{ ask, want string }{
		{"jose", "first_name:jose=1"},
		{"dr", ""},
		{"q", ""},
		{"doe", "last_name:doe=1"},
		{"muller", "last_name:muller=1"},
		{"mueller", "last_name:mueller=1"},
		{"square", "company:square=2"},
		{"square inc", ""},
		{"block", "company:block=2"},
		{"booking.com", "company:booking.com=1"},
		{"booking", "company:booking=1"},
		{"goldmann sachse", "company:goldmann sachse=0"},
		{"financial services", "industry:financial services=2"},
		{"point of sale", "keyword:point of sale=2"},
		{"machine learning", "skill:machine learning=2"},
		{"c++", "skill:c++=1"},
		{"vice president engineering", "title:vice president engineering=2"},
		{"senior software engineer", "title:senior software engineer=1"},
		{"technische universitat munchen", "school:technische universitat munchen=1"},
	}
	for _, tt := range tests {
		found, err := v.Known(t.Context(), kith.Operator(), []string{tt.ask}, nil)
		if got := show(found); err != nil || got != tt.want {
			t.Errorf("%q: got %s, %v; want %s", tt.ask, got, err, tt.want)
		}
	}
}

func TestVocabularyFindsNearTerms(t *testing.T) {
	v := vocabulary(t)
	tests := []struct{ ask, want string }{
		{"squaer", "company:square=2~squaer/1"},
		{"qsuare", ""},               // another first letter
		{"squ", ""},                  // too short
		{"bloks", ""},                // two edits, but fewer than eight letters
		{"block", "company:block=2"}, // exact: not near itself
		{"goldman sachs", "company:goldmann sachse=0~goldman sachs/2"},
	}
	for _, tt := range tests {
		found, err := v.Known(t.Context(), kith.Operator(), nil, []string{tt.ask})
		if got := show(found); err != nil || got != tt.want {
			t.Errorf("%q: got %s, %v; want %s", tt.ask, got, err, tt.want)
		}
	}
}

func TestVocabularyLookupsAreBounded(t *testing.T) {
	v := vocabulary(t)
	many := make([]string, prompt.MaxTerms)
	for i := range many {
		many[i] = fmt.Sprint("nothing ", i)
	}
	found, err := v.Known(t.Context(), kith.Operator(), append(slices.Clone(many), "square"), nil)
	if err != nil || len(found) != 0 {
		t.Errorf("a term beyond the bound is looked up: %v, %v", found, err)
	}
	found, err = v.Known(t.Context(), kith.Operator(), nil, append(many[:prompt.MaxNear:prompt.MaxNear], "squaer"))
	if err != nil || len(found) != 0 {
		t.Errorf("a near term beyond the bound is looked up: %v, %v", found, err)
	}
}
