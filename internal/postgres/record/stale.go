package record

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"kith/internal/operation/tasks"
	"kith/internal/postgres/conn"
	"kith/internal/record/refresh"
)

// QueueStale implements [refresh.Tickets] for shared people only: no source learns about the others. Queueing counts as
// a request, so that people unknown to the source are not requested over and over.
func (t *Tickets) QueueStale(ctx context.Context, before time.Time, n int) (int, error) {
	var profiles []refresh.Profile
	err := t.db.InTx(ctx, "queue stale people", func(tx pgx.Tx) error {
		var err error
		profiles, err = conn.Collect(ctx, tx, "people", func(row pgx.CollectableRow) (p refresh.Profile, err error) {
			err = row.Scan(&p.Key)
			return p, err
		}, `update people p set refresh_asked_at = now() from (
				select id from people where owner = '' and social_key is not null
					and coalesce(greatest(refreshed_at, refresh_asked_at), created_at) < $1
				order by coalesce(greatest(refreshed_at, refresh_asked_at), created_at) limit $2
				for update skip locked) stale
			where p.id = stale.id returning p.social_key`, before, n)
		if err != nil {
			return err
		}
		_, err = t.queue.Insert(ctx, tx, insertParams(profiles, tasks.Scheduled))
		return err
	})
	return len(profiles), err
}

// Answered implements [refresh.Tickets].
func (t *Tickets) Answered(ctx context.Context, key string, since time.Time) (bool, error) {
	return conn.Value[bool](ctx, t.db.Querier(), "refreshed people", `select exists (select from people
		where social_key = $1 and owner = '' and refreshed_at >= $2)`, key, since)
}

// tombstone is how long an expired refresh job can be told apart from an unknown one.
const tombstone = 365 * 24 * time.Hour

// Tidy implements [refresh.Tickets].
func (t *Tickets) Tidy(ctx context.Context, before time.Time) error {
	return t.db.InTx(ctx, "tidy tickets", func(tx pgx.Tx) error {
		if err := closeTickets(ctx, tx, "true"); err != nil {
			return err
		}
		batch := &pgx.Batch{}
		// A ticket must not wait forever for a task that was lost.
		batch.Queue(`update jobs j set finished_at = now(), status = 'failed', error = $1 where finished_at is null
			and not exists (select from river_job r where r.id = j.work_id)`, "JOB_LOST: the job was lost; try again")
		batch.Queue(`update jobs set expired = true, social_key = null, social_url = null, error = null, work_id = null,
				finished_at = coalesce(finished_at, now()), status = coalesce(status, 'failed')
			where created_at < $1 and not expired`, before)
		batch.Queue("delete from jobs where created_at < $1", before.Add(-tombstone))
		return tx.SendBatch(ctx, batch).Close()
	})
}

// GiveUp implements [refresh.Tickets].
func (t *Tickets) GiveUp(ctx context.Context, age time.Duration, why tasks.Failure) (int, error) {
	n, err := t.queue.GiveUp(ctx, refresh.Kind, age, why)
	if err != nil {
		err = conn.Classify(err)
	}
	return n, err
}

// Now returns the time of the server, for [Tickets.EndedWork].
func (t *Tickets) Now(ctx context.Context) (time.Time, error) { return Queue{t.db}.Now(ctx) }

// EndedWork returns how many refreshes have ended since a time, successful and failed.
func (t *Tickets) EndedWork(ctx context.Context, since time.Time) (done, failed int, err error) {
	err = t.db.Querier().QueryRow(ctx, `select count(*) filter (where state = 'completed'),
		count(*) filter (where state <> 'completed')
		from river_job where kind = $1 and finalized_at >= $2`, refresh.Kind, since).Scan(&done, &failed)
	return done, failed, conn.Named("ended tasks", err)
}

// OpenWork is the number of people waiting to be refreshed.
func (t *Tickets) OpenWork(ctx context.Context) (int, error) {
	return conn.Value[int](ctx, t.db.Querier(), "open tasks", `select count(*) from river_job where kind = $1
		and state in ('available', 'pending', 'retryable', 'running', 'scheduled')`, refresh.Kind)
}
