//go:build unix

package embedded_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/embedded"
	"kith/internal/test/expect"
)

func TestSecondStartKeepsData(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s := open(t, dir)
	keep(t, s.URL())
	expect.NoError(t, s.Close())
	expect.NoError(t, s.Close())
	if isRunning(dir) {
		t.Fatal("the last process did not stop the server")
	}
	s = open(t, dir)
	if got := exec1(t, s.URL(), "select x from t"); got != "kept" {
		t.Fatalf("got %q", got)
	}
	const settings = `select current_setting('server_encoding') || ' ' || datctype from pg_database
		where datname = current_database()`
	if got := exec1(t, s.URL(), settings); got != "UTF8 C" {
		t.Fatalf("encoding and locale: %s", got)
	}
}

func TestLastProcessStopsTheServer(t *testing.T) {
	dir := t.TempDir()
	first := open(t, dir)
	pid := serverPID(t, dir)
	self, err := os.Executable()
	expect.NoError(t, err)
	other := startOwner(t, self, dir, os.Getuid())
	if serverPID(t, dir) != pid || other.url != first.URL() {
		t.Fatal("the other process did not join")
	}
	expect.NoError(t, first.Close())
	exec1(t, other.url, "select 'still there'")
	other.leave(t)
	if isRunning(dir) {
		t.Fatal("the last process did not stop the server")
	}
}

func TestConcurrentOpensShareAServer(t *testing.T) {
	dir := t.TempDir()
	const n = 4
	errs := make(chan error, n)
	for range n {
		go func() {
			s, err := embedded.Open(context.Background(), dir, embedded.Options{})
			if err == nil {
				err = s.Close()
			}
			errs <- err
		}()
	}
	for range n {
		expect.NoError(t, <-errs)
	}
	if isRunning(dir) {
		t.Fatal("the server outlived its processes")
	}
}

func TestInterruptedCreationIsRepeated(t *testing.T) {
	dir := t.TempDir()
	expect.NoError(t, os.MkdirAll(filepath.Join(dir, "postgres.new", "base"), 0o700))
	exec1(t, open(t, dir).URL(), "select ''")
}

func TestLongPathUsesAPort(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), strings.Repeat("long", 25))
	s := open(t, dir)
	if !strings.Contains(s.URL(), "@127.0.0.1:") {
		t.Fatalf("not on loopback: %s", s.URL())
	}
	exec1(t, s.URL(), "select ''")
	info, err := os.Stat(filepath.Join(dir, "password"))
	expect.NoError(t, err)
	if info.Mode().Perm() != 0o600 {
		t.Fatalf("the password file has mode %v", info.Mode())
	}
	before, _, _ := strings.Cut(s.URL(), "@")
	if _, err := pgx.Connect(t.Context(), strings.Replace(s.URL(), before, "postgres://kith:wrong", 1)); err == nil {
		t.Fatal("a wrong password was accepted")
	}
	expect.NoError(t, s.Close())
	exec1(t, open(t, dir).URL(), "select ''")
}

// PostgreSQL would read an unquoted path as a list.
func TestOddPathIsQuoted(t *testing.T) {
	t.Parallel()
	for _, name := range []string{`a b "c" %é+&=`, "a,b"} {
		exec1(t, open(t, filepath.Join(t.TempDir(), name)).URL(), "select ''")
	}
}

func TestSocketIsPrivate(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	info, err := os.Stat(filepath.Join(dir, "run"))
	expect.NoError(t, err)
	if info.Mode().Perm() != 0o700 {
		t.Fatalf("the socket directory has mode %v", info.Mode())
	}
}

// For root, the server runs as another user, even if that user may not enter the parent
// directories. For all others it runs as themselves.
func TestServerNeverRunsAsRoot(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can act as another user")
	}
	const stranger = 65534
	public, err := os.MkdirTemp("/tmp", "kith-embedded") //nolint:usetesting // t.TempDir is closed to other users
	expect.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(public) })
	expect.NoError(t, os.Chmod(public, 0o755))

	t.Run("root", func(t *testing.T) {
		open(t, filepath.Join(public, "root"))
		info, err := os.Stat(filepath.Join(public, "root", "postgres"))
		expect.NoError(t, err)
		if info.Sys().(*syscall.Stat_t).Uid == 0 {
			t.Fatal("the cluster belongs to root")
		}
	})
	t.Run("ordinary user", func(t *testing.T) {
		self, err := os.Executable()
		expect.NoError(t, err)
		program := filepath.Join(public, "owner")
		text, err := os.ReadFile(self)
		expect.NoError(t, err)
		expect.NoError(t, os.WriteFile(program, text, 0o755))
		dir := filepath.Join(public, "user")
		expect.NoError(t, os.Mkdir(dir, 0o755))
		expect.NoError(t, os.Chown(dir, stranger, stranger))
		o := startOwner(t, program, dir, stranger)
		if strings.HasPrefix(o.url, "error") {
			t.Fatal(o.url)
		}
		o.leave(t)
		// Root may use the directory afterwards, and leaves it usable, even if root takes a lock first.
		for _, lock := range []string{"start.lock", "users.lock"} {
			expect.NoError(t, os.Remove(filepath.Join(dir, lock)))
		}
		unlock, err := embedded.LockServer(dir, "test")
		expect.NoError(t, err)
		unlock()
		expect.NoError(t, open(t, dir).Close())
		for _, name := range []string{"start.lock", "users.lock", "serve.lock", "postgres.log"} {
			info, err := os.Stat(filepath.Join(dir, name))
			expect.NoError(t, err)
			if uid := info.Sys().(*syscall.Stat_t).Uid; uid != stranger {
				t.Errorf("%s belongs to user id %d", name, uid)
			}
		}
		again := startOwner(t, program, dir, stranger)
		if strings.HasPrefix(again.url, "error") {
			t.Fatal(again.url)
		}
		again.leave(t)
	})
}

