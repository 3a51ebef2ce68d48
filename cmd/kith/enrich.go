package main

import (
	"kith/internal/enrich"
)

// enrich answers who is behind a profile, and looks for the unknown where
// there is a source.
func (d *directory) enrich(r *refreshing) *enrich.Service {
	if r.source == nil {
		return enrich.New(d.db, nil)
	}
	return enrich.New(d.db, r)
}
