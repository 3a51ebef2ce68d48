package tasks

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Info describes a task for an operator.
type Info struct {
	ID   int64
	Kind string
	// Key is the subject of the task; that of a periodic task is its kind.
	Key               string
	State             State
	Attempt, Attempts int
	Priority          int
	Created           time.Time
	// Next is the earliest start, Ended the end; zero if not applicable.
	Next, Ended time.Time
	// Reason is why the last attempt failed; zero if none did, or if the task was canceled.
	Reason Failure
}

// Filter selects tasks for [Queue.List]; empty fields select all.
type Filter struct {
	Kind  string
	State State
	// Below selects tasks with lower ids; 0 selects all.
	Below int64
	// Limit is the maximum number of tasks: 1 to 10,000.
	Limit int
}

// List returns tasks, newest first.
func (q *Queue) List(ctx context.Context, f Filter) ([]Info, error) {
	params := river.NewJobListParams().First(f.Limit).OrderBy(river.JobListOrderByID, river.SortOrderDesc)
	if f.Kind != "" {
		params = params.Kinds(f.Kind)
	}
	if f.State != "" {
		params = params.States(riverStates(f.State)...)
	}
	if f.Below > 0 {
		params = params.Where("id < @below", river.NamedArgs{"below": f.Below})
	}
	// Filter Failed and Canceled in the query, so that the limit applies after it: see convertState.
	switch f.State {
	case Failed:
		params = params.Where("(state <> 'cancelled' or not metadata ? 'cancel_attempted_at')")
	case Canceled:
		params = params.Where("metadata ? 'cancel_attempted_at'")
	case Waiting, Running, Succeeded:
	}
	page, err := q.client.JobList(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("list tasks: %w", err)
	}
	out := make([]Info, len(page.Jobs))
	for i, row := range page.Jobs {
		out[i] = newInfo(row)
	}
	return out, nil
}

func newInfo(row *rivertype.JobRow) Info {
	info := Info{
		ID: row.ID, Kind: row.Kind, State: convertState(row.State, row.Metadata), Attempt: row.Attempt,
		Attempts: row.MaxAttempts,
		Priority: row.Priority, Created: row.CreatedAt, Next: row.ScheduledAt, Reason: lastFailure(row.Errors),
	}
	info.Key = cmp.Or(decodeKey(row.EncodedArgs), row.Kind)
	if info.State == Canceled {
		info.Reason = Failure{} // the error of a canceled attempt is meaningless
	}
	if row.FinalizedAt != nil {
		info.Ended, info.Next = *row.FinalizedAt, time.Time{}
	}
	return info
}

// decodeKey returns the member key of the stored arguments of a task.
func decodeKey(encoded []byte) string {
	var args struct {
		Key string `json:"key"`
	}
	if json.Unmarshal(encoded, &args) != nil {
		return ""
	}
	return args.Key
}

// convertState converts a River state. River also calls a task canceled if its own worker gave
// it up; the metadata tell the difference.
func convertState(state rivertype.JobState, metadata []byte) State {
	switch state {
	case rivertype.JobStateRunning:
		return Running
	case rivertype.JobStateCompleted:
		return Succeeded
	case rivertype.JobStateDiscarded:
		return Failed
	case rivertype.JobStateCancelled:
		if wasCanceled(metadata) {
			return Canceled
		}
		return Failed
	case rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
		rivertype.JobStateScheduled:
	}
	return Waiting
}

// riverStates returns the River states that may mean s.
func riverStates(s State) []rivertype.JobState {
	return slices.DeleteFunc(rivertype.JobStates(), func(r rivertype.JobState) bool {
		return convertState(r, nil) != s && (s != Canceled || r != rivertype.JobStateCancelled)
	})
}

func isGone(err error) bool { return errors.Is(err, rivertype.ErrNotFound) }
