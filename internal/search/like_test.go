package search_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"kith/internal/search"
	"kith/query"
)

// People like someone do the same work, nearest first, on every engine and across pages. The person
// and colleagues are not among them.
func TestPeopleLikeSomeoneDoTheSameElsewhere(t *testing.T) {
	memory := newFixture(t, dataset(60)...)
	want := []int64{}
	for name, f := range map[string]*fixture{
		"memory": memory, "postgres": onPostgres(t, memory),
		"elasticsearch": onElasticsearch(t, memory),
	} {
		t.Run(name, func(t *testing.T) {
			req := search.Request{
				Filters: query.Filters{query.FilterLike: "1"}, Scope: search.ScopeGlobal, Limit: 7,
				Explain: closest(true),
			}
			p := f.page(t, req)
			if p.Metadata.Mode != search.Complex || !strings.Contains(string(p.People[0]), "the same title, ") {
				t.Errorf("mode %s, the first is %s", p.Metadata.Mode, p.People[0])
			}
			got := personIDs(t, p.People)
			for p.Pagination.HasNextPage {
				p = f.page(t, search.Request{Cursor: p.Pagination.Cursor})
				got = append(got, personIDs(t, p.People)...)
			}
			if slices.Contains(got, 1) || len(got) != 24 || got[0]%4 != 1 {
				t.Errorf("people like 1 are %v", got)
			}
			for _, id := range got {
				if f.people[id].WorkRelevant.Company.ID == f.people[1].WorkRelevant.Company.ID {
					t.Errorf("%d is a colleague", id)
				}
			}
			if len(want) > 0 && !slices.Equal(got, want) {
				t.Errorf("got %v, and another engine %v", got, want)
			}
			want = got
		})
	}
}

func TestLikeAcceptsAnyIdentifier(t *testing.T) {
	f := newFixture(t, dataset(60)...)
	first := func(like string) []int64 {
		return personIDs(t, f.page(t, search.Request{
			Filters: query.Filters{query.FilterLike: like},
			Scope:   search.ScopeGlobal,
		}).People)
	}
	f.merged = map[string]int64{"p:99": 1, "u:social.example/in/old": 1}
	byID := first("1")
	for _, like := range []string{
		"https://social.example/in/pat-1", "pat1@example.com", "001", "99", "https://social.example/in/old",
	} {
		if got := first(like); !slices.Equal(got, byID) {
			t.Errorf("people like %q are %v, by id %v", like, got, byID)
		}
	}
	if got := first("1, 2"); slices.Contains(got, 1) || slices.Contains(got, 2) || len(got) == 0 {
		t.Errorf("people like both are %v", got)
	}
	p := f.page(t, search.Request{Filters: query.Filters{query.FilterLike: "999"}})
	if notes, _ := json.Marshal(p.Metadata.Interpretation.Notes); len(p.People) != 0 ||
		!strings.Contains(string(notes), "nobody was found") {
		t.Errorf("%d people are like nobody, notes %s", len(p.People), notes)
	}
	for _, like := range []string{"Jane Doe", "-1", "1,2,3,4,5,6,7,8,9,10,11"} {
		if e := f.refusal(t, search.Request{Filters: query.Filters{query.FilterLike: like}}); len(e.Fields) != 1 ||
			e.Fields[0].Field != "filters.like" {
			t.Errorf("%q: %+v", like, e)
		}
	}
}
