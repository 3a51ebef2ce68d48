package record

import (
	"context"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	networksql "kith/internal/postgres/network"
	"kith/internal/record"
	"kith/internal/record/enrich"
)

var _ enrich.Records = (*Store)(nil)

// ByProfile implements [enrich.Records]. People and their companies come from one snapshot.
func (db *Store) ByProfile(ctx context.Context, v kith.Viewer, keys []string) (map[string]kith.Person, error) {
	found := map[string]kith.Person{}
	err := db.InSnapshot(ctx, "read profiles", func(tx pgx.Tx) error {
		seen, err := access.VisibleOwners(ctx, tx, v)
		if err != nil {
			return err
		}
		byID, err := idsOfProfiles(ctx, tx, keys, seen)
		if err != nil || len(byID) == 0 {
			return err
		}
		people, err := db.ReadPeople(ctx, tx, slices.Collect(maps.Keys(byID)))
		for _, p := range people {
			for _, key := range byID[p.Person.ID] {
				// Records of everyone take precedence over owned ones.
				if found[key].ID == 0 || p.Owner == record.Everyone {
					found[key] = p.Person
				}
			}
		}
		return err
	})
	return found, err
}

// ByIdentifier implements [enrich.Records].
func (db *Store) ByIdentifier(
	ctx context.Context,
	v kith.Viewer,
	identifiers []string,
) (map[string]kith.Person, error) {
	found := map[string]kith.Person{}
	err := db.InSnapshot(ctx, "read people", func(tx pgx.Tx) error {
		seen, err := access.VisibleOwners(ctx, tx, v)
		if err != nil {
			return err
		}
		ids, err := networksql.IdentifyForViewer(ctx, tx, v, identifiers, seen)
		if err != nil {
			return err
		}
		people, err := db.ReadPeople(ctx, tx, ids)
		for _, p := range people {
			for i, id := range ids {
				if id == p.Person.ID {
					found[identifiers[i]] = p.Person
				}
			}
		}
		return err
	})
	return found, err
}

// idsOfProfiles returns the profile keys of people, by id.
func idsOfProfiles(ctx context.Context, tx pgx.Tx, keys []string, seen access.Sight) (map[int64][]string, error) {
	byID := map[int64][]string{}
	var id int64
	var key string
	err := conn.ForEach(ctx, tx, "ids of profiles", []any{&id, &key}, func() error {
		byID[id] = append(byID[id], key)
		return nil
	}, `select p.id, k.value from (
			select id, social_key as value from people where social_key = any($1)
			union select a.person_id, a.value from person_identifiers a where a.kind = 1 and a.value = any($1)) k
		join people p on p.id = k.id where $2::text[] is null or p.owner = any($2)`, keys, []string(seen))
	return byID, err
}
