package main

import (
	"kith/internal/enrich"
	"kith/internal/network"
)

// enrich answers who is behind a profile, and looks for the unknown where
// there is a source.
func (d *directory) enrich(r *refreshing) *enrich.Service {
	if r.source == nil {
		return enrich.New(d.db, nil)
	}
	return enrich.New(d.db, r)
}

// network keeps relationships, and looks for the unknown likewise.
func (d *directory) network(r *refreshing) *network.Service {
	if r.source == nil {
		return network.New(d.db.Network())
	}
	return network.New(d.db.Network()).LookUp(r)
}
