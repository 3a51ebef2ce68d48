package proximity

import (
	"context"

	"kith"
	"kith/internal/network"
)

// members are the people within reach, by class.
type members struct {
	network Network
	circle  *network.Circle
	// epoch returns the rank epoch; an order of people is valid only in its own epoch.
	epoch func() (int64, error)
}

// classOf returns a person's class; outside for people beyond reach.
func (m *members) classOf(person int64) network.Class {
	if class, within := m.circle.Of(person); within {
		return class
	}
	return outside
}

// byRank returns the people of a class in order.
func (m *members) byRank(ctx context.Context, class network.Class) ([]network.Ranked, error) {
	epoch, err := m.epoch()
	if err != nil {
		return nil, err
	}
	return m.network.ByRank(ctx, m.circle, class, epoch)
}

func idsOf(people []network.Ranked) []int64 {
	return kith.Each(people, func(p network.Ranked) int64 { return p.ID })
}
