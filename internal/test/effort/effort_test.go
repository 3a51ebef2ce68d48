package effort_test

import (
	"os"
	"os/exec"
	"testing"
	"testing/synctest"
	"time"

	"kith/internal/test/effort"
	"kith/internal/test/expect"
)

func TestLongPartTriesMore(t *testing.T) {
	t.Setenv("KITH_TEST_LONG", "")
	short, patience := effort.Scaled(15), effort.Patience()
	t.Setenv("KITH_TEST_LONG", "1")
	expect.Values(t, "corpora, short and long", []any{short, effort.Scaled(15)}, 2, 15)
	if effort.Patience() < patience {
		t.Errorf("the long part waits %v, the short part %v", effort.Patience(), patience)
	}
}

func TestSeedRepeats(t *testing.T) {
	if a, b := effort.Seed(t), effort.Seed(t); a == b && os.Getenv("KITH_TEST_SEED") == "" {
		t.Errorf("two tests have seed %d", a)
	}
	t.Setenv("KITH_TEST_SEED", "7")
	expect.Values(t, "seed", []any{effort.Seed(t)}, uint64(7))
}

// victimEnv makes the test binary the process whose test hangs.
const victimEnv = "KITH_TEST_VICTIM"

func TestHangingTestEndsWithItsName(t *testing.T) {
	if os.Getenv(victimEnv) != "" {
		effort.Within(t, 1)
		select {}
	}
	victim := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestHangingTestEndsWithItsName$")
	victim.Env = append(os.Environ(), victimEnv+"=1")
	out, err := victim.CombinedOutput()
	expect.Parts(t, "output", string(out), "TestHangingTestEndsWithItsName hangs", "goroutine ", "effort_test.go")
	if err == nil {
		t.Errorf("the hanging test ended with %v", err)
	}
}

// named is a test with a name.
type named struct {
	*testing.T

	name string
}

func (n named) Name() string { return n.name }

// A step of a part is a step of the whole, which may thus take as long as it needs.
func TestStepsOfPartsAreProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // its clock is one of its own
		const limit, steps = 2 * time.Minute, 10
		whole, part := named{t, "TestWhole"}, named{t, "TestWhole/part"}
		began := time.Now()
		effort.Within(whole, limit)
		for range steps {
			time.Sleep(limit - time.Second)
			effort.Within(part, limit)
		}
		expect.Values(t, "time of a test that does not hang", []any{time.Since(began)}, steps*(limit-time.Second))
	})
}
