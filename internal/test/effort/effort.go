// Package effort says how much a test run tries, and how long it waits. go test ./... is the short part; with
// KITH_TEST_LONG=1, random tests try more and every wait is longer. For tests only.
package effort

import (
	"math/rand/v2"
	"os"
	"path"
	"runtime/debug"
	"strconv"
	"sync"
	"testing"
	"time"
)

// Long reports whether this is the long part.
func Long() bool { return os.Getenv("KITH_TEST_LONG") == "1" }

// OnlyLong leaves a test to the long part.
func OnlyLong(t testing.TB) {
	t.Helper()
	if !Long() {
		t.Skip("only the long part runs this: set KITH_TEST_LONG=1")
	}
}

// Scaled returns how much a random test tries: all in the long part, else a tenth, rounded up.
func Scaled(all int) int {
	if Long() {
		return all
	}
	return (all + 9) / 10
}

// Seed returns the seed of a random test and logs it. KITH_TEST_SEED repeats a run.
func Seed(t testing.TB) uint64 {
	t.Helper()
	seed := rand.Uint64N(1 << 32)
	if text := os.Getenv("KITH_TEST_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("KITH_TEST_SEED is %q: it must be a whole number", text)
		}
	}
	t.Logf("KITH_TEST_SEED=%d repeats this test", seed)
	return seed
}

// Patience is how long a test waits for one thing that has to happen, before it says what did not.
func Patience() time.Duration {
	if Long() || raced {
		return 5 * time.Minute
	}
	return time.Minute
}

// Deadline gives a test, and the tests that it is part of, twice their patience from now. If that passes without
// another call, the test hangs: the process ends with the stacks of all goroutines. Whatever gives a test a server
// calls it, and so does each further step, such as a request. A healthy test on a busy machine thus has as long as it
// needs.
func Deadline(t testing.TB) {
	t.Helper()
	Within(t, 2*Patience())
}

// timers returns those of the running tests, by name.
var timers = sync.OnceValue(func() *sync.Map { return &sync.Map{} })

// Within is [Deadline] with another limit, for a step that may take long, such as fetching a server.
func Within(t testing.TB, limit time.Duration) {
	t.Helper()
	if _, ok := t.(*testing.B); ok { // benchmarks take as long as they are told to
		return
	}
	own := false
	for name := t.Name(); name != "."; name = path.Dir(name) {
		if timer, ok := timers().Load(name); ok {
			timer.(*time.Timer).Reset(limit)
			own = own || name == t.Name()
		}
	}
	if own {
		return
	}
	timer := time.AfterFunc(limit, func() {
		debug.SetTraceback("all")
		panic(t.Name() + " hangs: the time for its next step is over")
	})
	timers().Store(t.Name(), timer)
	t.Cleanup(func() {
		timers().Delete(t.Name())
		timer.Stop()
	})
}
