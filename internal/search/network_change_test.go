package search_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/record"
	"kith/internal/record/indexer"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
	"kith/query"
)

// connection is what a search says about a person's connection to the caller.
type connection struct {
	ID    int64 `json:"id"`
	Match struct {
		Network struct {
			Degree      *int `json:"degree"`
			Introducers []struct {
				SocialIdentifier string `json:"social_identifier"`
			} `json:"introducers"`
		} `json:"network"`
	} `json:"match"`
}

// The introducers in explanations, in every scope, and the counts of people within reach equal
// those from comparing every pair.
func TestNetworkSearchNamesIntroducersAndCounts(t *testing.T) {
	n := newNeighbourhood(t, 4)
	s := n.inMemory(t)
	r := rand.New(rand.NewPCG(4, 4))
	introduced := 0
	for name, f := range nearFilters() {
		u := n.users[r.IntN(len(n.users))]
		filters := nearSearches()[r.IntN(2)]
		req := search.Request{Filters: filters, Network: f, Limit: 100, Explain: new(true), IncludeCounts: "all"}
		if says(f) == nil && r.IntN(2) == 0 {
			req.Scope = search.ScopeGlobal
		}
		page := n.page(t, s, u, req)
		all := everyoneOf(t, s, u, filters)
		_, near := n.byNearness(u, f, all)
		if got := page.Metadata.Counts; got.Network.Value != near || got.Network.IsEstimated ||
			got.Global.Value != len(all) {
			t.Errorf("%s, user %d: counts %+v %+v, want %d near of %d", name, u.person, *got.Network, *got.Global, near,
				len(all))
		}
		for _, raw := range page.People {
			introduced += n.checkConnection(t, u, f, raw)
		}
	}
	if introduced < 200 {
		t.Errorf("only %d introducers were compared", introduced)
	}
}

func (n *neighbourhood) page(t *testing.T, s *search.Service, u *user, req search.Request) *search.Page {
	t.Helper()
	ctx := t.Context()
	results, err := s.Search(ctx, u.Viewer(), req)
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	page, err := search.Collect(ctx, results)
	if err != nil {
		t.Fatalf("%+v: %v", req, err)
	}
	return page
}

// checkConnection compares what an answer says about a person, and returns the number of introducers.
func (n *neighbourhood) checkConnection(t *testing.T, u *user, f *search.NetworkFilters, raw []byte) int {
	t.Helper()
	var p connection
	expect.NoError(t, json.Unmarshal(raw, &p))
	var filters search.NetworkFilters
	if f != nil {
		filters = *f
	}
	want := n.nearness(u, filters, p.ID)
	degree := 0
	if p.Match.Network.Degree != nil {
		degree = *p.Match.Network.Degree
	}
	wantDegree := 0
	if want.class != notNear {
		wantDegree = want.class/6 + 1
	}
	var got []int64
	for _, i := range p.Match.Network.Introducers {
		id, _ := strconv.ParseInt(strings.TrimPrefix(i.SocialIdentifier, "p"), 10, 64)
		got = append(got, id)
	}
	slices.Sort(got)
	if degree != wantDegree || len(want.introducers) <= network.MaxIntroducers && !slices.Equal(got, want.introducers) {
		t.Errorf("%+v, user %d, person %d: degree %d, introducers %v, want %d, %v", filters, u.person, p.ID, degree,
			got, wantDegree, want.introducers)
	}
	return len(got)
}

// A walk returns everyone once, whatever the caller imports, deletes and loads meanwhile.
func TestNetworkWalkSeesEveryoneOnceDuringChanges(t *testing.T) {
	n := newNeighbourhood(t, 5)
	r := rand.New(rand.NewPCG(5, 5))
	for _, take := range nearWays {
		for _, u := range []*user{n.users[0], n.users[2], n.users[5]} {
			s := n.inMemory(t)
			take(s)
			filters := query.Filters{"country": "Germany, France, Japan"}
			all := everyoneOf(t, s, u, filters)
			change := func() {
				for range 3 {
					n.meet(t, r, u, 1+r.Int64N(nearPeople))
				}
				n.part(t, r, u, 9)
			}
			got, _ := walkNear(t, s, u, search.Request{Filters: filters, Scope: search.ScopeNetwork, Limit: 4 +
				r.IntN(20)}, change)
			slices.Sort(got)
			slices.Sort(all)
			if !slices.Equal(got, all) {
				t.Errorf("user %d: the walk returned %d people, with duplicates or gaps; there are %d",
					u.person, len(got), len(all))
			}
		}
	}
}

