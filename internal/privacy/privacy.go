// Package privacy does what people may ask about their data: to have it erased
// for good, and to see all of it.
package privacy

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"
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
	// Code and Message say why it failed.
	Code, Message string
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
// segment of one, or an e-mail address; actor is who asks for it, for the audit.
type Store interface {
	// Forget erases a person from everything that is stored, keeps keyed hashes of
	// the profile and the address, and queues the change for the index, in one
	// transaction with a row of the audit.
	Forget(ctx context.Context, identifier, actor string) (Result, error)
	// Export reads what is held on a person, also where nobody is held, and writes a
	// row of the audit. Conflict where the identifier names several.
	Export(ctx context.Context, identifier, actor string) (Dossier, error)
	// Last is the number of the last change that was queued for the index,
	// Backlog how many are waiting up to one.
	Last(ctx context.Context) (int64, error)
	Backlog(ctx context.Context, upTo int64) (int64, error)
}

// Service is safe for concurrent use.
type Service struct{ store Store }

// New returns the service over a store.
func New(store Store) *Service { return &Service{store} }

// Forget erases the people of identifiers, each in a transaction of its own.
// Result i belongs to identifier i; with an error there are those of the
// identifiers before the one that failed. It is done when it returns;
// [Service.Settle] waits for the index.
func (s *Service) Forget(ctx context.Context, identifiers []string, actor string) ([]Result, error) {
	out := make([]Result, 0, len(identifiers))
	for _, id := range identifiers {
		res, err := s.store.Forget(ctx, strings.TrimSpace(id), actor)
		if err != nil {
			return out, fmt.Errorf("forget: %w", err)
		}
		res.Identifier = id
		out = append(out, res)
	}
	return out, nil
}

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
