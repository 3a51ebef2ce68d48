package search_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"kith/internal/search"
	"kith/internal/test/elastictest"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query"
)

// nearEngines are the engines that must agree on searches with a network.
func nearEngines() map[string]func(*testing.T, *neighbourhood) *search.Service {
	return map[string]func(*testing.T, *neighbourhood) *search.Service{
		"memory": func(t *testing.T, n *neighbourhood) *search.Service { return n.inMemory(t) },
		"postgres": func(t *testing.T, n *neighbourhood) *search.Service {
			return n.on(t, pgtest.Engine(t, n.db.Pool()))
		},
		"elasticsearch": func(t *testing.T, n *neighbourhood) *search.Service { return n.on(t, elastictest.Engine(t)) },
	}
}

// nearWays set sizes with which a search uses each of its strategies.
var nearWays = map[string]func(*search.Service){
	"as usual":         func(*search.Service) {},
	"in pieces":        func(s *search.Service) { s.Sizes(0, 1000, 3, 0, 10) },
	"by going through": func(s *search.Service) { s.Sizes(0, 0, 3, 0, 7) },
	"listed":           func(s *search.Service) { s.Sizes(0, 1000, 3, 10_000, 10) },
	"mixed":            func(s *search.Service) { s.Sizes(6, 20, 4, 20, 9) },
}

// walkNear follows a search to its end, and checks the metadata of each page.
func walkNear(t *testing.T, s *search.Service, u *user, req search.Request, between func()) (people []int64, near int) {
	t.Helper()
	ctx := t.Context()
	ended := false
	for {
		results, err := s.Search(ctx, u.Viewer(), req)
		expect.NoError(t, err)
		before := len(people)
		var done search.Done
		for e := range results.Events(ctx) {
			switch e := e.(type) {
			case search.Result:
				people = append(people, personIDs(t, []json.RawMessage{e.Person})...)
			case search.StageEnd:
				if e.Stage == "network" {
					expect.Values(t, "end of the network", []any{ended, e.Results}, false, len(people))
					near, ended = e.Results, true
				}
			case search.Failed:
				t.Fatalf("%+v: %v", req, e.Err)
			case search.Done:
				done = e
			case search.Started, search.Counted:
			}
		}
		m := done.Metadata
		if len(people) > before {
			anyNear := near > before
			onlyNear := says(req.Network) != nil || !ended || anyNear && len(people) == near
			expect.Values(t, "source", []any{m.Source}, sourceOf(req, anyNear, onlyNear))
		}
		expect.Values(t, "end of a page", []any{m.NetworkStageComplete, done.Pagination.Count}, ended,
			len(people)-before)
		if !done.Pagination.HasNextPage {
			return people, near
		}
		if req.Cursor = done.Pagination.Cursor; between != nil {
			between()
		}
	}
}

// sourceOf is the source of a page: anyNear if it has people of the network, onlyNear if it has no others.
func sourceOf(req search.Request, anyNear, onlyNear bool) string {
	switch {
	case req.Cursor == "" && req.Scope == "global":
		return "global"
	case onlyNear:
		return "network"
	case anyNear:
		return "network,global"
	}
	return "global"
}

// everyoneOf returns the results of a search in scope global.
func everyoneOf(t *testing.T, s *search.Service, u *user, filters query.Filters) []int64 {
	t.Helper()
	ctx := t.Context()
	req := search.Request{Filters: filters, Scope: search.ScopeGlobal, Limit: 100}
	var people []int64
	for {
		results, err := s.Search(ctx, u.Viewer(), req)
		expect.NoError(t, err)
		page, err := search.Collect(ctx, results)
		expect.NoError(t, err)
		people = append(people, personIDs(t, page.People)...)
		if req.Cursor = page.Pagination.Cursor; !page.Pagination.HasNextPage {
			return people
		}
	}
}

