package main

import (
	"context"
	"fmt"

	recordsql "kith/internal/postgres/record"
	"kith/internal/record"
)

// gaps prints which fields are mostly empty and how to fill them. This is not a problem of the installation.
func (r *report) gaps(ctx context.Context, d *dataset) {
	gaps, err := d.db.Gaps(ctx)
	if !r.check("fields used by searches", err, "start Postgres") {
		return
	}
	for _, g := range gaps {
		if g.All > 0 && 2*g.Empty > g.All {
			fmt.Fprintf(r.out, "empty     %s of %s: %d of 100 lack it\n          filled by: %s\n", g.Field, g.Kind,
				100*g.Empty/g.All, filledBy(g))
		}
	}
}

func filledBy(g recordsql.Gap) string {
	if g.Kind == record.Companies {
		return "kith import --only-known companies.csv, a dataset of companies; see docs/import.md"
	}
	switch g.Field {
	case "email":
		return "kith import of an address book or of a customer database"
	case "social_url":
		return "kith import of the export of a professional network"
	}
	return "kith import of the dump of a people-data vendor, or a source of fresh data (docs/enrich.md)"
}
