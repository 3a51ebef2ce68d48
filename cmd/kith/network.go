package main

import "kith/internal/network"

// reach answers how users of the directory reach people.
func (d *directory) reach() *network.Reach {
	return network.NewReach(network.NewPathfinder(d.circles), d.db)
}
