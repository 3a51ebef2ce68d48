package search_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"kith"
	"kith/internal/search"
	"kith/query"
	"kith/query/indexed"
	"kith/query/prompt"
)

// All pages of a walk use the plan of the first page, whatever the planner answers now, and even if
// a new person has the same name.
func TestWalkKeepsItsPlan(t *testing.T) {
	f := newFixture(t, cast(t)...)
	plan := prompt.Plan{Steps: []prompt.Step{named("Jane Doe")}, Relations: []prompt.Relation{to(prompt.WorkedWith)}}
	want := f.planning(plan).walk(t, search.Request{Prompt: "people", Limit: 100})
	first := f.planning(plan).page(t, search.Request{Prompt: "people", Limit: 3})

	namesake := kith.Person{
		ID: 100, FullName: "Jane Doe",
		WorkRelevant: &kith.Job{Title: "Engineer", Company: kith.Company{Name: "Smallco"}},
	}
	since := "2001-01"
	namesake.WorkRelevant.StartDate = &since
	f.load(t, namesake)
	got := personIDs(t, first.People)
	other := f.planning(prompt.Plan{
		Filters:  []prompt.Filter{filter(query.FilterPersonName, "Lou")},
		Criteria: []prompt.Criterion{newcomers},
	})
	for cursor := first.Pagination.Cursor; cursor != ""; {
		p := other.page(t, search.Request{Cursor: cursor, Limit: 3})
		if steps := p.Metadata.Interpretation.Steps; len(steps) != 1 || steps[0].Found != 2 {
			t.Errorf("steps: %+v", steps)
		}
		got = append(got, personIDs(t, p.People)...)
		cursor = p.Pagination.Cursor
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Later pages have the notes of the first page about its steps, such as that a step found more people than it can take.
func TestWalkKeepsItsNotes(t *testing.T) {
	f := newFixture(t, cast(t)...)
	step := named("Jane Doe")
	step.Limit = 1
	f = f.planning(prompt.Plan{
		Steps:     []prompt.Step{step},
		Relations: []prompt.Relation{to(prompt.AtTheirCompany, excluded)},
	})
	first := f.page(t, search.Request{Prompt: "people", Limit: 1})
	next := f.page(t, search.Request{Cursor: first.Pagination.Cursor})
	if want, got := first.Metadata.Interpretation.Notes,
		next.Metadata.Interpretation.Notes; len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("got %q, at first %q", got, want)
	}
}

// The person that a step found may be deleted during the walk. Later pages then find no one.
func TestWalkEndsWhenThePeopleOfItsStepAreDeleted(t *testing.T) {
	f := newFixture(t, cast(t)...)
	f.config.Records = f
	plan := prompt.Plan{Steps: []prompt.Step{acmeJane}, Relations: []prompt.Relation{to(prompt.WorkedWith)}}
	first := f.planning(plan).page(t, search.Request{Prompt: "people", Limit: 1})
	delete(f.people, 1)
	p := f.planning(plan).page(t, search.Request{Cursor: first.Pagination.Cursor})
	if len(p.People) != 0 || p.Metadata.Interpretation.Steps[0].Found != 0 {
		t.Errorf("%d people, %+v", len(p.People), p.Metadata.Interpretation)
	}
}

// Each result of a stream has a cursor as its id.
func TestCursorsOfPlansAreSmall(t *testing.T) {
	f := newFixture(t, cast(t)...).planning(prompt.Plan{
		Filters:   []prompt.Filter{filter(query.FilterPosition, "engineer"), filter(query.FilterCountry, "-Germany")},
		Steps:     []prompt.Step{named("Jane Doe")},
		Relations: []prompt.Relation{to(prompt.WorkedWith, at("Acme"))},
		Criteria:  []prompt.Criterion{newcomers},
	})
	p := f.page(t, search.Request{
		Prompt: "experienced engineers outside Germany who worked with Jane Doe at Acme",
		Limit:  1,
	})
	if n := len(p.Pagination.Cursor); n == 0 || n > 1500 {
		t.Errorf("the cursor has %d bytes, want 1 to 1500", n)
	}
}

func TestFiltersNarrowAPlan(t *testing.T) {
	f := newFixture(t, cast(t)...).planning(prompt.Plan{
		Steps:     []prompt.Step{acmeJane},
		Relations: []prompt.Relation{to(prompt.WorkedWith)},
	})
	p := f.page(t, search.Request{
		Prompt: "people", Filters: query.Filters{query.FilterPosition: "Designer"},
		IncludeCounts: "global", Facets: []indexed.Facet{indexed.FacetCompany},
	})
	if got := personIDs(t, p.People); !slices.Equal(got, []int64{4, 9}) || p.Metadata.Counts.Global.Value != 2 ||
		p.Metadata.Facets[indexed.FacetCompany][0].Count != 2 {
		t.Errorf("got %v, %+v", got, p.Metadata)
	}
}

// The search fails before it answers anything.
func TestFailedStepFailsTheSearch(t *testing.T) {
	f := newFixture(t, cast(t)...)
	f.engine.before = func(context.Context, int64) error { return kith.Errorf(kith.Unavailable, "ENGINE_AWAY", "away") }
	plan := prompt.Plan{Steps: []prompt.Step{acmeJane}, Relations: []prompt.Relation{to(prompt.WorkedWith)}}
	if _, err := f.planning(plan).Search(t.Context(), caller(),
		search.Request{Prompt: "people"}); kith.KindOf(err) != kith.Unavailable {
		t.Errorf("got %v", err)
	}
}

func TestStepsCanExceedTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, cast(t)...)
		f.config.Budget = time.Second
		f.engine.before = func(ctx context.Context, _ int64) error { <-ctx.Done(); return ctx.Err() }
		plan := prompt.Plan{Steps: []prompt.Step{acmeJane}, Relations: []prompt.Relation{to(prompt.WorkedWith)}}
		_, err := f.planning(plan).Search(t.Context(), caller(), search.Request{Prompt: "people"})
		if e, is := errors.AsType[*kith.Error](err); !is || e.Kind != kith.Timeout {
			t.Errorf("got %v", err)
		}
	})
}

func TestStepsAndResultsShareTheBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := newFixture(t, cast(t)...)
		f.config.Budget = time.Second
		f.engine.before = func(ctx context.Context, _ int64) error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(600 * time.Millisecond):
				return nil
			}
		}
		plan := prompt.Plan{Steps: []prompt.Step{acmeJane}, Relations: []prompt.Relation{to(prompt.WorkedWith)}}
		_, err := f.planning(plan).try(t.Context(), search.Request{Prompt: "people"})
		if kith.KindOf(err) != kith.Timeout {
			t.Errorf("got %v", err)
		}
	})
}

func TestInvalidPlansAreDefects(t *testing.T) {
	f := newFixture(t, cast(t)...)
	step := []prompt.Step{acmeJane}
	for name, plan := range map[string]prompt.Plan{
		"no such step": {Relations: []prompt.Relation{to(prompt.WorkedWith)}},
		"a step of a later one": {Steps: []prompt.Step{{
			Says: "x", Filters: query.Filters{"name": "x"}, Relations: []prompt.Relation{to(prompt.WorkedWith)},
		}}, Relations: []prompt.Relation{to(prompt.WorkedWith)}},
		"no such relation": {Steps: step, Relations: []prompt.Relation{to("adores")}},
		"no such filter": {
			Steps:     []prompt.Step{{Says: "x", Filters: query.Filters{"nam": "x"}}},
			Relations: []prompt.Relation{to(prompt.WorkedWith)},
		},
		"no such jobs": {
			Steps: step,
			Relations: []prompt.Relation{to(prompt.WorkedWith,
				func(r *prompt.Relation) { r.Jobs = query.Filters{"x": "y"} })},
		},
		"everyone": {
			Steps:     []prompt.Step{{Says: "everyone"}},
			Relations: []prompt.Relation{to(prompt.WorkedWith)},
		},
		"too many steps": {Steps: slices.Repeat(step, 9), Relations: []prompt.Relation{to(prompt.WorkedWith)}},
	} {
		_, err := f.planning(plan).try(t.Context(), search.Request{Prompt: "people"})
		if e, is := errors.AsType[*kith.Error](err); !is || e.Kind != kith.Internal || e.Code != "PLAN_INVALID" ||
			strings.Contains(e.Detail, "step") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
