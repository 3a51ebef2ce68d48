package pgindex

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"kith/index/pgfault"
)

// Straight sends statements to Postgres that an [Index] has sent before, over
// a connection of its own and without the driver: it is what the driver is
// measured against. It is not safe for concurrent use.
type Straight struct{ conn *pgx.Conn }

// Straight opens a connection with the settings of the index's pool.
func (ix *Index) Straight(ctx context.Context) (*Straight, error) {
	conn, err := pgx.ConnectConfig(ctx, ix.pool.Config().ConnConfig)
	if err != nil {
		return nil, pgfault.Sort(err)
	}
	return &Straight{conn: conn}, nil
}

// Close closes the connection.
func (s *Straight) Close(ctx context.Context) error { return s.conn.Close(ctx) }

// Record returns a context under which every index notes what it sends, and a
// function that tells what was sent until it is called: the statements in
// words, and what sends them again, one after the other, in the same round
// trip with the same prelude as the driver, and reads all rows.
func (s *Straight) Record(ctx context.Context) (recording context.Context, noted func() (requests []string, replay func(context.Context) error)) {
	t := &tape{}
	return context.WithValue(ctx, tapeKey{}, t), func() ([]string, func(context.Context) error) {
		sent := t.all()
		requests := make([]string, len(sent))
		for i, st := range sent {
			requests[i] = st.sql
		}
		return requests, func(ctx context.Context) error { return s.replay(ctx, sent) }
	}
}

func (s *Straight) replay(ctx context.Context, sent []statement) error {
	for _, st := range sent {
		results := s.conn.PgConn().ExecBatch(ctx, st.batch())
		if err := drain(results); err != nil {
			return fmt.Errorf("replay: %w", err)
		}
	}
	return nil
}

// drain reads the rows of a batch and forgets them.
func drain(results *pgconn.MultiResultReader) error {
	for results.NextResult() {
		rows := results.ResultReader()
		for rows.NextRow() {
			_ = rows.Values()
		}
	}
	return results.Close()
}

// tape holds the statements of one recording, in the order in which they began.
type tape struct {
	mu   sync.Mutex
	sent []statement
}

type tapeKey struct{}

// note puts a statement on the tape of ctx, if there is one.
func note(ctx context.Context, st statement) {
	t, ok := ctx.Value(tapeKey{}).(*tape)
	if !ok {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.sent = append(t.sent, st)
}

func (t *tape) all() []statement {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]statement(nil), t.sent...)
}
