package demo

import (
	"slices"

	"kith/internal/network"
)

const (
	// demoContacts and colleagueContacts are how many people a demo user and a colleague know.
	demoContacts, colleagueContacts = 300, 120
	// NetworkPeople is how many people [NewNetwork] chooses from.
	NetworkPeople        = 6000
	diceNetwork   uint64 = 7
)

// NewNetwork generates the demo network for people. The same people give the same network;
// with fewer people everyone knows fewer.
func NewNetwork(seed uint64, people []int64) network.Template {
	d := roll(seed, diceNetwork, 0)
	n := network.Template{Contacts: d.contacts(people, demoContacts)}
	teams := []string{"Sales", "Founders"}
	for i := range min(6, len(n.Contacts)/10) {
		c := network.Colleague{Person: n.Contacts[10*i].Person, Team: teams[i%2], Sharing: network.ShareTeam}
		if i >= 4 {
			c.Sharing = network.ShareCommunity
		}
		n.Contacts[10*i].Score = []float64{10, 8, 6}[i%3]
		for _, contact := range d.contacts(people, colleagueContacts) {
			if contact.Person != c.Person {
				c.Contacts = append(c.Contacts, contact)
			}
		}
		n.Colleagues = append(n.Colleagues, c)
	}
	return n
}

// contacts draws relationships with all labels and kinds.
func (d *dice) contacts(people []int64, n int) []network.Contact {
	left := slices.Clone(people)
	kinds := []network.Kind{
		network.SocialContact, network.SocialContact, network.SocialContact, network.WorkedTogether, network.WorkedTogether,
		network.StudiedTogether, network.MetInPerson, network.AttendedEvent, network.Introduced,
	}
	var out []network.Contact
	for len(out) < n && len(left) > 0 {
		i := d.below(len(left))
		c := network.Contact{Person: left[i], Score: float64(d.between(0, 20)) / 2, Kinds: network.KindsOf(of(d, kinds))}
		left[i], left = left[len(left)-1], left[:len(left)-1]
		out = append(out, c)
	}
	return out
}