// part ends one relationship of a user, with a person from the given id on. A user who then no
// longer knows a sharer sees none of the sharer's contacts.
func (n *neighbourhood) part(t *testing.T, r *rand.Rand, u *user, from int64) {
	t.Helper()
	list, _, err := n.net.List(t.Context(), u.Actor, nil, 100)
	expect.NoError(t, err)
	list = slices.DeleteFunc(list, func(rel network.Relationship) bool { return rel.Person.ID < from })
	if len(list) == 0 {
		return
	}
	rel := list[r.IntN(len(list))]
	expect.NoError(t, n.net.Delete(t.Context(), u.Actor, rel.Person.ID))
	delete(u.knows, rel.Person.ID)
}

// A walk with shared relationships ends when they are no longer shared.
func TestNetworkWalkEndsWithAWithdrawnShare(t *testing.T) {
	for name, withdraw := range map[string]func(*testing.T, *neighbourhood, *user){
		"sharing": func(t *testing.T, n *neighbourhood, u *user) { t.Helper(); n.share(t, u, network.ShareNone) },
		"a relationship": func(t *testing.T, n *neighbourhood, u *user) {
			t.Helper()
			n.part(t, rand.New(rand.NewPCG(1, 1)), u, 1)
		},
		"the team": func(t *testing.T, n *neighbourhood, _ *user) {
			t.Helper()
			expect.NoError(t, n.db.Network().DeleteTeam(t.Context(), n.apps[0].ID, "red"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			n := newNeighbourhood(t, 6)
			s := n.inMemory(t)
			u, other := n.users[0], n.users[1]
			n.meet(t, rand.New(rand.NewPCG(2, 2)), u, other.person)
			n.share(t, other, network.ShareTeam)
			for _, member := range []string{"u1", "u2"} {
				expect.NoError(t, n.db.Network().RemoveMember(t.Context(), n.apps[0].ID, "blue", member))
				expect.NoError(t, n.db.Network().AddMember(t.Context(), n.apps[0].ID, "red", member))
			}
			req := search.Request{Filters: query.Filters{"country": "Germany, France, Japan"}, Limit: 3}
			req.Cursor = n.page(t, s, u, req).Pagination.Cursor
			n.meet(t, rand.New(rand.NewPCG(3, 3)), other, 77) // a larger share does not end the walk
			req.Cursor = n.page(t, s, u, req).Pagination.Cursor
			withdraw(t, n, other)
			if _, err := s.Search(t.Context(), u.Viewer(), req); kith.KindOf(err) != kith.Gone {
				t.Errorf("the walk continued: %v", err)
			}
		})
	}
}

// After any import, share, withdrawal, load or deletion, each user's searches at once equal the
// comparison of every pair that the user may know about.
func TestNetworkSearchFollowsEveryChange(t *testing.T) {
	n := newNeighbourhood(t, 8)
	r := rand.New(rand.NewPCG(8, 8))
	s := n.inMemory(t)
	everyone := query.Filters{"country": "Germany, France, Japan"}
	for step := range 60 {
		what := n.change(t, r)
		if strings.HasPrefix(what, "record") {
			s = n.inMemory(t)
		}
		for range 3 {
			u := n.users[r.IntN(len(n.users))]
			want, wantNear := n.byNearness(u, nil, everyoneOf(t, s, u, everyone))
			got, near := walkNear(t, s, u, search.Request{Filters: everyone, Limit: 100}, nil)
			if !slices.Equal(got, want) || near != wantNear {
				t.Fatalf("step %d, after %s, user %d:\ngot  %v (%d)\nwant %v (%d)", step, what, u.person, got, near,
					want, wantNear)
			}
		}
	}
}

// change makes one random change, and describes it.
func (n *neighbourhood) change(t *testing.T, r *rand.Rand) string {
	t.Helper()
	u := n.users[r.IntN(len(n.users))]
	name := fmt.Sprintf("u%d", u.person)
	switch r.IntN(7) {
	case 0, 1:
		n.meet(t, r, u, 1+r.Int64N(nearPeople))
		return "an import of " + name
	case 2:
		n.part(t, r, u, 1)
		return "an end of a relationship of " + name
	case 3:
		n.share(t, u, []network.Sharing{network.ShareNone, network.ShareTeam, network.ShareCommunity}[r.IntN(3)])
		return "sharing of " + name
	case 4:
		team := []string{"red", "blue"}[r.IntN(2)]
		move := n.db.Network().AddMember
		if u.teams[team] {
			move = n.db.Network().RemoveMember
		}
		expect.NoError(t, move(t.Context(), n.apps[u.app].ID, team, name))
		u.teams[team] = !u.teams[team]
		if !u.teams[team] {
			delete(u.teams, team)
		}
		return "a team of " + name
	case 5:
		id := 1 + r.Int64N(nearPeople)
		if _, there := n.stays[id]; there {
			pgtest.Load(t, n.db, record.People, n.person(r, id))
		}
		return fmt.Sprint("record of ", id)
	}
	id := 20 + r.Int64N(nearPeople-20)
	if _, there := n.stays[id]; there {
		if _, err := indexer.NewKeeper(n.db).Delete(t.Context(), strconv.FormatInt(id, 10)); err != nil {
			t.Fatal(err)
		}
		delete(n.stays, id)
		for _, u := range n.users {
			delete(u.knows, id)
		}
	}
	return fmt.Sprint("record deleted: ", id)
}

// Records that a user may not see join none of the user's circles, nor one that is known already.
func TestHiddenRecordsJoinNoCircle(t *testing.T) {
	n := newNeighbourhood(t, 14)
	circle := func(u *user) []int64 {
		c, err := n.config.Network.Now(t.Context(), u.Actor, network.Filter{})
		expect.NoError(t, err)
		return c.People()
	}
	strangers, owner := n.users[:6], n.users[7]
	key, err := n.db.Network().UserOwner(t.Context(), owner.UserID)
	expect.NoError(t, err)
	before := map[*user][]int64{owner: circle(owner)}
	for _, u := range strangers {
		before[u] = circle(u)
	}
	var lines []string
	for company := range n.size {
		lines = append(lines, fmt.Sprintf(`{"full_name":"Pat Hidden","social_url":"https://social.example/in/h%[1]d",`+
			`"work_history":[{"title":"Clerk","company":{"id":%[1]d},"start_date":"2000"}]}`, company))
	}
	pgtest.LoadOwned(t, n.db, key, loader.Options{Kind: record.People}, lines...)
	for _, u := range strangers {
		if got := circle(u); !slices.Equal(got, before[u]) {
			t.Errorf("user %d: got %v, before the records %v", u.person, got, before[u])
		}
	}
	if got := circle(owner); len(got) <= len(before[owner]) {
		t.Errorf("the owner of the records: got %v, before them %v", got, before[owner])
	}
}

// After a rerank, people within reach come in the new order with every strategy, although the same
// people are within reach.
func TestNetworkSearchFollowsARerank(t *testing.T) {
	n := newNeighbourhood(t, 12)
	n.config.Settings = n.db
	r := rand.New(rand.NewPCG(12, 12))
	everyone := query.Filters{"country": "Germany, France, Japan"}
	for range 2 {
		for way, take := range nearWays {
			s := n.inMemory(t)
			take(s)
			for _, u := range n.users {
				want, _ := n.byNearness(u, nil, everyoneOf(t, s, u, everyone))
				got, _ := walkNear(t, s, u, search.Request{Filters: everyone, Scope: search.ScopeNetwork, Limit: 7},
					nil)
				if !slices.Equal(got, want) {
					t.Errorf("%s, user %d:\ngot  %v\nwant %v", way, u.person, got, want)
				}
			}
		}
		n.rank(t, r)
	}
}

// rank ranks everyone at random, like `kith rerank`.
func (n *neighbourhood) rank(t *testing.T, r *rand.Rand) {
	t.Helper()
	ranks := map[int64]int64{}
	for id := range n.stays {
		ranks[id] = r.Int64N(1000)
	}
	err := n.db.Write(t.Context(), record.ForEveryone(),
		func(ctx context.Context, tx record.Tx) error { return tx.SetRanks(ctx, record.People, ranks) })
	if err == nil {
		err = n.db.BumpRankEpoch(t.Context())
	}
	expect.NoError(t, err)
}
