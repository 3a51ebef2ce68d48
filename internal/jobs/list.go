package jobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"
)

// Info is a job as an operator sees it.
type Info struct {
	ID                int64
	Kind, Key         string
	State             State
	Attempt, Attempts int
	Priority          Priority
	Created           time.Time
	// Next is when it may begin, Ended when it ended; the zero time otherwise.
	Next, Ended time.Time
	// Reason is why the last attempt failed; zero where none did, and of what was
	// canceled.
	Reason Failure
}

// Filter chooses jobs for [Queue.List]; empty members choose all.
type Filter struct {
	Kind  string
	State State
	// Below has only jobs of lower numbers returned; 0 is all.
	Below int64
	// Limit is the most that are returned: 1 to 10,000.
	Limit int
}

// List returns jobs, the newest first.
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
	// Told apart before they are counted up to the limit: see stateOf.
	switch f.State {
	case Failed:
		params = params.Where("(state <> 'cancelled' or not metadata ? 'cancel_attempted_at')")
	case Canceled:
		params = params.Where("metadata ? 'cancel_attempted_at'")
	case Waiting, Running, Succeeded:
	}
	page, err := q.client.JobList(ctx, params)
	if err != nil {
		return nil, fmt.Errorf("list jobs: %w", err)
	}
	out := make([]Info, len(page.Jobs))
	for i, row := range page.Jobs {
		out[i] = infoOf(row)
	}
	return out, nil
}

func infoOf(row *rivertype.JobRow) Info {
	info := Info{
		ID: row.ID, Kind: row.Kind, State: stateOf(string(row.State), row.Metadata), Attempt: row.Attempt,
		Attempts: row.MaxAttempts,
		Priority: Priority(row.Priority), Created: row.CreatedAt, Next: row.ScheduledAt, Reason: reasonOf(row.Errors),
	}
	info.Key = keyOf(row.EncodedArgs)
	if info.State == Canceled {
		info.Reason = Failure{} // what its end was like for the worker says nothing
	}
	if row.FinalizedAt != nil {
		info.Ended, info.Next = *row.FinalizedAt, time.Time{}
	}
	return info
}

// stateOf reads a state and the metadata of a job as River stores them. River
// calls a job canceled also when its own worker gave it up.
func stateOf(state string, metadata []byte) State {
	switch rivertype.JobState(state) {
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
	case rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateScheduled:
	}
	return Waiting
}

// riverStates are what River may call a state.
func riverStates(s State) []rivertype.JobState {
	switch s {
	case Running:
		return []rivertype.JobState{rivertype.JobStateRunning}
	case Succeeded:
		return []rivertype.JobState{rivertype.JobStateCompleted}
	case Failed:
		return []rivertype.JobState{rivertype.JobStateDiscarded, rivertype.JobStateCancelled}
	case Canceled:
		return []rivertype.JobState{rivertype.JobStateCancelled}
	case Waiting:
	}
	return []rivertype.JobState{
		rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable,
		rivertype.JobStateScheduled,
	}
}

func isGone(err error) bool { return errors.Is(err, rivertype.ErrNotFound) }

// silent is for what River tells of its migrations.
func silent() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }
