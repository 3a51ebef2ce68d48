package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kith/internal/elastictest"
)

// binary is the path of the program under test, built once.
var binary string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "kith-e2e")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	binary = filepath.Join(dir, "kith")
	build := exec.Command("go", "build", "-o", binary, "kith/cmd/kith")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		fmt.Fprintln(os.Stderr, "build kith:", err)
		os.Exit(1)
	}
	code := elastictest.Run(m)
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// engine is one way to run kith. The tests of behaviour run on each.
type engine struct {
	name string
	// env is what turns kith to the engine.
	env func(t *testing.T) []string
}

func engines() []engine {
	return []engine{
		{name: "postgres", env: func(*testing.T) []string { return nil }},
		{name: "elasticsearch", env: func(t *testing.T) []string {
			url := elastictest.URL(t)
			return []string{"KITH_ELASTICSEARCH_URL=" + url, "KITH_ELASTICSEARCH_PREFIX=" + ownIndices(t, url)}
		}},
	}
}

// onEngines runs a test on each engine with a data directory of its own, beside
// other tests: most of their time is waiting.
func onEngines(t *testing.T, test func(t *testing.T, k kith)) {
	t.Parallel()
	for _, e := range engines() {
		t.Run(e.name, func(t *testing.T) {
			t.Parallel()
			test(t, newKith(t, e))
		})
	}
}

// kith is one installation: a data directory and an engine.
type kith struct {
	dir    string
	engine string
	env    []string
}

func newKith(t *testing.T, e engine) kith {
	k := kith{dir: t.TempDir(), engine: e.name, env: e.env(t)}
	t.Cleanup(func() { k.clear(t) })
	return k
}

func (k kith) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env = append(append(os.Environ(), "KITH_DATA="+k.data(), "KITH_LOG_FORMAT=json"), k.env...)
	cmd.Dir = k.dir
	return cmd
}

// run runs a command to its end and returns its standard output. It fails the
// test where the command does.
func (k kith) run(t *testing.T, args ...string) string {
	t.Helper()
	stdout, stderr, err := k.try(t, args...)
	if err != nil {
		t.Fatalf("kith %s: %v\n%s", strings.Join(args, " "), err, stderr)
	}
	return stdout
}

func (k kith) try(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	var out, errs bytes.Buffer
	cmd := k.command(ctx, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err = cmd.Run()
	return out.String(), errs.String(), err
}

// exitCode is the code that a command ended with.
func exitCode(err error) int {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.ExitCode()
	}
	return 0
}

// server is a running `kith serve`.
type server struct {
	URL  string
	cmd  *exec.Cmd
	mu   sync.Mutex
	log  bytes.Buffer
	gone chan struct{}
	err  error
}

// serve starts a server on a free port and waits until it listens. It is
// stopped when the test ends.
func (k kith) serve(t *testing.T, args ...string) *server {
	t.Helper()
	s := &server{gone: make(chan struct{})}
	s.cmd = k.command(context.Background(), append([]string{"serve", "--listen", "127.0.0.1:0"}, args...)...)
	pipe, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	listening := make(chan string, 1)
	go s.follow(pipe, listening)
	select {
	case s.URL = <-listening:
	case <-s.gone:
		t.Fatalf("kith serve ended: %v\n%s", s.err, s.output())
	case <-time.After(patience):
		s.kill()
		t.Fatalf("kith serve does not listen\n%s", s.output())
	}
	t.Cleanup(func() { s.stop(t) })
	return s
}

// follow keeps the log and finds the address in it.
func (s *server) follow(pipe io.Reader, listening chan<- string) {
	lines := bufio.NewScanner(pipe)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		s.mu.Lock()
		s.log.Write(append(lines.Bytes(), '\n'))
		s.mu.Unlock()
		var line struct{ Message, URL string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Message == "listening" {
			listening <- line.URL
		}
	}
	s.err = s.cmd.Wait()
	close(s.gone)
}

func (s *server) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// stop asks the server to end, as an operator would, and waits for it.
func (s *server) stop(t *testing.T) {
	t.Helper()
	select {
	case <-s.gone:
		return
	default:
	}
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.gone:
		if s.err != nil {
			t.Errorf("kith serve ended with %v\n%s", s.err, s.output())
		}
	case <-time.After(patience):
		s.kill()
		t.Errorf("kith serve does not stop\n%s", s.output())
	}
}

