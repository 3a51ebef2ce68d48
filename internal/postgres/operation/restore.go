package operation

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
	"kith/internal/postgres/conn"
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
// existing dataset unchanged. No kith may be serving the dataset. Backups do not contain the index: they are rebuilt.
func Restore(ctx context.Context, dsn string, r *backup.Reader, opts RestoreOptions) error {
	target, err := conn.Open(ctx, dsn, conn.Options{Schema: opts.Schema, Name: "kith restore"})
	if err != nil {
		return err
	}
	defer target.Close()
	if err := (&Store{target}).mayRestore(ctx, opts.Replace); err != nil {
		return err
	}
	beside, err := conn.Open(ctx, dsn, conn.Options{Schema: target.Schema() + restoring, Name: "kith restore"})
	if err != nil {
		return err
	}
	defer beside.Close()
	release, err := lockRestore(ctx, beside)
	if err != nil {
		return err
	}
	defer release()
	if err := (&Store{beside}).fill(ctx, r); err != nil {
		return errors.Join(fmt.Errorf("restore: %w", r.Blame(err)),
			dropSchema(context.WithoutCancel(ctx), beside.Querier(), beside.Schema()))
	}
	return (&Store{target}).replaceBy(ctx, beside.Schema())
}

// mayRestore returns why nothing can be restored here, if so.
func (db *Store) mayRestore(ctx context.Context, replace bool) error {
	filled, err := conn.Value[bool](ctx, db.Querier(), "restore", `select exists (select from pg_class
		where relnamespace = (select oid from pg_namespace where nspname = $1))`, db.Schema())
	if err != nil {
		return err
	}
	if filled && !replace {
		return kith.Errorf(kith.Conflict, "NOT_EMPTY",
			"the database has a dataset already (schema %s): restore into an empty one, or repeat with --force to "+
				"replace "+
				"it and everything in it", db.Schema())
	}
	users, err := db.otherConnections(ctx)
	if err == nil && filled && users > 0 {
		err = kith.Errorf(kith.Conflict, "IN_USE",
			"kith is running on this database (%d connections): stop `kith serve` and other commands before a restore",
			users)
	}
	return err
}

// How long connections of a kith that has just ended may still be seen, and how often to look again.
const (
	lingering = 2 * time.Second
	lookAgain = 50 * time.Millisecond
)

// lockRestore lets one restore run at a time. It waits for the lock of one that has just crashed.
func lockRestore(ctx context.Context, beside *conn.DB) (release func(), err error) {
	wait, cancel := context.WithTimeout(ctx, lingering)
	defer cancel()
	release, err = beside.Lock(wait, "restore")
	if err != nil && wait.Err() != nil && ctx.Err() == nil {
		err = errors.New("another kith is restoring into this database: wait until it ends")
	}
	return release, err
}

// otherConnections is how many connections other kiths have to the database.
func (db *Store) otherConnections(ctx context.Context) (n int, err error) {
	for began := time.Now(); ; {
		n, err = conn.Value[int](ctx, db.Querier(), "restore", `select count(*) from pg_stat_activity
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

func dropSchema(ctx context.Context, q conn.Querier, schema string) error {
	return conn.Exec(ctx, q, "drop the schema "+schema, "drop schema if exists "+pgx.Identifier{schema}.Sanitize()+" "+
		"cascade")
}

// fill creates the tables as of the backup's migrations, and their rows.
func (db *Store) fill(ctx context.Context, r *backup.Reader) error {
	known, err := readMigrations(migrations)
	if err != nil {
		return err
	}
	had, err := selectMigrations(known, r.Manifest)
	if err != nil {
		return err
	}
	// Leftovers of a killed restore.
	if err := dropSchema(ctx, db.Querier(), db.Schema()); err != nil {
		return err
	}
	err = db.InTx(ctx, "migrate", func(tx pgx.Tx) error { return applyMigrations(ctx, tx, db.Schema(), had) })
	if err != nil {
		return lackingRights(err, db.Schema())
	}
	if err := tasks.Migrate(ctx, db.Pool(), db.Schema(), r.Manifest.Queue); err != nil {
		return conn.Classify(err)
	}
	return db.InTx(ctx, "restore", func(tx pgx.Tx) error { return db.copyIn(ctx, tx, r) })
}

// selectMigrations returns the migrations that were applied when the backup was written.
func selectMigrations(known []migration, m backup.Manifest) ([]migration, error) {
	for _, version := range m.Migrations {
		if !slices.ContainsFunc(known, func(k migration) bool { return k.version == version }) {
			return nil, fmt.Errorf("the backup was written by a newer kith (%s, migration %d): restore it with that "+
				"one", m.Kith, version)
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
func (db *Store) copyIn(ctx context.Context, tx pgx.Tx, r *backup.Reader) error {
	if _, err := tx.Exec(ctx, "set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; "+
		"set "+"constraints all deferred"); err != nil {
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
		[]string{conn.SettingBuilt, conn.SettingClaimed, conn.SettingVocabularyBuilding})
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
func (db *Store) replaceBy(ctx context.Context, schema string) error {
	return db.InTx(ctx, "restore", func(tx pgx.Tx) error {
		if err := conn.Exec(ctx, tx, "restore", "select pg_advisory_xact_lock($1, 0)", conn.LockClass); err != nil {
			return err
		}
		if err := dropSchema(ctx, tx, db.Schema()); err != nil {
			return err
		}
		from, to := pgx.Identifier{schema}.Sanitize(), pgx.Identifier{db.Schema()}.Sanitize()
		return conn.Exec(ctx, tx, "restore", "alter schema "+from+" rename to "+to)
	})
}

// DueAfterRestore is the number of due e-mails in a restored dataset, which may include e-mails sent after the backup
// was taken.
func (db *Store) DueAfterRestore(ctx context.Context) (int, error) {
	return conn.Value[int](ctx, db.Querier(), "due e-mails", `select count(*) from emails e
		join sequences s on s.user_id = e.user_id and s.id = e.sequence_id
		where e.status in ('scheduled', 'sending') and e.due_at <= now() and s.status = 'active'`)
}
