package proximity

import (
	"context"

	"kith/index"
	"kith/internal/network"
)

// members are the people within reach, by class. Where the engine has sieves,
// classes of not so many are without those who cannot satisfy the search.
type members struct {
	network Network
	circle  *network.Circle
	// epoch gives the epoch of ranks, in which alone an order of people is good.
	epoch func() (int64, error)
	// sieves has one sieve for each tier, nil for a tier of which nothing can be
	// told; it is empty where the engine has no sieves.
	sieves []index.Sieve
	// sifted are the people of some classes, in order, whom the last sieve leaves.
	sifted map[network.Class][]network.Ranked
}

// sieved reports whether there is a sieve for the whole search.
func (m *members) sieved() bool { return len(m.sieves) > 0 }

// classOf is the class of someone, outside for those who are not within reach.
func (m *members) classOf(person int64) network.Class {
	if class, within := m.circle.Of(person); within {
		return class
	}
	return outside
}

// sift leaves those of a class who may satisfy the search, where it has at most
// so many people. It returns how many were looked at where that left nobody.
func (m *members) sift(ctx context.Context, class network.Class, most int) (inVain int, err error) {
	_, done := m.sifted[class]
	if done || !m.sieved() || m.circle.Count(class) > most {
		return 0, nil
	}
	all, err := m.byRank(ctx, class)
	if err != nil {
		return 0, err
	}
	left := pick(m.sieves[len(m.sieves)-1], all)
	m.sifted[class] = left
	if len(left) == 0 {
		return len(all), nil
	}
	return 0, nil
}

// pick returns those whom a sieve leaves.
func pick(sieve index.Sieve, all []network.Ranked) []network.Ranked {
	may := sieve(idsOf(all))
	left := make([]network.Ranked, 0, len(may))
	for _, r := range all {
		if len(left) < len(may) && r.ID == may[len(left)] {
			left = append(left, r)
		}
	}
	return left
}

// standsFor is how many people of a class there were for each one that the sieves
// have left.
func (m *members) standsFor(class network.Class) float64 {
	if left := len(m.sifted[class]); left > 0 {
		return float64(m.circle.Count(class)) / float64(left)
	}
	return 1
}

// count is how many people of a class there are to ask for.
func (m *members) count(class network.Class) int {
	if left, ok := m.sifted[class]; ok {
		return len(left)
	}
	return m.circle.Count(class)
}

// ranked lists them in order.
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

// ids lists those of some classes in any order.
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

// siftStep is how many people go through a sieve at once.
const siftStep = 512

// take returns the first n of some people who may satisfy a tier, and how many it
// looked at for them, which is hardly more than a number.
func (m *members) take(ranked []network.Ranked, tier, n, most int) (people []network.Ranked, looked int) {
	if !m.sieved() {
		n = min(n, len(ranked))
		return ranked[:n], n
	}
	for len(people) < n && looked < len(ranked) && looked < most {
		step := min(siftStep, len(ranked)-looked)
		left := pick(m.sieves[len(m.sieves)-1], ranked[looked:looked+step]) // the last tier holds of everyone
		if m.sieves[tier] != nil {
			left = pick(m.sieves[tier], left)
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
