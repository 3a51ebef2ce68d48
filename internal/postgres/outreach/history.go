package outreach

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/internal/outreach"
	"kith/internal/postgres/conn"
)

// writeMoves appends to the history. The rows that moves refer to must be stored already.
func writeMoves(ctx context.Context, tx pgx.Tx, at caseKey, moves []outreach.Move) error {
	if len(moves) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	for _, m := range moves {
		batch.Queue(`insert into outreach_history (user_id, sequence_id, lead_id, subject, row_id, from_state, to_state,
			reason, moved_by, moved_at)
			values ($1, $2, nullif($3, 0::bigint), $4, $5, $6, $7, $8, $9, $10)`,
			at.user, at.sequence, at.lead, string(m.Subject), m.ID(), m.From, m.To, m.Reason, m.By, m.At)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("history: %w", err)
	}
	return nil
}

// writeSequenceMove appends a move of a sequence itself.
func writeSequenceMove(ctx context.Context, tx pgx.Tx, user, id int64, m outreach.Move) error {
	return writeMoves(ctx, tx, caseKey{user: user, sequence: id}, []outreach.Move{outreach.MoveOfSequence(id, m)})
}

// History implements [outreach.Cases].
func (o *Store) History(ctx context.Context, user, sequence, lead, after int64, n int) ([]outreach.Entry, error) {
	there, err := conn.Value[bool](ctx, o.pool, "history",
		"select exists (select from leads where user_id = $1 and id = $2 and sequence_id = $3)", user, lead, sequence)
	if err == nil && !there {
		err = noLead()
	}
	if err != nil {
		return nil, err
	}
	return conn.Collect(ctx, o.pool, "history", conn.Into(func(e *outreach.Entry) []any {
		return []any{&e.Number, &e.Row, &e.Subject, &e.From, &e.To, &e.Reason, &e.By, &e.At}
	}), `select id, row_id, subject, from_state, to_state, reason, moved_by, moved_at from outreach_history
		where user_id = $1 and lead_id = $2 and id > $3 order by id limit $4`, user, lead, after, n)
}
