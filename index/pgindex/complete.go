package pgindex

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5/pgxpool"
	"golang.org/x/sync/errgroup"

	"kith/index/pgfault"
	"kith/mappings"
)

// Complete implements [index.Writer]. It builds the indexes of a version, gathers its statistics and vacuums its
// rows. Without the vacuum the first searches would settle the rows one by one, while autovacuum reads them all. If
// the active version is empty, writes wait for the indexes: they are then built in parallel, and without write-ahead
// log where Postgres needs none for new files.
func (ix *Index) Complete(ctx context.Context, name string) error {
	active, err := find(ctx, ix.pool, name)
	if err != nil || active {
		return pgfault.Classify(err)
	}
	alone, err := ix.hasNoPeople(ctx)
	if err != nil {
		return pgfault.Classify(err)
	}
	indexes := mappings.PostgresIndexes(name, !alone)
	first, rest := indexes[:1], indexes[1:] // the index on terms takes as long as all others together
	steps := []func(conn *pgxpool.Conn) error{
		func(conn *pgxpool.Conn) error { return execAll(ctx, conn, first) },
		func(conn *pgxpool.Conn) error {
			if err := execAll(ctx, conn, rest); err != nil {
				return err
			}
			return ix.makeTiers(ctx, conn, name, !alone)
		},
	}
	err = ix.long(ctx, func(conn *pgxpool.Conn) error { return dropBroken(ctx, conn, name) })
	if err == nil {
		err = ix.runSteps(ctx, alone, steps)
	}
	if err == nil {
		err = ix.long(ctx, func(conn *pgxpool.Conn) error {
			return execAll(ctx, conn, []string{"VACUUM (ANALYZE) " + tables(name)})
		})
	}
	if err != nil {
		err = fmt.Errorf("completing index version %s: %w", name, err)
	}
	return pgfault.Classify(err)
}

// hasNoPeople reports whether the active version has no people, or does not exist.
func (ix *Index) hasNoPeople(ctx context.Context) (alone bool, err error) {
	active, err := names(ctx, ix.pool, "finding the active index version",
		"SELECT name FROM index_versions WHERE active")
	if err != nil || len(active) == 0 {
		return err == nil, err
	}
	err = ix.pool.QueryRow(ctx, "SELECT NOT EXISTS (SELECT FROM people_"+active[0]+")").Scan(&alone)
	return alone, err
}

// runSteps runs steps, one by one or in parallel, each on a connection with a long timeout.
func (ix *Index) runSteps(ctx context.Context, atOnce bool, steps []func(conn *pgxpool.Conn) error) error {
	group, ctx := errgroup.WithContext(ctx)
	if !atOnce {
		group.SetLimit(1) // Postgres builds one index of a table at a time while writes continue
	}
	for _, step := range steps {
		group.Go(func() error { return ix.long(ctx, step) })
	}
	return group.Wait()
}

func execAll(ctx context.Context, conn *pgxpool.Conn, statements []string) error {
	for _, sql := range statements {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return err
		}
	}
	return nil
}

// Completed implements [index.Completer]. It reports the progress of the index build that started first.
func (ix *Index) Completed(ctx context.Context, version string) (share float64, err error) {
	err = ix.pool.QueryRow(ctx, `SELECT coalesce((
  SELECT p.blocks_done::float8 / nullif(p.blocks_total, 0)
  FROM pg_stat_progress_create_index p JOIN pg_stat_activity a USING (pid)
  WHERE p.relid = to_regclass($1) ORDER BY a.query_start LIMIT 1), 0)`, "people_"+version).Scan(&share)
	return share, pgfault.Classify(err)
}