func TestOtherMajorVersionIsRefused(t *testing.T) {
	dir := t.TempDir()
	expect.NoError(t, os.Mkdir(filepath.Join(dir, "postgres"), 0o700))
	expect.NoError(t, os.WriteFile(filepath.Join(dir, "postgres", "PG_VERSION"), []byte("9\n"), 0o600))
	_, err := embedded.Open(t.Context(), dir, embedded.Options{})
	if err == nil || !strings.Contains(err.Error(), "made by PostgreSQL 9") {
		t.Fatalf("got %v", err)
	}
}

// A failed start gives the reason, and keeps the previous log.
func TestFailedStartGivesTheReason(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	expect.NoError(t, open(t, dir).Close())
	expect.NoError(t, os.WriteFile(filepath.Join(dir, "postgres.log"), []byte("said before"), 0o600))
	conf := filepath.Join(dir, "postgres", "postgresql.conf")
	text, err := os.ReadFile(conf)
	expect.NoError(t, err)
	expect.NoError(t, os.WriteFile(conf, append(text, "\nnonsense = on\n"...), 0o600))
	_, err = embedded.Open(t.Context(), dir, embedded.Options{})
	if err == nil || !strings.Contains(err.Error(), "FATAL:") || !strings.Contains(err.Error(), `"nonsense"`) {
		t.Errorf("the reason is %v", err)
	}
	if before, err := os.ReadFile(filepath.Join(dir, "postgres.log.1")); err != nil || string(before) != "said before" {
		t.Errorf("the previous log is %q: %v", before, err)
	}
}

func TestUnusableDirectoriesAreRefused(t *testing.T) {
	t.Run("no programs", func(t *testing.T) {
		t.Setenv("KITH_POSTGRES_BIN", t.TempDir())
		_, err := embedded.Open(t.Context(), t.TempDir(), embedded.Options{})
		if err == nil || !strings.Contains(err.Error(), "has no initdb") {
			t.Fatalf("got %v", err)
		}
	})
	t.Run("foreign files", func(t *testing.T) {
		dir := t.TempDir()
		expect.NoError(t, os.MkdirAll(filepath.Join(dir, "postgres", "mine"), 0o700))
		_, err := embedded.Open(t.Context(), dir, embedded.Options{})
		if err == nil || !strings.Contains(err.Error(), "neither empty nor") {
			t.Fatalf("got %v", err)
		}
	})
	t.Run("a directory of another user", func(t *testing.T) {
		if os.Getuid() == 0 {
			t.Skip("root may enter all")
		}
		dir := t.TempDir()
		expect.NoError(t, os.Chmod(dir, 0o500))
		_, err := embedded.Open(t.Context(), dir, embedded.Options{})
		if err == nil || !strings.Contains(err.Error(), "--data") {
			t.Fatalf("got %v", err)
		}
	})
	t.Run("canceled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		dir := t.TempDir()
		for range 2 { // without a cluster, then with one
			if _, err := embedded.Open(ctx, dir, embedded.Options{}); !errors.Is(err, context.Canceled) {
				t.Fatalf("got %v", err)
			}
			s, err := embedded.Open(t.Context(), dir, embedded.Options{})
			expect.NoError(t, err)
			expect.NoError(t, s.Close())
		}
	})
}

func TestLockServerNamesTheOtherServer(t *testing.T) {
	dir := t.TempDir()
	unlock, err := embedded.LockServer(dir, "http://127.0.0.1:8080")
	expect.NoError(t, err)
	_, err = embedded.LockServer(dir, "http://127.0.0.1:9090")
	if err == nil || !strings.Contains(err.Error(), strconv.Itoa(os.Getpid())) ||
		!strings.Contains(err.Error(), "127.0.0.1:8080") {
		t.Fatalf("the refusal does not name the other server: %v", err)
	}
	unlock()
	unlock, err = embedded.LockServer(dir, "again")
	expect.NoError(t, err)
	unlock()
}
