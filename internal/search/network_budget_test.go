package search_test

import (
	"context"
	"testing"
	"time"

	"kith"
	"kith/internal/network"
	"kith/internal/search"
)

// slowNetwork never finds out who is within reach.
type slowNetwork struct{ search.Network }

func (slowNetwork) Now(ctx context.Context, _ kith.Actor, _ network.Filter) (*network.Circle, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

// Working out who is within reach is part of the search's time.
func TestNetworkIsWithinTheTimeBudget(t *testing.T) {
	f := newFixture(t, dataset(3)...)
	cfg := f.config
	cfg.Budget, cfg.Network = 10*time.Millisecond, slowNetwork{}
	s := search.New(cfg)
	ctx := kith.WithActor(t.Context(), kith.Actor{UserID: 1})
	if _, err := s.Search(ctx, search.Request{
		Filters: engineers,
		Scope:   search.ScopeNetwork,
	}); kith.KindOf(err) != kith.Timeout {
		t.Errorf("got %v", err)
	}
	gone, hangUp := context.WithCancel(ctx)
	hangUp()
	if _, err := s.Search(gone, search.Request{Filters: engineers, Scope: search.ScopeNetwork}); err == nil ||
		kith.KindOf(err) == kith.Timeout {
		t.Errorf("whoever hangs up is told %v", err)
	}
}
