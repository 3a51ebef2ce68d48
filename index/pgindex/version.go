package pgindex

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/index"
	"kith/mappings"
)

// versionLock is the advisory lock that changes to the list of versions take,
// together with the schema.
const versionLock = 0x6b697468 // "kith"

// Setup creates the list of versions and a first, empty, active version, where
// they are not there yet. Any number of processes may call it at once.
func (ix *Index) Setup(ctx context.Context) error {
	return ix.change(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, mappings.PostgresRegistry()); err != nil {
			return fmt.Errorf("creating the list of index versions: %w", err)
		}
		var ready bool
		if err := tx.QueryRow(ctx, "SELECT EXISTS (SELECT FROM index_versions WHERE active)").Scan(&ready); err != nil || ready {
			return err
		}
		name, err := create(ctx, tx)
		if err != nil {
			return err
		}
		return activate(ctx, tx, name)
	})
}

// change runs f in a transaction, apart from all other changes to the versions
// of the schema.
func (ix *Index) change(ctx context.Context, f func(tx pgx.Tx) error) error {
	return fault(pgx.BeginFunc(ctx, ix.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1, hashtext(current_schema()))", int32(versionLock)); err != nil {
			return fmt.Errorf("locking the index versions: %w", err)
		}
		return f(tx)
	}))
}

// Versions implements [index.Writer].
func (ix *Index) Versions(ctx context.Context) ([]index.Version, error) {
	rows, err := ix.pool.Query(ctx, "SELECT name, active FROM index_versions ORDER BY number")
	if err != nil {
		return nil, fault(err)
	}
	versions, err := pgx.CollectRows(rows, pgx.RowToStructByPos[index.Version])
	return versions, fault(err)
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
	if err := tx.QueryRow(ctx, "INSERT INTO index_versions DEFAULT VALUES RETURNING name").Scan(&name); err != nil {
		return "", fmt.Errorf("naming an index version: %w", err)
	}
	if _, err := tx.Exec(ctx, mappings.PostgresTables(name)); err != nil {
		return "", fmt.Errorf("creating the tables of index version %s: %w", name, err)
	}
	return name, nil
}

// Activate implements [index.Writer]. It gathers the version's statistics
// first, so that the first searches run as well as later ones.
func (ix *Index) Activate(ctx context.Context, name string) error {
	return ix.change(ctx, func(tx pgx.Tx) error {
		active, err := find(ctx, tx, name)
		if err != nil || active {
			return err
		}
		if err := gather(ctx, tx, name); err != nil {
			return err
		}
		return activate(ctx, tx, name)
	})
}

// find tells whether a version is active; one that is not there is an error.
func find(ctx context.Context, tx pgx.Tx, name string) (active bool, err error) {
	err = tx.QueryRow(ctx, "SELECT active FROM index_versions WHERE name = $1", name).Scan(&active)
	if isNoRows(err) {
		return false, kith.Errorf(kith.NotFound, "INDEX_VERSION_NOT_FOUND", "there is no index version %q", name)
	}
	return active, err
}

func activate(ctx context.Context, tx pgx.Tx, name string) error {
	// Two statements, because of the index that allows one active version.
	for _, sql := range []string{
		"UPDATE index_versions SET active = false WHERE active",
		"UPDATE index_versions SET active = true WHERE name = '" + name + "'",
		mappings.PostgresViews(name),
	} {
		if _, err := tx.Exec(ctx, sql); err != nil {
			return fmt.Errorf("activating index version %s: %w", name, err)
		}
	}
	return nil
}

// gather makes the statistics of a version's tables new.
func gather(ctx context.Context, tx pgx.Tx, name string) error {
	if _, err := tx.Exec(ctx, fmt.Sprintf("ANALYZE people_%s, people_nested_%s, companies_%s", name, name, name)); err != nil {
		return fmt.Errorf("gathering statistics of index version %s: %w", name, err)
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
			return kith.Errorf(kith.Conflict, "INDEX_VERSION_ACTIVE", "index version %q is active; activate another one first", name)
		}
		// The row goes first: it waits for writers, who hold it.
		if _, err := tx.Exec(ctx, "DELETE FROM index_versions WHERE name = $1", name); err != nil {
			return fmt.Errorf("dropping index version %s: %w", name, err)
		}
		if _, err := tx.Exec(ctx, mappings.PostgresDrop(name)); err != nil {
			return fmt.Errorf("dropping the tables of index version %s: %w", name, err)
		}
		return nil
	})
}
