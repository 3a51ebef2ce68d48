package search_test

import (
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kith/internal/network"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query"
	"kith/query/prompt"
)

// introducers is a restriction to introducers of the people of the first step.
func introducers() *prompt.Network {
	n := within(1)
	n.IntroducersOf = new(int)
	return n
}

// paths returns the strongest paths of a user to some people, by contact and person.
func (n *neighbourhood) paths(u *user, targets []int64) (best map[int64]float64, each map[int64]map[int64]float64) {
	best, each = map[int64]float64{}, map[int64]map[int64]float64{}
	for id, k := range u.knows {
		for _, target := range targets {
			for _, b := range n.bonds(u, id, target) {
				if id == target {
					continue
				}
				score := network.PathScore(k.score, b.Score)
				best[id] = max(best[id], score)
				if each[id] == nil {
					each[id] = map[int64]float64{}
				}
				each[id][target] = max(each[id][target], score)
			}
		}
	}
	return best, each
}

// introducedBy returns the targets in the answer that each person can introduce to.
func introducedBy(t *testing.T, people []json.RawMessage) map[int64]map[int64]float64 {
	t.Helper()
	out := map[int64]map[int64]float64{}
	for _, raw := range people {
		var p struct {
			ID    int64
			Match struct {
				Criteria []any
				Network  struct {
					Degree     int
					Introduces []struct {
						Person struct {
							ID                  int64
							FullName, SocialURL string
						}
						Score      float64
						ScoreLabel string `json:"score_label"`
					}
				}
			}
		}
		expect.NoError(t, json.Unmarshal(raw, &p))
		out[p.ID] = map[int64]float64{}
		last := float64(network.MaxScore)
		for _, i := range p.Match.Network.Introduces {
			out[p.ID][i.Person.ID] = i.Score
			if i.Score > last || i.ScoreLabel != string(network.LabelOf(i.Score)) || p.Match.Network.Degree != 1 {
				t.Errorf("person %d: the introduction %+v comes after %v", p.ID, i, last)
			}
			last = i.Score
		}
	}
	return out
}

// knowsFirst puts the people the user knows before any path, and returns their number.
func (u *user) knowsFirst(people []int64, best map[int64]float64) int {
	n := 0
	for _, id := range people {
		if k, direct := u.knows[id]; direct {
			best[id] = 100 + k.score
			n++
		}
	}
	return n
}

// People of a step whom the caller knows come first, the strongest relationship first. Other people of degree 1 who
// know one of them follow, the strongest path first. Each has a list of the people of the step they know. A walk keeps
// them.
func TestIntroducersKnowThePeopleOfAStep(t *testing.T) {
	steps := []query.Filters{
		{"company": "Company 3"},
		{"name": "Number17, Number4, Number90"},
		{"position": "designer", "city": "Paris"},
		{"anyCompany": "Company 7, Company 9"},
	}
	for name, on := range nearEngines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, p, s := asked(t, on)
			r, found, known := rand.New(rand.NewPCG(9, 10)), 0, 0
			for i, way := range slices.Sorted(maps.Keys(nearWays)) {
				nearWays[way](s)
				for _, u := range n.users {
					step := prompt.Step{Says: "them", Filters: steps[r.IntN(len(steps))]}
					pick, some := r.IntN(3), []query.Filters{
						{"country": "Germany, France"},
						{"position": "Software Engineer"},
					}
					filters := append([]query.Filters{nil}, some...)[pick]
					among := append([]query.Filters{{"country": "Germany, France, Japan"}}, some...)[pick]
					p["p"] = asking(introducers(), filters, step)
					targets := everyoneOf(t, s, u, step.Filters)
					if len(targets) == 0 || len(targets) > 50 {
						t.Fatalf("%v finds %d", step.Filters, len(targets))
					}
					best, each := n.paths(u, targets)
					known += u.knowsFirst(targets, best)
					want := byScore(everyoneOf(t, s, u, among), best)
					page := n.page(t, s, u, search.Request{Prompt: "p", Limit: 100, IncludeCounts: "network"})
					if got := personIDs(t, page.People); !slices.Equal(got, want) {
						t.Fatalf("%s, user %d, %v of %v: got %v, want %v", way, u.person, filters, step.Filters, got,
							want)
					}
					expect.Values(t, "count of the network", []any{page.Metadata.Counts.Network.Value}, len(want))
					for id, got := range introducedBy(t, page.People) {
						if want := each[id]; len(want) <= network.MaxAcquaintances && !maps.Equal(got, want) ||
							len(got) != min(len(want), network.MaxAcquaintances) {
							t.Errorf("person %d can introduce to %v, want %v", id, got, want)
						}
					}
					meanwhile := func() {
						if i%2 == 0 {
							n.meet(t, r, u, 1+r.Int64N(nearPeople))
						}
					}
					if got, _ := walkNear(t, s, u, search.Request{Prompt: "p", Limit: 1 + r.IntN(4)},
						meanwhile); !slices.Equal(got, want) {
						t.Fatalf("user %d walks over %v, want %v", u.person, got, want)
					}
					found += len(want)
				}
			}
			if found < 100 || known < 20 {
				t.Errorf("only %d people were found, and %d known", found, known)
			}
		})
	}
}

