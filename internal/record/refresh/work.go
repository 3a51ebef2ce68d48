package refresh

import (
	"context"
	"errors"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"kith"
	"kith/internal/operation/tasks"
)

// Args are the arguments of the task that refreshes one person. Key is the profile's key.
type Args struct {
	Key string `json:"key" river:"unique"`
}

// Kind implements [river.JobArgs].
func (Args) Kind() string { return Kind }

// InsertOpts implements [river.JobArgsWithInsertOpts].
func (Args) InsertOpts() river.InsertOpts { return river.InsertOpts{UniqueOpts: tasks.WhileOpen()} }

type tidyArgs struct{}

func (tidyArgs) Kind() string { return "refresh_tidy" }

type staleArgs struct{}

func (staleArgs) Kind() string { return "refresh_stale" }

// AddWork adds the tasks of this package: refreshing one person, and periodic work. A process without a source leaves
// refreshes to others.
func (s *Service) AddWork(c *river.Config) {
	river.AddWorker(c.Workers, river.WorkFunc(s.work))
	if s.Source != nil {
		c.Queues[river.QueueDefault] = river.QueueConfig{MaxWorkers: s.Workers}
	}
	tasks.Every(c, time.Hour, tidyArgs{}, func(ctx context.Context) error {
		return errors.Join(s.giveUp(ctx), s.Tickets.Tidy(ctx, s.Now().Add(-Lifetime)))
	})
	if s.Stale > 0 && s.Source != nil {
		tasks.Every(c, staleEvery, staleArgs{}, s.QueueStale)
	} else {
		tasks.Elsewhere[staleArgs](c)
	}
}

// QueueStale queues refreshes of people whose data is older than Stale.
func (s *Service) QueueStale(ctx context.Context) error {
	_, err := s.Tickets.QueueStale(ctx, s.Now().Add(-s.Stale), staleBatch)
	return err
}

// Unserved is how long a refresh waits for a process with a source.
const Unserved = 24 * time.Hour

// giveUp fails refresh jobs that no worker with a source has claimed. Processes with a source leave them to be worked
// on.
func (s *Service) giveUp(ctx context.Context) error {
	if s.Source != nil {
		return nil
	}
	n, err := s.Tickets.GiveUp(ctx, Unserved,
		tasks.Failure{Code: CodeNoSource, Message: "no process with a data source ran for a day"})
	if n > 0 {
		s.Logger.Warn().Int("tasks", n).Str("code",
			CodeNoSource).Msg("refreshes failed: no process with a data source ran for a day")
	}
	return err
}

// A schedule refreshes at most some 1,800 people an hour, so that a source is not asked about a whole dataset at once.
const (
	staleEvery = 10 * time.Minute
	staleBatch = 300
)

// work refreshes one person. It is idempotent. After a crash it does not ask the source again, which may cost money, if
// the answer was stored.
func (s *Service) work(ctx context.Context, task *river.Job[Args]) error {
	if task.Attempt > 1 {
		done, err := s.Tickets.Answered(ctx, task.Args.Key, task.CreatedAt)
		if err != nil || done {
			return err
		}
	}
	return decideRetry(s.fetch(ctx, "https://"+task.Args.Key), task.JobRow)
}

// decideRetry says whether to retry a failed refresh.
func decideRetry(err error, task *rivertype.JobRow) error {
	e, ok := errors.AsType[*kith.Error](err)
	if !ok {
		return err
	}
	why, wait := &tasks.Failure{Code: e.Code, Message: e.Detail}, e.RetryAfter
	switch e.Kind {
	case kith.RateLimited:
		return tasks.Postpone(task, max(wait, time.Second), why)
	case kith.Unavailable, kith.Timeout:
		if wait > 0 {
			return tasks.Postpone(task, wait, why)
		}
		return why
	case kith.Internal:
		return why
	}
	return river.JobCancel(why)
}
