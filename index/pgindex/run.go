package pgindex

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"kith/index"
	"kith/index/pgfault"
)

// attempts is how often a statement is sent at most, if its version keeps being replaced meanwhile.
const attempts = 10

// prelude precedes every statement in the same round trip. It makes settings for this transaction and reads the
// active version. Sequential scans are off, because each statement is written for certain indexes: the planner does
// not know how terms correlate, and would read the whole table when it expects many rows.
const prelude = `SELECT set_config('jit', 'off', true), set_config('enable_seqscan', $1, true), set_config('work_mem',
	'64MB', true),
  set_config('max_parallel_workers_per_gather', '0', true), (SELECT name FROM index_versions WHERE active)`

// statement is one SELECT over the tables of one version.
type statement struct {
	sql string
	args
	// scan allows reading a whole table.
	scan bool
}

// query builds a statement for the active version, runs it in one round trip and returns its rows. If any process
// replaces the version meanwhile, query notices, and rebuilds and resends the statement.
func (ix *Index) query(ctx context.Context, build func(l layout) statement) ([][][]byte, error) {
	l := *ix.active.Load()
	for range attempts {
		// Without a known version, an empty statement fetches it.
		st, unknown := statement{sql: "SELECT"}, l.version == ""
		if !unknown {
			st = build(l)
		}
		now, rows, err := ix.send(ctx, st)
		if pgfault.Code(err) == pgfault.UndefinedTable && unknown {
			return nil, notReady()
		}
		if err != nil && pgfault.Code(err) != pgfault.UndefinedTable {
			return nil, pgfault.Classify(err)
		}
		if now == "" && err == nil {
			return nil, notReady()
		}
		if now == l.version && err == nil {
			return rows, nil
		}
		// After an error, the next attempt first fetches the version.
		if l, err = ix.readLayout(ctx, now); err != nil {
			return nil, pgfault.Classify(err)
		}
		ix.active.Store(&l)
	}
	return nil, fmt.Errorf("the index version changed %d times during one search", attempts)
}

// send runs a statement after the prelude and returns the active version and the statement's rows. It tries once more
// if Postgres resets the connection.
func (ix *Index) send(ctx context.Context, st statement) (version string, rows [][][]byte, err error) {
	index.TraceRequest(ctx, st)
	version, rows, err = ix.sendOnce(ctx, st)
	if pgfault.IsReset(err) {
		ix.pool.Reset()
		return ix.sendOnce(ctx, st)
	}
	return version, rows, err
}

func (ix *Index) sendOnce(ctx context.Context, st statement) (version string, rows [][][]byte, err error) {
	conn, err := ix.pool.Acquire(ctx)
	if err != nil {
		return "", nil, err
	}
	defer conn.Release()
	results := conn.Conn().PgConn().ExecBatch(ctx, st.batch())
	if results.NextResult() {
		head := results.ResultReader().Read()
		if len(head.Rows) == 1 {
			version = string(head.Rows[0][4])
		}
	}
	if results.NextResult() {
		for found := results.ResultReader(); found.NextRow(); {
			rows = append(rows, cloneRow(found.Values()))
		}
	}
	return version, rows, results.Close()
}

// cloneRow copies a row into a single allocation; the connection reuses the original for the next row.
func cloneRow(values [][]byte) [][]byte {
	size := 0
	for _, v := range values {
		size += len(v)
	}
	piece, row := make([]byte, 0, size), make([][]byte, len(values))
	for i, v := range values {
		if v != nil {
			from := len(piece)
			piece = append(piece, v...)
			row[i] = slices.Clip(piece[from:])
		}
	}
	return row
}

// batch is the prelude and the statement.
func (st statement) batch() *pgconn.Batch {
	scan := args{}
	if st.scan {
		scan.text("on")
	} else {
		scan.text("off")
	}
	batch := &pgconn.Batch{}
	batch.ExecParams(prelude, scan.values, scan.oids, scan.formats, []int16{binaryFormat})
	batch.ExecParams(st.sql, st.values, st.oids, st.formats, []int16{binaryFormat})
	return batch
}
