package tasks

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
)

// Insert queues tasks in a transaction: they exist if and when it commits. Result i belongs to tasks[i]; no two may be
// the same. A task that is open already is joined, and takes the priority of the new one if that is higher. A running
// task that is being canceled is not joined; a new one is queued.
//
// All callers queue in the same order: the second of two waits at the first common task, and holds none that the other
// still needs. This prevents deadlocks.
func (q *Queue) Insert(ctx context.Context, tx pgx.Tx, tasks []river.InsertManyParams,
) ([]*rivertype.JobInsertResult, error) {
	if len(tasks) == 0 {
		return nil, nil
	}
	order, err := byArgs(tasks)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	params := make([]river.InsertManyParams, len(tasks))
	for i, at := range order {
		params[i] = tasks[at]
	}
	results, err := q.client.InsertManyTx(ctx, tx, params)
	if err == nil {
		err = q.replaceCanceled(ctx, tx, params, results)
	}
	if err == nil {
		err = raise(ctx, tx, params, results)
	}
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	out := make([]*rivertype.JobInsertResult, len(results))
	for i, r := range results {
		out[order[i]] = r
	}
	return out, nil
}

// Open returns the keys of the open tasks of a kind.
func (*Queue) Open(ctx context.Context, tx pgx.Tx, kind string) (map[string]bool, error) {
	rows, err := tx.Query(ctx, `select coalesce(args ->> 'key', '') from river_job
		where kind = $1 and finalized_at is null`, kind)
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	open, key := map[string]bool{}, ""
	_, err = pgx.ForEachRow(rows, []any{&key}, func() error { open[key] = true; return nil })
	if err != nil {
		return nil, fmt.Errorf("queue: %w", err)
	}
	return open, nil
}

// Forget removes the succeeded tasks of a kind, which are otherwise kept for two days.
func (*Queue) Forget(ctx context.Context, tx pgx.Tx, kind string) error {
	_, err := tx.Exec(ctx, `delete from river_job where id in (
		select id from river_job where kind = $1 and state = 'completed' for update skip locked)`, kind)
	if err != nil {
		return fmt.Errorf("queue: %w", err)
	}
	return nil
}

// byArgs returns the positions of tasks in the order of their kinds and arguments.
func byArgs(tasks []river.InsertManyParams) ([]int, error) {
	order, names := make([]int, len(tasks)), make([]string, len(tasks))
	for i, t := range tasks {
		encoded, err := json.Marshal(t.Args)
		if err != nil {
			return nil, err
		}
		order[i], names[i] = i, t.Args.Kind()+string(encoded)
	}
	slices.SortFunc(order, func(a, b int) int { return strings.Compare(names[a], names[b]) })
	return order, nil
}

// raise raises the priority of tasks that others of a higher priority have joined.
func raise(ctx context.Context, tx pgx.Tx, params []river.InsertManyParams, results []*rivertype.JobInsertResult,
) error {
	for i, r := range results {
		opts := params[i].InsertOpts
		if !r.UniqueSkippedAsDuplicate || opts == nil || r.Job.Priority <= opts.Priority {
			continue
		}
		_, err := tx.Exec(ctx, "update river_job set priority = $2 where id = $1 and priority > $2 and state <> "+
			"'running'", r.Job.ID, int16(opts.Priority))
		if err != nil {
			return err
		}
	}
	return nil
}

// replaceCanceled queues tasks again if they joined a task whose worker was told to stop. The insert has locked that
// row, so nobody can cancel it from now on without seeing who joined.
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

// Cancel cancels an open task when the transaction commits. A waiting task ends at once, a
// running one when its worker notices. An ended or unknown task is left alone.
func (q *Queue) Cancel(ctx context.Context, tx pgx.Tx, id int64) error {
	_, err := q.client.JobCancelTx(ctx, tx, id)
	if err != nil && !isGone(err) {
		return fmt.Errorf("cancel task %d: %w", id, err)
	}
	return nil
}

// Migrate creates or updates the tables of the queue to a version; 0 is the newest. An unknown version is an error.
// Only one process at a time may do so for a schema.
func Migrate(ctx context.Context, pool *pgxpool.Pool, schema string, version int) error {
	m, err := rivermigrate.New(riverpgxv5.New(pool),
		&rivermigrate.Config{Schema: schema, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("tables of the queue: %w", err)
	}
	if _, err := m.Migrate(ctx, rivermigrate.DirectionUp,
		&rivermigrate.MigrateOpts{TargetVersion: version}); err != nil {
		return fmt.Errorf("tables of the queue: %w", err)
	}
	return nil
}
