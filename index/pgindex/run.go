package pgindex

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"kith/index"
	"kith/index/pgfault"
)

// attempts bounds how often a statement is sent anew because the version that
// it reads was replaced meanwhile.
const attempts = 10

// prelude goes before every statement, in the same round trip: it sets what
// the statement counts on, for this transaction alone, and tells which version
// is active. Sequential scans are off because the statements are written for
// one index each; the planner, which knows nothing of how terms meet, would
// read the whole table where it expects many rows.
const prelude = `SELECT set_config('jit', 'off', true), set_config('enable_seqscan', $1, true), set_config('work_mem',
	'64MB', true),
  set_config('max_parallel_workers_per_gather', '0', true), (SELECT name FROM index_versions WHERE active)`

// statement is one SELECT over the tables of one version.
type statement struct {
	sql string
	args
	// scan is true where reading a whole table is in order.
	scan bool
}

// query builds a statement for the active version, runs it in one round trip
// and returns its rows. A version that is replaced between two statements, by
// whatever process, is noticed, and the statement is built and sent again.
func (ix *Index) query(ctx context.Context, build func(l layout) statement) ([][][]byte, error) {
	l := *ix.active.Load()
	for range attempts {
		// Where nothing is known yet, an empty statement tells the version.
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
		// After an error the version is asked for first.
		if l, err = ix.layoutOf(ctx, now); err != nil {
			return nil, pgfault.Classify(err)
		}
		ix.active.Store(&l)
	}
	return nil, fmt.Errorf("the index version changed %d times during one search", attempts)
}

// send runs a statement behind the prelude and returns the active version and
// the statement's rows.
func (ix *Index) send(ctx context.Context, st statement) (version string, rows [][][]byte, err error) {
	index.TraceRequest(ctx, st)
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

// cloneRow copies a row, which is the connection's until the next is read, in one
// piece.
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

// batch is the statement behind its prelude.
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
