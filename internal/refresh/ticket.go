package refresh

import (
	"context"
	"time"

	"kith"
	"kith/internal/jobs"
)

// Lifetime is how long a job can be asked about once it was made.
const Lifetime = 30 * 24 * time.Hour

// Profile is a profile to be refreshed: its URL as it was given, and in the
// form that is compared.
type Profile struct{ Key, URL string }

// Ticket is a job as the user sees it who asked for it. Several may share the
// work of one.
type Ticket struct {
	ID       string
	Key, URL string
	State    jobs.State
	Created  time.Time
	// Finished is the zero time for one that goes on.
	Finished time.Time
	// Reason is why it failed.
	Reason jobs.Failure
}

// Tickets keeps tickets and the work behind them. A user reaches only their
// own. Errors: NotFound for an id that the user has not, Gone for one that has
// expired.
type Tickets interface {
	// Open returns a ticket for each profile, and queues its work in the same
	// transaction: an open one of the user's where there is, and a new one
	// otherwise, which joins work about the same profile that is open. Suppressed where
	// one of the people is forgotten, and RateLimited where the user would have more than
	// [MaxOpen] open ones: then nothing is done.
	Open(ctx context.Context, user int64, profiles []Profile, priority jobs.Priority) ([]string, error)
	// Look returns tickets in the order of their ids; Unauthorized where the user
	// went meanwhile.
	Look(ctx context.Context, ids []string) ([]Ticket, error)
	Get(ctx context.Context, user int64, id string) (Ticket, error)
	// Cancel ends a ticket, and its work where nobody else waits for it; Conflict
	// for one that has ended in another way.
	Cancel(ctx context.Context, user int64, id string) (Ticket, error)
	// QueueStale queues work, at the lowest priority, for at most n of the people
	// who were last refreshed, asked for or stored before a day, and returns how many.
	QueueStale(ctx context.Context, before time.Time, n int) (int, error)
	// GiveUp lets work fail that has waited for longer than age, if nobody was there for
	// that time who works on it, and returns how much.
	GiveUp(ctx context.Context, age time.Duration, why jobs.Failure) (int, error)
	// Tidy copies how work has ended to its tickets, and lets those expire that
	// were made before a day.
	Tidy(ctx context.Context, before time.Time) error
}

// Status is a job as its user is told of it.
type Status struct {
	Ticket
	// Person is the refreshed person of a job that has succeeded, nil otherwise.
	Person *kith.Person
}

// Progress is how much of the job is done, in percent.
func (s Status) Progress() int {
	switch {
	case !s.Finished.IsZero():
		return 100
	case s.State == jobs.Running:
		return 50
	}
	return 0
}

// Job returns a job of the caller.
func (s *Service) Job(ctx context.Context, a kith.Actor, id string) (Status, error) {
	t, err := s.Tickets.Get(ctx, a.UserID, id)
	if err != nil {
		return Status{}, err
	}
	return s.status(ctx, t)
}

// Cancel ends a job of the caller; one that was canceled already stays so.
func (s *Service) Cancel(ctx context.Context, a kith.Actor, id string) (Status, error) {
	t, err := s.Tickets.Cancel(ctx, a.UserID, id)
	if err != nil {
		return Status{}, err
	}
	return s.status(ctx, t)
}

func (s *Service) status(ctx context.Context, t Ticket) (Status, error) {
	out := Status{Ticket: t}
	if t.State != jobs.Succeeded {
		return out, nil
	}
	people, err := s.Records.ByProfile(ctx, []string{t.Key})
	if p, ok := people[t.Key]; ok {
		out.Person = &p
	}
	return out, err
}

// code is why a ticket has no person.
func (t Ticket) code() string {
	switch {
	case t.State == jobs.Canceled:
		return CodeCanceled
	case t.State == jobs.Succeeded: // and the person was deleted since
		return "PERSON_NOT_FOUND"
	case t.Reason.Code == "":
		return jobs.CodeInternal
	}
	return t.Reason.Code
}

// Error is what the caller is told of a job that failed; ok is false for others.
func (t Ticket) Error() (code, message string, ok bool) {
	switch code = t.code(); {
	case t.State != jobs.Failed:
		return "", "", false
	case code == jobs.CodeInternal:
		return code, "something went wrong on our side", true
	}
	return code, t.Reason.Message, true
}
