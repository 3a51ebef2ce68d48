package search_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kith"
	"kith/internal/network"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/prompt"
)

// plans returns a prepared plan for each prompt.
type plans map[string]prompt.Plan

func (p plans) Plan(_ context.Context, _ kith.Viewer, text string, _ prompt.Mode) (prompt.Plan, error) {
	return p[text], nil
}

// within is a restriction to degrees of the network.
func within(degrees ...int) *prompt.Network {
	return &prompt.Network{Source: said("people I know"), Degrees: degrees}
}

func byStrength() *prompt.Network {
	n := within(1)
	n.Order = prompt.ByStrength
	return n
}

// asking is a plan with filters and a restriction to the network.
func asking(n *prompt.Network, filters query.Filters, steps ...prompt.Step) prompt.Plan {
	p := prompt.Plan{Mode: prompt.Simple, Network: n, Steps: steps}
	if len(steps) > 0 {
		p.Mode = prompt.Complex
	}
	for _, name := range slices.Sorted(maps.Keys(filters)) {
		p.Filters = append(p.Filters, filter(name, filters[name]))
	}
	return p
}

// asked is a neighbourhood in an engine, with prepared plans. Stays at one organization that overlap or
// adjoin are joined, as in the network.
func asked(t *testing.T, on func(*testing.T, *neighbourhood) *search.Service) (*neighbourhood, plans, *search.Service) {
	t.Helper()
	n, p := newNeighbourhood(t, 1), plans{}
	for id, stays := range n.stays {
		n.stays[id] = joinedStays(stays)
	}
	n.config.Planner = p
	return n, p, on(t, n)
}

func joinedStays(stays []stay) []stay {
	stays = slices.SortedFunc(slices.Values(stays), func(a, b stay) int {
		return cmp.Or(cmp.Compare(a.company, b.company), cmp.Compare(a.school, b.school), cmp.Compare(a.from, b.from))
	})
	var out []stay
	for _, s := range stays {
		if last := len(out) - 1; last >= 0 && out[last].company == s.company && out[last].school == s.school &&
			(out[last].to == network.Open || s.from <= out[last].to+1) {
			out[last].to = max(out[last].to, s.to)
			continue
		}
		out = append(out, s)
	}
	return out
}

// Degrees in a prompt find the same people in the same order as degrees in network_filters, on every page.
func TestDegreesInAPromptEqualNetworkFilters(t *testing.T) {
	for name, on := range nearEngines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, p, s := asked(t, on)
			r, found := rand.New(rand.NewPCG(5, 6)), 0
			for _, degrees := range [][]int{{1}, {2}, {1, 2}} {
				for _, filters := range append(nearSearches(), nil) {
					p["p"] = asking(within(degrees...), filters)
					for _, way := range slices.Sorted(maps.Keys(nearWays))[:1+2*(len(degrees)%2)] {
						nearWays[way](s)
						u, limit := n.users[r.IntN(len(n.users))], 1+r.IntN(40)
						if filters == nil { // everyone, for the oracle
							filters = query.Filters{"country": "Germany, France, Japan"}
						}
						want, wantNear := walkNear(t, s, u, search.Request{
							Filters: filters,
							Network: &search.NetworkFilters{ConnectionDegrees: degrees}, Limit: limit,
						}, nil)
						got, gotNear := walkNear(t, s, u, search.Request{Prompt: "p", Limit: limit}, nil)
						if !slices.Equal(got, want) || gotNear != wantNear {
							t.Fatalf("%v, %v, user %d: got %v, want %v", degrees, filters, u.person, got, want)
						}
						found += len(got)
					}
				}
			}
			if found < 100 {
				t.Errorf("only %d people were found", found)
			}
		})
	}
}

// meetAll imports relationships with the first people, all with one score.
func (n *neighbourhood) meetAll(t *testing.T, u *user, people int64, score float64) {
	t.Helper()
	var elements []network.Element
	for id := int64(1); id <= people; id++ {
		elements = append(elements, network.Element{Identifier: fmt.Sprintf("p%d", id), Score: &score})
		u.knows[id] = known{score, u.knows[id].kinds}
	}
	if _, err := n.net.Import(t.Context(), u.Actor, elements, score); err != nil {
		t.Fatal(err)
	}
}

// byScore orders the people with a score by it. Equal scores keep the order of scope global.
func byScore(people []int64, scores map[int64]float64) []int64 {
	out := slices.DeleteFunc(slices.Clone(people), func(id int64) bool { _, there := scores[id]; return !there })
	slices.SortStableFunc(out, func(a, b int64) int { return cmp.Compare(scores[b], scores[a]) })
	return out
}

