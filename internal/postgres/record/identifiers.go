package record

import (
	"context"

	"kith"
	"kith/internal/record"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	networksql "kith/internal/postgres/network"
)

// Identify returns the ids of the people that an identifier may refer to, as visible to a viewer, lowest first.
func (db *Store) Identify(ctx context.Context, v kith.Viewer, identifier string) ([]int64, error) {
	seen, err := access.VisibleOwners(ctx, db.Querier(), v)
	if err != nil {
		return nil, err
	}
	return networksql.IdentifyPeople(ctx, db.Querier(), identifier, seen)
}

// PeopleByAddress implements Addresses of internal/search. A user also finds people by addresses that only the user
// has.
func (db *Store) PeopleByAddress(ctx context.Context, v kith.Viewer, addresses []string) (map[string][]int64, error) {
	seen, err := access.VisibleOwners(ctx, db.Querier(), v)
	if err != nil {
		return nil, err
	}
	actor, _ := v.User()
	marks := make([]networksql.Mark, len(addresses))
	for i := range addresses {
		marks[i] = networksql.Mark{Email: &addresses[i], Owners: seen, User: actor.UserID}
	}
	found := map[string][]int64{}
	err = networksql.MatchMarks(ctx, db.Querier(), marks, func(i int, id int64) {
		found[addresses[i]] = append(found[addresses[i]],
			id)
	})
	return found, err
}

// PersonIDs implements [record.Tx]. If both a shared and an owned record have a mark, the shared one counts.
func (w *WriteTx) PersonIDs(ctx context.Context, keys record.PersonKeys) ([]record.PersonID, error) {
	return conn.Collect(ctx, w.Tx, "people by key", pgx.RowToStructByPos[record.PersonID], `
		select id, profile, email, source, social_key, social_url from (
			select p.id, f.profile, f.email, f.source, coalesce(p.social_key, '') as social_key,
			coalesce(p.record ->> 'social_url', '') as social_url,
				f.profile || f.email || f.source = '' as by_id, rank() over (partition by f.profile, f.email, f.source
				order by p.owner) as nth
			from people p join (
				select p.id, k as profile, '' as email, '' as source from unnest($1::text[]) k join people p
				on p.social_key = k union select k, '', '', '' from unnest($2::bigint[]) k
				union select a.person_id, k, '', '' from unnest($1::text[]) k join person_identifiers a on a.kind = 1
				and a.value = k
				union select p.id, '', k, '' from unnest($3::text[]) k join people p on p.email = k
				union select a.person_id, '', k, '' from unnest($3::text[]) k join person_identifiers a on a.kind = 2
				and a.value = k
				union select a.person_id, '', '', k from unnest($4::text[]) k join person_identifiers a on a.kind = 3
				and a.value = k
			) f on f.id = p.id where f.profile || f.email || f.source = '' or p.owner in ('', $5)) f
		where by_id or nth = 1`, keys.Social, keys.IDs, keys.Emails, keys.Sources, w.Owner)
}

// putIdentifiers replaces the identifiers of people that have no column in their rows.
func (w *WriteTx) putIdentifiers(ctx context.Context, values []personValues, fresh bool) error {
	var ids []int64
	var rows [][]any
	for _, v := range values {
		p := &v.row.Person
		ids = append(ids, p.ID)
		for _, address := range p.Addresses() {
			if address != v.row.Email {
				rows = append(rows, []any{p.ID, int16(networksql.IdentifierEmail), address})
			}
		}
		for _, source := range p.Sources {
			rows = append(rows, []any{p.ID, int16(networksql.IdentifierSource), source})
		}
		for _, profile := range v.row.Profiles {
			if profile != v.row.SocialKey {
				rows = append(rows, []any{p.ID, int16(networksql.IdentifierProfile), profile})
			}
		}
	}
	if !fresh {
		if err := conn.Exec(ctx, w.Tx, "identifiers", "delete from person_identifiers where person_id = any($1)",
			ids); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	_, err := w.Tx.CopyFrom(ctx, pgx.Identifier{"person_identifiers"}, []string{"person_id", "kind", "value"},
		pgx.CopyFromRows(rows))
	return err
}
