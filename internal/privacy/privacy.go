// Package privacy erases people and shows what is held on them. An erasure hides a person at
// once and becomes final after a grace period, in which it can be canceled, unless the operator
// skips it.
package privacy

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"kith"
)

// MaxIdentifiers is the most people of one request.
const MaxIdentifiers = 100

// Status is what became of one identifier.
type Status string

// The statuses of an identifier.
const (
	// Forgotten: the person was held, and is no more.
	Forgotten Status = "forgotten"
	// Suppressed: nobody was held by this profile or address, and nobody will be.
	Suppressed Status = "suppressed"
	// Failed: it names nobody in particular, so that nothing was done.
	Failed Status = "failed"
)

// Result is what became of one identifier.
type Result struct {
	Identifier string
	Status     Status
	// Erasure is the number of the erasure, and FinalAt when it becomes final; zero
	// where it is final, or failed.
	Erasure int64
	FinalAt time.Time
	// Code and Message say why it failed.
	Code, Message string
}

// Order is who asks for an erasure.
type Order struct {
	// Actor is who asks for it, for the audit.
	Actor string
	// App is the number of the app that asks; 0 for the operator.
	App int64
	// FinalAt is when the erasure becomes final; zero is at once.
	FinalAt time.Time
}

// Erasure is one that is not final yet.
type Erasure struct {
	ID                 int64
	Actor              string
	CreatedAt, FinalAt time.Time
}

// Codes of identifiers that failed.
const (
	CodeNotFound  = "PERSON_NOT_FOUND"
	CodeAmbiguous = "PERSON_AMBIGUOUS"
)

// Dossier is all that is held on one person, in sections.
type Dossier struct {
	Identifier  string    `json:"identifier"`
	GeneratedAt time.Time `json:"generated_at"`
	// Sections are arrays by name, such as person, relationships and jobs; those
	// of which nothing is held are empty.
	Sections map[string]json.RawMessage `json:"held"`
}

// Store erases and shows. An identifier is an id, a profile URL, the last
// segment of one, or an e-mail address.
type Store interface {
	// Erase takes a person out of everything that is stored, keeps keyed hashes of
	// the profile and the address, and queues the change for the index, in one
	// transaction with a row of the audit. Until the erasure is final what was taken
	// out is kept, sealed.
	Erase(ctx context.Context, identifier string, o Order) (Result, error)
	// EraseInApp takes a person out of what the users of an app hold.
	EraseInApp(ctx context.Context, identifier string, o Order) (Result, error)
	Pending
	// Export reads what is held on a person, also where nobody is held, and writes a
	// row of the audit. Conflict where the identifier names several.
	Export(ctx context.Context, identifier, actor string) (Dossier, error)
	// Last is the number of the last change that was queued for the index,
	// Backlog how many are waiting up to one.
	Last(ctx context.Context) (int64, error)
	Backlog(ctx context.Context, upTo int64) (int64, error)
}

// Pending keeps erasures that are not final.
type Pending interface {
	// Erasures lists those that are not final, oldest first.
	Erasures(ctx context.Context) ([]Erasure, error)
	// Since counts the erasures of an app since a time.
	Since(ctx context.Context, app int64, at time.Time) (int, error)
	// Cancel puts back what an erasure took out, all that can be; app is 0 for the
	// operator. NotFound where the app has none of the number, Conflict where it is
	// final, or cancelled, or another one of the person follows it.
	Cancel(ctx context.Context, id, app int64) error
	// Finish makes those final whose time has come, and returns how many.
	Finish(ctx context.Context, now time.Time) (int, error)
}

// Grace is how long an erasure can be cancelled.
const Grace = 7 * 24 * time.Hour

// PerDay is how many people an app may erase in 24 hours.
const PerDay = 100

// Service is safe for concurrent use.
type Service struct {
	store Store
	now   func() time.Time
}

// New returns the service over a store.
func New(store Store) *Service { return &Service{store, time.Now} }

// At makes the service go by another clock. It is called before the service is used.
func (s *Service) At(now func() time.Time) *Service {
	s.now = now
	return s
}

// Forget erases the people of identifiers at once and for good, each in a transaction
// of its own. Result i belongs to identifier i; with an error there are those of the
// identifiers before the one that failed. It is done when it returns;
// [Service.Settle] waits for the index.
func (s *Service) Forget(ctx context.Context, identifiers []string, actor string) ([]Result, error) {
	return s.each(ctx, identifiers, Order{Actor: actor}, s.store.Erase)
}

// Schedule is [Service.Forget] with the grace period. An app, which is not 0, may have
// [PerDay] people erased in a day; more are RateLimited, and none of the request is
// erased.
func (s *Service) Schedule(ctx context.Context, identifiers []string, actor string, app int64) ([]Result, error) {
	now := s.now()
	if app != 0 {
		n, err := s.store.Since(ctx, app, now.Add(-24*time.Hour))
		if err != nil {
			return nil, err
		}
		if n+len(identifiers) > PerDay {
			return nil, &kith.Error{
				Kind: kith.RateLimited, Code: "ERASURE_LIMIT", RetryAfter: time.Hour,
				Detail: fmt.Sprintf("an app may erase %d people in 24 hours, and %d were; ask the operator to erase more (got %d)",
					PerDay, n, len(identifiers)),
			}
		}
	}
	return s.each(ctx, identifiers, Order{Actor: actor, App: app, FinalAt: now.Add(Grace).UTC().Truncate(time.Second)},
		s.store.Erase)
}

// ForgetInApp erases what the users of an app hold on people, for good. The people stay
// for all others.
func (s *Service) ForgetInApp(ctx context.Context, identifiers []string, actor string, app int64) ([]Result, error) {
	return s.each(ctx, identifiers, Order{Actor: actor, App: app}, s.store.EraseInApp)
}

func (s *Service) each(ctx context.Context, identifiers []string, o Order,
	erase func(context.Context, string, Order) (Result, error),
) ([]Result, error) {
	out := make([]Result, 0, len(identifiers))
	for _, id := range identifiers {
		res, err := erase(ctx, strings.TrimSpace(id), o)
		if err != nil {
			return out, fmt.Errorf("forget: %w", err)
		}
		res.Identifier = id
		out = append(out, res)
	}
	return out, nil
}

// Pending lists the erasures that are not final, oldest first.
func (s *Service) Pending(ctx context.Context) ([]Erasure, error) { return s.store.Erasures(ctx) }

// Cancel takes an erasure back; see [Pending.Cancel].
func (s *Service) Cancel(ctx context.Context, id, app int64) error {
	return s.store.Cancel(ctx, id, app)
}

// Finish makes erasures final whose time has come. It is called now and then.
func (s *Service) Finish(ctx context.Context) (int, error) { return s.store.Finish(ctx, s.now()) }

// settleTime is how long [Service.Settle] waits.
const settleTime = 10 * time.Second

// Settle waits until searches find no one any more who was forgotten before;
// false where that took too long, as when the engine is away.
func (s *Service) Settle(ctx context.Context) (bool, error) {
	last, err := s.store.Last(ctx)
	if err != nil {
		return false, err
	}
	over := time.After(settleTime)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		left, err := s.store.Backlog(ctx, last)
		if err != nil || left == 0 {
			return err == nil, err
		}
		select {
		case <-tick.C:
		case <-over:
			return false, nil
		case <-ctx.Done():
			return false, ctx.Err()
		}
	}
}

// Export returns all that is held on one person.
func (s *Service) Export(ctx context.Context, identifier, actor string) (Dossier, error) {
	return s.store.Export(ctx, strings.TrimSpace(identifier), actor)
}
