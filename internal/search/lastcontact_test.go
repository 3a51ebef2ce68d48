package search_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"kith/internal/network"
	"kith/internal/search"
	"kith/internal/test/expect"
	"kith/query/prompt"
)

// Contact after a day puts the latest contact first. Contact only before a day puts the strongest
// relationship first, and includes people without any contact.
func TestLastContactSelectsAndOrdersPeople(t *testing.T) {
	for name, on := range nearEngines() {
		t.Run(name, func(t *testing.T) {
			n, p, s := asked(t, on)
			u := n.users[0]
			days := n.talk(t, u)
			for what, tt := range map[string]struct {
				last  prompt.LastContact
				order prompt.NetworkOrder
			}{
				"quiet":  {prompt.LastContact{Before: "2026-03-01"}, prompt.ByStrength},
				"lately": {prompt.LastContact{After: "2026-03-01"}, prompt.ByLastContact},
				"mailed": {
					prompt.LastContact{After: "2026-01-01", Before: "2026-07-01", Channel: "email"},
					prompt.ByLastContact,
				},
				"written": {prompt.LastContact{Before: "2026-03-01", Channel: "email"}, prompt.ByStrength},
			} {
				ask := within(1)
				ask.LastContact = &tt.last
				p[what] = asking(ask, nil)
				want := n.lastContacts(t, u, days, tt.last, tt.order)
				var got []int64
				page := n.page(t, s, u, search.Request{Prompt: what, Limit: 2})
				for ; ; page = n.page(t, s, u, search.Request{Cursor: page.Pagination.Cursor}) {
					got = append(got, personIDs(t, page.People)...)
					if !page.Pagination.HasNextPage {
						break
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("%s: got %v, want %v", what, got, want)
				}
				understood := page.Metadata.Interpretation.Network
				if understood.Order == nil || *understood.Order != tt.order ||
					len(page.Metadata.Interpretation.Notes) != 0 {
					t.Errorf("%s: order %v, notes %v", what, understood.Order, page.Metadata.Interpretation.Notes)
				}
				same := n.page(t, s, u, search.Request{Prompt: what, Network: &search.NetworkFilters{
					ConnectionDegrees: []int{1}, Order: string(tt.order),
					LastContact: &search.LastContactFilter{
						After: tt.last.After, Before: tt.last.Before,
						Channel: tt.last.Channel,
					},
				}, Limit: 100})
				if filtered := personIDs(t, same.People); !slices.Equal(filtered, want) {
					t.Errorf("%s: network_filters find %v, want %v", what, filtered, want)
				}
			}
		})
	}
}

func TestLastContactWithoutHistoryIsNoted(t *testing.T) {
	n, p, s := asked(t, nearEngines()["memory"])
	quiet, lately := within(1), within(1)
	quiet.LastContact, lately.LastContact = &prompt.LastContact{Before: "2026-03-01"},
		&prompt.LastContact{After: "2026-03-01"}
	p["quiet"], p["strongest"], p["lately"] = asking(quiet, nil), asking(byStrength(), nil), asking(lately, nil)
	u := n.users[0]
	want, got := n.page(t, s, u, search.Request{Prompt: "strongest", Limit: 4}),
		n.page(t, s, u, search.Request{Prompt: "quiet", Limit: 4})
	if w, g := personIDs(t, want.People), personIDs(t, got.People); !slices.Equal(g, w) || len(g) != 4 {
		t.Errorf("got %v, want %v", g, w)
	}
	next := n.page(t, s, u, search.Request{Cursor: got.Pagination.Cursor})
	for _, page := range []*search.Page{got, next} {
		if notes := page.Metadata.Interpretation.Notes; len(notes) != 1 ||
			!strings.Contains(notes[0], "no contact history of yours is stored") {
			t.Errorf("notes %q", notes)
		}
	}
	text, _ := json.Marshal(next.Metadata.Interpretation.Network)
	const asked = `{"degrees":[1],"introducers_of":null,"order":"strength",` +
		`"last_contact":{"after":null,"before":"2026-03-01","channel":null},"text":"people I know","span":[0,13]}`
	if string(text) != asked {
		t.Errorf("got %s", text)
	}
	if page := n.page(t, s, u, search.Request{Prompt: "lately"}); len(page.People) > 0 ||
		len(page.Metadata.Interpretation.Notes) != 2 {
		t.Errorf("%d people, notes %q", len(page.People), page.Metadata.Interpretation.Notes)
	}
}

// talk stores contacts of a user with some of the user's acquaintances, and returns the last day of each kind.
func (n *neighbourhood) talk(t *testing.T, u *user) map[int64]map[network.ContactKind]network.Day {
	t.Helper()
	first, err := network.ParseDate("2026-01-15")
	expect.NoError(t, err)
	var contacts []network.PastContact
	days := map[int64]map[network.ContactKind]network.Day{}
	for i, id := range slices.Sorted(maps.Keys(u.knows)) {
		if i%4 == 3 {
			continue
		}
		kind := []network.ContactKind{network.ContactEmail, network.ContactMessage}[i%2]
		day := first + network.Day(i*17%170)
		days[id] = map[network.ContactKind]network.Day{kind: day}
		contacts = append(contacts, network.PastContact{
			Identifier: fmt.Sprintf("p%d", id),
			History:    network.History{Kind: kind, Outgoing: int64(1 + i), First: day, Last: day},
		})
	}
	if u.last == nil {
		u.last = map[int64]network.Day{}
	}
	for id, kinds := range days {
		for _, day := range kinds {
			u.last[id] = day
		}
	}
	if _, _, err := n.db.Network().PutContacts(t.Context(), 0, u.UserID, contacts); err != nil {
		t.Fatal(err)
	}
	return days
}

// lastContacts returns the people whose last contact with a user was in the given time, in order.
func (n *neighbourhood) lastContacts(
	t *testing.T, u *user, days map[int64]map[network.ContactKind]network.Day, l prompt.LastContact,
	order prompt.NetworkOrder,
) []int64 {
	t.Helper()
	rank := map[int64]int64{}
	for _, p := range n.stored(t) {
		rank[p.Person.ID] = p.Rank
	}
	last := func(id int64) (day network.Day) {
		for kind, at := range days[id] {
			if l.Channel == "" || l.Channel == string(kind) {
				day = max(day, at)
			}
		}
		return day
	}
	var out []int64
	for id := range u.knows {
		day := last(id)
		date := ""
		if day > 0 {
			date = network.Date(day)
		}
		if date == "" && l.After != "" || date != "" && (date < l.After || l.Before != "" && date >= l.Before) {
			continue
		}
		out = append(out, id)
	}
	slices.SortFunc(out, func(a, b int64) int {
		if order == prompt.ByLastContact {
			return cmp.Or(cmp.Compare(last(b), last(a)), cmp.Compare(rank[b], rank[a]), cmp.Compare(a, b))
		}
		return cmp.Or(cmp.Compare(u.knows[b].score, u.knows[a].score), cmp.Compare(rank[b], rank[a]), cmp.Compare(a, b))
	})
	return out
}
