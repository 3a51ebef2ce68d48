package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/jackc/pgx/v5"
)

// CopyBaseline loads the rows of a dataset once more, with COPY into new tables, and creates their indexes: the least
// that a load can cost. It is for measurements of a dataset that nobody changes.
type CopyBaseline struct {
	db     *DB
	dir    string
	tables []tableCopy
}

type tableCopy struct {
	Name, Options string
	Indexes       []string
}

// copySuffix is added to the name of the schema.
const copySuffix = "_again"

// CopyBaseline writes the rows of all tables of some size, of records and index, to files in a directory.
func (db *DB) CopyBaseline(ctx context.Context, dir string) (*CopyBaseline, error) {
	const least = 64 << 10 // smaller tables do not matter
	tables, err := Collect(ctx, db.pool, "tables", pgx.RowToStructByPos[tableCopy], `
		select c.relname, coalesce('with (' || array_to_string(c.reloptions, ', ') || ')', ''),
			array(select pg_get_indexdef(i.indexrelid) from pg_index i where i.indrelid = c.oid order by i.indexrelid)
		from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'r'
			and pg_relation_size(c.oid) > $2 order by c.relname`, pgx.Identifier{db.schema}.Sanitize(), least)
	if err != nil {
		return nil, err
	}
	a := &CopyBaseline{db: db, dir: dir, tables: tables}
	for _, t := range tables {
		if err := a.write(ctx, t); err != nil {
			return nil, fmt.Errorf("copy table %s to a file: %w", t.Name, err)
		}
	}
	return a, nil
}

func (a *CopyBaseline) write(ctx context.Context, t tableCopy) error {
	return a.with(ctx, t, os.Create, func(conn *pgx.Conn, file *os.File) error {
		_, err := conn.PgConn().CopyTo(ctx, file, "copy "+a.name(t, "")+" to stdout binary")
		return err
	})
}

// with calls f with a connection and the file of a table.
func (a *CopyBaseline) with(ctx context.Context, t tableCopy, open func(string) (*os.File, error),
	f func(conn *pgx.Conn, file *os.File) error,
) error {
	file, err := open(filepath.Join(a.dir, t.Name))
	if err != nil {
		return err
	}
	conn, err := a.db.pool.Acquire(ctx)
	if err != nil {
		return errors.Join(err, file.Close())
	}
	defer drop(conn) // discards the session's settings
	_, err = conn.Exec(ctx, "set statement_timeout = 0; set maintenance_work_mem = '32MB'")
	if err == nil {
		err = f(conn.Conn(), file)
	}
	return errors.Join(err, file.Close())
}

func (a *CopyBaseline) name(t tableCopy, suffix string) string {
	return pgx.Identifier{a.db.schema + suffix, t.Name}.Sanitize()
}

// Load copies the rows, and returns the number of people.
func (a *CopyBaseline) Load(ctx context.Context) (people int, err error) {
	if err := Exec(ctx, a.db.pool, "schema", "create schema "+a.schema()); err != nil {
		return 0, err
	}
	for _, t := range a.tables {
		if err := a.with(ctx, t, os.Open, func(conn *pgx.Conn, file *os.File) error {
			return a.load(ctx, conn, t, file)
		}); err != nil {
			return 0, fmt.Errorf("copy table %s: %w", t.Name, err)
		}
	}
	return Value[int](ctx, a.db.pool, "people", "select count(*) from "+a.name(tableCopy{Name: "people"}, copySuffix))
}

func (a *CopyBaseline) load(ctx context.Context, conn *pgx.Conn, t tableCopy, file *os.File) error {
	name := a.name(t, copySuffix)
	return pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
		// A table of the same transaction needs no log where wal_level is minimal.
		_, err := tx.Exec(ctx, "create table "+name+" (like "+a.name(t, "")+" including storage) "+t.Options)
		if err != nil {
			return err
		}
		if _, err := conn.PgConn().CopyFrom(ctx, file, "copy "+name+" from stdin binary"); err != nil {
			return err
		}
		for _, index := range t.Indexes {
			index = strings.Replace(index, " ON "+a.db.schema+".", " ON "+a.schema()+".", 1)
			if _, err := tx.Exec(ctx, index); err != nil {
				return err
			}
		}
		return nil
	})
}

func (a *CopyBaseline) schema() string { return pgx.Identifier{a.db.schema + copySuffix}.Sanitize() }

// Remove drops what [CopyBaseline.Load] has made.
func (a *CopyBaseline) Remove(ctx context.Context) error {
	return Exec(ctx, a.db.pool, "remove the copies", "drop schema if exists "+a.schema()+" cascade")
}