// The order by strength sorts people of degree 1 by the score of the relationship, and equal scores
// as in any search. A walk keeps its order, whatever the caller imports meanwhile.
func TestOrderByStrengthFollowsScores(t *testing.T) {
	for name, on := range nearEngines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, p, s := asked(t, on)
			n.meetAll(t, n.users[0], 60, 5)
			r, found := rand.New(rand.NewPCG(7, 8)), 0
			for i, way := range slices.Sorted(maps.Keys(nearWays)) {
				nearWays[way](s)
				for _, u := range n.users {
					filters := append(nearSearches(), query.Filters{"country": "Germany, France, Japan"})[r.IntN(6)]
					p["p"] = asking(byStrength(), filters)
					scores := map[int64]float64{}
					for id, k := range u.knows {
						scores[id] = k.score
					}
					want := byScore(everyoneOf(t, s, u, filters), scores)
					meanwhile := func() {
						if i%2 == 0 {
							n.meet(t, r, u, 1+r.Int64N(nearPeople))
						}
					}
					got, near := walkNear(t, s, u, search.Request{Prompt: "p", Limit: 1 + r.IntN(6)}, meanwhile)
					if !slices.Equal(got, want) || near != len(want) {
						t.Fatalf("%s, user %d, %v: got %v (%d near), want %v", way, u.person, filters, got, near, want)
					}
					found += len(got)
				}
			}
			if found < 100 {
				t.Errorf("only %d people were found", found)
			}
		})
	}
}

// The printed statement finds the same people in the same order.
func TestSQLOfAnOrderByStrength(t *testing.T) {
	n, p, s := asked(t, nearEngines()["postgres"])
	p["known"] = asking(byStrength(), query.Filters{"country": "Germany, France"})
	p["introducers"] = asking(introducers(), nil,
		prompt.Step{Says: "them", Filters: query.Filters{"company": "Company 3"}})
	for text := range p {
		page := n.page(t, s, n.users[0], search.Request{Prompt: text, Limit: 30})
		if len(page.People) < 2 {
			t.Errorf("%s: only %d people", text, len(page.People))
		}
		runsAsSQL(t, n.db.Pool(), page)
	}
}

// Changes of other users that are not shared with the caller must not change a single byte of the answer.
func TestNetworkPromptsRevealNothingAboutOtherUsers(t *testing.T) {
	n, p, s := asked(t, nearEngines()["memory"])
	step := prompt.Step{Says: "them", Filters: query.Filters{"company": "Company 3"}}
	p["known"], p["strongest"] = asking(within(1), nil), asking(byStrength(), nil)
	p["reach"], p["introducers"] = asking(within(1, 2), nil), asking(introducers(), nil, step)
	p["knows"] = prompt.Plan{
		Mode: prompt.Complex, Steps: []prompt.Step{step}, Relations: []prompt.Relation{to(prompt.Knows)},
	}
	u := n.users[0]
	answers := func() map[string]string {
		out := map[string]string{}
		for text := range p {
			page := n.page(t, s, u, search.Request{Prompt: text, Limit: 100, Explain: new(true), IncludeCounts: "all"})
			page.Pagination.Cursor, page.Metadata.CountsToken = "", "" // sealed with random bytes
			all, err := json.Marshal(page)
			expect.NoError(t, err)
			out[text] = string(all)
		}
		return out
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, other := range n.users[1:] {
		n.share(t, other, network.ShareNone)
	}
	before := answers()
	for _, other := range n.users[1:] {
		for range 20 {
			n.meet(t, r, other, 1+r.Int64N(nearPeople))
		}
		if other.app != u.app {
			n.share(t, other, network.ShareCommunity)
		}
	}
	if after := answers(); !maps.Equal(before, after) {
		t.Errorf("got  %v\nwant %v", after, before)
	}
}

// Without relationships or a user, or with a scope in the request, a network prompt must not find everyone.
func TestNetworkPromptsNeverFindEveryone(t *testing.T) {
	n, p, s := asked(t, nearEngines()["memory"])
	stranger, caller := n.users[5], n.users[0]
	step := prompt.Step{Says: "them", Filters: query.Filters{"company": "Company 3"}}
	nobodyStep := prompt.Step{Says: "Nobody Atall", Filters: query.Filters{"name": "Nobody Atall"}}
	tests := map[string]struct {
		user *user
		plan prompt.Plan
		req  search.Request
		// some is true if people are found nevertheless.
		some bool
		note string
	}{
		"no relationships": {
			stranger, asking(within(1), nil),
			search.Request{},
			false,
			"you have no relationships yet",
		},
		"no relationships, degree 2": {
			stranger, asking(within(2), nil),
			search.Request{},
			false,
			"you have no relationships yet",
		},
		"no relationships, by strength": {
			stranger, asking(byStrength(), nil),
			search.Request{},
			false,
			"you have no relationships yet",
		},
		"no relationships, introducers": {
			stranger, asking(introducers(), nil, step),
			search.Request{},
			false,
			"you have no relationships yet",
		},
		"nobody to be introduced to": {
			caller, asking(introducers(), nil, nobodyStep),
			search.Request{},
			false,
			`nobody was found for "Nobody Atall"`,
		},
		"no user": {nil, asking(within(1), nil), search.Request{}, false, "this search has no user"},
		"no user, introducers": {
			nil, asking(introducers(), nil, step),
			search.Request{},
			false,
			"this search has no user",
		},
		"scope global": {
			caller, asking(within(1), nil),
			search.Request{Scope: "global"},
			false,
			`"people I know" is not applied, because the request sets scope`,
		},
		"scope network": {
			caller, asking(within(1), nil),
			search.Request{Scope: "network"},
			false,
			"because the request sets scope",
		},
		"scope global, and a filter": {
			caller, asking(within(1), query.Filters{"city": "Paris"}),
			search.Request{Scope: "global"},
			true, "because the request sets scope",
		},
		"scope global, a filter beside": {
			caller, asking(within(1), nil),
			search.Request{Scope: "global", Filters: query.Filters{"city": "Paris"}},
			true, "because the request sets scope",
		},
		"a list": {
			caller, asking(within(1), nil),
			search.Request{Scope: "specific_list", List: []search.ListEntry{{ID: "p3"}}},
			true, "because the request sets scope",
		},
		"network filters": {
			caller, asking(within(1), nil),
			search.Request{Network: &search.NetworkFilters{ConnectionDegrees: []int{2}}},
			true, "because the request sets network_filters",
		},
		"network filters, introducers": {
			caller, asking(introducers(), nil, step),
			search.Request{Network: &search.NetworkFilters{ConnectionDegrees: []int{2}}},
			false, "because the request sets network_filters",
		},
		"empty network filters": {
			caller, asking(within(1), nil),
			search.Request{Network: &search.NetworkFilters{}},
			true, "",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			p["p"] = tt.plan
			tt.req.Prompt = "p"
			ctx, v := t.Context(), kith.Public()
			if tt.user != nil {
				v = tt.user.Viewer()
			}
			results, err := s.Search(ctx, v, tt.req)
			expect.NoError(t, err)
			page, err := search.Collect(ctx, results)
			expect.NoError(t, err)
			about := page.Metadata.Interpretation
			if (len(page.People) > 0) != tt.some || len(page.People) > 50 {
				t.Errorf("found %d people", len(page.People))
			}
			if notes := strings.Join(about.Notes, "; "); !strings.Contains(notes, tt.note) ||
				(notes != "") != (tt.note != "") {
				t.Errorf("notes %q, want %q", notes, tt.note)
			}
			if about.Network == nil || about.Network.Text != "people I know" {
				t.Errorf("understood as %+v", about.Network)
			}
		})
	}
}

