// Package tasks adds to River what Kith needs and River lacks. A [Queue] is the queue of one dataset in Postgres,
// shared by processes. Packages with tasks declare their arguments, and add their workers to the river.Config. Added
// here are joining of open tasks ([Queue.Insert]), periodic tasks that never overlap ([Every]), kinds left to other
// processes ([Elsewhere]), postponements that end ([Postpone]), an end to tasks that crash their workers, reasons for
// people ([Failure]), and the operator's list. The package knows no particular kind of task.
package tasks

import (
	"context"
	"fmt"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Failure says why a task failed, in words for the person who asked for it. Wrap it with river.JobCancel if another
// attempt makes no sense.
type Failure struct {
	// Code is a stable upper-case name.
	Code    string
	Message string
}

// Error returns the text that is stored with the task.
func (f *Failure) Error() string { return f.Code + ": " + f.Message }

// Priorities of waiting tasks.
const (
	Now       = 1 // someone is waiting for it
	Soon      = 2
	Later     = 3 // after tasks that someone is waiting for
	Scheduled = 4 // when the queue is idle
)

// WhileOpen are the options of tasks whose arguments are unique among open tasks. River's default also counts ended
// ones.
func WhileOpen() river.UniqueOpts {
	return river.UniqueOpts{ByArgs: true, ByState: []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRunning,
		rivertype.JobStateRetryable, rivertype.JobStateScheduled,
	}}
}

// Every adds a periodic task: one for all processes at each interval, in a queue of its own, named like the kind. The
// next one is queued only after the last has ended, and none is repeated after a failure.
func Every[T river.JobArgs](c *river.Config, interval time.Duration, args T, work func(context.Context) error) {
	river.AddWorker(c.Workers, river.WorkFunc(func(ctx context.Context, _ *river.Job[T]) error { return work(ctx) }))
	c.Queues[args.Kind()] = river.QueueConfig{MaxWorkers: 1}
	queue := func() (river.JobArgs, *river.InsertOpts) {
		return args, &river.InsertOpts{
			Queue: args.Kind(), MaxAttempts: 1, Priority: Scheduled, UniqueOpts: WhileOpen(),
		}
	}
	c.PeriodicJobs = append(c.PeriodicJobs, river.NewPeriodicJob(river.PeriodicInterval(interval), queue,
		&river.PeriodicJobOpts{RunOnStart: true}))
}

// Elsewhere adds a kind of task that only other processes work on; see [Config].
func Elsewhere[T river.JobArgs](c *river.Config) {
	river.AddWorker(c.Workers, river.WorkFunc(func(_ context.Context, task *river.Job[T]) error {
		return fmt.Errorf("tasks of kind %s are for another process", task.Kind)
	}))
}

// maxAge limits how long a task may postpone itself.
const maxAge = 24 * time.Hour

// Postpone is river.JobSnooze with an end: after a day, attempts count and fail with the reason. It returns the result
// for the task's worker.
func Postpone(task *rivertype.JobRow, delay time.Duration, why *Failure) error {
	if time.Since(task.CreatedAt) < maxAge {
		return river.JobSnooze(delay)
	}
	return why
}

// State is the state of a task.
type State string

// The states. The last three are final.
const (
	Waiting   State = "queued"
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Canceled  State = "canceled"
)
