package admission_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"kith"
	"kith/http/admission"
	"kith/internal/test/expect"
)

// desk serves each request for a fifth of a second. It records the served users, the waits, and the highest capacity
// taken.
type desk struct {
	queue *admission.Queue[int]

	mu         sync.Mutex
	begun      []int
	waits      []time.Duration
	busy, most int64
	busyBy     map[int]int64
	mostBy     int64
}

const service = 200 * time.Millisecond

func newDesk(capacity int64) *desk {
	return &desk{queue: admission.New[int](capacity), busyBy: map[int]int64{}}
}

func (d *desk) serve(ctx context.Context, user int, cost int64) error {
	came := time.Now()
	slot, err := d.queue.Take(ctx, user, cost)
	if err != nil {
		return err
	}
	defer slot.Release()
	d.note(user, cost, time.Since(came))
	defer d.note(user, -cost, 0)
	<-time.After(service)
	return nil
}

func (d *desk) note(user int, cost int64, wait time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if cost > 0 {
		d.begun, d.waits = append(d.begun, user), append(d.waits, wait)
	}
	d.busy, d.busyBy[user] = d.busy+cost, d.busyBy[user]+cost
	d.most, d.mostBy = max(d.most, d.busy), max(d.mostBy, d.busyBy[user])
}

// served returns the users that have been served so far, while others may be served.
func (d *desk) served() []int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.begun)
}

// come sends requests of a user at once. The errors come after all have ended.
func (d *desk) come(ctx context.Context, user, times int, cost int64) (wait func() []error) {
	errs := make(chan error, times)
	for range times {
		go func() { errs <- d.serve(ctx, user, cost) }()
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

func kinds(errs []error) (served, limited, busy int) {
	for _, err := range errs {
		switch {
		case err == nil:
			served++
		case kith.KindOf(err) == kith.RateLimited:
			limited++
		case kith.KindOf(err) == kith.Unavailable:
			busy++
		}
	}
	return served, limited, busy
}

// A second user is served at once beside a frequent one, and users take turns. One user gets half of the capacity.
func TestUsersTakeTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(4)
		greedy := d.come(t.Context(), 1, 6, 1)
		second := d.come(t.Context(), 2, 3, 1)
		third := d.come(t.Context(), 3, 1, 1)
		expect.NoError(t, errors.Join(slices.Concat(greedy(), second(), third())...))
		if d.most != 4 || d.mostBy != 2 {
			t.Errorf("%d were taken at once, %d by one user", d.most, d.mostBy)
		}
		if want := []int{1, 1, 2, 2}; !slices.Equal(d.begun[:4], want) {
			t.Errorf("served first are %v, want %v", d.begun[:4], want)
		}
		if !slices.Contains(d.begun[4:8], 3) {
			t.Errorf("the third user is served late: %v", d.begun)
		}
	})
}

// A costly request waits until there is capacity for all of it; what would fit comes after it. More than half counts
// as half.
func TestCostlyRequestsKeepTheirTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(8)
		first := d.come(t.Context(), 1, 1, 3)
		second := d.come(t.Context(), 2, 1, 3)
		costly := d.come(t.Context(), 3, 1, 4)
		cheap := d.come(t.Context(), 4, 1, 1)
		if begun := d.served(); !slices.Equal(begun, []int{1, 2}) {
			t.Errorf("served first are %v", begun)
		}
		expect.NoError(t, errors.Join(slices.Concat(first(), second(), costly(), cheap())...))
		slot, err := d.queue.Take(t.Context(), 1, 100)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.come(t.Context(), 2, 1, 4)()[0]; err != nil {
			t.Errorf("a request of more than the capacity takes more than half: %v", err)
		}
		slot.Release()
	})
}

// Nobody waits longer than half a second. The refusal says who is in the way, and a refused request takes nothing.
func TestRefusals(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(2)
		own, err := d.queue.Take(t.Context(), 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if _, limited, _ := kinds(d.come(t.Context(), 1, 3, 1)()); limited != 3 {
			t.Errorf("the user has half of the capacity, %d of 3 were limited", limited)
		}
		if took := time.Since(began); took > time.Second {
			t.Errorf("they waited %v", took)
		}
		other, err := d.queue.Take(t.Context(), 2, 1)
		if err != nil {
			t.Fatal(err)
		}
		if _, _, busy := kinds(d.come(t.Context(), 3, 3, 1)()); busy != 3 {
			t.Errorf("other users have the capacity, %d of 3 were told so", busy)
		}
		gone, cancel := context.WithCancel(t.Context())
		wait := d.come(gone, 3, 1, 1)
		cancel()
		if err := wait()[0]; kith.KindOf(err) == kith.Unavailable {
			t.Errorf("a request whose client has gone: %v", err)
		}
		own.Release()
		other.Release()
		after := slices.Concat(d.come(t.Context(), 3, 2, 1)(), d.come(t.Context(), 1, 2, 1)())
		if served, _, _ := kinds(after); served != 4 {
			t.Errorf("%d of 4 were served after that", served)
		}
	})
}

