package bench_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"kith/internal/operation/devtools/bench"
	"kith/internal/test/expect"
	"kith/query"
)

func TestShapesAreValidAndUnique(t *testing.T) {
	shapes, err := bench.Shapes()
	expect.NoError(t, err)
	if len(shapes) < 20 {
		t.Errorf("%d shapes", len(shapes))
	}
	known := map[query.FilterName]bool{}
	for _, info := range query.FilterTable() {
		known[info.Name] = true
	}
	names := map[string]bool{}
	for _, s := range shapes {
		// A comma would separate names in a list.
		if names[s.Name] || s.Asks == "" || strings.Contains(s.Name, ",") {
			t.Errorf("%q is a duplicate, has no description, or has a comma", s.Name)
		}
		names[s.Name] = true
		all := []query.Filters{s.Request.Filters}
		if s.Choose != nil {
			all = append(all, s.Choose.Of...)
		}
		for _, filters := range all {
			for name, value := range filters {
				if _, err := query.ParseFilter(value); err != nil || !known[name] {
					t.Errorf("%s: %s: %q: %v", s.Name, name, value, err)
				}
			}
		}
	}
}

func TestOnlySelectsShapesByName(t *testing.T) {
	shapes, err := bench.Shapes()
	expect.NoError(t, err)
	all, err := bench.Only(shapes, nil)
	if err != nil || len(all) != len(shapes) {
		t.Errorf("without names: %d shapes, %v", len(all), err)
	}
	some, err := bench.Only(shapes, []string{"region", "rare term"})
	if err != nil || len(some) != 2 || some[0].Name != "rare term" {
		t.Errorf("got the shapes %+v, %v", some, err)
	}
	if _, err := bench.Only(shapes, []string{"regoin"}); err == nil || !strings.Contains(err.Error(), "rare term") {
		t.Errorf("an unknown name: %v", err)
	}
}

func TestRequestHasTheMembersOfTheAPI(t *testing.T) {
	body, err := json.Marshal(bench.Request{
		Prompt: "p", Filters: query.Filters{"city": "Berlin"}, Limit: 3, Scope: "global", Cursor: "c", IncludeCounts: "all",
		List: []string{"a"}, Stream: true,
	})
	expect.NoError(t, err)
	var members map[string]any
	expect.NoError(t, json.Unmarshal(body, &members))
	got := strings.Join(slices.Sorted(maps.Keys(members)), " ")
	if want := "cursor filters include_counts limit prompt scope specific_list_data stream"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
