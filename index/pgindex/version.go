package pgindex

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith"
	"kith/index"
	"kith/index/pgfault"
	"kith/mappings"
)

// versionLock is the advisory lock for changes to the list of versions, together with the schema.
const versionLock = 0x6b697468 // "kith"

// Setup creates the list of versions and a first, empty, active version, if missing. Concurrent calls from several
// processes are safe.
func (ix *Index) Setup(ctx context.Context) error {
	return ix.change(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, mappings.PostgresRegistry()); err != nil {
			return fmt.Errorf("creating the list of index versions: %w", err)
		}
		var ready bool
		if err := tx.QueryRow(ctx,
			"SELECT EXISTS (SELECT FROM index_versions WHERE active)").Scan(&ready); err != nil || ready {
			return err
		}
		name, err := create(ctx, tx)
		if err != nil {
			return err
		}
		for _, sql := range mappings.PostgresIndexes(name, false) {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return fmt.Errorf("making the indexes of version %s: %w", name, err)
			}
		}
		return activate(ctx, tx, name)
	})
}

// change runs f in a transaction that excludes all other changes to the versions of the schema.
func (ix *Index) change(ctx context.Context, f func(tx pgx.Tx) error) error {
	return pgfault.Classify(pgx.BeginFunc(ctx, ix.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1, hashtext(current_schema()))",
			int32(versionLock)); err != nil {
			return fmt.Errorf("locking the index versions: %w", err)
		}
		return f(tx)
	}))
}

// Versions implements [index.Writer].
func (ix *Index) Versions(ctx context.Context) ([]index.Version, error) {
	rows, err := ix.pool.Query(ctx, "SELECT name, active, '' AS id, '' AS mark FROM index_versions ORDER BY number")
	if err != nil {
		return nil, pgfault.Classify(err)
	}
	versions, err := pgx.CollectRows(rows, pgx.RowToStructByPos[index.Version])
	return versions, pgfault.Classify(err)
}

// Create implements [index.Writer].
func (ix *Index) Create(ctx context.Context) (name string, err error) {
	err = ix.change(ctx, func(tx pgx.Tx) error {
		name, err = create(ctx, tx)
		return err
	})
	return name, err
}

func create(ctx context.Context, tx pgx.Tx) (name string, err error) {
	if err := tx.QueryRow(ctx, "INSERT INTO index_versions (fields) VALUES ($1) RETURNING name",
		mappings.Fields()).Scan(&name); err != nil {
		return "", fmt.Errorf("naming an index version: %w", err)
	}
	if _, err := tx.Exec(ctx, mappings.PostgresTables(name)); err != nil {
		return "", fmt.Errorf("creating the tables of index version %s: %w", name, err)
	}
	return name, nil
}

// Documents implements [index.Counter].
func (ix *Index) Documents(ctx context.Context, c index.Collection, version string) (n int64, err error) {
	err = ix.pool.QueryRow(ctx, fmt.Sprintf("SELECT count(*) FROM %s_%s", c, version)).Scan(&n)
	return n, pgfault.Classify(err)
}

// Activate implements [index.Writer].
func (ix *Index) Activate(ctx context.Context, name string) error {
	return ix.change(ctx, func(tx pgx.Tx) error {
		active, err := find(ctx, tx, name)
		if err != nil || active {
			return err
		}
		return activate(ctx, tx, name)
	})
}

// buildMemory is maintenance_work_mem for building an index. With more, indexes on terms become larger and slower to
// build: Postgres writes each memory load in the order of terms, and leaves half-empty pages where nothing follows.
const buildMemory = "32MB"

// long runs f on a connection with a timeout of two hours.
func (ix *Index) long(ctx context.Context, f func(conn *pgxpool.Conn) error) error {
	conn, err := ix.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	defer func() {
		// on failure the connection is broken, and the pool drops it
		_, _ = conn.Exec(context.WithoutCancel(ctx), "RESET maintenance_work_mem; RESET statement_timeout")
	}()
	if _, err := conn.Exec(ctx, "SET maintenance_work_mem = '"+buildMemory+"'; SET statement_timeout = "+
		"'2h'"); err != nil {
		return err
	}
	return f(conn)
}

// names reads a list of names; doing is the action for error messages.
func names(ctx context.Context, on querier, doing, sql string, args ...any) ([]string, error) {
	rows, err := on.Query(ctx, sql, args...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	out, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doing, err)
	}
	return out, nil
}

// dropBroken drops invalid indexes of an earlier, interrupted attempt.
func dropBroken(ctx context.Context, conn *pgxpool.Conn, name string) error {
	broken, err := names(ctx, conn, "looking for broken indexes", `SELECT i.indexrelid::regclass::text FROM pg_index i
WHERE NOT i.indisvalid AND i.indrelid = ANY(ARRAY[to_regclass($1),
	to_regclass($2)]::regclass[])`, "people_"+name, "companies_"+name)
	if err != nil {
		return err
	}
	for _, index := range broken {
		if _, err := conn.Exec(ctx, "DROP INDEX IF EXISTS "+index); err != nil {
			return fmt.Errorf("dropping a broken index: %w", err)
		}
	}
	return nil
}

// tables lists the tables of a version for a statement on all of them.
func tables(name string) string {
	return fmt.Sprintf("people_%[1]s, people_nested_%[1]s, companies_%[1]s", name)
}

// querier is a pool, a connection or a transaction.
type querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// find reports whether a version is active; an unknown version is an error.
func find(ctx context.Context, db querier, name string) (active bool, err error) {
	err = db.QueryRow(ctx, "SELECT active FROM index_versions WHERE name = $1", name).Scan(&active)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, kith.Errorf(kith.NotFound, "INDEX_VERSION_NOT_FOUND", "there is no index version %q", name)
	}
	return active, err
}

func activate(ctx context.Context, tx pgx.Tx, name string) error {
	// Two updates, because a unique index allows only one active version.
	_, err := tx.Exec(ctx, "UPDATE index_versions SET active = false WHERE active")
	var fields []string
	if err == nil {
		err = tx.QueryRow(ctx, "UPDATE index_versions SET active = true WHERE name = $1 RETURNING fields",
			name).Scan(&fields)
	}
	if err == nil { // the views show the active version
		_, err = tx.Exec(ctx, mappings.PostgresViews(name, fields))
	}
	if err != nil {
		return fmt.Errorf("activating index version %s: %w", name, err)
	}
	return nil
}

// Drop implements [index.Writer].
func (ix *Index) Drop(ctx context.Context, name string) error {
	return ix.change(ctx, func(tx pgx.Tx) error {
		active, err := find(ctx, tx, name)
		if err != nil {
			return err
		}
		if active {
			return kith.Errorf(kith.Conflict, "INDEX_VERSION_ACTIVE",
				"index version %q is active; activate another one first", name)
		}
		// The row goes first: deleting it waits for writers, which lock it.
		if _, err := tx.Exec(ctx, "DELETE FROM index_versions WHERE name = $1", name); err != nil {
			return fmt.Errorf("dropping index version %s: %w", name, err)
		}
		if _, err := tx.Exec(ctx, mappings.PostgresDrop(name)); err != nil {
			return fmt.Errorf("dropping the tables of index version %s: %w", name, err)
		}
		return nil
	})
}
