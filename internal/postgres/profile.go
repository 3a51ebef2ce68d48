package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/index/load"
	"kith/internal/enrich"
)

var _ enrich.Records = (*DB)(nil)

// ByProfile implements [enrich.Records], for the caller of ctx. People and their companies are as of
// one moment.
func (db *DB) ByProfile(ctx context.Context, keys []string) (map[string]kith.Person, error) {
	found := map[string]kith.Person{}
	err := db.inSnapshot(ctx, func(tx pgx.Tx) error {
		seen, err := seenBy(ctx, tx)
		if err != nil {
			return err
		}
		byID, err := idsOfProfiles(ctx, tx, keys, seen)
		if err != nil || len(byID) == 0 {
			return err
		}
		ids := make([]int64, 0, len(byID))
		for id := range byID {
			ids = append(ids, id)
		}
		people, err := db.readPeople(ctx, tx, ids)
		for _, p := range people {
			// One that belongs to everyone comes before one of an owner.
			if key := byID[p.Person.ID]; found[key].ID == 0 || p.Owner == load.Everyone {
				found[key] = p.Person
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read profiles: %w", err)
	}
	return found, nil
}

// idsOfProfiles returns the keys by the ids of the people who have them.
func idsOfProfiles(ctx context.Context, tx pgx.Tx, keys []string, seen sight) (map[int64]string, error) {
	byID := map[int64]string{}
	var id int64
	var key string
	err := forEach(ctx, tx, "ids of profiles", []any{&id, &key}, func() error {
		byID[id] = key
		return nil
	}, "select id, social_key from people where social_key = any($1) and ($2::text[] is null or owner = any($2))", keys, []string(seen))
	return byID, err
}
