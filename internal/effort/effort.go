// Package effort says how much a test run tries, and how long it waits. go test ./... is the short part; with
// KITH_TEST_LONG=1, random tests try more and every wait is longer. For tests only.
package effort

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime/debug"
	"strconv"
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

// Patience is how long a test waits for one thing that has to happen, on a machine that has much else to do, before it
// says what did not.
func Patience() time.Duration {
	if Long() || raced {
		return 5 * time.Minute
	}
	return 2 * time.Minute
}

// Deadline ends the process, with the stacks of all goroutines, if a test hangs: if it still runs after twice its
// patience. Whatever gives a test a server calls it.
func Deadline(t testing.TB) {
	t.Helper()
	if _, ok := t.(*testing.T); !ok { // benchmarks take as long as they are told to
		return
	}
	deadline(t, 2*Patience())
}

func deadline(t testing.TB, limit time.Duration) {
	timer := time.AfterFunc(limit, func() {
		debug.SetTraceback("all")
		panic(fmt.Sprintf("%s hangs: it still runs after %v", t.Name(), limit))
	})
	t.Cleanup(func() { timer.Stop() })
}
