package main

import (
	"kith/internal/network"
	"kith/internal/postgres"
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
func (r *refreshing) network(db *postgres.DB) *network.Service {
	if r.source == nil {
		return network.New(db.Network())
	}
	return network.New(db.Network()).LookUp(r)
}
