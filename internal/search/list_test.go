package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
)

func score(v float64) *float64 { return &v }

func listOf(entries ...search.ListEntry) search.Request {
	return search.Request{Scope: search.ScopeList, List: entries}
}

// entries name the same people in different ways, with and without scores.
func entries() []search.ListEntry {
	return []search.ListEntry{
		{ID: "pat-9"},
		{ID: "https://www.social.example/in/PAT-20/?x=1", Score: score(2)},
		{ID: "7", Score: score(-1)},
		{ID: "pat-8"},
		{ID: "nobody", Score: score(9)},
		{ID: "pat-20", Score: score(5)},
		{ID: "12", Score: score(3)},
		{ID: "12", Score: score(0)},
		{ID: "@pat-6"},
	}
}

func TestListsAreOrderedByScore(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	p := f.page(t, listOf(entries()...))
	if got, want := personIDs(t, p.People), []int64{20, 12, 7, 6, 8, 9}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := *p.Metadata.List, (search.ListSummary{Received: 9, Matched: 8, Unmatched: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if p.Pagination != (search.Pagination{Count: 6}) || p.Metadata.Source != "specific_list" {
		t.Errorf("%+v, source %s", p.Pagination, p.Metadata.Source)
	}
}

// PeopleByKey implements [search.Identifiers].
func (f *fixture) PeopleByKey(_ context.Context, _ kith.Viewer, keys []string) (map[string][]int64, error) {
	found := map[string][]int64{}
	for _, key := range keys {
		if id, is := f.merged[key]; is {
			found[key] = []int64{id}
		}
	}
	for _, p := range f.people {
		if key := "e:" + p.Email; slices.Contains(keys, key) {
			found[key] = append(found[key], p.ID)
		}
	}
	return found, nil
}

// An address means the same person as any other identifier.
func TestListEntriesCanBeAddresses(t *testing.T) {
	people := dataset(12)
	people[3].Email = people[2].Email // two people share an address
	f := newFixture(t, people...)
	p := f.page(t, listOf(
		search.ListEntry{ID: "PAT7@example.com", Score: score(1)}, search.ListEntry{ID: "pat-9"},
		search.ListEntry{ID: "pat3@example.com", Score: score(2)},
		search.ListEntry{ID: "nobody@example.com", Score: score(9)},
		search.ListEntry{ID: "pat9@example.com", Score: score(7)},
	))
	got := personIDs(t, p.People)
	slices.Sort(got[1:3])
	if want := []int64{9, 3, 4, 7}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := *p.Metadata.List, (search.ListSummary{Received: 5, Matched: 4, Unmatched: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if sql := p.Metadata.GeneratedSQL; strings.Contains(sql, "@example.com") {
		t.Errorf("the statement contains an address: %s", sql)
	}
}

// Ids and profiles of a merged record mean the person.
func TestListEntriesCanBeMergedRecords(t *testing.T) {
	f := newFixture(t, dataset(12)...)
	f.merged = map[string]int64{"p:99": 7, "i:98": 8, "u:social.example/in/old": 9}
	p := f.page(t, listOf(
		search.ListEntry{ID: "99", Number: true, Score: score(1)}, search.ListEntry{ID: "98", Score: score(2)},
		search.ListEntry{ID: "https://social.example/in/old", Score: score(3)}, search.ListEntry{ID: "97"},
	))
	if got, want := personIDs(t, p.People), []int64{9, 8, 7}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got, want := *p.Metadata.List, (search.ListSummary{Received: 4, Matched: 3, Unmatched: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// A number is a person's id. The same digits as text may be a social identifier, too.
func TestListEntriesCanBeIDs(t *testing.T) {
	people := dataset(3)
	people[2].SocialURL = "https://social.example/in/1"
	f := newFixture(t, people...)
	for _, tt := range []struct {
		entries []search.ListEntry
		want    []int64
	}{
		{[]search.ListEntry{{ID: "1", Number: true}}, []int64{1}},
		{[]search.ListEntry{{ID: "1"}}, []int64{1, 3}},
		{[]search.ListEntry{
			{ID: "1", Number: true, Score: score(1)},
			{ID: "2", Number: true, Score: score(2)},
			{ID: "https://social.example/in/1"},
		}, []int64{2, 1, 3}},
		{[]search.ListEntry{{ID: "-1", Number: true}, {ID: "0", Number: true}}, nil},
	} {
		p := f.page(t, listOf(tt.entries...))
		got := personIDs(t, p.People)
		if tt.entries[0].Score == nil {
			slices.Sort(got)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%+v: %v, want %v", tt.entries, got, tt.want)
		}
	}
}

func TestFiltersNarrowAList(t *testing.T) {
	f := newFixture(t, dataset(30)...)
	req := listOf(search.ListEntry{ID: "1"}, search.ListEntry{ID: "2"}, search.ListEntry{ID: "pat-4"},
		search.ListEntry{ID: "\x01"})
	req.Filters, req.Prompt, req.Limit = berliners, "pat", 1
	req.IncludeCounts, req.Explain = "global", new(true)
	p := f.page(t, req)
	if got := personIDs(t, p.People); !slices.Equal(got, []int64{1, 4}) {
		t.Errorf("got %v", got)
	}
	if *p.Metadata.List != (search.ListSummary{Received: 4, Matched: 2, Unmatched: 2}) ||
		p.Metadata.Counts.Global.Value != 2 {
		t.Errorf("got the list %+v, the count %+v", p.Metadata.List, p.Metadata.Counts.Global)
	}
	if !strings.Contains(string(p.People[0]), `"match":`) {
		t.Errorf("no explanation: %s", p.People[0])
	}
}

// The statement of a list orders by score, whether the list is in the statement or in settings.
func TestSQLOfAListKeepsTheOrder(t *testing.T) {
	postgres, pool := onPool(t, newFixture(t, dataset(30)...))
	runsAsSQL(t, pool, postgres.page(t, listOf(entries()...)))
	long := entries()
	for i := range query.MaxLiterals {
		long = append(long, search.ListEntry{ID: fmt.Sprintf("nobody-%d", i), Score: score(1)})
	}
	p := postgres.page(t, listOf(long...))
	if !strings.Contains(p.Metadata.GeneratedSQL, "current_setting('kith.list_") {
		t.Errorf("a long list is not in settings:\n%.1000s", p.Metadata.GeneratedSQL)
	}
	if _, err := pool.Exec(t.Context(), "EXPLAIN "+p.Metadata.GeneratedSQL); err != nil {
		t.Error(err)
	}
}

// The size of the statement stays moderate.
func TestLargeListIsAnsweredInFull(t *testing.T) {
	f := newFixture(t, dataset(3000)...)
	var entries []search.ListEntry
	for i := range 5000 {
		entries = append(entries, search.ListEntry{ID: fmt.Sprintf("pat-%d", i+1), Score: score(float64(i))})
	}
	p := f.page(t, listOf(entries...))
	ids := personIDs(t, p.People)
	if len(ids) != 3000 || ids[0] != 3000 || ids[2999] != 1 {
		t.Errorf("%d people, %v…", len(ids), ids[:min(5, len(ids))])
	}
	if *p.Metadata.List != (search.ListSummary{Received: 5000, Matched: 3000, Unmatched: 2000}) {
		t.Errorf("got the list %+v", p.Metadata.List)
	}
	if n := len(p.Metadata.GeneratedSQL); n > 2000 {
		t.Errorf("the statement has %d bytes", n)
	}
}

// Records that do not fit into memory are fetched again.
func TestLargeRecordsOfAListAreFetchedAgain(t *testing.T) {
	people := dataset(60)
	var entries []search.ListEntry
	for i := range people {
		people[i].AboutMe = strings.Repeat("x", 500_000)
		entries = append(entries, search.ListEntry{ID: fmt.Sprint(people[i].ID), Score: score(float64(i % 7))})
	}
	f := newFixture(t, people...)
	p := f.page(t, listOf(entries...))
	if len(p.People) != 60 {
		t.Errorf("%d people", len(p.People))
	}
}

func TestExplainNamesTheEvidenceForFilters(t *testing.T) {
	f := newFixture(t, dataset(130)...)
	p := f.page(t, search.Request{Explain: new(true), Limit: 2, Filters: query.Filters{
		query.FilterCity: "Berlin", query.FilterPosition: "engineer", query.FilterPastCompany: "Siemens",
		query.FilterSchool: "Munich",
	}})
	var got struct {
		ID    int64
		Match struct {
			Criteria []struct{ Criterion, Satisfied, Evidence string }
			Network  struct {
				Degree      *int
				Introducers []string
			}
		}
	}
	expect.NoError(t, json.Unmarshal(p.People[0], &got))
	var lines []string
	for _, c := range got.Match.Criteria {
		lines = append(lines, c.Criterion+" | "+c.Satisfied+" | "+c.Evidence)
	}
	want := []string{
		"city: Berlin | yes | Berlin, Germany",
		"position: engineer | yes | Software Engineer at Stripe, since 2020-01-01",
		"pastCompany: Siemens | yes | Senior Software Engineer at Siemens, 2015-01 to 2019-12",
		"school: Munich | yes | MSc, Computer Science, TU Munich, 2010 to 2014",
	}
	if !slices.Equal(lines, want) || got.Match.Network.Introducers == nil || got.Match.Network.Degree != nil {
		t.Errorf("got\n%s", strings.Join(lines, "\n"))
	}
	next := f.page(t, search.Request{Cursor: p.Pagination.Cursor})
	if !strings.Contains(string(next.People[0]), `"match":`) {
		t.Error("the next page is not explained")
	}
}

func TestExplainUsesTheCurrentRecord(t *testing.T) {
	f := newFixture(t, dataset(6)...)
	delete(f.people, 1)
	moved := f.people[4]
	moved.Location.City = "Paris"
	f.people[4] = moved
	p := f.page(t, search.Request{Explain: new(true), Filters: berliners})
	for i, want := range []string{"unclear", "no"} {
		if !strings.Contains(string(p.People[i]), `"satisfied":"`+want+`"`) {
			t.Errorf("want %s: %s", want, p.People[i])
		}
	}
}
