package jobs

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
)

// Insert queues tasks in a transaction: they exist if and when it commits. Result i
// belongs to jobs[i]; no two jobs may have the same kind and key. A task with the key of
// an open one joins it, and raises its priority if its own is higher. A running task that
// is being canceled is not joined; a new one is queued.
func (q *Queue) Insert(ctx context.Context, tx pgx.Tx, jobs []Job) ([]Queued, error) {
	if len(jobs) == 0 {
		return nil, nil
	}
	order := byKey(jobs)
	params := make([]river.InsertManyParams, len(jobs))
	for i, at := range order {
		n := jobs[at]
		payload, err := json.Marshal(n.Payload)
		if err != nil {
			return nil, fmt.Errorf("queue %s: %w", n.Kind, err)
		}
		params[i] = river.InsertManyParams{
			Args:       args{kind: n.Kind, Key: n.Key, Payload: payload},
			InsertOpts: n.options(q.kinds[n.Kind]),
		}
	}
	results, err := q.client.InsertManyTx(ctx, tx, params)
	if err == nil {
		err = q.replaceCanceled(ctx, tx, params, results)
	}
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	out := make([]Queued, len(results))
	for i, r := range results {
		at := order[i]
		out[at] = Queued{ID: r.Job.ID, Joined: r.UniqueSkippedAsDuplicate}
		if out[at].Joined && r.Job.Priority > int(jobs[at].Priority) {
			_, err := tx.Exec(ctx, "update river_job set priority = $2 where id = $1 and priority > $2 and state <> 'running'",
				r.Job.ID, int16(jobs[at].Priority))
			if err != nil {
				return nil, fmt.Errorf("queue: %w", err)
			}
		}
	}
	return out, nil
}

// byKey returns the positions of jobs sorted by key. All callers queue in this order: the
// second of two waits at the first common task, and holds none that the other still needs.
// This prevents deadlocks.
func byKey(jobs []Job) []int {
	order := make([]int, len(jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(jobs[a].Kind, jobs[b].Kind), cmp.Compare(jobs[a].Key, jobs[b].Key))
	})
	return order
}

// replaceCanceled queues jobs again if they joined a task whose worker was told to stop.
// The insert has locked that row, so nobody can cancel it from now on without seeing who
// joined.
func (q *Queue) replaceCanceled(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams,
	results []*rivertype.JobInsertResult,
) error {
	var again []river.InsertManyParams
	var at []int
	var canceled []int64
	for i, r := range results {
		if r.UniqueSkippedAsDuplicate && wasCanceled(r.Job.Metadata) {
			again, at, canceled = append(again, params[i]), append(at, i), append(canceled, r.Job.ID)
		}
	}
	if len(again) == 0 {
		return nil
	}
	// A canceled task gives up its key.
	if _, err := tx.Exec(ctx, "update river_job set unique_key = null, unique_states = null where id = any($1)",
		canceled); err != nil {
		return err
	}
	fresh, err := q.client.InsertManyTx(ctx, tx, again)
	if err != nil {
		return err
	}
	for i, r := range fresh {
		results[at[i]] = r
	}
	return nil
}

func (n Job) options(k Kind) *river.InsertOpts {
	opts := &river.InsertOpts{Priority: int(n.Priority), ScheduledAt: n.At, MaxAttempts: k.Attempts}
	opts.Queue = n.Queue
	if k.Every > 0 { // River assigns tasks by queue, not by kind
		opts.Queue = k.Name
	}
	if n.Key != "" {
		opts.UniqueOpts = river.UniqueOpts{ByArgs: true, ByQueue: opts.Queue != "", ByState: []rivertype.JobState{
			rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
			rivertype.JobStateRetryable, rivertype.JobStateScheduled,
		}}
	}
	return opts
}

// Cancel cancels an open task when the transaction commits. A waiting task ends at once, a
// running one when its worker notices. An ended or unknown task is left alone.
func (q *Queue) Cancel(ctx context.Context, tx pgx.Tx, id int64) error {
	_, err := q.client.JobCancelTx(ctx, tx, id)
	if err != nil && !isGone(err) {
		return fmt.Errorf("cancel job %d: %w", id, err)
	}
	return nil
}

// Migrate creates or updates the tables of the queue. Only one process at a time may do so
// for a schema.
func Migrate(ctx context.Context, pool *pgxpool.Pool, schema string) error {
	return MigrateTo(ctx, pool, schema, 0)
}

// MigrateTo is [Migrate] to a given version of the tables; 0 is the newest. An unknown
// version is an error.
func MigrateTo(ctx context.Context, pool *pgxpool.Pool, schema string, version int) error {
	m, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: schema, Logger: silent()})
	if err != nil {
		return fmt.Errorf("tables of the queue: %w", err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, &rivermigrate.MigrateOpts{TargetVersion: version}); err != nil {
		return fmt.Errorf("tables of the queue: %w", err)
	}
	return nil
}
