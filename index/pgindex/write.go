package pgindex

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith"
	"kith/index"
	"kith/index/pgfault"
	"kith/query/indexed"
)

// refreshAfter is how many documents may be written before Refresh gathers new statistics.
const refreshAfter = 20000

// Write implements [index.Writer].
func (ix *Index) Write(ctx context.Context, c index.Collection, versions []string, docs []indexed.Flat,
	deletes []int64,
) error {
	if len(versions) == 0 || len(docs)+len(deletes) == 0 {
		return ctx.Err()
	}
	b := &batch{c: c, docs: newest(docs), deletes: slices.Sorted(slices.Values(deletes))}
	names := slices.Compact(slices.Sorted(slices.Values(versions)))
	if len(names) == 1 && len(deletes) == 0 {
		if ok, err := ix.fill(ctx, b, names[0]); ok || err != nil {
			return pgfault.Classify(err)
		}
	}
	for {
		err := pgx.BeginFunc(ctx, ix.pool, func(tx pgx.Tx) error { return b.write(ctx, tx, names) })
		if pgfault.Code(err) == pgfault.DeadlockDetected || pgfault.Code(err) == pgfault.Serialization {
			// Another writer had some of the same documents; its transaction goes first.
			continue
		}
		if err == nil {
			ix.unseen.Add(int64(len(b.docs)))
		}
		return pgfault.Classify(err)
	}
}

// newest returns the newest version of each document, ordered by identifier.
func newest(docs []indexed.Flat) []indexed.Flat {
	sorted := slices.Clone(docs)
	slices.SortStableFunc(sorted, func(a, b indexed.Flat) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(b.Version, a.Version))
	})
	return slices.CompactFunc(sorted, func(a, b indexed.Flat) bool { return a.ID == b.ID })
}

// batch is one call of Write.
type batch struct {
	c       index.Collection
	docs    []indexed.Flat
	deletes []int64
}

func (b *batch) write(ctx context.Context, tx pgx.Tx, versions []string) error {
	layouts, err := hold(ctx, tx, versions)
	if err != nil {
		return err
	}
	var staged *layout
	for _, l := range layouts {
		if len(b.docs) > 0 {
			if staged == nil || !staged.same(l) {
				if err := b.stage(ctx, tx, l); err != nil {
					return err
				}
				staged = &l
			}
			if err := b.merge(ctx, tx, l); err != nil {
				return err
			}
		}
		if err := b.remove(ctx, tx, l.version); err != nil {
			return err
		}
	}
	return nil
}

// hold locks the versions against dropping until the transaction ends, and returns their layouts ordered by name.
func hold(ctx context.Context, tx pgx.Tx, versions []string) ([]layout, error) {
	rows, err := tx.Query(ctx, "SELECT name, fields, active FROM index_versions WHERE name = ANY($1) "+
		"ORDER BY name FOR KEY SHARE", versions)
	if err != nil {
		return nil, fmt.Errorf("holding the index versions: %w", err)
	}
	have, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (layout, error) {
		var name string
		var fields []string
		var active bool
		err := row.Scan(&name, &fields, &active)
		l := newLayout(name, fields)
		l.active = active
		return l, err
	})
	if err != nil {
		return nil, fmt.Errorf("holding the index versions: %w", err)
	}
	for _, name := range versions {
		if !slices.ContainsFunc(have, func(l layout) bool { return l.version == name }) {
			return nil, kith.Errorf(kith.NotFound, "INDEX_VERSION_NOT_FOUND", "there is no index version %q", name)
		}
	}
	return have, nil
}

// remove deletes documents from a version.
func (b *batch) remove(ctx context.Context, tx pgx.Tx, version string) error {
	if len(b.deletes) == 0 {
		return nil
	}
	if _, err := tx.Exec(ctx, fmt.Sprintf("DELETE FROM %s_%s WHERE id = ANY($1)", b.c, version),
		b.deletes); err != nil {
		return fmt.Errorf("deleting from index version %s: %w", version, err)
	}
	if b.c != index.People {
		return nil
	}
	if _, err := tx.Exec(ctx, fmt.Sprintf("DELETE FROM people_nested_%s WHERE person_id = ANY($1)", version),
		b.deletes); err != nil {
		return fmt.Errorf("deleting sub-documents from index version %s: %w", version, err)
	}
	return nil
}

// Refresh implements [index.Writer]. Writes are visible at once; after many writes it gathers statistics, and creates
// missing and outgrown tiers of a version that has grown.
func (ix *Index) Refresh(ctx context.Context) error {
	unseen := ix.unseen.Load()
	if unseen < ix.limits.refresh {
		return ctx.Err()
	}
	var name string
	err := pgx.BeginFunc(ctx, ix.pool, func(tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, "SELECT name FROM index_versions WHERE active FOR KEY "+
			"SHARE").Scan(&name); err != nil {
			return fmt.Errorf("finding the active index version: %w", err)
		}
		_, err := tx.Exec(ctx, "ANALYZE "+tables(name))
		return err
	})
	if err != nil {
		return pgfault.Classify(err)
	}
	ix.unseen.Add(-unseen) // what was written meanwhile still counts
	err = ix.long(ctx, func(conn *pgxpool.Conn) error { return ix.growTiers(ctx, conn, name) })
	if pgfault.Code(err) == pgfault.UndefinedTable {
		return nil // the version was replaced and dropped meanwhile
	}
	return pgfault.Classify(err)
}
