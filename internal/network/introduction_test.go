package network_test

import (
	"strings"
	"testing"

	"kith"
	"kith/internal/network"
)

// The message tells the introducer how the introducer and the target know each other.
func TestIntroductionNamesTheBond(t *testing.T) {
	start, end := onDay(t, "2019-03-01"), onDay(t, "2021-06-01")
	for name, c := range map[string]struct {
		bond network.Bond
		want string
	}{
		"worked": {
			network.Bond{Kind: network.WorkedTogether, From: start, To: end, Org: network.Org{Company: 1}},
			"You worked together at Initech, 2019-03 to 2021-06.",
		},
		"worked somewhere": {
			network.Bond{Kind: network.WorkedTogether, From: start, To: network.Open, Org: network.Org{Company: 2}},
			"You worked at the same company, since 2019-03.",
		},
		"studied": {
			network.Bond{Kind: network.StudiedTogether, From: start, To: end, Org: network.Org{School: "ETH"}},
			"You studied together at ETH, 2019-03 to 2021-06.",
		},
		"team": {network.Bond{Kind: network.Team, Score: 8}, "You share your contacts with me, and Ann is among them."},
		"community": {
			network.Bond{Kind: network.Community, Score: 8}, "You share your contacts with me, and Ann is among them.",
		},
	} {
		introducer := kith.Person{FirstName: "Bob", FullName: "Bob Baker"}
		target := kith.Person{
			FirstName: "Ann", FullName: "Ann Archer",
			WorkRelevant: &kith.Job{Title: "CTO", Company: kith.Company{Name: "Acme"}},
		}
		got := network.Ask(introducer, target, c.bond, kith.Company{ID: 1, Name: "Initech"})
		want := "Hi Bob,\n\nI would like to get to know Ann Archer, CTO at Acme. " + c.want +
			"\n\nWould you introduce us?"
		if got.Subject != "Could you introduce me to Ann Archer?" || !strings.HasPrefix(got.Text, want) {
			t.Errorf("%s: %q\n%s", name, got.Subject, got.Text)
		}
	}
}
