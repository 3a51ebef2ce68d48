package proximity

import (
	"context"

	"kith/index"
	"kith/internal/network"
)

// members are the people within reach, by class. If the engine has prefilters, smaller classes hold only
// people who may satisfy the search.
type members struct {
	network Network
	circle  *network.Circle
	// epoch returns the rank epoch; an order of people is valid only in its own epoch.
	epoch func() (int64, error)
	// prefilters has one entry per tier, nil for a tier that cannot be prefiltered; it is empty if the engine has none.
	prefilters []index.Prefilter
	// sifted are the people of some classes that passed the last prefilter, in order.
	sifted map[network.Class][]network.Ranked
}

// prefiltered reports whether there is a prefilter for the whole search.
func (m *members) prefiltered() bool { return len(m.prefilters) > 0 }

// classOf returns a person's class; outside for people beyond reach.
func (m *members) classOf(person int64) network.Class {
	if class, within := m.circle.Of(person); within {
		return class
	}
	return outside
}

// sift prefilters a class with at most most people. If nobody is left, it returns how many people it looked at.
func (m *members) sift(ctx context.Context, class network.Class, most int) (inVain int, err error) {
	_, done := m.sifted[class]
	if done || !m.prefiltered() || m.circle.Count(class) > most {
		return 0, nil
	}
	all, err := m.byRank(ctx, class)
	if err != nil {
		return 0, err
	}
	left := pick(m.prefilters[len(m.prefilters)-1], all)
	m.sifted[class] = left
	if len(left) == 0 {
		return len(all), nil
	}
	return 0, nil
}

// pick returns the people that pass a prefilter, in order.
func pick(prefilter index.Prefilter, all []network.Ranked) []network.Ranked {
	may := prefilter(idsOf(all))
	left := make([]network.Ranked, 0, len(may))
	for _, r := range all {
		if len(left) < len(may) && r.ID == may[len(left)] {
			left = append(left, r)
		}
	}
	return left
}

// standsFor is the number of people of a class per person that passed the prefilters.
func (m *members) standsFor(class network.Class) float64 {
	if left := len(m.sifted[class]); left > 0 {
		return float64(m.circle.Count(class)) / float64(left)
	}
	return 1
}

// count is the number of people of a class left to ask about.
func (m *members) count(class network.Class) int {
	if left, ok := m.sifted[class]; ok {
		return len(left)
	}
	return m.circle.Count(class)
}

// ranked returns the people of a class left to ask about, in order.
func (m *members) ranked(ctx context.Context, class network.Class) ([]network.Ranked, error) {
	if left, ok := m.sifted[class]; ok {
		return left, nil
	}
	return m.byRank(ctx, class)
}

func (m *members) byRank(ctx context.Context, class network.Class) ([]network.Ranked, error) {
	epoch, err := m.epoch()
	if err != nil {
		return nil, err
	}
	return m.network.ByRank(ctx, m.circle, class, epoch)
}

// ids returns the people of some classes left to ask about, in any order.
func (m *members) ids(classes []network.Class) []int64 {
	var ids []int64
	for _, class := range classes {
		if left, ok := m.sifted[class]; ok {
			ids = append(ids, idsOf(left)...)
		} else {
			ids = append(ids, m.circle.People(class)...)
		}
	}
	return ids
}

// siftStep is how many people pass through a prefilter at once.
const siftStep = 512

// take returns the first n people who may satisfy a tier, and how many it looked at, which exceeds most by at most one
// step.
func (m *members) take(ranked []network.Ranked, tier, n, most int) (people []network.Ranked, looked int) {
	if !m.prefiltered() {
		n = min(n, len(ranked))
		return ranked[:n], n
	}
	for len(people) < n && looked < len(ranked) && looked < most {
		step := min(siftStep, len(ranked)-looked)
		left := pick(m.prefilters[len(m.prefilters)-1], ranked[looked:looked+step]) // everyone must satisfy the last tier
		if m.prefilters[tier] != nil {
			left = pick(m.prefilters[tier], left)
		}
		people, looked = append(people, left...), looked+step
	}
	return people, looked
}

func idsOf(people []network.Ranked) []int64 {
	ids := make([]int64, len(people))
	for i, p := range people {
		ids[i] = p.ID
	}
	return ids
}
