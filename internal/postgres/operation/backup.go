package operation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"kith/internal/operation/backup"
	"kith/internal/postgres/conn"
)

// excludedTables matches tables that backups leave out. The index and the vocabulary are derived from the records. The
// manifest lists the migrations. The rest are the queue's notes on its clients and messages between processes.
var excludedTables = regexp.MustCompile(`^(index_versions|.*_v[0-9]+|vocabulary.*|schema_version|` +
	`river_(migration|leader|client.*|notification.*))$`)

// Snapshot writes a consistent snapshot of the dataset to an archive.
type Snapshot struct {
	db   *conn.DB
	kith string
}

// NewSnapshot returns the source of a backup; version is that of the program.
func NewSnapshot(db *conn.DB, version string) *Snapshot { return &Snapshot{db, version} }

// Backup writes the archive. It reads in one transaction, which sees everything committed before it began, and blocks
// only changes of tables.
func (s *Snapshot) Backup(ctx context.Context, w *backup.Writer) error {
	one, err := s.db.Pool().Acquire(ctx)
	if err != nil {
		return conn.Named("backup", err)
	}
	defer conn.Drop(one) // discards the session's settings
	if _, err := one.Exec(ctx, "set statement_timeout = 0; set idle_in_transaction_session_timeout = 0"); err != nil {
		return conn.Named("backup", err)
	}
	err = pgx.BeginTxFunc(ctx, one, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly},
		func(tx pgx.Tx) error {
			return s.write(ctx, tx, w)
		})
	return conn.Named("backup", err)
}

func (s *Snapshot) write(ctx context.Context, tx pgx.Tx, w *backup.Writer) error {
	m, err := s.manifest(ctx, tx)
	if err != nil {
		return err
	}
	if err := w.Manifest(m); err != nil {
		return err
	}
	for _, t := range m.Tables {
		err := w.Table(t.Name, func(out io.Writer) error {
			_, err := tx.Conn().PgConn().CopyTo(ctx, out,
				"copy (select "+columnList(t, withoutAnswers(t.Name))+" from "+pgx.Identifier{t.Name}.Sanitize()+") "+
					"to stdout")
			return err
		})
		if err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
	}
	return nil
}

// manifest describes the tables. It reads sequences after the snapshot was taken: they are at least as far as any row
// in it.
func (s *Snapshot) manifest(ctx context.Context, tx pgx.Tx) (backup.Manifest, error) {
	m := backup.Manifest{Kith: s.kith}
	var errs [5]error
	m.Created, errs[0] = conn.Value[time.Time](ctx, tx, "clock", "select now()")
	m.Postgres, errs[1] = conn.Value[string](ctx, tx, "version", "select current_setting('server_version')")
	m.Migrations, errs[2] = conn.Collect(ctx, tx, "versions", pgx.RowTo[int],
		"select version from schema_version order by version")
	m.Queue, errs[3] = conn.Value[int](ctx, tx, "version of the queue",
		"select coalesce(max(version), 0)::int from river_migration where line = 'main'")
	m.Tables, errs[4] = s.tables(ctx, tx)
	if err := errors.Join(errs[:]...); err != nil {
		return m, err
	}
	var err error
	m.Sequences, err = conn.Collect(ctx, tx, "sequences", pgx.RowToStructByPos[backup.Sequence],
		`select sequencename, coalesce(last_value, start_value), last_value is not null from pg_sequences
		where schemaname = $1 and sequencename !~ '^(river_client|index_versions)' order by 1`, s.db.Schema())
	return m, err
}

// tables lists the tables of the dataset; those that others refer to come first.
func (s *Snapshot) tables(ctx context.Context, tx pgx.Tx) ([]backup.Table, error) {
	all, err := conn.Collect(ctx, tx, "tables", pgx.RowToStructByPos[backup.Table],
		`select c.relname, array_agg(a.attname::text order by a.attnum) from pg_class c
		join pg_attribute a on a.attrelid = c.oid
		where c.relnamespace = $1::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' and a.attnum > 0
		and not a.attisdropped and a.attgenerated = ''
		group by 1 order by 1`, pgx.Identifier{s.db.Schema()}.Sanitize())
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(t backup.Table) bool { return excludedTables.MatchString(t.Name) })
	refers := map[string][]string{}
	var from, to string
	err = conn.ForEach(ctx, tx, "references", []any{&from, &to}, func() error {
		refers[from] = append(refers[from], to)
		return nil
	}, `select f.relname, t.relname from pg_constraint k join pg_class f on f.oid = k.conrelid
		join pg_class t on t.oid = k.confrelid
		where k.contype = 'f' and k.connamespace = $1::regnamespace and f.oid <>
		t.oid`, pgx.Identifier{s.db.Schema()}.Sanitize())
	return ordered(all, refers), err
}

// ordered sorts tables after those they refer to. Constraints that form a cycle must be deferrable.
func ordered(all []backup.Table, refers map[string][]string) []backup.Table {
	out := make([]backup.Table, 0, len(all))
	seen := map[string]bool{}
	var add func(name string)
	add = func(name string) {
		i := slices.IndexFunc(all, func(t backup.Table) bool { return t.Name == name })
		if seen[name] || i < 0 {
			return
		}
		seen[name] = true
		for _, other := range refers[name] {
			add(other)
		}
		out = append(out, all[i])
	}
	for _, t := range all {
		add(t.Name)
	}
	return out
}

// withoutAnswers returns what a backup contains instead of stored answers. Their keys stay, so that a repeated request
// changes nothing twice after a restore.
func withoutAnswers(table string) map[string]string {
	if table != "idempotency_keys" {
		return nil
	}
	return map[string]string{"answer": "null::bytea", "size": "0"}
}

// columnList returns the columns of a table as a list for a statement, some of them replaced.
func columnList(t backup.Table, instead map[string]string) string {
	var out []string
	for _, c := range t.Columns {
		out = append(out, cmp.Or(instead[c], pgx.Identifier{c}.Sanitize()))
	}
	return strings.Join(out, ", ")
}
