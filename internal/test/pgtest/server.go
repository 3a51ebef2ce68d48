package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"kith/internal/postgres/embedded"
	"kith/internal/test/leash"
)

// nobody is the user of the server if this process is root, because Postgres refuses to run as root.
const nobody = 65534

// startTimeout is how long a server may take to start.
const startTimeout = 5 * time.Minute

// supervisor runs the server until its own standard input is closed, which happens when this process ends in any way.
// It then stops the server and removes its directory. A line "stop" stops the server but keeps the directory.
const supervisor = `
"$0" -D "$1/data" >"$1/log" 2>&1 </dev/null &
read -r word
kill -INT $! 2>/dev/null
wait $!
[ "$word" = stop ] || rm -rf "$1"
`

// Server is a temporary Postgres server.
type Server struct {
	bin, dir string
	cmd      *exec.Cmd // nil for a server that is shared or stopped
	stdin    io.WriteCloser
	stopped  bool
	// databases counts the databases of the tests of this process.
	databases atomic.Int64
}

// NewServer starts a server for one test that needs to stop it. It is removed when the test ends.
func NewServer(t testing.TB) *Server {
	t.Helper()
	return NewServerIn(t, leash.TempRoot())
}

// NewServerIn is [NewServer] with its data below a directory, whose disk may get full.
func NewServerIn(t testing.TB, parent string) *Server {
	t.Helper()
	s, err := own(parent)
	if err != nil {
		t.Fatalf("no Postgres for tests: %v", err)
	}
	t.Cleanup(func() {
		if s.running() {
			s.stdin.Close()  // ends the supervisor
			_ = s.cmd.Wait() // its exit status says nothing
			return
		}
		_ = os.RemoveAll(s.dir)
	})
	return s
}

// Pool returns a pool on a fresh database of this server, as [Pool] does.
func (s *Server) Pool(t testing.TB) *pgxpool.Pool {
	t.Helper()
	return open(t, s.URL(t))
}

// URL returns the connection string of a fresh database of this server.
func (s *Server) URL(t testing.TB) string {
	t.Helper()
	return database(t, s)
}

// Stop ends the server at once and breaks its connections. Its data remain.
func (s *Server) Stop(t testing.TB) {
	t.Helper()
	if !s.running() {
		t.Fatal("the test server is stopped already")
	}
	if _, err := io.WriteString(s.stdin, "stop\n"); err != nil {
		t.Fatalf("stopping the test server: %v", err)
	}
	_ = s.cmd.Wait() // its exit status after an interrupt says nothing
	s.cmd, s.stopped = nil, true
}

// Start starts the server after Stop, with its data.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if s.running() {
		t.Fatal("the test server runs already")
	}
	if err := s.run(); err != nil {
		t.Fatalf("starting the test server again: %v", err)
	}
	s.stopped = false
}

func (s *Server) running() bool { return !s.stopped }

func (s *Server) dsn(database string) string {
	return fmt.Sprintf("host=%s user=kith dbname=%s sslmode=disable", s.dir, database)
}

// join returns the server that all packages of a go test command share, each with databases of its own. The first
// package to ask starts it.
func join() (*Server, error) {
	dir, err := leash.Shared()
	if err != nil {
		return nil, err
	}
	bin, err := embedded.Programs(context.Background())
	if err != nil {
		return nil, err
	}
	s := &Server{bin: bin, dir: filepath.Join(dir, "postgres")}
	return s, leash.Once(dir, "postgres", func(path string) error {
		if err := errors.Join(os.RemoveAll(path), os.Mkdir(path, 0o700), s.make()); err != nil {
			return err
		}
		return s.detach()
	})
}

// own starts a server in a directory of its own below another.
func own(parent string) (*Server, error) {
	bin, err := embedded.Programs(context.Background())
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(parent, "kith-pg-")
	if err != nil {
		return nil, fmt.Errorf("making a directory for the server: %w", err)
	}
	s := &Server{bin: bin, dir: dir}
	if err := s.make(); err != nil {
		return nil, err
	}
	return s, s.run()
}

// make creates the data directory of a server in its directory.
func (s *Server) make() error {
	if os.Getuid() == 0 {
		if err := os.Chown(s.dir, nobody, nobody); err != nil {
			return fmt.Errorf("giving the server its directory: %w", err)
		}
	}
	return errors.Join(s.initialise(), s.configure())
}

// detach starts the server as a process that outlives this one, and waits until it answers. The watcher of the shared
// directory ends it. Its environment must not name the directory of this process, whose watcher would end it too.
func (s *Server) detach() error {
	cmd := asNobody(exec.CommandContext(context.Background(), "/bin/sh", "-c",
		`exec "$0" -D "$1/data" >"$1/log" 2>&1 </dev/null`, filepath.Join(s.bin, "postgres"), s.dir))
	cmd.Dir = s.dir
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.Contains(v, os.TempDir()) })
	cmd.SysProcAttr.Setsid = true // terminal interrupts are for the tests
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	if err := cmd.Process.Release(); err != nil { // it ends after this process
		return fmt.Errorf("starting the server: %w", err)
	}
	return s.await()
}

func (s *Server) initialise() error {
	cmd := asNobody(exec.CommandContext(context.Background(), filepath.Join(s.bin, "initdb"), "-D",
		filepath.Join(s.dir, "data"),
		"--no-sync", "--auth=trust", "--username=kith", "--encoding=UTF8", "--locale=C"))
	cmd.Dir = s.dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w\n%s", err, out)
	}
	return nil
}

// configure trades safety for speed, because the data need not survive a crash.
func (s *Server) configure() error {
	conf := fmt.Sprintf(`
listen_addresses = ''
unix_socket_directories = '%s'
fsync = off
synchronous_commit = off
full_page_writes = off
max_connections = 500
max_wal_size = '1GB'
shared_buffers = '128MB'
`, s.dir)
	f, err := os.OpenFile(filepath.Join(s.dir, "data", "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("configuring the server: %w", err)
	}
	_, err = f.WriteString(conf)
	return errors.Join(err, f.Close())
}

// run starts the server under its supervisor and waits until it answers.
func (s *Server) run() error {
	cmd := asNobody(exec.CommandContext(context.Background(), "/bin/sh", "-c", supervisor,
		filepath.Join(s.bin, "postgres"), s.dir))
	cmd.Dir = s.dir
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting the server: %w", err)
	}
	s.cmd, s.stdin = cmd, stdin
	return s.await()
}

// await returns when the server accepts connections.
func (s *Server) await() error {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		conn, err := pgx.Connect(ctx, s.dsn("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(s.dir, "log")) // the connect error is reported in any case
			return fmt.Errorf("the server does not answer: %w\n%s", err, log)
		}
	}
}

// asNobody makes a command run as a user that Postgres accepts.
func asNobody(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{}
	if os.Getuid() == 0 {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: nobody, Gid: nobody}
	}
	return cmd
}
