package main

import (
	"kith/internal/network"
	"kith/internal/record/enrich"
)

// enrich returns the service that finds people by profile URL. If there is a source, it also looks up unknown people.
func (d *dataset) enrich(r *refreshing) *enrich.Service {
	if r.source == nil {
		return enrich.New(d.db, nil)
	}
	return enrich.New(d.db, r)
}

// network returns the service for relationships. If there is a source, it also looks up unknown people.
func (d *dataset) network(r *refreshing) *network.Service {
	if r.source == nil {
		return network.New(d.db.Network())
	}
	return network.New(d.db.Network()).LookUp(r)
}
