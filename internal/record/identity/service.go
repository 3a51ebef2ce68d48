package identity

import (
	"context"
	"time"

	"kith"
	"kith/internal/record"
)

// Position is a position in the list of duplicates: after the pair with this score and these ids.
type Position struct {
	Score     float64
	Low, High int64
}

// Duplicate is an undecided pair of people who may be the same person.
type Duplicate struct {
	People  [2]kith.Person
	Score   float64
	Reasons []string
	FoundAt time.Time
	// Decidable is true if the caller may decide about the pair.
	Decidable bool
	// At is the position after the pair.
	At Position
}

// Decided is a decision about two records.
type Decided struct {
	// Records are the two records as they were read, with record ids.
	Records  [2]kith.Person
	Together bool
	At       time.Time
	By       string
}

// Merged is a person with several records, and all ids that refer to the person.
type Merged struct {
	Person  kith.Person
	Records []int64
}

// Pairs lists duplicates and decisions.
type Pairs interface {
	// Duplicates returns at most n undecided pairs that a viewer may see after a position, highest score first.
	Duplicates(ctx context.Context, v kith.Viewer, after *Position, n int) ([]Duplicate, error)
	// Decided returns the latest n decisions that a viewer may undo, latest first.
	Decided(ctx context.Context, v kith.Viewer, n int) ([]Decided, error)
	// Merged returns at most n people with several records and ids greater than above.
	Merged(ctx context.Context, above int64, n int) ([]Merged, error)
}

// Store stores decisions.
type Store interface {
	record.Store
	Pairs
	// MayDecide returns a Forbidden unless a viewer may decide about records of an owner.
	// Users may decide about their own records, the operator about all.
	MayDecide(v kith.Viewer, owner string) error
	// RecordOf returns the record that an identifier refers to for a viewer, and its owner: see [record.OwnedBy]. An
	// id refers to a record; any other identifier refers to the person who has it.
	RecordOf(ctx context.Context, v kith.Viewer, identifier string) (record int64, owner string, err error)
}

// DecisionTx is a write transaction that stores decisions.
type DecisionTx interface {
	Tx
	// Decide stores a decision about two records. nil deletes it; the pair may become doubtful again.
	Decide(ctx context.Context, low, high int64, together *bool, by kith.Principal) error
}

// Service lists duplicates and applies decisions about them. It is safe for concurrent use.
type Service struct {
	Pairs

	store Store
}

// NewService returns a service for a store.
func NewService(store Store) *Service { return &Service{store, store} }

// Merge merges two people, even if their records contradict each other.
func (s *Service) Merge(ctx context.Context, v kith.Viewer, a, b string) error {
	together := true
	return s.decide(ctx, v, a, b, &together)
}

// Part keeps two people apart, even if they share identifiers. Merged people become two again and get back their ids
// and everything attached to them. An id that was merged away continues to name its record.
func (s *Service) Part(ctx context.Context, v kith.Viewer, a, b string) error {
	together := false
	return s.decide(ctx, v, a, b, &together)
}

// Forget deletes a decision; matching then decides by the records alone.
func (s *Service) Forget(ctx context.Context, v kith.Viewer, a, b string) error {
	return s.decide(ctx, v, a, b, nil)
}

func (s *Service) decide(ctx context.Context, v kith.Viewer, a, b string, together *bool) error {
	first, owner, err := s.store.RecordOf(ctx, v, a)
	if err != nil {
		return err
	}
	second, other, err := s.store.RecordOf(ctx, v, b)
	if err != nil {
		return err
	}
	if err := s.store.MayDecide(v, owner); err != nil {
		return err
	}
	if first == second {
		return kith.Errorf(kith.Conflict, "SAME_PERSON", "%s and %s are one record; name the ids of two", a, b)
	}
	if owner != other {
		return kith.Errorf(kith.Conflict, "DIFFERENT_OWNERS",
			"%s and %s belong to different owners; only records of one owner are merged", a, b)
	}
	return s.store.Write(ctx, record.OwnedBy(owner), func(ctx context.Context, tx record.Tx) error {
		store, ok := tx.(DecisionTx)
		if !ok {
			return errNoRecords
		}
		if err := store.Decide(ctx, min(first, second), max(first, second), together, v.Principal()); err != nil {
			return err
		}
		return Regroup(ctx, store, first, second)
	})
}
