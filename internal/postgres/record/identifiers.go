package record

import (
	"context"
	"strconv"

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

// PeopleByKey implements Identifiers of internal/search. A user also finds people by addresses that only the user has.
func (db *Store) PeopleByKey(ctx context.Context, v kith.Viewer, keys []string) (map[string][]int64, error) {
	seen, err := access.VisibleOwners(ctx, db.Querier(), v)
	if err != nil {
		return nil, err
	}
	actor, _ := v.User()
	var marks []networksql.Mark
	var addresses, profiles []string // keys
	var ids []int64
	for _, key := range keys {
		kind, value := key[:2], key[2:]
		switch id, err := strconv.ParseInt(value, 10, 64); {
		case kind == "e:":
			marks = append(marks, networksql.Mark{Email: &value, Owners: seen, User: actor.UserID})
			addresses = append(addresses, key)
		case kind == "u:":
			profiles = append(profiles, value)
		case err == nil:
			ids = append(ids, id)
		}
	}
	found := map[string][]int64{}
	err = networksql.MatchMarks(ctx, db.Querier(), marks, func(i int, id int64) {
		found[addresses[i]] = append(found[addresses[i]], id)
	})
	if err != nil {
		return nil, err
	}
	var key string
	var id int64
	err = conn.ForEach(ctx, db.Querier(), "people of merged records", []any{&key, &id}, func() error {
		found[key] = append(found[key], id)
		return nil
	}, `select k.key, p.id from (
			select kind || r.id as key, r.person_id from person_records r, unnest(array['p:', 'i:']) kind
			where r.id = any($1) and r.id <> r.person_id
			union all
			select 'u:' || i.value, i.person_id from person_identifiers i where i.kind = $2 and i.value = any($3)
		) k join people p on p.id = k.person_id where $4::text[] is null or p.owner = any($4)`,
		ids, int16(networksql.IdentifierProfile), profiles, []string(seen))
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

// putIdentifiers replaces the identifiers of people that have no column in their rows. A row without profiles, as of a
// load or refresh, leaves the other profiles of a merged person.
func (w *WriteTx) putIdentifiers(ctx context.Context, values []personValues, fresh bool) error {
	var ids []int64
	var keep []bool
	var rows [][]any
	for _, v := range values {
		p := &v.row.Person
		ids, keep = append(ids, p.ID), append(keep, v.row.Profiles == nil)
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
	if !fresh && len(ids) > 0 {
		err := conn.Exec(ctx, w.Tx, "identifiers", `delete from person_identifiers i
			using unnest($1::bigint[], $2::bool[]) as n (id, keep)
			where i.person_id = n.id and not (n.keep and i.kind = $3)`, ids, keep, int16(networksql.IdentifierProfile))
		if err != nil {
			return err
		}
	}
	return copyRows(ctx, w.Tx, "person_identifiers", rows, "person_id", "kind", "value")
}
