package index_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kith"
	"kith/index"
	"kith/query"
)

// desk is an engine whose requests take a second each. It notes whose requests it
// works on, and how many at once at most.
type desk struct {
	index.Searcher
	begun      []int64
	busy, most int
	busyBy     map[int64]int
	mostBy     int
	mu         sync.Mutex
}

func newDesk() *desk { return &desk{busyBy: map[int64]int{}} }

func (d *desk) Count(ctx context.Context, _ index.Collection, _ query.Query, _ int) (int, error) {
	actor, _ := kith.ActorFrom(ctx)
	d.note(actor.UserID, 1)
	defer d.note(actor.UserID, -1)
	select {
	case <-time.After(time.Second):
		return 1, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
}

func (d *desk) note(user int64, n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n > 0 {
		d.begun = append(d.begun, user)
	}
	d.busy, d.busyBy[user] = d.busy+n, d.busyBy[user]+n
	d.most, d.mostBy = max(d.most, d.busy), max(d.mostBy, d.busyBy[user])
}

// ask sends requests of a user, and returns their errors once all have ended.
func ask(t *testing.T, ix *index.Index, user int64, requests int, patience time.Duration) (wait func() []error) {
	t.Helper()
	errs := make(chan error, requests)
	for range requests {
		go func() {
			ctx, cancel := context.WithTimeout(kith.WithActor(t.Context(), kith.Actor{UserID: user}), patience)
			defer cancel()
			_, err := ix.Count(ctx, query.All{}, 0)
			errs <- err
		}()
		synctest.Wait() // they come one after the other
	}
	return func() []error {
		all := make([]error, requests)
		for i := range all {
			all[i] = <-errs
		}
		return all
	}
}

// However many requests one user has, the next of another comes before most of
// them, and the engine never works on more at once than it should.
func TestUsersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		ix := index.NewInTurns(d, index.Turns{All: 3, Each: 2})
		greedy := ask(t, ix, 1, 40, time.Hour)
		second := ask(t, ix, 2, 2, time.Hour)
		third := ask(t, ix, 3, 1, time.Hour)
		for _, err := range slices.Concat(greedy(), second(), third()) {
			if err != nil {
				t.Error(err)
			}
		}
		if d.most != 3 || d.mostBy != 2 {
			t.Errorf("%d requests were at work at once, %d of one user", d.most, d.mostBy)
		}
		// The second user finds a turn at once. Whose turn comes next is decided
		// by who has waited longest for one.
		if want := []int64{1, 1, 2}; !slices.Equal(d.begun[:3], want) {
			t.Errorf("first come %v, not %v", d.begun[:3], want)
		}
		if last := max(slices.Index(d.begun, 3), lastIndex(d.begun, 2)); last > 6 {
			t.Errorf("the others come late: %v", d.begun)
		}
	})
}

func lastIndex(all []int64, user int64) int {
	for i := range all {
		if at := len(all) - 1 - i; all[at] == user {
			return at
		}
	}
	return -1
}

// Who waits in vain is told why, takes nobody's turn, and leaves none behind.
func TestTurnsInVain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		ix := index.NewInTurns(d, index.Turns{All: 3, Each: 2})
		own := ask(t, ix, 1, 2, time.Hour)
		impatient := ask(t, ix, 1, 5, time.Second/2)
		other := ask(t, ix, 2, 1, time.Hour)
		crowded := ask(t, ix, 3, 1, time.Second/2)
		for _, err := range impatient() {
			if kith.KindOf(err) != kith.RateLimited {
				t.Errorf("the user's own searches have all turns: %v", err)
			}
		}
		if err := crowded()[0]; kith.KindOf(err) != kith.Unavailable {
			t.Errorf("the searches of others have all turns: %v", err)
		}
		own()
		other()
		if len(d.begun) != 3 || d.busy != 0 {
			t.Errorf("the engine worked for %v", d.begun)
		}
		for user := range int64(4) { // all turns are there again
			for _, err := range ask(t, ix, user, 6, time.Hour)() {
				if err != nil {
					t.Error(err)
				}
			}
		}
		if d.most != 3 {
			t.Errorf("%d requests were at work at once", d.most)
		}
	})
}

// Requests of nobody, as a command's, need no turn.
func TestCommandsNeedNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		ix := index.NewInTurns(d, index.Turns{All: 1, Each: 1})
		wait := ask(t, ix, 1, 2, time.Hour)
		_, err := ix.Count(t.Context(), query.All{}, 0)
		if wait(); err != nil || d.most != 2 {
			t.Errorf("%d at once, %v", d.most, err)
		}
	})
}
