package demo

import (
	"slices"

	"kith/internal/network"
	"kith/query/taxonomy"
)

const (
	// demoContacts and colleagueContacts are how many people a demo user and a colleague know.
	demoContacts, colleagueContacts = 400, 150
	// knownEmployers is at how many well-known employers a demo user knows several people, namely up to knownThere, and
	// one person at others.
	knownEmployers, knownThere = 40, 6
	// knownInFunction is how many people a demo user knows in each function of the taxonomy.
	knownInFunction = 4
	// NetworkPeople is how many people [NewNetwork] chooses from.
	NetworkPeople        = 12_000
	diceNetwork   uint64 = 7
)

// NewNetwork generates the demo network for people, who are numbers of the dataset. The same people give the same
// network; with fewer people everyone knows fewer.
func NewNetwork(data *Dataset, people []int64) network.Template {
	d := roll(data.cfg.Seed, diceNetwork, 0)
	first := append(data.ofEachFunction(people), data.atKnownEmployers(people)...)
	n := network.Template{Contacts: d.contacts(first, people, demoContacts)}
	teams := []string{"Sales", "Founders"}
	for i := range min(6, len(n.Contacts)/10) {
		c := network.Colleague{Person: n.Contacts[10*i].Person, Team: teams[i%2], Sharing: network.ShareTeam}
		if i >= 4 {
			c.Sharing = network.ShareCommunity
		}
		n.Contacts[10*i].Score = []float64{10, 8, 6}[i%3]
		for _, contact := range d.contacts(nil, people, colleagueContacts) {
			if contact.Person != c.Person {
				c.Contacts = append(c.Contacts, contact)
			}
		}
		n.Colleagues = append(n.Colleagues, c)
	}
	return n
}

// atKnownEmployers returns people who work at the largest of the employers with offices, a few for each.
func (d *Dataset) atKnownEmployers(people []int64) []int64 {
	staff, employers := map[int][]int64{}, []int{}
	for _, id := range people {
		p := d.Person(id)
		if p.WorkRelevant == nil {
			continue
		}
		at := int(p.WorkRelevant.Company.ID - 1)
		if e := d.companies[at].real; e == nil || len(e.offices) == 0 || len(staff[at]) == knownThere {
			continue
		}
		if len(staff[at]) == 0 {
			employers = append(employers, at)
		}
		staff[at] = append(staff[at], id)
	}
	slices.Sort(employers) // the largest first
	var out []int64
	for i, at := range employers {
		if i >= knownEmployers {
			staff[at] = staff[at][:1]
		}
		out = append(out, staff[at]...)
	}
	return out
}

// ofEachFunction returns a few people of each function of the taxonomy.
func (d *Dataset) ofEachFunction(people []int64) []int64 {
	known := map[string]int{}
	var out []int64
	for _, id := range people {
		p := d.Person(id)
		if p.WorkRelevant == nil {
			continue
		}
		functions := taxonomy.FunctionsOf(p.WorkRelevant.Title)
		if len(functions) == 0 || known[functions[0]] == knownInFunction {
			continue
		}
		known[functions[0]]++
		out = append(out, id)
	}
	return out
}

// contacts draws n relationships with all labels and kinds: first with some people, then with any.
func (d *dice) contacts(first, people []int64, n int) []network.Contact {
	left := slices.DeleteFunc(slices.Clone(people), func(id int64) bool { return slices.Contains(first, id) })
	var out []network.Contact
	for i, id := range first[:min(len(first), n)] {
		if !slices.Contains(first[:i], id) {
			out = append(out, d.contact(id))
		}
	}
	for len(out) < n && len(left) > 0 {
		i := d.below(len(left))
		out = append(out, d.contact(left[i]))
		left[i], left = left[len(left)-1], left[:len(left)-1]
	}
	return out
}

func (d *dice) contact(person int64) network.Contact {
	kinds := []network.Kind{
		network.SocialContact, network.SocialContact, network.SocialContact, network.WorkedTogether,
		network.WorkedTogether,
		network.StudiedTogether, network.MetInPerson, network.AttendedEvent, network.Introduced,
	}
	return network.Contact{Person: person, Score: float64(d.between(0, 20)) / 2, Kinds: network.KindsOf(of(d, kinds))}
}
