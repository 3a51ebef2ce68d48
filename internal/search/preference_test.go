package search_test

import (
	"slices"
	"strings"
	"testing"

	"kith/internal/search"
)

// People who meet more preferences come first, on every engine and across pages. Nobody is excluded.
func TestPreferencesOrderPeople(t *testing.T) {
	memory := newFixture(t, dataset(40)...).withNear()
	for name, f := range map[string]*fixture{
		"memory": memory, "postgres": onPostgres(t, memory),
		"elasticsearch": onElasticsearch(t, memory),
	} {
		t.Run(name, func(t *testing.T) {
			all := personIDs(t, f.page(t, search.Request{Prompt: "software engineers", Limit: 100}).People)
			p := f.page(t, search.Request{
				Prompt: "software engineers, preferably in Paris", Limit: 3,
				Explain: closest(true),
			})
			if p.Metadata.Interpretation.Preferences == nil ||
				!strings.Contains(string(p.People[0]), `"criterion":"preferred: city: Paris","satisfied":"yes"`) {
				t.Errorf("preferences are %v, and the first is %s", p.Metadata.Interpretation.Preferences, p.People[0])
			}
			got := personIDs(t, p.People)
			for p.Pagination.HasNextPage {
				p = f.page(t, search.Request{Cursor: p.Pagination.Cursor})
				got = append(got, personIDs(t, p.People)...)
			}
			inParis := func(id int64) bool { return id%3 == 2 }
			want := slices.Concat(slices.DeleteFunc(slices.Clone(all), func(id int64) bool { return !inParis(id) }),
				slices.DeleteFunc(slices.Clone(all), inParis))
			if !slices.Equal(got, want) || len(want) != len(all) {
				t.Errorf("got %v, want %v", got, want)
			}
		})
	}
}
