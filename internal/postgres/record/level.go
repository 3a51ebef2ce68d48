package record

import (
	"context"

	"kith/internal/postgres/conn"
)

// Unseen implements [indexer.Ledger].
func (db Queue) Unseen(ctx context.Context) (version int64, unseen bool, err error) {
	err = db.Querier().QueryRow(ctx, `select w.version, w.version > l.version and not exists (select from outbox)
		from index_level l, (select greatest((select max(version) from people), (select max(version)
		from companies), 0)) w (version)`).Scan(&version, &unseen)
	return version, unseen, conn.Named("state of the index", err)
}

// SetSeen implements [indexer.Ledger].
func (db Queue) SetSeen(ctx context.Context, version int64) error {
	return conn.Exec(ctx, db.Querier(), "state of the index", "update index_level set version = greatest(version, $1)",
		version)
}

// Written implements Journal of internal/search/proximity. A person's document also depends on the records of the
// person's companies.
func (db Queue) Written(ctx context.Context, version int64, n int) (built, level int64, people []int64, err error) {
	// Materialized, so that Postgres reads a company's people from the index, however few are needed.
	err = db.Querier().QueryRow(ctx, `select built, version, array(
			(select id from people where version > $1 limit $2)
			union all (select p.id from (select id from companies where version > $1 limit $2) c, lateral (
				with staff as materialized (select id from people where company_ids @> array[c.id]) select id
				from staff) p limit $2) limit $2)
		from index_level`, version, n).Scan(&built, &level, &people)
	return built, level, people, conn.Named("people written", err)
}
