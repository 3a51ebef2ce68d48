package pgindex

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"kith/index"
	"kith/index/pgfault"
)

// Straight resends statements of an [Index] over its own connection and without the driver, as the baseline for
// measuring the driver. It is not safe for concurrent use.
type Straight struct{ conn *pgx.Conn }

// Straight opens a connection with the settings of the index's pool.
func (ix *Index) Straight(ctx context.Context) (*Straight, error) {
	conn, err := pgx.ConnectConfig(ctx, ix.pool.Config().ConnConfig)
	if err != nil {
		return nil, pgfault.Classify(err)
	}
	return &Straight{conn: conn}, nil
}

// Close closes the connection.
func (s *Straight) Close(ctx context.Context) error { return s.conn.Close(ctx) }

// Trace returns a context under which every index records its statements: see [index.TraceReplay]. The replay reads
// all rows, in the same round trip and with the same prelude as the driver.
func (s *Straight) Trace(
	ctx context.Context,
) (tracing context.Context, noted func() (requests []string, replay func(context.Context) error)) {
	return index.TraceReplay(ctx, func(st statement) string { return st.sql },
		func(ctx context.Context, st statement) error {
			return drain(s.conn.PgConn().ExecBatch(ctx, st.batch()))
		})
}

// drain reads and discards the rows of a batch.
func drain(results *pgconn.MultiResultReader) error {
	for results.NextResult() {
		rows := results.ResultReader()
		for rows.NextRow() {
			_ = rows.Values()
		}
	}
	return results.Close()
}
