//go:build unix

// Package embedded runs a PostgreSQL server inside a data directory while any kith process uses
// it. The first process starts the server, later ones join, the last one stops it. PostgreSQL
// is found on the machine or fetched once into the user's cache.
//
// Only this user can reach the server: through a socket in a private directory or, if the path
// would be too long, through a loopback port with a generated password.
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

// Options say how the server is run. The zero value is right for most.
type Options struct {
	// BinDir holds initdb and postgres; empty looks on the machine, then
	// fetches. The environment variable KITH_POSTGRES_BIN sets it too.
	BinDir string
	// AlwaysFetch passes over what is installed. KITH_POSTGRES_FETCH=always
	// sets it too.
	AlwaysFetch bool
	// CacheDir is where fetched binaries are kept; empty is the user's cache.
	CacheDir string
	// Log hears of start, recovery and stop; nil is silence.
	Log *zerolog.Logger
	// stopInOrder, silence, say and fetchPause are what tests want instead of the
	// constants of these names, and repository instead of that of the library.
	stopInOrder, silence, say, fetchPause time.Duration
	repository                            string
}

// say is how long something is waited for before the log says so.
const say = 3 * time.Second

// Server is one process's share in the server of a data directory.
type Server struct {
	cluster cluster
	opts    Options
	users   *fileLock
	log     zerolog.Logger
	// said is how much the log of the server held when this process joined it.
	said   int
	close  sync.Once
	closed error
}

// Open joins the server of dataDir, or starts it, making the directory and the
// cluster where they are missing. It returns when the server answers queries,
// crash recovery included. Every Server must be closed.
func Open(ctx context.Context, dataDir string, opts Options) (*Server, error) {
	dir, err := makeDataDir(dataDir)
	if err != nil {
		return nil, err
	}
	c, err := newCluster(dir)
	if err != nil {
		return nil, err
	}
	c.stopInOrder, c.silence = cmp.Or(opts.stopInOrder, stopInOrder), cmp.Or(opts.silence, silence)
	s := &Server{cluster: c, opts: opts, log: zerolog.Nop()}
	if opts.Log != nil {
		s.log = *opts.Log
	}
	// Whoever starts or stops the server holds this lock, so all below may
	// look first and act then.
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
	s.said = size(c.logFile())
	return s, nil
}

// lockStart takes the lock of who starts or stops the server.
func (s *Server) lockStart(ctx context.Context) (*fileLock, error) {
	defer s.saying("waiting for another kith, which starts or stops the embedded postgres")()
	return waitLock(ctx, filepath.Join(s.cluster.dataDir, "start.lock"), exclusive)
}

// saying has the log say what is waited for, unless that is over in a moment; the
// result ends it.
func (s *Server) saying(what string) (stop func() bool) {
	c := s.cluster
	return time.AfterFunc(cmp.Or(s.opts.say, say), func() {
		p, _ := c.readPID() // 0 where nobody knows it
		s.log.Warn().Int("pid", p.pid).Str("data", c.dataDir).Msg(what)
	}).Stop
}

// makeDataDir returns the absolute path of the data directory, made if it was
// missing.
func makeDataDir(dataDir string) (string, error) {
	dir, err := filepath.Abs(dataDir)
	if err != nil {
		return "", fmt.Errorf("data directory: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("data directory: %w", closed(err))
	}
	return dir, nil
}

// closed adds to an error what opens the data directory to kith.
func closed(err error) error {
	switch {
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; run kith as the user that the data directory belongs to, or choose another one with --data",
			err)
	case errors.Is(err, syscall.EROFS):
		return fmt.Errorf("%w; choose a directory that can be written with --data", err)
	}
	return err
}

// joinOrStart returns when the server answers. The caller holds the lock of
// starts.
func (s *Server) joinOrStart(ctx context.Context) (started bool, err error) {
	began := time.Now()
	left, err := s.cluster.readPID() // perhaps of a server that was killed
	if err != nil {
		return false, fmt.Errorf("embedded postgres in %s: %w", s.cluster.dataDir, closed(err))
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
	// Who knows the address may count on it.
	p, err := s.cluster.readPID()
	s.cluster.port = p.port
	return started, err
}

// join returns when the server answers, if there is one.
func (s *Server) join(ctx context.Context) (running bool, err error) {
	defer s.saying("waiting for the embedded postgres, which runs and does not answer yet")()
	return s.cluster.running(ctx)
}

func (s *Server) start(ctx context.Context) error {
	bin, err := findBinaries(ctx, s.cluster, s.opts, s.log)
	if err != nil {
		return err
	}
	if err := s.cluster.create(ctx, bin); err != nil {
		return err
	}
	defer s.saying("waiting for the embedded postgres to start; where it was killed it recovers first")()
	err = s.cluster.start(ctx, bin)
	s.cluster.failing = err != nil
	return err
}

// URL is the address of the server's database, for pgx. It may hold a
// password.
func (s *Server) URL() string { return s.cluster.url("kith") }

// Close gives up this process's share; the last one stops the server and waits
// until everything is on disk. Connections should be closed first: those still
// open are broken off. Closing twice does nothing more.
func (s *Server) Close() error {
	s.close.Do(func() { s.closed = s.leave() })
	return s.closed
}

// stopTimeout is how long a stop may take: a checkpoint of everything that
// max_wal_size lets lie.
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
	defer s.saying("waiting for the embedded postgres to end")()
	return s.cluster.stop(ctx)
}
