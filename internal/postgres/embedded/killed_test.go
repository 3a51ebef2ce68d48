package embedded_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/embedded"
	"kith/internal/test/expect"
)

func TestServerOfAKilledOwnerIsAdopted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	self, err := os.Executable()
	expect.NoError(t, err)
	o := startOwner(t, self, dir, os.Getuid())
	keep(t, o.url)
	pid := serverPID(t, dir)
	expect.NoError(t, o.cmd.Process.Kill())
	_ = o.cmd.Wait()

	s := open(t, dir)
	if serverPID(t, dir) != pid {
		t.Fatal("the running server was not adopted")
	}
	if got := exec1(t, s.URL(), "select x from t"); got != "kept" {
		t.Fatalf("got %q", got)
	}
	expect.NoError(t, s.Close())
	if isRunning(dir) {
		t.Fatal("the adopted server was not stopped")
	}
}

func TestKilledServerIsRestarted(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	keep(t, s.URL())
	expect.NoError(t, syscall.Kill(serverPID(t, dir), syscall.SIGKILL))

	// The killed process still has its share. The next one restarts the server.
	next := open(t, dir)
	if got := exec1(t, next.URL(), "select x from t"); got != "kept" {
		t.Fatalf("got %q", got)
	}
	expect.NoError(t, s.Close())
	exec1(t, next.URL(), "select ''")
}

// After the death of one of its processes, a server closes all connections and recovers. A frozen process makes that
// slow here. Processes that were connected get the reason; a new one waits, and gets none.
func TestBreakdownOfTheServerIsReported(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	if breakdown := s.Breakdown(); breakdown != "" {
		t.Fatalf("a breakdown of a healthy server: %q", breakdown)
	}
	frozen, err := pgx.Connect(t.Context(), s.URL())
	expect.NoError(t, err)
	defer func() { _ = frozen.Close(context.Background()) }()
	expect.NoError(t, syscall.Kill(int(frozen.PgConn().PID()), syscall.SIGSTOP))
	killed, err := strconv.Atoi(exec1(t, s.URL(),
		"select pid::text from pg_stat_activity where backend_type = 'checkpointer'"))
	expect.NoError(t, err)
	expect.NoError(t, syscall.Kill(killed, syscall.SIGKILL))
	await(t, func() bool { return strings.Contains(s.Breakdown(), "terminated by signal 9") })
	if breakdown := open(t, dir).Breakdown(); breakdown != "" {
		t.Errorf("a new process got the old breakdown: %q", breakdown)
	}
}

func TestKeptServerComesBackAtItsAddress(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{
		"socket": t.TempDir(), "port": filepath.Join(t.TempDir(), strings.Repeat("long", 25)),
	} {
		t.Run(name, func(t *testing.T) {
			s := open(t, dir)
			keep(t, s.URL())
			url, ctx := s.URL(), t.Context()
			kept, stop := context.WithCancel(ctx)
			ended := make(chan error, 1)
			go func() { ended <- s.Keep(kept) }()
			for range 2 {
				pid := serverPID(t, dir)
				expect.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
				await(t, func() bool {
					conn, err := pgx.Connect(ctx, url)
					if err != nil {
						return false
					}
					var got string
					err = conn.QueryRow(ctx, "select x from t").Scan(&got)
					_ = conn.Close(ctx)
					return err == nil && got == "kept" && serverPID(t, dir) != pid
				})
			}
			stop()
			if err := <-ended; !errors.Is(err, context.Canceled) {
				t.Errorf("Keep returned %v", err)
			}
			expect.NoError(t, s.Close())
			if isRunning(dir) {
				t.Error("the server still runs")
			}
		})
	}
}

// The last log of a server survives any number of failed starts.
func TestLogOfAFailedServerIsKept(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	log, conf := filepath.Join(dir, "postgres.log"), filepath.Join(dir, "postgres", "postgresql.conf")
	for name, text := range map[string]string{log: "said before it ended\n", conf: "\nnonsense = on\n"} {
		f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
		expect.NoError(t, err)
		_, err = f.WriteString(text)
		expect.NoError(t, errors.Join(err, f.Close()))
	}
	kept, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Keep(kept) }()
	expect.NoError(t, syscall.Kill(serverPID(t, dir), syscall.SIGKILL))
	failed := map[string]bool{}
	await(t, func() bool {
		if text, err := os.ReadFile(log); err == nil && strings.Contains(string(text), "FATAL:") &&
			strings.Contains(string(text), "nonsense") {
			failed[string(text)] = true
		}
		return len(failed) == 3
	})
	stop()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("Keep returned %v", err)
	}
	if text, err := os.ReadFile(log + ".1"); err != nil || !strings.Contains(string(text), "said before it ended") {
		t.Errorf("the kept log is %q, %v", text, err)
	}
}

// await waits until a condition holds.
func await(t *testing.T, holds func() bool) {
	t.Helper()
	deadline := time.After(time.Minute)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("not within a minute")
		}
	}
}

