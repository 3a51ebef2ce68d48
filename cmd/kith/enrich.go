package main

import (
	"kith/internal/enrich"
)

// enrich answers who is behind a profile.
func (d *directory) enrich() *enrich.Service { return enrich.New(d.db, nil) }
