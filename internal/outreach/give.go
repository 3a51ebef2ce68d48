package outreach

import (
	"context"
	"fmt"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"kith"
)

// Seeder gives users sequences.
type Seeder interface {
	// Seed gives a user sequences, once: a user who was given some gets no more.
	Seed(ctx context.Context, user int64, sequences []Loaded) error
}

// Giver gives every user a set of sequences when the user first asks for
// anything of outreach. It is safe for concurrent use.
type Giver struct {
	store Seeder
	build func(now time.Time) ([]Loaded, error)
	given *lru.Cache[int64, struct{}]
}

// rememberGiven is how many users are known to have been given theirs without
// asking the store.
const rememberGiven = 10_000

// NewGiver returns a giver of the sequences that build makes.
func NewGiver(store Seeder, build func(now time.Time) ([]Loaded, error)) *Giver {
	given, err := lru.New[int64, struct{}](rememberGiven)
	if err != nil {
		panic(err) // only a size below 1 is refused
	}
	return &Giver{store: store, build: build, given: given}
}

// Prepare gives the caller the sequences, unless that was done. It is for
// [Config].
func (g *Giver) Prepare(ctx context.Context, a kith.Actor) error {
	if g.given.Contains(a.UserID) {
		return nil
	}
	sequences, err := g.build(time.Now().UTC())
	if err != nil {
		return fmt.Errorf("sequences to give: %w", err)
	}
	if err := g.store.Seed(ctx, a.UserID, sequences); err != nil {
		return err
	}
	g.given.Add(a.UserID, struct{}{})
	return nil
}
