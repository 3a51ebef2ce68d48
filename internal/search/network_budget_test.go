package search_test

import (
	"context"
	"testing"
	"time"

	"kith"
	"kith/internal/network"
	"kith/internal/search"
)

// slowNetwork never finishes looking up who is within reach.
type slowNetwork struct{ search.Network }

func (slowNetwork) Now(ctx context.Context, _ kith.Actor, _ network.Filter) (*network.Circle, error) {
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestLookingUpTheNetworkSpendsTheBudget(t *testing.T) {
	f := newFixture(t, dataset(3)...)
	cfg := f.config
	cfg.Budget, cfg.Network = 10*time.Millisecond, slowNetwork{}
	s := search.New(cfg)
	ctx := t.Context()
	if _, err := s.Search(ctx, kith.Actor{UserID: 1}.Viewer(), search.Request{
		Filters: engineers,
		Scope:   search.ScopeNetwork,
	}); kith.KindOf(err) != kith.Timeout {
		t.Errorf("got %v", err)
	}
	gone, hangUp := context.WithCancel(ctx)
	hangUp()
	if _, err := s.Search(gone, caller(), search.Request{Filters: engineers, Scope: search.ScopeNetwork}); err == nil ||
		kith.KindOf(err) == kith.Timeout {
		t.Errorf("a canceled caller got %v", err)
	}
}