// byNearness changes people from the order of scope global into that of scope network.
func (n *neighbourhood) byNearness(u *user, f *search.NetworkFilters, people []int64) (out []int64, near int) {
	classes := map[int64]int{}
	var filters search.NetworkFilters
	if f != nil {
		filters = *f
	}
	for _, id := range people {
		classes[id] = n.nearness(u, filters, id).class
	}
	out = slices.Clone(people)
	slices.SortStableFunc(out, func(a, b int64) int { return classes[a] - classes[b] })
	for _, id := range out {
		if classes[id] != notNear {
			near++
		}
	}
	if f != nil {
		out = out[:near]
	}
	return out, near
}

// nearFilters are network filters: each alone, several together, empty ones, and some with unknown
// people. An engine runs all of them.
func nearFilters() map[string]*search.NetworkFilters {
	return map[string]*search.NetworkFilters{
		"none":                        nil,
		"degree 1":                    {ConnectionDegrees: []int{1}},
		"degree 2":                    {ConnectionDegrees: []int{2}},
		"degrees 1 and 2":             {ConnectionDegrees: []int{2, 1, 1}},
		"an introducer":               {IntroducerSocialIDs: []string{"p1"}},
		"introducers by address":      {IntroducerSocialIDs: []string{"p2", "https://social.example/in/P3/"}},
		"introducers in degree 1":     {IntroducerSocialIDs: []string{"p1", "p2"}, ConnectionDegrees: []int{1}},
		"an introducer who is no one": {IntroducerSocialIDs: []string{"nobody"}},
		"introducers who are foreign": {IntroducerSocialIDs: []string{"p140", "p141", "p142", "p143"}},
		"worked together":             {UserToIntroducerTypes: []string{"worked_together"}},
		"any kind": {UserToIntroducerTypes: []string{
			"social_contact", "met_in_person", "team",
			"introduced_by_someone",
		}},
		"at least maybe":                 {UserToIntroducerMinScore: "maybe"},
		"at least good":                  {UserToIntroducerMinScore: "Good"},
		"at least very good":             {UserToIntroducerMinScore: "very good"},
		"excellent":                      {UserToIntroducerMinScore: "EXCELLENT"},
		"introducers who worked there":   {IntroducerToTargetTypes: []string{"worked_together"}},
		"introducers who studied there":  {IntroducerToTargetTypes: []string{"studied_together"}},
		"introducers of a team":          {IntroducerToTargetTypes: []string{"team"}},
		"introducers of the community":   {IntroducerToTargetTypes: []string{"community", "team"}},
		"a kind that no introducer has":  {IntroducerToTargetTypes: []string{"met_in_person"}},
		"introducers who know them":      {IntroducerToTargetMinScore: "okay"},
		"introducers who know them well": {IntroducerToTargetMinScore: "good"},
		"introducers who know them best": {IntroducerToTargetMinScore: "excellent"},
		"in touch since":                 {LastContact: &search.LastContactFilter{After: "2026-03-01"}},
		"ever in touch":                  {LastContact: &search.LastContactFilter{After: "1970-01-01"}},
		"out of touch since":             {LastContact: &search.LastContactFilter{Before: "2026-03-01"}},
		"no teams":                       {ExcludeTeams: true},
		"no community":                   {ExcludeCommunity: true},
		"neither":                        {ExcludeTeams: true, ExcludeCommunity: true},
		"team, but no teams":             {IntroducerToTargetTypes: []string{"team"}, ExcludeTeams: true},
		"empty":                          {},
		"empty lists": {
			ConnectionDegrees: []int{}, IntroducerSocialIDs: []string{},
			UserToIntroducerTypes: []string{}, IntroducerToTargetTypes: []string{},
		},
		"good introducers who worked well": {
			UserToIntroducerMinScore: "good", IntroducerToTargetMinScore: "okay",
			IntroducerToTargetTypes: []string{"worked_together"},
		},
		"all of them": {
			ConnectionDegrees: []int{1, 2}, IntroducerSocialIDs: []string{"p1", "p2", "p3", "p4"},
			UserToIntroducerTypes:    []string{"social_contact", "worked_together", "met_in_person", "team"},
			UserToIntroducerMinScore: "okay", IntroducerToTargetTypes: []string{
				"worked_together", "studied_together",
				"team",
			},
			IntroducerToTargetMinScore: "maybe",
			ExcludeTeams:               false, ExcludeCommunity: true,
			LastContact: &search.LastContactFilter{Before: "2030-01-01"},
		},
		"all but introductions": {
			ConnectionDegrees: []int{1}, UserToIntroducerTypes: []string{"social_contact", "team"},
			UserToIntroducerMinScore: "good", ExcludeTeams: true, ExcludeCommunity: true,
		},
	}
}

