package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"kith/internal/test/effort"
	"kith/internal/test/expect"
)

// Server is a running `kith serve`.
type Server struct {
	// URL is its address.
	URL string
	// Gone is closed when it has ended; Err says how.
	Gone chan struct{}
	Err  error

	cmd     *exec.Cmd
	mu      sync.Mutex
	log     bytes.Buffer
	printed printed
}

// printed keeps the standard output of a running command.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer
}

// Write implements [io.Writer].
func (p *printed) Write(text []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(text)
}

// Printed is what the server has printed on standard output.
func (s *Server) Printed() string {
	s.printed.mu.Lock()
	defer s.printed.mu.Unlock()
	return s.printed.text.String()
}

// Serve starts a server on a free port and waits until it listens. It is stopped when the test ends.
func (k Kith) Serve(t *testing.T, args ...string) *Server {
	t.Helper()
	s := &Server{Gone: make(chan struct{})}
	s.cmd = k.Command(context.Background(), t, append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	s.cmd.Stdout = &s.printed
	pipe, err := s.cmd.StderrPipe()
	expect.NoError(t, err)
	expect.NoError(t, s.cmd.Start())
	listening, progress := make(chan string, 1), make(chan struct{}, 1)
	go s.follow(pipe, listening, progress)
	for s.URL == "" {
		effort.Within(t, 3*effort.Patience())
		select {
		case s.URL = <-listening:
		case <-progress: // it loads the demo first, and says how far it is
		case <-s.Gone:
			t.Fatalf("kith serve ended: %v\n%s", s.Err, s.Output())
		case <-time.After(2 * effort.Patience()):
			s.Kill()
			t.Fatalf("kith serve does not listen\n%s", s.Output())
		}
	}
	t.Cleanup(func() { s.Stop(t) })
	return s
}

// follow keeps the log, tells that there is more of it, and finds the address in it.
func (s *Server) follow(pipe io.Reader, listening chan<- string, progress chan<- struct{}) {
	lines := bufio.NewScanner(pipe)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		s.mu.Lock()
		s.log.Write(append(lines.Bytes(), '\n'))
		s.mu.Unlock()
		select {
		case progress <- struct{}{}:
		default:
		}
		var line struct{ Message, URL string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == "listening" {
			listening <- line.URL
		}
	}
	s.Err = s.cmd.Wait()
	close(s.Gone)
}

// Output is what the server has logged.
func (s *Server) Output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// Signal sends the server a signal.
func (s *Server) Signal(signal os.Signal) error { return s.cmd.Process.Signal(signal) }

// Stop asks the server to end, as an operator would, and waits for it.
func (s *Server) Stop(t *testing.T) {
	t.Helper()
	select {
	case <-s.Gone:
		return
	default:
	}
	_ = s.Signal(syscall.SIGTERM)
	select {
	case <-s.Gone:
		if s.Err != nil {
			t.Errorf("kith serve ended with %v\n%s", s.Err, s.Output())
		}
	case <-time.After(effort.Patience()):
		s.Kill()
		t.Errorf("kith serve does not stop\n%s", s.Output())
	}
}

// Kill ends the server as `kill -9` does.
func (s *Server) Kill() {
	_ = s.cmd.Process.Kill()
	<-s.Gone
}

// Unlimited are the flags of a server whose rate and counts do not end.
func Unlimited() []string {
	return []string{"--rate", "100000", "--burst", "100000", "--count-cap", "100000"}
}
