// Package jobs is a queue of background tasks in Postgres, shared by processes ([Queue]),
// built on River. A task is queued in the caller's transaction, retried after failures,
// and survives its process. The package knows no particular kind of task; each is a
// [Kind].
package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Kind is a kind of task. Kinds with Every or Workers have their own River queue; all
// others share one.
type Kind struct {
	// Name is stored with each task. It has at least two letters and never changes.
	Name string
	// Work does one task. It may run twice for a task, if the process dies before the end is
	// recorded, so it must be idempotent. An error that is not a [Failure] is retried.
	Work func(ctx context.Context, t Task) error
	// Timeout limits the ctx of Work: 30 s, which is also the maximum.
	Timeout time.Duration
	// Attempts limits the attempts: 5.
	Attempts int
	// Every queues a task of this kind at this interval, one for all processes; 0 is never.
	Every time.Duration
	// Workers gives the kind its own queue, named like the kind, with that many tasks at once;
	// 0 uses the shared queue. Name the queue in [Job.Queue].
	Workers int
	// Elsewhere leaves the tasks to other processes. It must be the same for all kinds in the
	// shared queue. Kinds must be listed anyway: the process that looks for tasks of crashed
	// processes gives up those of unknown kinds.
	Elsewhere bool
}

// Task is a running task.
type Task struct {
	ID int64
	// Key is the subject of the task; no two open tasks of a kind have the same key.
	Key     string
	payload json.RawMessage
	// Attempt counts from 1 to Attempts.
	Attempt, Attempts int
}

// Decode decodes the payload of the task.
func (t Task) Decode(into any) error {
	if err := json.Unmarshal(t.payload, into); err != nil {
		return fmt.Errorf("job %d cannot be read: %w", t.ID, err)
	}
	return nil
}

// Failure says why a task failed, in words for the person who asked for it.
type Failure struct {
	// Code is a stable upper-case name.
	Code    string
	Message string
	// Again is true if another attempt makes sense. If After is set, it is the delay, and the
	// attempt does not count. Otherwise the delay grows with each attempt.
	Again bool
	After time.Duration
	// Cause is for the log.
	Cause error
}

// Error returns the text that is stored with the task.
func (f *Failure) Error() string { return f.Code + ": " + f.Message }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Cause }

// Priority orders waiting tasks.
type Priority int

// The priorities.
const (
	Now       Priority = 1 // someone is waiting for it
	Soon      Priority = 2
	Later     Priority = 3 // after tasks that someone is waiting for
	Scheduled Priority = 4 // when the queue is idle
)

// Job is a task to queue.
type Job struct {
	Kind string
	// Queue is the name of a kind with its own queue; empty is the shared queue.
	Queue string
	// Key prevents a second task with the same key while the first is open; empty allows it.
	Key      string
	Payload  any
	Priority Priority
	// At is the earliest start; zero means now.
	At time.Time
}

// Queued is the result of queueing a [Job].
type Queued struct {
	ID int64
	// Joined is true if an open task has the same key; ID is then that task's.
	Joined bool
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