// A person knows people through common work or studies. Contacts of the caller also do through a
// team or community.
// isOwn reports whether a bond comes from a career rather than from a contact that its owner shares.
func isOwn(b network.Bond) bool {
	return b.Kind == network.WorkedTogether || b.Kind == network.StudiedTogether
}

func TestKnowsFindsColleaguesClassmatesAndSharedContacts(t *testing.T) {
	for name, on := range nearEngines() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, p, s := asked(t, on)
			found, shared := 0, 0
			everyone := everyoneOf(t, s, n.users[0], query.Filters{"country": "Germany, France, Japan"})
			for _, u := range n.users {
				for _, whom := range []string{"Number4", "Number17", "Number90, Number12"} {
					step := prompt.Step{Says: whom, Filters: query.Filters{"name": whom}}
					p["p"] = prompt.Plan{
						Mode: prompt.Complex, Steps: []prompt.Step{step},
						Relations: []prompt.Relation{to(prompt.Knows)},
					}
					targets := everyoneOf(t, s, u, step.Filters)
					var want []int64
					for _, id := range everyone {
						if slices.Contains(targets, id) {
							continue
						}
						_, contact := u.knows[id]
						bonds := slices.Concat(n.bondsTo(u, id, targets)...)
						if i := slices.IndexFunc(bonds, func(b network.Bond) bool {
							return contact ||
								isOwn(b)
						}); i >= 0 {
							want = append(want, id)
							if !isOwn(bonds[i]) {
								shared++
							}
						}
					}
					page := n.page(t, s, u, search.Request{
						Prompt: "p", Limit: 100, Scope: search.ScopeGlobal,
						Explain: new(true),
					})
					if got := personIDs(t, page.People); !slices.Equal(got, want) {
						t.Errorf("user %d, %s: got %v, want %v", u.person, whom, got, want)
					}
					for id, says := range matchOf(t, page.People) {
						expect.Len(t, "explanations", says, 1)
						if !strings.HasPrefix(says[0], "knows "+whom+" = yes: ") || strings.HasSuffix(says[0], ": ") {
							t.Errorf("user %d, person %d: %q", u.person, id, says)
						}
					}
					found += len(want)
				}
			}
			if found < 100 || shared == 0 {
				t.Errorf("only %d people were found, %d of them through shared contacts", found, shared)
			}
		})
	}
}

// bondsTo returns the bonds of a person to each target.
func (n *neighbourhood) bondsTo(u *user, person int64, targets []int64) [][]network.Bond {
	var out [][]network.Bond
	for _, target := range targets {
		out = append(out, n.bonds(u, person, target))
	}
	return out
}