// kill ends the server as `kill -9` does.
func (s *server) kill() {
	_ = s.cmd.Process.Kill()
	<-s.gone
}

// answer is what a request got.
type answer struct {
	status int
	header http.Header
	body   []byte
}

// page is a search answer.
type page struct {
	Data       []person `json:"data"`
	Metadata   metadata `json:"metadata"`
	Pagination struct {
		Cursor      string `json:"cursor"`
		HasNextPage bool   `json:"has_next_page"`
		Count       int    `json:"count"`
	} `json:"pagination"`
}

type person struct {
	ID       int64  `json:"id"`
	FullName string `json:"full_name"`
}

type metadata struct {
	RequestID    string `json:"request_id"`
	Mode         string `json:"mode"`
	Source       string `json:"source"`
	SearchEngine string `json:"search_engine"`
	GeneratedSQL string `json:"generated_sql"`
	Counts       struct {
		Global struct {
			Value    int  `json:"value"`
			IsCapped bool `json:"is_capped"`
			Cap      int  `json:"cap"`
		} `json:"global"`
	} `json:"counts"`
}

// post sends a JSON body with a bearer token.
func (s *server) post(t *testing.T, path, token string, body any) answer {
	t.Helper()
	a, err := s.tryPost(t.Context(), path, token, body)
	if err != nil {
		t.Fatalf("POST %s: %v\n%s", path, err, s.output())
	}
	return a
}

func (s *server) tryPost(ctx context.Context, path, token string, body any) (answer, error) {
	req, err := s.request(ctx, path, token, body)
	if err != nil {
		return answer{}, err
	}
	return do(req)
}

// request makes a request with a JSON body.
func (s *server) request(ctx context.Context, path, token string, body any) (*http.Request, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	return req, nil
}

func (s *server) get(t *testing.T, path, token string) answer {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := do(req)
	if err != nil {
		t.Fatalf("GET %s: %v\n%s", path, err, s.output())
	}
	return a
}

func do(req *http.Request) (answer, error) {
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return answer{status: resp.StatusCode, header: resp.Header, body: body}, err
}

// search asks for one page and fails the test unless it gets one.
func (s *server) search(t *testing.T, token string, body map[string]any) page {
	t.Helper()
	a := s.post(t, "/v2/people/search", token, body)
	if a.status != http.StatusOK {
		t.Fatalf("search %v: status %d: %s", body, a.status, a.body)
	}
	return decodePage(t, a)
}

func decodePage(t *testing.T, a answer) page {
	t.Helper()
	var p page
	if err := json.Unmarshal(a.body, &p); err != nil {
		t.Fatalf("not a page: %v: %s", err, a.body)
	}
	return p
}

// demoToken is the published token of the demo directory.
const demoToken = "demo_token_global"

// liveToken makes an app and a token of the live directory.
func (k kith) liveToken(t *testing.T) string {
	t.Helper()
	name := fmt.Sprintf("app%d", time.Now().UnixNano())
	k.run(t, "app", "create", name)
	return strings.TrimSpace(k.run(t, "token", "--app", name, "--user", "u1", "--email", "u1@example.com"))
}

// patience is how long something that has to happen may take on a machine that has much
// else to do.
const patience = 10 * time.Minute

// eventually waits until a condition holds, and fails the test if it does not.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(patience)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// unlimited are the flags of a server whose rate and counts do not end.
func unlimited() []string {
	return []string{"--rate", "100000", "--burst", "100000", "--count-cap", "100000"}
}

// freePort is a port of loopback that nobody listens on. Until the test ends it is
// given to nobody else: a socket is bound to it that never listens, which keeps out
// connections, and listeners that take any port, and lets in those that name it.
func freePort(t *testing.T) int {
	t.Helper()
	syscall.ForkLock.RLock() // so that no program that is started meanwhile keeps it
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(fd)
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Close(fd) })
	err = errors.Join(
		syscall.SetsockoptInt(fd, syscall.SOL_SOCKET, syscall.SO_REUSEADDR, 1),
		syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}),
	)
	if err != nil {
		t.Fatal(err)
	}
	at, err := syscall.Getsockname(fd)
	if err != nil {
		t.Fatal(err)
	}
	return at.(*syscall.SockaddrInet4).Port
}
