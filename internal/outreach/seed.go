package outreach

import (
	"context"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"kith"
)

// SeedStore gives sequences to users.
type SeedStore interface {
	// Seed stores sequences for a user, once: later calls for the same user do nothing. It calls given after the
	// commit.
	Seed(ctx context.Context, user int64, sequences []Loaded, given func()) error
}

// Seeder gives every user a set of sequences on the user's first outreach request. It is safe for concurrent use.
type Seeder struct {
	store  SeedStore
	build  func(now time.Time) ([]Loaded, error)
	seeded *lru.Cache[int64, struct{}]
}

// rememberSeeded is how many seeded users the cache remembers.
const rememberSeeded = 10_000

// NewSeeder returns a seeder for the sequences that build returns.
func NewSeeder(store SeedStore, build func(now time.Time) ([]Loaded, error)) *Seeder {
	seeded, err := lru.New[int64, struct{}](rememberSeeded)
	if err != nil {
		panic(err) // lru.New refuses only sizes below 1
	}
	return &Seeder{store: store, build: build, seeded: seeded}
}

// On returns the seeder over another store of the same dataset, such as one in a transaction.
func (s *Seeder) On(store SeedStore) *Seeder {
	return &Seeder{store: store, build: s.build, seeded: s.seeded}
}

// Prepare gives the caller the sequences, unless the caller has them already. Use it as Prepare in [Config].
func (s *Seeder) Prepare(ctx context.Context, a kith.Actor) error {
	if s.seeded.Contains(a.UserID) {
		return nil
	}
	sequences, err := s.build(time.Now().UTC())
	if err != nil {
		return fmt.Errorf("sequences to give: %w", err)
	}
	return s.store.Seed(ctx, a.UserID, sequences, func() { s.seeded.Add(a.UserID, struct{}{}) })
}
