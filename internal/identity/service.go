package identity

import (
	"context"
	"time"

	"kith"
	"kith/index/load"
)

// Position is where a list of duplicates goes on: after a pair with this score.
type Position struct {
	Score     float64
	Low, High int64
}

// Duplicate is a pair of people who may be one, and who nobody has decided about.
type Duplicate struct {
	People  [2]kith.Person
	Score   float64
	Reasons []string
	FoundAt time.Time
	// Decidable says that the caller may decide about the pair.
	Decidable bool
	// At is where a list goes on after the pair.
	At Position
}

// Decided is a decision about two records.
type Decided struct {
	// Records are the two as they were told, each with its number as id.
	Records  [2]kith.Person
	Together bool
	At       time.Time
	By       string
}

// Merged is a person of several records, with the ids that mean the person now.
type Merged struct {
	Person  kith.Person
	Records []int64
}

// Store keeps what is decided.
type Store interface {
	load.Store
	// Duplicates returns up to n undecided pairs, the highest score first.
	Duplicates(ctx context.Context, after *Position, n int) ([]Duplicate, error)
	// Decided returns the latest n decisions that the caller of ctx may take back, the latest first.
	Decided(ctx context.Context, n int) ([]Decided, error)
	// MayDecide returns a Forbidden unless the caller of ctx may decide about records of an owner: a user about their
	// own, the operator about all.
	MayDecide(ctx context.Context, owner string) error
	// Merged returns up to n people of several records with ids above one.
	Merged(ctx context.Context, above int64, n int) ([]Merged, error)
	// RecordOf is the record that an identifier means: an id is that of a record, any
	// other identifier means the person who has it.
	// The owner is whose record it is: see [load.WithOwner].
	RecordOf(ctx context.Context, identifier string) (record int64, owner string, err error)
}

// DecisionTx is a write transaction that keeps decisions.
type DecisionTx interface {
	Tx
	// Decide keeps what was decided about two records; nil forgets it: two that were doubtful are so again.
	Decide(ctx context.Context, low, high int64, together *bool, by string) error
}

// Service lists duplicates and takes decisions about them. It is safe for concurrent use.
type Service struct{ store Store }

// NewService returns a service over a store.
func NewService(store Store) *Service { return &Service{store} }

// List returns up to n undecided pairs after a position, the highest score first.
func (s *Service) List(ctx context.Context, after *Position, n int) ([]Duplicate, error) {
	return s.store.Duplicates(ctx, after, n)
}

// Decided returns the latest n decisions that the caller may take back, the latest first.
func (s *Service) Decided(ctx context.Context, n int) ([]Decided, error) {
	return s.store.Decided(ctx, n)
}

// Merged returns up to n people of several records with ids above one.
func (s *Service) Merged(ctx context.Context, above int64, n int) ([]Merged, error) {
	return s.store.Merged(ctx, above, n)
}

// Merge makes one person of two, whatever speaks against it.
func (s *Service) Merge(ctx context.Context, a, b, by string) error {
	together := true
	return s.decide(ctx, a, b, &together, by)
}

// Part keeps two people apart, whatever they share; two who were merged are two again, and
// get back their ids and what hung on them. An id that was merged away still names its
// record.
func (s *Service) Part(ctx context.Context, a, b, by string) error {
	together := false
	return s.decide(ctx, a, b, &together, by)
}

// Forget takes back a decision: the records decide again.
func (s *Service) Forget(ctx context.Context, a, b, by string) error {
	return s.decide(ctx, a, b, nil, by)
}

func (s *Service) decide(ctx context.Context, a, b string, together *bool, by string) error {
	first, owner, err := s.store.RecordOf(ctx, a)
	if err != nil {
		return err
	}
	second, other, err := s.store.RecordOf(ctx, b)
	if err != nil {
		return err
	}
	if err := s.store.MayDecide(ctx, owner); err != nil {
		return err
	}
	if first == second {
		return kith.Errorf(kith.Conflict, "SAME_PERSON", "%s and %s are one record; name the ids of two", a, b)
	}
	if owner != other {
		return kith.Errorf(kith.Conflict, "DIFFERENT_OWNERS",
			"%s and %s belong to different owners; only records of one owner are merged", a, b)
	}
	return s.store.Write(load.WithOwner(ctx, owner), func(ctx context.Context, tx load.Tx) error {
		store, ok := tx.(DecisionTx)
		if !ok {
			return errNoRecords
		}
		if err := store.Decide(ctx, min(first, second), max(first, second), together, by); err != nil {
			return err
		}
		return Again(ctx, tx, first, second)
	})
}
