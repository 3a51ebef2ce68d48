// Package privacy erases people and exports what is stored on them. An erasure hides a person at once. It becomes final
// after a grace period, in which it can be canceled, unless the operator skips the period.
package privacy

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"kith"
)

// Status is the outcome for one identifier.
type Status string

// The statuses of an identifier.
const (
	// Forgotten: the person was stored and is erased.
	Forgotten Status = "forgotten"
	// Suppressed: nobody was stored under this profile or address, and nobody will be.
	Suppressed Status = "suppressed"
	// Failed: it does not identify one person; nothing was done.
	Failed Status = "failed"
)

// Result is the outcome for one identifier.
type Result struct {
	Identifier string
	Status     Status
	// Erasure is the id of the erasure, and FinalAt when it becomes final; zero if it already is, or failed.
	Erasure int64
	FinalAt time.Time
	// Code and Message explain a failure.
	Code, Message string
}

// Order describes who requests an erasure, and when it becomes final.
type Order struct {
	// Actor is the requester as the list of erasures shows it.
	Actor string
	// By is the author for the audit: a key of the requesting app, or the operator.
	By kith.Principal
	// FinalAt is when the erasure becomes final; zero means at once.
	FinalAt time.Time
	// LimitedSince is when the time began in which the app may erase [PerDay] people; zero means no limit.
	LimitedSince time.Time
}

// Erasure is a pending erasure.
type Erasure struct {
	ID                 int64
	Actor              string
	CreatedAt, FinalAt time.Time
}

// Codes of identifiers that failed.
const (
	CodeNotFound  = "PERSON_NOT_FOUND"
	CodeAmbiguous = "PERSON_AMBIGUOUS"
	// CodeLimit is also that of a request with too many identifiers.
	CodeLimit = "ERASURE_LIMIT"
)

// Dossier is everything stored on one person, in sections.
type Dossier struct {
	Identifier  string    `json:"identifier"`
	GeneratedAt time.Time `json:"generated_at"`
	// Sections are arrays by name, such as person, relationships and jobs; empty if nothing is stored.
	Sections map[string]json.RawMessage `json:"held"`
}

// Store erases and exports people. An identifier is an id, a profile URL or its last segment, or an e-mail address.
type Store interface {
	// Erase removes a person from everything stored, keeps keyed hashes of the profile and the addresses, and queues
	// the change for the index, in one transaction with an audit entry. Until the erasure is final, it keeps the
	// removed data sealed.
	Erase(ctx context.Context, identifier string, o Order) (Result, error)
	// EraseInApp removes a person from the data of an app's users.
	EraseInApp(ctx context.Context, identifier string, o Order) (Result, error)
	Pending
	// Export reads what is stored on a person, possibly nothing, and writes an audit entry. An identifier of several
	// people is a Conflict.
	Export(ctx context.Context, identifier string, by kith.Principal) (Dossier, error)
	// Last returns the number of the last change queued for the index, Backlog how many changes up to a number are
	// waiting.
	Last(ctx context.Context) (int64, error)
	Backlog(ctx context.Context, upTo int64) (int64, error)
}

// Pending stores pending erasures.
type Pending interface {
	// Erasures lists pending erasures, oldest first.
	Erasures(ctx context.Context) ([]Erasure, error)
	// Since counts the erasures requested by an app since a time.
	Since(ctx context.Context, app int64, at time.Time) (int, error)
	// Cancel restores what an erasure removed, as far as possible; by is the operator or a key. NotFound if its app has
	// no such erasure; Conflict if it is final or canceled, or if a later erasure of the same person follows it.
	Cancel(ctx context.Context, id int64, by kith.Principal) error
	// Finish makes due erasures final, and returns how many.
	Finish(ctx context.Context, now time.Time) (int, error)
}

// Grace is the period in which an erasure can be canceled.
const Grace = 7 * 24 * time.Hour

// PerDay is how many people an app may erase in 24 hours.
const PerDay = 100

// Service erases people and exports their data. It is safe for concurrent use.
type Service struct {
	store Store
	now   func() time.Time
}

// New returns the service over a store.
func New(store Store) *Service { return &Service{store, time.Now} }

// At sets the clock. Call it before the service is used.
func (s *Service) At(now func() time.Time) *Service {
	s.now = now
	return s
}

// Forget erases the people of identifiers permanently, each in its own transaction. Result i belongs to identifier i;
// with an error, there are results for the identifiers before the failed one. The erasure is complete when it returns;
// [Service.WaitUntilVisible] waits for the index.
func (s *Service) Forget(ctx context.Context, identifiers []string, by kith.Principal) ([]Result, error) {
	return s.each(ctx, identifiers, Order{Actor: by.Name, By: by}, s.store.Erase)
}

// Schedule is [Service.Forget] with the grace period. An app may erase [PerDay] people in 24 hours; a request that
// exceeds this is RateLimited and erases nobody; if others exceed it meanwhile, the rest of the identifiers fails.
func (s *Service) Schedule(
	ctx context.Context, identifiers []string, actor string, by kith.Principal,
) ([]Result, error) {
	now := s.now()
	o := Order{Actor: actor, By: by, FinalAt: now.Add(Grace).UTC().Truncate(time.Second)}
	if by.App != 0 {
		o.LimitedSince = now.Add(-24 * time.Hour)
		n, err := s.store.Since(ctx, by.App, o.LimitedSince)
		if err != nil {
			return nil, err
		}
		if n+len(identifiers) > PerDay {
			return nil, &kith.Error{
				Kind: kith.RateLimited, Code: CodeLimit, RetryAfter: time.Hour,
				Detail: fmt.Sprintf("an app may erase %d people in 24 hours, and %d were; ask the operator to erase "+
					"more (got %d)",
					PerDay, n, len(identifiers)),
			}
		}
	}
	return s.each(ctx, identifiers, o, s.store.Erase)
}

// ForgetInApp permanently erases what the users of an app store on people. The people remain for everyone else.
func (s *Service) ForgetInApp(
	ctx context.Context, identifiers []string, actor string, by kith.Principal,
) ([]Result, error) {
	return s.each(ctx, identifiers, Order{Actor: actor, By: by}, s.store.EraseInApp)
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

// Pending lists pending erasures, oldest first.
func (s *Service) Pending(ctx context.Context) ([]Erasure, error) { return s.store.Erasures(ctx) }

// Cancel reverts an erasure; see [Pending.Cancel].
func (s *Service) Cancel(ctx context.Context, id int64, by kith.Principal) error {
	return s.store.Cancel(ctx, id, by)
}

// Finish makes due erasures final. Call it periodically.
func (s *Service) Finish(ctx context.Context) (int, error) { return s.store.Finish(ctx, s.now()) }

// maxWait is how long [Service.WaitUntilVisible] waits.
const maxWait = 10 * time.Second

// WaitUntilVisible waits until every erasure so far is visible to search; false if that takes too long, for example
// because the engine is down.
func (s *Service) WaitUntilVisible(ctx context.Context) (bool, error) {
	last, err := s.store.Last(ctx)
	if err != nil {
		return false, err
	}
	over := time.After(maxWait)
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

// Export returns everything stored on one person.
func (s *Service) Export(ctx context.Context, identifier string, by kith.Principal) (Dossier, error) {
	return s.store.Export(ctx, strings.TrimSpace(identifier), by)
}
