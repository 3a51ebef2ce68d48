// Package jobs is a queue of background tasks in Postgres, shared by processes ([Queue]), over
// River. A task is queued in the caller's transaction, retried after failures, and survives its
// process. The package knows no particular kind of task; each is a [Kind].
package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// Kind is one sort of work. Those that come by themselves, and those with Workers, have a
// queue of River's each, all others one together.
type Kind struct {
	// Name is stored with each job: two letters or more, and never changed.
	Name string
	// Work does one job. It may run again after it has done its work, when the
	// process dies before that is noted, so it must not matter whether it runs
	// twice. Its error is a [Failure], or else one that is tried again.
	Work func(ctx context.Context, t Task) error
	// Timeout ends the ctx of Work: 30 s, and no more than that.
	Timeout time.Duration
	// Attempts is how often a job is tried: 5.
	Attempts int
	// Every queues a job of this kind by itself, one in all processes; 0 is
	// never.
	Every time.Duration
	// Workers gives the kind a queue of its own, which its name names in [Job.Queue], with
	// so many jobs at a time; 0 shares the queue of all others.
	Workers int
	// Elsewhere leaves the jobs to other processes, for all kinds without a queue of their
	// own alike. They are to be named all the same: River gives up a job whose process
	// died where the process that looks for such jobs does not know its kind.
	Elsewhere bool
}

// Task is a job at work.
type Task struct {
	ID int64
	// Key is what the job is about; no two open jobs of a kind have the same.
	Key     string
	payload json.RawMessage
	// Attempt counts from 1 to Attempts.
	Attempt, Attempts int
}

// Decode reads what the job was queued with.
func (t Task) Decode(into any) error {
	if err := json.Unmarshal(t.payload, into); err != nil {
		return fmt.Errorf("job %d cannot be read: %w", t.ID, err)
	}
	return nil
}

// Failure says why a job failed, in words that whoever asked for it may read.
type Failure struct {
	// Code is a stable upper-case name.
	Code    string
	Message string
	// Again says that another attempt makes sense: after After where that is
	// set, which does not count as an attempt, else after a while that grows.
	Again bool
	After time.Duration
	// Cause is for the log.
	Cause error
}

// Error is what is stored with the job.
func (f *Failure) Error() string { return f.Code + ": " + f.Message }

// Unwrap returns the cause.
func (f *Failure) Unwrap() error { return f.Cause }

// Priority orders jobs that wait.
type Priority int

// The priorities.
const (
	Now       Priority = 1 // someone waits for it
	Soon      Priority = 2
	Later     Priority = 3 // behind what others wait for
	Scheduled Priority = 4 // when there is nothing else to do
)

// Job is a job to be queued.
type Job struct {
	Kind string
	// Queue is the name of a kind that has a queue of its own; empty is the one of all others.
	Queue string
	// Key keeps a second job about the same from being queued while the first is
	// open; empty is no such key.
	Key      string
	Payload  any
	Priority Priority
	// At is when it may begin; the zero time is now.
	At time.Time
}

// Queued is what became of a [Job].
type Queued struct {
	ID int64
	// Joined is true where an open job has the same key: ID is of that one.
	Joined bool
}

// State is how far a job is.
type State string

// The states. The last three are final.
const (
	Waiting   State = "queued"
	Running   State = "running"
	Succeeded State = "succeeded"
	Failed    State = "failed"
	Canceled  State = "canceled"
)
