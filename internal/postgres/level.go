package postgres

import (
	"context"
	"fmt"
)

// Unseen implements [indexer.Ledger].
func (db *DB) Unseen(ctx context.Context) (version int64, unseen bool, err error) {
	err = db.pool.QueryRow(ctx, `select w.version, w.version > l.version and not exists (select from outbox)
		from index_level l, (select greatest((select max(version) from people), (select max(version)
		from companies), 0)) w (version)`).Scan(&version, &unseen)
	if err != nil {
		return 0, false, fmt.Errorf("state of the index: %w", classify(err))
	}
	return version, unseen, nil
}

// SetSeen implements [indexer.Ledger].
func (db *DB) SetSeen(ctx context.Context, version int64) error {
	return Exec(ctx, db.pool, "state of the index", "update index_level set version = greatest(version, $1)", version)
}

// Written implements Journal of internal/search/proximity. A person's document also depends on the records of the
// person's companies.
func (db *DB) Written(ctx context.Context, version int64, n int) (built, level int64, people []int64, err error) {
	// Materialized, so that Postgres reads a company's people from the index, however few are needed.
	err = db.pool.QueryRow(ctx, `select built, version, array(
			(select id from people where version > $1 limit $2)
			union all (select p.id from (select id from companies where version > $1 limit $2) c, lateral (
				with staff as materialized (select id from people where company_ids @> array[c.id]) select id from staff) p
				limit $2) limit $2)
		from index_level`, version, n).Scan(&built, &level, &people)
	if err != nil {
		return 0, 0, nil, fmt.Errorf("people written: %w", classify(err))
	}
	return built, level, people, nil
}
