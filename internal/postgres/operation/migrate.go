package operation

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith/index/pgfault"
	"kith/internal/operation/tasks"
	"kith/internal/postgres/conn"
)

// Migrations use our own few lines instead of tern or goose: forward only, separately for each schema of a database,
// all pending files in one transaction under one lock. That is less than configuring either, and adds no module.
//
//go:embed migrations/*.sql
var migrations embed.FS

// migration is one file, NNNN_name.sql. It must not contain statements that cannot run inside a transaction (create
// index concurrently).
type migration struct {
	version int
	name    string
	sql     string
}

// Migrate creates the schema if missing and migrates it to the version of this binary. Concurrent calls wait for one
// another; it applies all pending migrations or none. It refuses a database newer than the binary.
func (db *Store) Migrate(ctx context.Context) error {
	if err := db.applyFiles(ctx, migrations); err != nil {
		return fmt.Errorf("migrate schema %s: %w", db.Schema(), lackingRights(err, db.Schema()))
	}
	if err := db.migrateQueue(ctx); err != nil {
		return fmt.Errorf("migrate schema %s: %w", db.Schema(), err)
	}
	return nil
}

func (db *Store) applyFiles(ctx context.Context, files fs.FS) error {
	all, err := readMigrations(files)
	if err != nil {
		return err
	}
	return db.InTx(ctx, "migrate", func(tx pgx.Tx) error { return applyMigrations(ctx, tx, db.Schema(), all) })
}

// lackingRights adds to an error which rights the database user lacks.
func lackingRights(err error, schema string) error {
	switch pgfault.Code(err) {
	case "42501", "3F000": // permission denied; a schema without usage right appears missing
		return fmt.Errorf("%w; let the user of --database-url create schemas there (grant create on database …), or "+
			"give "+"it this one (create schema %s authorization …)", err, pgx.Identifier{schema}.Sanitize())
	}
	return err
}

// migrateQueue creates the queue's tables, which have migrations of their own.
func (db *Store) migrateQueue(ctx context.Context) error {
	release, err := db.Lock(ctx, "migrate-queue")
	if err != nil {
		return err
	}
	defer release()
	return conn.Classify(tasks.Migrate(ctx, db.Pool(), db.Schema(), 0))
}

func applyMigrations(ctx context.Context, tx pgx.Tx, schema string, all []migration) error {
	// A migration of many records takes long, and so does waiting for it.
	if _, err := tx.Exec(ctx, "set local statement_timeout = 0"); err != nil {
		return err
	}
	// One lock for all schemas, because concurrent create schema is not safe.
	if _, err := tx.Exec(ctx, "select pg_advisory_xact_lock($1, 0)", conn.LockClass); err != nil {
		return err
	}
	if err := createSchema(ctx, tx, schema); err != nil {
		return err
	}
	applied, err := conn.Collect(ctx, tx, "versions", pgx.RowTo[int],
		"select version from schema_version order by version desc")
	if err != nil {
		return err
	}
	if last := all[len(all)-1].version; len(applied) > 0 && applied[0] > last {
		at := applied[0]
		return fmt.Errorf("the database is at version %d and this kith knows only %d: run the newer kith that last "+
			"used it", at, last)
	}
	for _, m := range all {
		if slices.Contains(applied, m.version) {
			continue
		}
		if _, err := tx.Exec(ctx, m.sql); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
		if _, err := tx.Exec(ctx, "insert into schema_version (version, name) values ($1, $2)", m.version,
			m.name); err != nil {
			return err
		}
	}
	return nil
}

func createSchema(ctx context.Context, tx pgx.Tx, schema string) error {
	var exists bool
	err := tx.QueryRow(ctx, "select exists (select from pg_namespace where nspname = $1)", schema).Scan(&exists)
	if err != nil {
		return err
	}
	// Checked first, because "create schema if not exists" needs a right that the operator may have withheld.
	if !exists {
		if _, err := tx.Exec(ctx, "create schema "+pgx.Identifier{schema}.Sanitize()); err != nil {
			return err
		}
	}
	_, err = tx.Exec(ctx, `create table if not exists schema_version (
		version int primary key, name text not null, applied_at timestamptz not null default now())`)
	return err
}

// readMigrations returns the files in order and checks that each has a unique number of four digits. Gaps are numbers
// reserved by branches.
func readMigrations(files fs.FS) ([]migration, error) {
	names, err := fs.Glob(files, "migrations/*.sql")
	if err != nil {
		return nil, err
	}
	var all []migration
	for _, path := range names {
		name := strings.TrimPrefix(path, "migrations/")
		number, _, _ := strings.Cut(name, "_")
		version, err := strconv.Atoi(number)
		if err != nil || len(number) != 4 || len(all) > 0 && version <= all[len(all)-1].version {
			return nil, fmt.Errorf("migration %s: the name must begin with a number of four digits that no other has",
				name)
		}
		sql, err := fs.ReadFile(files, path)
		if err != nil {
			return nil, err
		}
		all = append(all, migration{version: version, name: name, sql: string(sql)})
	}
	return all, nil
}
