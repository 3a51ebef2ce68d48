package main

import "kith/internal/network"

// reach returns the service that finds how users of the dataset reach people.
func (d *directory) reach() *network.Reach {
	return network.NewReach(network.NewPathfinder(d.circles), d.db)
}
