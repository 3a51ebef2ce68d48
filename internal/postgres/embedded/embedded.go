//go:build unix

// Package embedded runs a PostgreSQL server inside a data directory while any kith process uses it. The first process
// starts the server, later ones join, and the last one stops it. It uses an installed PostgreSQL, or fetches one once
// into the user's cache.
//
// Only this user can reach the server: through a socket in a private directory or, if the path would be too long,
// through a loopback port with a generated password.
package embedded

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"github.com/rs/zerolog"
)

// Options configure the server. The zero value suits most uses.
type Options struct {
	// Log receives messages about start, recovery and stop; it may be nil.
	Log *zerolog.Logger
	// stopInOrder, silence and say override the constants of these names in tests.
	stopInOrder, silence, say time.Duration
}

// say is how long to wait for something before logging it.
const say = 3 * time.Second

// Server is one process's share in the server of a data directory.
type Server struct {
	cluster cluster
	opts    Options
	users   *fileLock
	log     zerolog.Logger
	// logStart is the size of the server's log when this process joined.
	logStart int
	close    sync.Once
	closed   error
}

// Open joins the server of dataDir or starts it, creating directory and cluster if missing. It returns once the server
// answers queries, after any crash recovery. Every Server must be closed.
func Open(ctx context.Context, dataDir string, opts Options) (*Server, error) {
	dir, err := makeDataDir(dataDir)
	if err != nil {
		return nil, err
	}
	c := cluster{
		dataDir: dir, stopInOrder: cmp.Or(opts.stopInOrder, stopInOrder), silence: cmp.Or(opts.silence, silence),
	}
	if c.owner, err = chooseOwner(c.dir()); err != nil {
		return nil, err
	}
	s := &Server{cluster: c, opts: opts, log: zerolog.Nop()}
	if opts.Log != nil {
		s.log = *opts.Log
	}
	// Every start and stop of the server holds this lock, so checking and then acting is safe below.
	starting, err := s.lockStart(ctx)
	if err != nil {
		return nil, err
	}
	defer starting.release()
	if s.users, err = waitLock(ctx, filepath.Join(dir, "users.lock"), shared); err != nil {
		return nil, err
	}
	if _, err := s.joinOrStart(ctx); err != nil {
		s.users.release()
		return nil, err
	}
	s.logStart = size(c.logFile())
	return s, nil
}

// lockStart takes the lock for starting and stopping the server.
func (s *Server) lockStart(ctx context.Context) (*fileLock, error) {
	defer s.logWait("waiting for another kith to start or stop the embedded postgres")()
	return waitLock(ctx, filepath.Join(s.cluster.dataDir, "start.lock"), exclusive)
}

// logWait logs what the process is waiting for, unless it is over within a moment; call the result when it is.
func (s *Server) logWait(what string) (stop func() bool) {
	c := s.cluster
	return time.AfterFunc(cmp.Or(s.opts.say, say), func() {
		p, _ := c.readPID() // 0 if unknown
		s.log.Warn().Int("pid", p.pid).Str("data", c.dataDir).Msg(what)
	}).Stop
}

// makeDataDir returns the absolute path of the data directory, creating it if missing.
func makeDataDir(dataDir string) (string, error) {
	dir, err := filepath.Abs(dataDir)
	if err != nil {
		return "", fmt.Errorf("data directory: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("data directory: %w", explainAccess(err))
	}
	return dir, nil
}

// explainAccess adds to an error how to give kith access to the data directory.
func explainAccess(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; run kith as the user that the data directory belongs to, or choose another one with "+
			"--data", err)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w; choose a directory that can be written with --data", err)
	}
	return err
}

// joinOrStart returns once the server answers. The caller holds the start lock.
func (s *Server) joinOrStart(ctx context.Context) (started bool, err error) {
	began := time.Now()
	left, err := s.cluster.readPID() // possibly left by a killed server
	if err != nil {
		return false, fmt.Errorf("embedded postgres in %s: %w", s.cluster.dataDir, explainAccess(err))
	}
	s.cluster.port = cmp.Or(s.cluster.port, left.port)
	running, err := s.join(ctx)
	if err == nil && !running {
		started, err = true, s.start(ctx)
	}
	if err != nil {
		return false, fmt.Errorf("embedded postgres in %s: %w", s.cluster.dataDir, err)
	}
	s.log.Debug().Bool("started", started).Str("data", s.cluster.dataDir).Dur("took",
		time.Since(began)).Msg("postgres is ready")
	// Keep the port: clients may rely on the address.
	p, err := s.cluster.readPID()
	s.cluster.port = p.port
	return started, err
}

// join returns once the server answers, if one is running.
func (s *Server) join(ctx context.Context) (running bool, err error) {
	defer s.logWait("waiting for the running embedded postgres to respond")()
	return s.cluster.isRunning(ctx)
}

func (s *Server) start(ctx context.Context) error {
	bin, err := findBinaries(ctx, s.cluster, s.log)
	if err != nil {
		return err
	}
	if err := s.cluster.create(ctx, bin); err != nil {
		return err
	}
	defer s.logWait("waiting for the embedded postgres to start; after a kill it recovers first")()
	err = s.cluster.start(ctx, bin)
	s.cluster.failing = err != nil
	return err
}

// URL is the address of the server's database, for pgx. It may contain a password.
func (s *Server) URL() string { return s.cluster.url("kith") }

// Close releases this process's share; the last one stops the server and waits until everything is on disk. Close
// connections first: open ones are cut. Closing again does nothing.
func (s *Server) Close() error {
	s.close.Do(func() { s.closed = s.leave() })
	return s.closed
}

// stopTimeout is the time limit of a stop, which includes a checkpoint of up to max_wal_size.
const stopTimeout = 2 * time.Minute

func (s *Server) leave() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopTimeout)
	defer cancel()
	starting, err := s.lockStart(ctx)
	if err != nil {
		s.users.release()
		return err
	}
	defer starting.release()
	s.users.release()
	last, err := tryLock(filepath.Join(s.cluster.dataDir, "users.lock"), exclusive)
	if err != nil {
		return err
	}
	if last == nil {
		return nil
	}
	defer last.release()
	defer s.logWait("waiting for the embedded postgres to end")()
	return s.cluster.stop(ctx)
}
