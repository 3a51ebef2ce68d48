package refresh

import (
	"context"
	"time"

	"kith"
	"kith/internal/operation/tasks"
)

// Lifetime is how long a refresh job can be queried after its creation.
const Lifetime = 30 * 24 * time.Hour

// Profile is a profile to refresh: its URL as given, and its comparison key.
type Profile struct{ Key, URL string }

// Ticket is a refresh job as seen by the user who requested it. Several tickets may share one task.
type Ticket struct {
	ID       string
	Key, URL string
	State    tasks.State
	Created  time.Time
	// Finished is zero for an open ticket.
	Finished time.Time
	// Reason is why it failed.
	Reason tasks.Failure
}

// Tickets stores tickets and their tasks. Users reach only their own. Errors: NotFound for an id that the user does not
// have, Gone for an expired one.
type Tickets interface {
	// Open returns a ticket for each profile and queues its task in the same transaction. It reuses an open ticket of
	// the user; a new one joins an open task for the same profile. If one of the people is suppressed, it returns
	// Suppressed, and if the user would exceed [MaxOpen] open tickets, RateLimited: then nothing is done.
	Open(ctx context.Context, user int64, profiles []Profile, priority int) ([]string, error)
	// Look returns tickets in the order of ids; Unauthorized if the user was deleted meanwhile.
	Look(ctx context.Context, ids []string) ([]Ticket, error)
	Get(ctx context.Context, user int64, id string) (Ticket, error)
	// Cancel cancels a ticket, and its task if nobody else waits for it; Conflict if the ticket has ended otherwise.
	Cancel(ctx context.Context, user int64, id string) (Ticket, error)
	TaskStore
}

// TaskStore is what the tasks behind tickets need.
type TaskStore interface {
	// Answered reports whether an answer of the source about a shared profile was stored since a time.
	Answered(ctx context.Context, key string, since time.Time) (bool, error)
	// QueueStale queues tasks at the lowest priority for at most n people last refreshed, requested or stored before a
	// time, and returns how many.
	QueueStale(ctx context.Context, before time.Time, n int) (int, error)
	// GiveUp fails tasks that have waited longer than age if no worker for them was present in that time, and returns
	// how many.
	GiveUp(ctx context.Context, age time.Duration, why tasks.Failure) (int, error)
	// Tidy copies the outcome of tasks to their tickets, and expires tickets created before a time.
	Tidy(ctx context.Context, before time.Time) error
}

// Status is a refresh job as reported to its user.
type Status struct {
	Ticket
	// Person is the refreshed person if the refresh succeeded; else nil.
	Person *kith.Person
}

// Progress is the progress of the refresh, in percent.
func (s Status) Progress() int {
	switch {
	case !s.Finished.IsZero():
		return 100
	case s.State == tasks.Running:
		return 50
	}
	return 0
}

// Status returns a refresh job of the caller.
func (s *Service) Status(ctx context.Context, v kith.Viewer, id string) (Status, error) {
	a, _ := v.User()
	t, err := s.Tickets.Get(ctx, a.UserID, id)
	if err != nil {
		return Status{}, err
	}
	return s.status(ctx, v, t)
}

// Cancel cancels a refresh job of the caller; canceling twice is no error.
func (s *Service) Cancel(ctx context.Context, v kith.Viewer, id string) (Status, error) {
	a, _ := v.User()
	t, err := s.Tickets.Cancel(ctx, a.UserID, id)
	if err != nil {
		return Status{}, err
	}
	return s.status(ctx, v, t)
}

func (s *Service) status(ctx context.Context, v kith.Viewer, t Ticket) (Status, error) {
	out := Status{Ticket: t}
	if t.State != tasks.Succeeded {
		return out, nil
	}
	people, err := s.Records.ByProfile(ctx, v, []string{t.Key})
	if p, ok := people[t.Key]; ok {
		out.Person = &p
	}
	return out, err
}

// code is the reason why a ticket has no person.
func (t Ticket) code() string {
	switch {
	case t.State == tasks.Canceled:
		return CodeCanceled
	case t.State == tasks.Succeeded: // but the person was deleted since
		return "PERSON_NOT_FOUND"
	case t.Reason.Code == "":
		return tasks.CodeInternal
	}
	return t.Reason.Code
}

// Error returns the error of a failed refresh job for the caller; ok is false for others.
func (t Ticket) Error() (code, message string, ok bool) {
	switch code = t.code(); {
	case t.State != tasks.Failed:
		return "", "", false
	case code == tasks.CodeInternal:
		return code, "internal error", true
	}
	return code, t.Reason.Message, true
}
