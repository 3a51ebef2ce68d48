package outreach

import (
	"context"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"kith"
)

// SeedStore gives users sequences.
type SeedStore interface {
	// Seed gives a user sequences, once: a user who was given some gets no more.
	Seed(ctx context.Context, user int64, sequences []Loaded) error
}

// Seeder gives every user a set of sequences when the user first asks for
// anything of outreach. It is safe for concurrent use.
type Seeder struct {
	store  SeedStore
	build  func(now time.Time) ([]Loaded, error)
	seeded *lru.Cache[int64, struct{}]
}

// rememberSeeded is how many users are known to have theirs without
// asking the store.
const rememberSeeded = 10_000

// NewSeeder returns a seeder of the sequences that build makes.
func NewSeeder(store SeedStore, build func(now time.Time) ([]Loaded, error)) *Seeder {
	seeded, err := lru.New[int64, struct{}](rememberSeeded)
	if err != nil {
		panic(err) // only a size below 1 is refused
	}
	return &Seeder{store: store, build: build, seeded: seeded}
}

// Prepare gives the caller the sequences, unless that was done. It is for
// [Config].
func (s *Seeder) Prepare(ctx context.Context, a kith.Actor) error {
	if s.seeded.Contains(a.UserID) {
		return nil
	}
	sequences, err := s.build(time.Now().UTC())
	if err != nil {
		return fmt.Errorf("sequences to give: %w", err)
	}
	if err := s.store.Seed(ctx, a.UserID, sequences); err != nil {
		return err
	}
	kith.OnCommit(ctx, func() { s.seeded.Add(a.UserID, struct{}{}) })
	return nil
}
