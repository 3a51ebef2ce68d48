//go:build unix

package embedded

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// A fileLock is a lock on a file that the kernel releases when the process ends, however it ends.
type fileLock struct{ file *os.File }

const (
	shared    = syscall.LOCK_SH
	exclusive = syscall.LOCK_EX
)

// tryLock returns nil without an error if another process holds the lock.
func tryLock(path string, how int) (*fileLock, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err == nil {
		err = share(path)
	}
	if err != nil {
		return nil, fmt.Errorf("lock file: %w", explainAccess(err))
	}
	for {
		err = syscall.Flock(int(f.Fd()), how|syscall.LOCK_NB)
		if !errors.Is(err, syscall.EINTR) {
			break
		}
	}
	if err == nil {
		return &fileLock{file: f}, nil
	}
	_ = f.Close()
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, nil
	}
	return nil, fmt.Errorf("lock file %s: %w (a network file system may not know locks: choose a local data directory)",
		path, err)
}

// waitLock waits for the lock until ctx ends.
func waitLock(ctx context.Context, path string, how int) (*fileLock, error) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		lock, err := tryLock(path, how)
		if lock != nil || err != nil {
			return lock, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for %s, which another kith holds: %w", path, ctx.Err())
		}
	}
}

func (l *fileLock) release() { _ = l.file.Close() }

// serverNote is the content of the lock file.
type serverNote struct {
	PID      int    `json:"pid"`
	Describe string `json:"serving"`
}

// LockServer makes this process the one that serves dataDir, until unlock is called or the process ends. If another one
// does, the error names its process id and its description, usually its address.
func LockServer(dataDir, describe string) (unlock func(), err error) {
	dir, err := makeDataDir(dataDir)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "serve.lock")
	lock, err := tryLock(path, exclusive)
	if err != nil {
		return nil, err
	}
	if lock == nil {
		return nil, servedBy(dir, path)
	}
	note, err := json.Marshal(serverNote{PID: os.Getpid(), Describe: describe})
	if err == nil {
		err = lock.file.Truncate(0)
	}
	if err == nil {
		_, err = lock.file.WriteAt(append(note, '\n'), 0)
	}
	if err != nil {
		lock.release()
		return nil, fmt.Errorf("server lock: %w", err)
	}
	return func() {
		_ = lock.file.Truncate(0) // first, so that nobody reads about a server that is gone
		lock.release()
	}, nil
}

func servedBy(dir, path string) error {
	who := "another kith"
	if f, err := os.Open(path); err == nil {
		defer f.Close()
		text, _ := io.ReadAll(io.LimitReader(f, 4096))
		var note serverNote
		if json.Unmarshal(text, &note) == nil && note.PID > 0 {
			who = fmt.Sprintf("another kith (pid %d, %s)", note.PID, note.Describe)
		}
	}
	return fmt.Errorf("%s is already served by %s: stop that one, or give this one another --data directory", dir, who)
}