// A postmaster.pid may name a process that has nothing to do with PostgreSQL.
func TestStalePIDFileIsIgnored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	expect.NoError(t, open(t, dir).Close())
	stale := fmt.Sprintf("%d\n%s\n1\n5432\n\n\n\nready\n", os.Getpid(), filepath.Join(dir, "postgres"))
	expect.NoError(t, os.WriteFile(filepath.Join(dir, "postgres", "postmaster.pid"), []byte(stale), 0o600))
	exec1(t, open(t, dir).URL(), "select ''")
}

// Two containers with a shared directory do not see each other's processes. The second one must
// join the server of the first, and start none.
func TestServerOfAnotherContainerIsJoined(t *testing.T) {
	t.Parallel()
	gone := exec.Command("true")
	expect.NoError(t, gone.Run())
	dir := t.TempDir()
	first := open(t, dir)
	keep(t, first.URL())
	pidFile := filepath.Join(dir, "postgres", "postmaster.pid")
	own, err := os.ReadFile(pidFile)
	expect.NoError(t, err)
	_, rest, _ := strings.Cut(string(own), "\n")
	for name, number := range map[string]int{"of no process": gone.Process.Pid, "of another process": os.Getpid()} {
		foreign := fmt.Sprintf("%d\n%s", number, rest)
		expect.NoError(t, os.WriteFile(pidFile, []byte(foreign), 0o600))
		second := open(t, dir)
		if now, err := os.ReadFile(pidFile); err != nil || string(now) != foreign {
			t.Fatalf("a number %s: another server was started: %q, %v", name, now, err)
		}
		if got := exec1(t, second.URL(), "select x from t"); got != "kept" {
			t.Errorf("a number %s: got %q", name, got)
		}
		expect.NoError(t, second.Close())
		exec1(t, first.URL(), "select ''")
	}
	expect.NoError(t, os.WriteFile(pidFile, own, 0o600)) // so that the server can be stopped
}

// A server that shuts down during a recovery may wait forever for another child. Here that child is frozen.
func TestHangingServerIsKilled(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("the system does not tell which processes are whose children")
	}
	dir := t.TempDir()
	s := open(t, dir)
	keep(t, s.URL())
	freezeCheckpointer(t, serverPID(t, dir))
	expect.NoError(t, syscall.Kill(serverPID(t, dir), syscall.SIGINT))
	await(t, func() bool {
		text, err := os.ReadFile(filepath.Join(dir, "postgres", "postmaster.pid"))
		return err == nil && strings.Contains(string(text), "stopping")
	})
	again, err := embedded.Open(t.Context(), dir, embedded.StopInOrder(embedded.Options{}, 100*time.Millisecond))
	expect.NoError(t, err)
	if got := exec1(t, again.URL(), "select x from t"); got != "kept" {
		t.Fatalf("got %q", got)
	}
	expect.NoError(t, s.Close())
	freezeCheckpointer(t, serverPID(t, dir))
	expect.NoError(t, again.Close())
	if isRunning(dir) {
		t.Fatal("the server still runs")
	}
}

// freezeCheckpointer stops the checkpointer of a server.
func freezeCheckpointer(t *testing.T, server int) {
	t.Helper()
	await(t, func() bool {
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", server, server))
		expect.NoError(t, err)
		for _, pid := range strings.Fields(string(children)) {
			if name, _ := os.ReadFile(filepath.Join("/proc", pid, "cmdline")); strings.Contains(string(name),
				"checkpointer") {
				n, err := strconv.Atoi(pid)
				expect.NoError(t, err)
				expect.NoError(t, syscall.Kill(n, syscall.SIGSTOP))
				return true
			}
		}
		return false
	})
}

// A dead server remains a zombie if its parent does not wait for it, such as the first process of a container.
func TestZombieServerCountsAsDead(t *testing.T) {
	t.Parallel()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("the system does not tell which processes have ended")
	}
	dir := t.TempDir()
	expect.NoError(t, open(t, dir).Close())
	info, err := os.Stat(filepath.Join(dir, "postgres"))
	expect.NoError(t, err)
	st := info.Sys().(*syscall.Stat_t)
	dead := exec.Command("true")
	if os.Getuid() == 0 { // the server belongs to the owner of the directory, too
		dead.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: st.Uid, Gid: st.Gid}}
	}
	expect.NoError(t, dead.Start())
	defer func() { _ = dead.Wait() }()
	await(t, func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", dead.Process.Pid))
		return err == nil && strings.Contains(string(stat), ") Z ")
	})
	stale := fmt.Sprintf("%d\n%s\n1\n5432\n\n\n\nready\n", dead.Process.Pid, filepath.Join(dir, "postgres"))
	expect.NoError(t, os.WriteFile(filepath.Join(dir, "postgres", "postmaster.pid"), []byte(stale), 0o600))
	expect.NoError(t, os.WriteFile(filepath.Join(dir, "run", ".s.PGSQL.5432.lock"), []byte(stale), 0o600))
	exec1(t, open(t, dir).URL(), "select ''")
}