// Under overload everything is served that can be, and what is served has waited briefly: the newest come first.
// Another user does not notice.
func TestOverload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk(2)
		const rate, seconds = 50, 10 // one user can have 5 a second
		var waits []func() []error
		for i := range rate * seconds {
			waits = append(waits, d.come(t.Context(), 1, 1, 1))
			if i%rate == rate-1 {
				waits = append(waits, d.come(t.Context(), 2, 1, 1))
			}
			<-time.After(time.Second / rate)
		}
		var all []error
		for _, wait := range waits {
			all = append(all, wait()...)
		}
		served, limited, busy := kinds(all)
		if served < 55 || busy > 0 || served+limited != len(all) {
			t.Errorf("%d were served, %d limited, %d told of others", served, limited, busy)
		}
		if n := len(slices.DeleteFunc(slices.Clone(d.begun), func(user int) bool { return user == 1 })); n != seconds {
			t.Errorf("the other user was served %d times, want %d", n, seconds)
		}
		if late := slices.Max(d.waits[len(d.waits)/2:]); late > 100*time.Millisecond {
			t.Errorf("a request was served after %v", late)
		}
	})
}

// At most 200 requests of a user wait, and 1,000 in all: the oldest of a longest line goes.
func TestLinesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := admission.New[int](2)
		for user := range 2 {
			if _, err := q.Take(t.Context(), user, 1); err != nil {
				t.Fatal(err)
			}
		}
		refused := make(chan int, 2000)
		ask := func(user, times int) {
			for range times {
				go func() {
					_, _ = q.Take(t.Context(), user, 1)
					refused <- user
				}()
				synctest.Wait()
			}
		}
		ask(0, 205)
		if len(refused) != 5 {
			t.Errorf("%d of 205 were refused at once", len(refused))
		}
		if q.Check(0) == nil || q.Check(1) != nil {
			t.Error("only the first user's next request would be refused")
		}
		for user := range 5 {
			ask(10+user, 160)
		}
		ask(20, 10)
		if len(refused) != 15 {
			t.Errorf("%d were refused at once, want 15 of the first user", len(refused))
		}
		for len(refused) > 0 {
			if user := <-refused; user != 0 {
				t.Errorf("user %d was refused", user)
			}
		}
		<-time.After(time.Second)
	})
}

// A request in the middle of its answer comes before new ones of its user, and waits longer.
func TestResumedRequestsComeFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := admission.New[int](2)
		working, err := q.Take(t.Context(), 1, 1)
		if err != nil {
			t.Fatal(err)
		}
		resumed := make(chan error, 1)
		go func() {
			slot, err := q.Resume(t.Context(), 1, 1)
			resumed <- err
			slot.Release()
		}()
		<-time.After(5 * time.Second)
		fresh := make(chan error, 1)
		go func() {
			slot, err := q.Take(t.Context(), 1, 1)
			fresh <- err
			slot.Release()
		}()
		synctest.Wait()
		working.Release()
		synctest.Wait()
		if len(resumed) != 1 {
			t.Error("the resumed request waits")
		}
		if err := <-resumed; err != nil {
			t.Error(err)
		}
		if err := <-fresh; err != nil {
			t.Error(err)
		}
	})
}

// A user whose requests gave up has one turn like others, not one for each of those.
func TestAbandonedRequestsLeaveNoTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := admission.New[int](4)
		var working []admission.Slot
		for _, user := range []int{1, 1, 2, 2} {
			slot, err := q.Take(t.Context(), user, 1)
			expect.NoError(t, err)
			working = append(working, slot)
		}
		served := make(chan int, 4)
		ask := func(ctx context.Context, user int) {
			go func() {
				if _, err := q.Take(ctx, user, 1); err == nil {
					served <- user
				}
			}()
			synctest.Wait() // they arrive in order
		}
		ask(t.Context(), 3)
		for range 3 {
			gone, leave := context.WithCancel(t.Context())
			ask(gone, 4)
			leave()
			synctest.Wait()
		}
		for _, user := range []int{4, 4, 5} {
			ask(t.Context(), user)
		}
		for _, slot := range working {
			slot.Release()
			synctest.Wait()
		}
		for _, want := range []int{3, 4, 5, 4} {
			if got := <-served; got != want {
				t.Errorf("user %d was served, want %d", got, want)
			}
		}
	})
}

// A nil queue has no limit.
func TestNoLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := &desk{busyBy: map[int]int64{}}
		if d.come(t.Context(), 1, 5, 1)(); d.most != 5 {
			t.Errorf("%d at once", d.most)
		}
	})
}
