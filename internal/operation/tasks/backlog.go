package tasks

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"
)

// Backlog describes the waiting tasks of a kind in the default queue.
type Backlog struct {
	// Tasks is the number of waiting tasks, Age the age of the oldest.
	Tasks int
	Age   time.Duration
	// Served is true if a process works on them, or did so in the last twenty minutes.
	Served bool
}

// reported exceeds the interval at which River records that a process works on a queue (ten minutes).
const reported = 20 * time.Minute

const waits = "state in ('available', 'pending', 'retryable', 'scheduled')"

// Backlog returns the backlog of a kind.
func (q *Queue) Backlog(ctx context.Context, kind string) (Backlog, error) {
	var b Backlog
	var seconds float64
	err := q.pool.QueryRow(ctx, `select count(*), coalesce(extract(epoch from now() - min(created_at)), 0)::float8,
			exists (select from river_queue where name = $2 and updated_at > now() - $3::interval)
		from river_job where kind = $1
		and `+waits, kind, river.QueueDefault, reported).Scan(&b.Tasks, &seconds, &b.Served)
	if err != nil {
		return Backlog{}, fmt.Errorf("waiting tasks: %w", err)
	}
	b.Age = time.Duration(seconds * float64(time.Second))
	return b, nil
}

// givenUp is how many tasks one statement gives up.
const givenUp = 5000

// GiveUp fails the waiting tasks of a kind that are older than age, if no process has
// worked on them for that time. It returns their number.
func (q *Queue) GiveUp(ctx context.Context, kind string, age time.Duration, why Failure) (total int, err error) {
	for {
		done, err := q.pool.Exec(ctx, `update river_job set state = 'discarded', finalized_at = now(),
				errors = array_append(errors, jsonb_build_object('at', now(), 'attempt', attempt, 'error', $4::text,
				'trace', ''))
			where id in (select id from river_job where kind = $1 and `+waits+` and created_at < now() - $2::interval
				and not exists (select from river_queue where name = $3 and updated_at > now() - $2::interval)
				order by id limit $5 for update skip locked)`, kind, age, river.QueueDefault, why.Error(), givenUp)
		if err != nil {
			return total, fmt.Errorf("give up tasks: %w", err)
		}
		total += int(done.RowsAffected())
		if done.RowsAffected() < givenUp {
			return total, nil
		}
	}
}