// The answer is that of the prompt without its network.
func TestRequestOverridesTheNetworkOfAPrompt(t *testing.T) {
	n, p, s := asked(t, nearEngines()["memory"])
	filters := query.Filters{"country": "Germany, France"}
	p["p"] = asking(byStrength(), filters)
	for name, req := range map[string]search.Request{
		"scope": {Scope: "network"}, "global": {Scope: "global"},
		"filters": {Network: &search.NetworkFilters{ConnectionDegrees: []int{2}}},
	} {
		with, without := req, req
		with.Prompt, without.Filters = "p", filters
		got, want := n.page(t, s, n.users[0], with), n.page(t, s, n.users[0], without)
		if g, w := personIDs(t, got.People), personIDs(t, want.People); !slices.Equal(g, w) || len(w) == 0 {
			t.Errorf("%s: got %v, want %v", name, g, w)
		}
	}
}

// A client may send back the filters of an answer. Alone they mean the prompt without its network;
// with the degrees they mean the whole prompt.
func TestNetworkOfAPromptCanBeDropped(t *testing.T) {
	n, p, s := asked(t, nearEngines()["memory"])
	p["with"], p["without"] = asking(within(1), query.Filters{"country": "Germany"}),
		asking(nil, query.Filters{"country": "Germany"})
	u := n.users[0]
	answer := n.page(t, s, u, search.Request{Prompt: "with"})
	back := query.Filters{}
	for _, f := range answer.Metadata.Interpretation.Filters {
		back[f.Field] = f.Value
	}
	want, dropped := n.page(t, s, u, search.Request{Prompt: "without"}), n.page(t, s, u, search.Request{Filters: back})
	kept := n.page(t, s, u, search.Request{
		Filters: back,
		Network: &search.NetworkFilters{ConnectionDegrees: answer.Metadata.Interpretation.Network.Degrees},
	})
	if w, d := personIDs(t, want.People), personIDs(t, dropped.People); !slices.Equal(d, w) {
		t.Errorf("without the degrees: got %v, want %v", d, w)
	}
	if a, k := personIDs(t, answer.People),
		personIDs(t, kept.People); !slices.Equal(a, k) || len(a) == 0 || len(a) >= len(want.People) {
		t.Errorf("with the degrees: got %v, want %v", k, a)
	}
}
