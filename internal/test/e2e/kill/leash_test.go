package kill_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"kith/internal/test/e2e"
	"kith/internal/test/expect"
)

// victimEnv makes the test binary the process that the test kills.
const victimEnv = "KITH_TEST_VICTIM"

// TestVictim runs only as the process to kill. It starts a server, and another one that it kills, whose Postgres
// keeps running.
func TestVictim(t *testing.T) {
	if os.Getenv(victimEnv) == "" {
		t.Skip("TestKilledTestProcessLeavesNoServer runs it")
	}
	orphan, served := e2e.New(t, e2e.Alone(e2e.Postgres())), e2e.New(t, e2e.Alone(e2e.Postgres()))
	orphan.Serve(t).Kill()
	served.Serve(t)
	one, err1 := orphan.PostgresPID()
	two, err2 := served.PostgresPID()
	expect.NoError(t, errors.Join(err1, err2))
	fmt.Println("\nvictim:", os.TempDir(), one, two)
	select {} // until the kill
}

// A killed test process leaves neither kith nor Postgres running.
func TestKilledTestProcessLeavesNoServer(t *testing.T) {
	t.Parallel()
	victim := exec.Command(os.Args[0], "-test.run=^TestVictim$")
	victim.Env = append(os.Environ(), victimEnv+"=1")
	out, err := victim.StdoutPipe()
	expect.NoError(t, err)
	expect.NoError(t, victim.Start())
	var dir string
	var one, two int
	var said strings.Builder
	for lines := bufio.NewScanner(out); dir == "" && lines.Scan(); {
		fmt.Fprintln(&said, lines.Text())
		_, _ = fmt.Sscanf(lines.Text(), "victim: %s %d %d", &dir, &one, &two)
	}
	e2e.Kill(t, victim)
	if dir == "" {
		t.Fatalf("the victim started nothing:\n%s", &said)
	}
	e2e.Eventually(t, "no process runs in "+dir, func() bool {
		_, err := os.Stat(dir)
		working, _ := exec.Command("ps", "axeww", "-o", "pid=,command=").Output()
		return os.IsNotExist(err) && !strings.Contains(string(working), dir)
	})
	for _, pid := range []int{one, two} {
		if state, _ := exec.Command("ps", "-o", "stat=,command=", "-p",
			strconv.Itoa(pid)).Output(); isPostgres(string(state)) {
			t.Errorf("Postgres still runs as %d: %s", pid, state)
		}
	}
}

// isPostgres reports whether ps shows a running Postgres, not a zombie and not another process with a reused number.
func isPostgres(state string) bool {
	return strings.Contains(state, "postgres") && !strings.HasPrefix(strings.TrimSpace(state), "Z")
}
