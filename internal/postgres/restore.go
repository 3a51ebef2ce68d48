package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/backup"
	"kith/internal/jobs"
)

// restoring is added to the name of a schema while a backup is being put there.
const restoring = "_restoring"

// RestoreOptions say where a backup is put.
type RestoreOptions struct {
	// Schema is that of the directory; see [Options].
	Schema string
	// Replace has the directory that is there replaced, with all that is in it.
	Replace bool
}

// Restore puts a backup into a database that has no such directory yet, or in the place
// of the one that is there. The tables are filled beside it and get their name when all of
// the backup was read and has proved whole, so a failure leaves what was there. No kith may
// be serving the directory. The index is not part of a backup: see [DB.Built].
func Restore(ctx context.Context, dsn string, r *backup.Reader, opts RestoreOptions) error {
	target, err := Open(ctx, dsn, Options{Schema: opts.Schema, Name: "kith restore"})
	if err != nil {
		return err
	}
	defer target.Close()
	if err := target.mayRestore(ctx, opts.Replace); err != nil {
		return err
	}
	beside, err := Open(ctx, dsn, Options{Schema: target.schema + restoring, Name: "kith restore"})
	if err != nil {
		return err
	}
	defer beside.Close()
	release, ok, err := beside.TryLock(ctx, "restore")
	if err != nil {
		return err
	}
	if !ok {
		return errors.New("another kith restores into this database: wait for its end")
	}
	defer release()
	if err := beside.fill(ctx, r); err != nil {
		return errors.Join(fmt.Errorf("restore: %w", err), dropSchema(context.WithoutCancel(ctx), beside.pool, beside.schema))
	}
	return target.replaceBy(ctx, beside.schema)
}

// mayRestore says why nothing can be put here.
func (db *DB) mayRestore(ctx context.Context, replace bool) error {
	filled, err := value[bool](ctx, db.pool, "restore", `select exists (select from pg_class
		where relnamespace = (select oid from pg_namespace where nspname = $1))`, db.schema)
	if err != nil {
		return err
	}
	if filled && !replace {
		return kith.Errorf(kith.Conflict, "NOT_EMPTY",
			"the database has a directory already (schema %s): restore into an empty one, or repeat with --force to replace "+
				"it with all that is in it", db.schema)
	}
	users, err := value[int](ctx, db.pool, "restore", `select count(*) from pg_stat_activity
		where datname = current_database() and application_name = 'kith' and pid <> pg_backend_pid()`)
	if err == nil && filled && users > 0 {
		err = kith.Errorf(kith.Conflict, "IN_USE",
			"kith is at work on this database (%d connections): stop `kith serve` and other commands before a restore", users)
	}
	return err
}

func dropSchema(ctx context.Context, q querier, schema string) error {
	return exec(ctx, q, "drop the schema "+schema, "drop schema if exists "+pgx.Identifier{schema}.Sanitize()+" cascade")
}

// fill makes the tables as they were when the backup was made, and their rows.
func (db *DB) fill(ctx context.Context, r *backup.Reader) error {
	known, err := readMigrations(migrations)
	if err != nil {
		return err
	}
	had, err := chosen(known, r.Manifest)
	if err != nil {
		return err
	}
	// What a restore left that was killed.
	if err := dropSchema(ctx, db.pool, db.schema); err != nil {
		return err
	}
	err = db.inTx(ctx, func(tx pgx.Tx) error { return applyMigrations(ctx, tx, db.schema, had) })
	if err != nil {
		return lackingRights(err, db.schema)
	}
	if err := jobs.MigrateTo(ctx, db.pool.Pool, db.schema, r.Manifest.Queue); err != nil {
		return classify(err)
	}
	return db.inTx(ctx, func(tx pgx.Tx) error { return db.copyIn(ctx, tx, r) })
}

// chosen are the migrations that a backup has had.
func chosen(known []migration, m backup.Manifest) ([]migration, error) {
	for _, version := range m.Migrations {
		if !slices.ContainsFunc(known, func(k migration) bool { return k.version == version }) {
			return nil, fmt.Errorf("the backup was written by a newer kith (%s, migration %d): restore it with that one", m.Kith,
				version)
		}
	}
	had := slices.DeleteFunc(slices.Clone(known),
		func(k migration) bool { return !slices.Contains(m.Migrations, k.version) })
	if len(had) == 0 {
		return nil, errors.New("the backup names no migrations: it is damaged")
	}
	return had, nil
}

// copyIn fills the tables. Triggers sleep meanwhile: what they would do has been done.
func (db *DB) copyIn(ctx context.Context, tx pgx.Tx, r *backup.Reader) error {
	if _, err := tx.Exec(ctx, "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set "+
		"constraints all deferred"); err != nil {
		return err
	}
	if err := eachTable(ctx, tx, r.Manifest.Tables, "alter table %s disable trigger user"); err != nil {
		return err
	}
	for _, t := range r.Manifest.Tables { // of what migrations have put there
		if _, err := tx.Exec(ctx, "delete from "+pgx.Identifier{t.Name}.Sanitize()); err != nil {
			return err
		}
	}
	err := r.Each(func(t backup.Table, rows io.Reader) error {
		_, err := tx.Conn().PgConn().CopyFrom(ctx, rows,
			"copy "+pgx.Identifier{t.Name}.Sanitize()+" ("+columnsOf(t)+") from stdin")
		if err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, q := range r.Manifest.Sequences {
		if _, err := tx.Exec(ctx, "select setval($1::regclass, $2, $3)", pgx.Identifier{q.Name}.Sanitize(), q.Last,
			q.Called); err != nil {
			return fmt.Errorf("sequence %s: %w", q.Name, err)
		}
	}
	if err := eachTable(ctx, tx, r.Manifest.Tables, "alter table %s enable trigger user"); err != nil {
		return err
	}
	// The index is another one, or none: it is to be built from the records.
	_, err = tx.Exec(ctx, "delete from settings where key = any($1)",
		[]string{settingBuilt, settingClaimed, settingVocabularyBuilding})
	return err
}

func eachTable(ctx context.Context, tx pgx.Tx, tables []backup.Table, sql string) error {
	for _, t := range tables {
		if _, err := tx.Exec(ctx, fmt.Sprintf(sql, pgx.Identifier{t.Name}.Sanitize())); err != nil {
			return err
		}
	}
	return nil
}

// replaceBy gives the name of the directory to another schema.
func (db *DB) replaceBy(ctx context.Context, schema string) error {
	return db.inTx(ctx, func(tx pgx.Tx) error {
		if err := exec(ctx, tx, "restore", "select pg_advisory_xact_lock($1, 0)", lockClass); err != nil {
			return err
		}
		if err := dropSchema(ctx, tx, db.schema); err != nil {
			return err
		}
		from, to := pgx.Identifier{schema}.Sanitize(), pgx.Identifier{db.schema}.Sanitize()
		return exec(ctx, tx, "restore", "alter schema "+from+" rename to "+to)
	})
}

// DueAfterRestore is how many e-mails of a restored directory are due: those that were
// sent after the backup was taken are among them.
func (db *DB) DueAfterRestore(ctx context.Context) (int, error) {
	return value[int](ctx, db.pool, "due e-mails", `select count(*) from emails e
		join sequences s on s.user_id = e.user_id and s.id = e.sequence_id
		where e.status in ('scheduled', 'sending') and e.due_at <= now() and s.status = 'active'`)
}
