//go:build unix

package leash_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"kith/internal/test/expect"
	"kith/internal/test/leash"
)

// victimEnv makes the test binary act as the test process to be killed.
const victimEnv = "KITH_TEST_VICTIM"

func TestMain(m *testing.M) { os.Exit(leash.Run(m)) }

// TestVictim is the killed process. It starts and prints three programs: one has the directory in
// its arguments, one in its environment, one in neither.
func TestVictim(t *testing.T) {
	if os.Getenv(victimEnv) == "" {
		t.Skip("TestKilledTestProcess runs it")
	}
	start := func(env []string, args ...string) int {
		cmd := exec.Command("/bin/sh", args...)
		cmd.Env, cmd.SysProcAttr = env, &syscall.SysProcAttr{Setsid: true}
		expect.NoError(t, cmd.Start())
		return cmd.Process.Pid
	}
	dir := os.TempDir()
	const wait = "while :; do sleep 1; done"
	fmt.Println("\nvictim:", dir,
		start(nil, "-c", wait, "by-argument", filepath.Join(dir, "data")),
		start([]string{"PATH=" + os.Getenv("PATH"), "KITH_DATA=" + dir}, "-c", wait),
		start([]string{"PATH=" + os.Getenv("PATH")}, "-c", wait))
	select {} // until it is killed
}

// When a test process is killed, its programs end and its directory is removed. Other programs keep running.
func TestKilledTestProcess(t *testing.T) {
	victim := exec.Command(os.Args[0], "-test.run=^TestVictim$", "-test.v")
	victim.Env = append(os.Environ(), victimEnv+"=1")
	out, err := victim.StdoutPipe()
	expect.NoError(t, err)
	expect.NoError(t, victim.Start())
	var dir string
	var argument, environment, stranger int
	for lines := bufio.NewScanner(out); dir == "" && lines.Scan(); {
		_, _ = fmt.Sscanf(lines.Text(), "victim: %s %d %d %d", &dir, &argument, &environment, &stranger)
	}
	if dir == "" || dir == os.TempDir() || !strings.HasPrefix(filepath.Base(dir), "kt") {
		t.Fatalf("the victim works in %q", dir)
	}
	defer func() { _ = syscall.Kill(-stranger, syscall.SIGKILL) }()
	expect.NoError(t, victim.Process.Kill())
	_ = victim.Wait() // it was killed
	gone := func() bool {
		_, err := os.Stat(dir)
		return os.IsNotExist(err) && !runs(argument) && !runs(environment)
	}
	deadline := time.After(time.Minute)
	for tick := time.NewTicker(50 * time.Millisecond); !gone(); {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("left behind: %v, %v, %v", dir, runs(argument), runs(environment))
		}
	}
	if !runs(stranger) {
		t.Error("a program with nothing to do with the tests was killed")
	}
}

// runs reports whether a process runs. A zombie does not.
func runs(pid int) bool {
	out, err := exec.Command("ps", "-o", "stat=", "-p", fmt.Sprint(pid)).Output()
	return err == nil && !strings.HasPrefix(strings.TrimSpace(string(out)), "Z")
}

func TestSharedThingsAreMadeOnce(t *testing.T) {
	dir, err := leash.Shared()
	expect.NoError(t, err)
	if again, err := leash.Shared(); err != nil || again != dir {
		t.Errorf("%s, then %s: %v", dir, again, err)
	}
	made, dir := 0, t.TempDir()
	for range 2 {
		if err := leash.Once(dir, "thing", func(string) error { made++; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	if made != 1 {
		t.Errorf("made %d times", made)
	}
}
