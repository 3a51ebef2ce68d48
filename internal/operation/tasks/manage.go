package tasks

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// Errors of [Queue.Retry] and [Queue.End] for an operator.
var (
	// ErrNotFound says that no task has the id. Ended tasks are kept for two days.
	ErrNotFound = errors.New("there is no such task")
	// ErrNotFailed says that a task has neither failed nor been canceled.
	ErrNotFailed = errors.New("the task has neither failed nor been canceled")
	// ErrEnded says that a task has ended.
	ErrEnded = errors.New("the task has ended")
	// ErrJoined says that an open task has the same key.
	ErrJoined = errors.New("another task about the same is open")
)

// Retry queues a failed or canceled task again as if it were new. Its attempts start from zero.
func (q *Queue) Retry(ctx context.Context, id int64) (Info, error) {
	return q.manage(ctx, id, func(tx pgx.Tx, task Info) error {
		if task.State != Failed && task.State != Canceled {
			return ErrNotFailed
		}
		// The record of earlier attempts would cause the task to be set aside or treated as canceled again.
		_, err := tx.Exec(ctx, `update river_job set attempt = 0, errors = null, created_at = now(),
			metadata = metadata - 'cancel_attempted_at' where id = $1`, id)
		if err != nil {
			return err
		}
		_, err = q.client.JobRetryTx(ctx, tx, id)
		if pg, ok := errors.AsType[*pgconn.PgError](err); ok && pg.Code == uniqueViolation {
			return ErrJoined
		}
		return err
	})
}

const uniqueViolation = "23505"

// End cancels an open task. A running task ends when its worker notices.
func (q *Queue) End(ctx context.Context, id int64) (Info, error) {
	return q.manage(ctx, id, func(tx pgx.Tx, task Info) error {
		if task.State != Waiting && task.State != Running {
			return ErrEnded
		}
		return q.Cancel(ctx, tx, id)
	})
}

// manage changes a task and returns it afterwards.
func (q *Queue) manage(ctx context.Context, id int64, change func(pgx.Tx, Info) error) (task Info, err error) {
	err = pgx.BeginFunc(ctx, q.pool, func(tx pgx.Tx) error {
		row, err := q.client.JobGetTx(ctx, tx, id)
		if isGone(err) {
			return ErrNotFound
		}
		if err != nil {
			return err
		}
		if err := change(tx, newInfo(row)); err != nil {
			return err
		}
		if row, err = q.client.JobGetTx(ctx, tx, id); err != nil {
			return err
		}
		task = newInfo(row)
		return nil
	})
	if err != nil {
		return Info{}, fmt.Errorf("task %d: %w", id, err)
	}
	return task, nil
}
