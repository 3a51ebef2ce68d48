package outreach

import (
	"context"
	"slices"

	"kith/internal/outreach"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	recordsql "kith/internal/postgres/record"
)

// addressRefused is [recordsql.RefusedAddresses] for one address in any case.
func (o *Store) addressRefused(ctx context.Context, q conn.Querier, user int64, address string) (bool, error) {
	lower, err := conn.Value[string](ctx, q, "address", "select lower($1)", address)
	if err != nil {
		return false, err
	}
	refused, err := recordsql.RefusedAddresses(ctx, o.db.DB, q, user, []string{lower})
	return refused[lower], err
}

// withoutForgotten drops introducers who have been erased.
func (o *Store) withoutForgotten(ctx context.Context, q conn.Querier,
	list []outreach.Introducer,
) ([]outreach.Introducer, error) {
	identifiers := make([]string, len(list))
	for i, in := range list {
		identifiers[i] = in.SocialIdentifier
	}
	gone, err := access.ForgottenAmong(ctx, o.db.DB, q, identifiers)
	if err != nil || !slices.Contains(gone, true) {
		return list, err
	}
	var kept []outreach.Introducer
	for i, in := range list {
		if !gone[i] {
			kept = append(kept, in)
		}
	}
	return kept, nil
}

// leadsToLoad drops the leads of erased people, and erased introducers of the others.
func (o *Store) leadsToLoad(ctx context.Context, q conn.Querier, leads []outreach.LoadedLead,
) ([]outreach.LoadedLead, error) {
	var identifiers []string
	for _, l := range leads {
		identifiers = append(identifiers, l.Identifier)
		for _, in := range l.Lead.Introducers {
			identifiers = append(identifiers, in.SocialIdentifier)
		}
	}
	gone, err := access.ForgottenAmong(ctx, o.db.DB, q, identifiers)
	if err != nil || !slices.Contains(gone, true) {
		return leads, err
	}
	var kept []outreach.LoadedLead
	for _, l := range leads {
		forgotten, rest := gone[0], gone[1:]
		introducers := l.Lead.Introducers[:0:0] // nil stays nil
		for i, in := range l.Lead.Introducers {
			if !rest[i] {
				introducers = append(introducers, in)
			}
		}
		gone, l.Lead.Introducers = rest[len(l.Lead.Introducers):], introducers
		if !forgotten {
			kept = append(kept, l)
		}
	}
	return kept, nil
}
