package fair_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kith"
	"kith/index/fair"
)

// desk serves each request for a second. It records the served users, and the highest number of requests at once.
type desk struct {
	limiter *fair.Limiter

	mu         sync.Mutex
	begun      []int64
	busy, most int
	busyBy     map[int64]int
	mostBy     int
}

func newDesk(all, each int) *desk {
	return &desk{limiter: fair.New(all, each), busyBy: map[int64]int{}}
}

func (d *desk) serve(ctx context.Context, user int64) error {
	slot, err := d.limiter.Acquire(ctx)
	if err != nil {
		return err
	}
	defer slot.Release()
	d.note(user, 1)
	defer d.note(user, -1)
	<-time.After(time.Second)
	return nil
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

// come sends a number of concurrent requests of one user, each with the given time. The errors come
// after all have ended.
func (d *desk) come(t *testing.T, user int64, times int, within time.Duration) (wait func() []error) {
	t.Helper()
	errs := make(chan error, times)
	for range times {
		go func() {
			ctx, cancel := context.WithTimeout(fair.WithUser(t.Context(), user), within)
			defer cancel()
			errs <- d.serve(ctx, user)
		}()
		synctest.Wait() // they arrive in order
	}
	return func() []error {
		all := make([]error, times)
		for i := range all {
			all[i] = <-errs
		}
		return all
	}
}

// A second user is served before most requests of a frequent one. Neither one user nor all together exceed their limit.
func TestUsersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(3, 2)
		greedy := d.come(t, 1, 12, time.Minute)
		second := d.come(t, 2, 2, time.Minute)
		third := d.come(t, 3, 1, time.Minute)
		for _, err := range slices.Concat(greedy(), second(), third()) {
			if err != nil {
				t.Error(err)
			}
		}
		if d.most != 3 || d.mostBy != 2 {
			t.Errorf("%d were busy at once, %d of one user", d.most, d.mostBy)
		}
		// The second user gets a slot at once. After that the longest wait decides.
		if want := []int64{1, 1, 2}; !slices.Equal(d.begun[:3], want) {
			t.Errorf("served first are %v, want %v", d.begun[:3], want)
		}
		if !slices.Contains(d.begun[3:6], 2) || !slices.Contains(d.begun[3:6], 3) {
			t.Errorf("the other users are served late: %v", d.begun)
		}
	})
}

// A refused request gets the reason, takes no slot, and leaves the queue.
func TestRefusedRequestsTakeNoSlot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(3, 2)
		own := d.come(t, 1, 2, time.Minute)
		impatient := d.come(t, 1, 5, time.Second/2)
		other := d.come(t, 2, 1, time.Minute)
		third := d.come(t, 3, 1, time.Second/2)
		for _, err := range impatient() {
			if kith.KindOf(err) != kith.RateLimited {
				t.Errorf("the user has all slots of one user: %v", err)
			}
		}
		if err := third()[0]; kith.KindOf(err) != kith.Unavailable {
			t.Errorf("other users have all slots: %v", err)
		}
		own()
		other()
		if len(d.begun) != 3 || d.busy != 0 {
			t.Errorf("served %v, %d slots are taken; want three served and every slot free", d.begun, d.busy)
		}
		for user := range int64(4) { // all slots are free again
			for _, err := range d.come(t, user, 6, time.Minute)() {
				if err != nil {
					t.Error(err)
				}
			}
		}
		if d.most != 3 {
			t.Errorf("%d were busy at once", d.most)
		}
	})
}

// The longest wait applies even to a request without a deadline.
func TestLongestWaitIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(3, 2)
		refused := 0
		for _, err := range d.come(t, 1, 100, time.Hour)() {
			if kith.KindOf(err) == kith.RateLimited {
				refused++
			}
		}
		if refused == 0 || refused != 100-len(d.begun) {
			t.Errorf("%d were served, and %d refused", len(d.begun), refused)
		}
	})
}

// A context without a user needs no slot, and a nil limiter has no limit.
func TestNoLimitWithoutUserOrLimiter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(1, 1)
		wait := d.come(t, 1, 2, time.Minute)
		if err := d.serve(t.Context(), 0); err != nil {
			t.Error(err)
		}
		wait()
		if d.most != 2 {
			t.Errorf("%d at once", d.most)
		}
		d.limiter = nil
		if d.come(t, 1, 5, time.Minute)(); d.most != 5 {
			t.Errorf("%d at once", d.most)
		}
	})
}
