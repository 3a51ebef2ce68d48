package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/operation/backup"
	"kith/internal/operation/tasks"
)

// restoring is the suffix of a schema into which a backup is being restored.
const restoring = "_restoring"

// RestoreOptions say where to restore a backup.
type RestoreOptions struct {
	// Schema is the schema of the dataset; see [Options].
	Schema string
	// Replace allows replacing an existing dataset with everything in it.
	Replace bool
}

// Restore restores a backup into a database without such a dataset, or replaces the existing one. It fills the tables
// in a separate schema and renames that once the whole backup has been read and verified, so a failure leaves the
// existing dataset unchanged. No kith may be serving the dataset. Backups do not contain the index: see [DB.Built].
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
		return errors.New("another kith is restoring into this database: wait until it ends")
	}
	defer release()
	if err := beside.fill(ctx, r); err != nil {
		return errors.Join(fmt.Errorf("restore: %w", r.Blame(err)),
			dropSchema(context.WithoutCancel(ctx), beside.pool, beside.schema))
	}
	return target.replaceBy(ctx, beside.schema)
}

// mayRestore returns why nothing can be restored here, if so.
func (db *DB) mayRestore(ctx context.Context, replace bool) error {
	filled, err := Value[bool](ctx, db.pool, "restore", `select exists (select from pg_class
		where relnamespace = (select oid from pg_namespace where nspname = $1))`, db.schema)
	if err != nil {
		return err
	}
	if filled && !replace {
		return kith.Errorf(kith.Conflict, "NOT_EMPTY",
			"the database has a dataset already (schema %s): restore into an empty one, or repeat with --force to replace "+
				"it and everything in it", db.schema)
	}
	users, err := db.otherConnections(ctx)
	if err == nil && filled && users > 0 {
		err = kith.Errorf(kith.Conflict, "IN_USE",
			"kith is running on this database (%d connections): stop `kith serve` and other commands before a restore", users)
	}
	return err
}

// How long connections of a kith that has just ended may still be seen, and how often to look again.
const (
	lingering = 2 * time.Second
	lookAgain = 50 * time.Millisecond
)

// otherConnections is how many connections other kiths have to the database.
func (db *DB) otherConnections(ctx context.Context) (n int, err error) {
	for began := time.Now(); ; {
		n, err = Value[int](ctx, db.pool, "restore", `select count(*) from pg_stat_activity
			where datname = current_database() and application_name = 'kith' and pid <> pg_backend_pid()`)
		if err != nil || n == 0 || time.Since(began) > lingering {
			return n, err
		}
		select {
		case <-time.After(lookAgain):
		case <-ctx.Done():
			return n, ctx.Err()
		}
	}
}

func dropSchema(ctx context.Context, q Querier, schema string) error {
	return Exec(ctx, q, "drop the schema "+schema, "drop schema if exists "+pgx.Identifier{schema}.Sanitize()+" cascade")
}

// fill creates the tables as of the backup's migrations, and their rows.
func (db *DB) fill(ctx context.Context, r *backup.Reader) error {
	known, err := readMigrations(migrations)
	if err != nil {
		return err
	}
	had, err := selectMigrations(known, r.Manifest)
	if err != nil {
		return err
	}
	// Leftovers of a killed restore.
	if err := dropSchema(ctx, db.pool, db.schema); err != nil {
		return err
	}
	err = db.InTx(ctx, func(tx pgx.Tx) error { return applyMigrations(ctx, tx, db.schema, had) })
	if err != nil {
		return lackingRights(err, db.schema)
	}
	if err := tasks.Migrate(ctx, db.pool.Pool, db.schema, r.Manifest.Queue); err != nil {
		return classify(err)
	}
	return db.InTx(ctx, func(tx pgx.Tx) error { return db.copyIn(ctx, tx, r) })
}

// selectMigrations returns the migrations that were applied when the backup was written.
func selectMigrations(known []migration, m backup.Manifest) ([]migration, error) {
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

// copyIn fills the tables. It disables triggers meanwhile: the rows already contain their effects.
func (db *DB) copyIn(ctx context.Context, tx pgx.Tx, r *backup.Reader) error {
	if _, err := tx.Exec(ctx, "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set "+
		"constraints all deferred"); err != nil {
		return err
	}
	if err := eachTable(ctx, tx, r.Manifest.Tables, "alter table %s disable trigger user"); err != nil {
		return err
	}
	for _, t := range r.Manifest.Tables { // drop the rows that migrations inserted
		if _, err := tx.Exec(ctx, "delete from "+pgx.Identifier{t.Name}.Sanitize()); err != nil {
			return err
		}
	}
	err := r.Each(func(t backup.Table, rows io.Reader) error {
		_, err := tx.Conn().PgConn().CopyFrom(ctx, rows,
			"copy "+pgx.Identifier{t.Name}.Sanitize()+" ("+columnList(t, nil)+") from stdin")
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
	// The index of this database does not belong to the backup: it must be rebuilt from the records.
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

// replaceBy replaces the dataset's schema with another one.
func (db *DB) replaceBy(ctx context.Context, schema string) error {
	return db.InTx(ctx, func(tx pgx.Tx) error {
		if err := Exec(ctx, tx, "restore", "select pg_advisory_xact_lock($1, 0)", lockClass); err != nil {
			return err
		}
		if err := dropSchema(ctx, tx, db.schema); err != nil {
			return err
		}
		from, to := pgx.Identifier{schema}.Sanitize(), pgx.Identifier{db.schema}.Sanitize()
		return Exec(ctx, tx, "restore", "alter schema "+from+" rename to "+to)
	})
}

// DueAfterRestore is the number of due e-mails in a restored dataset, which may include e-mails sent after the backup
// was taken.
func (db *DB) DueAfterRestore(ctx context.Context) (int, error) {
	return Value[int](ctx, db.pool, "due e-mails", `select count(*) from emails e
		join sequences s on s.user_id = e.user_id and s.id = e.sequence_id
		where e.status in ('scheduled', 'sending') and e.due_at <= now() and s.status = 'active'`)
}
