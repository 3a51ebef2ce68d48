package main

import (
	"kith/internal/network"
	"kith/internal/search"
)

// reach returns the service that finds how users of the dataset reach people.
func (d *dataset) reach() *network.Reach {
	return network.NewReach(d.circles, d.db, search.NewCompanies(d.index, d.db))
}
