//go:build unix

package embedded_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith/internal/postgres/embedded"
	"kith/internal/test/expect"
)

// freeze stops a server like kill -STOP; thaw lets it continue.
func freeze(t *testing.T, dir string) (thaw func()) {
	t.Helper()
	pid := serverPID(t, dir)
	expect.NoError(t, syscall.Kill(pid, syscall.SIGSTOP))
	thaw = sync.OnceFunc(func() { expect.NoError(t, syscall.Kill(pid, syscall.SIGCONT)) })
	t.Cleanup(thaw)
	return thaw
}

// A server that does not answer is reported after a while. No second server is started, even if the
// first one runs in another container.
func TestFrozenServerIsReported(t *testing.T) {
	t.Parallel()
	gone := exec.Command("true")
	expect.NoError(t, gone.Run())
	dir := t.TempDir()
	s := open(t, dir)
	keep(t, s.URL())
	pidFile := filepath.Join(dir, "postgres", "postmaster.pid")
	own, err := os.ReadFile(pidFile)
	expect.NoError(t, err)
	_, rest, _ := strings.Cut(string(own), "\n")
	foreign := fmt.Sprintf("%d\n%s", gone.Process.Pid, rest)
	thaw := freeze(t, dir)
	for _, text := range []string{string(own), foreign} {
		expect.NoError(t, os.WriteFile(pidFile, []byte(text), 0o600))
		_, err := embedded.Open(t.Context(), dir, embedded.Silence(embedded.Options{}, 100*time.Millisecond))
		if err == nil || !strings.Contains(err.Error(), "does not respond") || !strings.Contains(err.Error(),
			"kill -CONT") {
			t.Errorf("got %v", err)
		}
		if now, err := os.ReadFile(pidFile); err != nil || string(now) != text {
			t.Fatalf("another server was started: %q, %v", now, err)
		}
	}
	expect.NoError(t, os.WriteFile(pidFile, own, 0o600))
	thaw()
	if got := exec1(t, open(t, dir).URL(), "select x from t"); got != "kept" {
		t.Errorf("got %q", got)
	}
}

// growingLog is a log that can be read while it is written.
type growingLog struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (s *growingLog) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.text.Write(p)
}

func (s *growingLog) has(text string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return strings.Contains(s.text.String(), text)
}

// The log shows the wait for a server, and the wait for another process that waits for it.
func TestWaitingIsLogged(t *testing.T) {
	dir := t.TempDir()
	open(t, dir)
	thaw := freeze(t, dir)
	opened := make(chan error, 2)
	for _, what := range []string{"postgres to respond", "waiting for another kith"} {
		var text growingLog
		log := zerolog.New(&text)
		opts := embedded.Silence(embedded.Say(embedded.Options{Log: &log}, 10*time.Millisecond), time.Hour)
		go func() {
			s, err := embedded.Open(t.Context(), dir, opts)
			if err == nil {
				err = s.Close()
			}
			opened <- err
		}()
		await(t, func() bool { return text.has(what) })
	}
	thaw()
	for range cap(opened) {
		expect.NoError(t, <-opened)
	}
}
