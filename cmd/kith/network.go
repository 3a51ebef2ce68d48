package main

import (
	"context"

	"kith"
	"kith/internal/network"
)

// reach answers how users of the directory reach people.
func (d *directory) reach() *network.Reach {
	return network.NewReach(network.NewPathfinder(d.circles), networkRecords{records{d.db}})
}

// networkRecords hands the stored people and companies to paths.
type networkRecords struct{ records }

// Companies returns the stored companies among ids.
func (r networkRecords) Companies(ctx context.Context, ids []int64) ([]kith.Company, error) {
	stored, err := r.db.CompaniesByID(ctx, ids)
	if err != nil {
		return nil, err
	}
	companies := make([]kith.Company, len(stored))
	for i, c := range stored {
		companies[i] = c.Company
	}
	return companies, nil
}

// CompanyID finds a company by its site or its profile.
func (r networkRecords) CompanyID(ctx context.Context, domain, socialURL string) (int64, error) {
	return r.db.CompanyID(ctx, domain, socialURL)
}