func says(f *search.NetworkFilters) *search.NetworkFilters {
	if f != nil && len(f.ConnectionDegrees)+len(f.IntroducerSocialIDs)+len(f.UserToIntroducerTypes)+
		len(f.IntroducerToTargetTypes) == 0 &&
		f.UserToIntroducerMinScore+f.IntroducerToTargetMinScore == "" && !f.ExcludeTeams && !f.ExcludeCommunity &&
		f.LastContact == nil {
		return nil
	}
	return f
}

// nearSearches are searches for many, some, few and no people, with and without exact matches.
func nearSearches() []query.Filters {
	return []query.Filters{
		{"position": "Software Engineer"},
		{"country": "Germany, France"},
		{"keywords": "engineer", "city": "Paris"},
		{"name": "Number17, Number4, Number90"},
		{"country": "Peru"},
	}
}

// A search in scope network finds the same people in the same order as comparing every pair, on
// every engine, with every strategy and filter.
func TestNetworkSearchEqualsComparingEveryPair(t *testing.T) {
	for name, on := range nearEngines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := newNeighbourhood(t, 1)
			if near := n.compareAll(t, on(t, n), rand.New(rand.NewPCG(2, 3)), name == "memory"); near < 200 {
				t.Errorf("only %d people were within reach", near)
			}
		})
	}
}

// compareAll searches with each filter, using all strategies or one of them in turn. Each run does the same.
func (n *neighbourhood) compareAll(t *testing.T, s *search.Service, r *rand.Rand, allWays bool) (near int) {
	t.Helper()
	all := nearFilters()
	for i, name := range slices.Sorted(maps.Keys(all)) {
		ways := slices.Sorted(maps.Keys(nearWays))
		if !allWays {
			ways = ways[i%len(ways):][:1]
		}
		for _, way := range ways {
			nearWays[way](s)
			u := n.users[r.IntN(len(n.users))]
			f, filters := all[name], nearSearches()[r.IntN(5)]
			want, wantNear := n.byNearness(u, says(f), everyoneOf(t, s, u, filters))
			req := search.Request{Filters: filters, Scope: search.ScopeNetwork, Network: f, Limit: 1 + r.IntN(40)}
			got, gotNear := walkNear(t, s, u, req, nil)
			if !slices.Equal(got, want) || gotNear != wantNear {
				t.Fatalf("%s, %s, user %d, %v:\ngot  %v (%d near)\nwant %v (%d near)", way, name, u.person, filters,
					got, gotNear, want, wantNear)
			}
			near += gotNear
		}
	}
	return near
}

// The printed statement finds the same people in the same order.
func TestSQLOfANetworkSearch(t *testing.T) {
	n := newNeighbourhood(t, 9)
	s := nearEngines()["postgres"](t, n)
	for _, f := range []*search.NetworkFilters{
		nil,
		{ConnectionDegrees: []int{2}},
		{IntroducerSocialIDs: []string{"nobody"}},
		{UserToIntroducerMinScore: "good"},
	} {
		page := n.page(t, s, n.users[0], search.Request{Filters: nearSearches()[0], Network: f, Limit: 30})
		rows, err := n.db.Pool().Query(t.Context(), page.Metadata.GeneratedSQL)
		expect.NoError(t, err)
		got := []int64{}
		for rows.Next() {
			values, err := rows.Values()
			expect.NoError(t, err)
			got = append(got, values[0].(int64))
		}
		if want := personIDs(t, page.People); rows.Err() != nil || !slices.Equal(got, want) {
			t.Errorf("%+v: %v\nSQL  %v\npage %v\n%s", f, rows.Err(), got, want, page.Metadata.GeneratedSQL)
		}
	}
}
