package e2e

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/tmaxmax/go-sse"
)

const (
	// crowd is how many streams are open at once.
	crowd = 5000
	// crowdMemory is what one of them may cost the process, in bytes.
	crowdMemory = 64 << 10
	// openers is how many clients ask at the same time. Asking all at once
	// would measure how long the engine takes for so many searches.
	openers = 64
)

// TestManyStreams holds 5,000 streams open at once, none of which the kernel
// could swallow whole, beside a client that reads nothing.
func TestManyStreams(t *testing.T) {
	if testing.Short() {
		t.Skip("5,000 streams take a while")
	}
	needFiles(t, 2*crowd)
	onEngines(t, func(t *testing.T, k kith) {
		k.serve(t, "--demo").stop(t) // the memory of filling the directory is not to hide that of streams
		metrics := freeAddress(t)
		s := k.serve(t, "--demo", "--rate", "100000", "--burst", "100000", "--metrics-listen", metrics)
		m := meter{url: "http://" + metrics + "/metrics", pid: s.cmd.Process.Pid}
		for range 200 {
			s.stream(t, demoToken, crowdSearch())
		}
		http.DefaultClient.CloseIdleConnections()
		eventually(t, time.Minute, "the warm-up is over", func() bool { return m.value(t, "kith_http_streams_in_flight") == 0 })
		idle, goroutines := m.memory(t, "VmRSS"), m.value(t, "go_goroutines")
		m.forgetPeak(t)

		stuck := deafClient(t, s)
		began := time.Now()
		openStreams(t, s, m)
		took := time.Since(began)

		per := (m.memory(t, "VmHWM") - idle) / crowd
		t.Logf("%d streams in %v: %d KiB idle, %d bytes for each stream at the peak", crowd, took.Round(time.Millisecond), idle>>10, per)
		if per > crowdMemory {
			t.Errorf("each stream took %d bytes, more than %d", per, crowdMemory)
		}
		stuck(m)
		eventually(t, time.Minute, "every goroutine is gone", func() bool { return m.value(t, "go_goroutines") <= goroutines+2 })
	})
}

func crowdSearch() map[string]any {
	return map[string]any{"prompt": "engineer", "scope": "global", "limit": 100, "stream": true}
}

// openStreams opens all streams, holds them until they are all open, and reads
// each to its end.
func openStreams(t *testing.T, s *server, m meter) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var (
		clients  sync.WaitGroup
		opened   atomic.Int64
		mu       sync.Mutex
		failures []error
		gate     = make(chan struct{})
		slots    = make(chan struct{}, openers)
	)
	for range crowd {
		clients.Go(func() {
			slots <- struct{}{}
			release := sync.OnceFunc(func() { <-slots })
			defer release()
			err := holdStream(ctx, s, gate, func() { opened.Add(1); release() })
			if err != nil {
				mu.Lock()
				failures = append(failures, err)
				mu.Unlock()
				opened.Add(1) // nobody is to wait for it
			}
		})
	}
	eventually(t, 4*time.Minute, "all streams are open", func() bool { return opened.Load() >= crowd })
	if n := m.value(t, "kith_http_streams_in_flight"); n < crowd {
		t.Errorf("the server has %v streams open at once, want %d", n, crowd)
	}
	close(gate)
	clients.Wait()
	if len(failures) > 0 {
		t.Errorf("%d of %d streams failed, the first with: %v\n%.2000s", len(failures), crowd, failures[0], s.output())
	}
}

// holdStream opens a stream, reads it slowly until the gate opens, and then to
// its end. It calls first with the first person.
func holdStream(ctx context.Context, s *server, gate <-chan struct{}, first func()) error {
	conn, err := dialNarrow(ctx, s)
	if err != nil {
		return err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	resp, err := askStream(ctx, conn, s)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	body := &dawdler{Reader: resp.Body, gate: gate}
	people, last := 0, ""
	for event, err := range sse.Read(body, &sse.ReadConfig{MaxEventSize: 1 << 20}) {
		if err != nil {
			return fmt.Errorf("after %d people: %w", people, err)
		}
		if last = event.Type; last != "result" {
			continue
		}
		if people++; people == 1 {
			first()
			body.dawdle = true
		}
	}
	if people != 100 || last != "done" {
		return fmt.Errorf("a stream of %d people ends with %q", people, last)
	}
	return nil
}

// dialNarrow opens a connection into which little fits: with a small window
// and small segments, as over a slow link, so that the server's kernel does not
// take a whole stream off its hands.
func dialNarrow(ctx context.Context, s *server) (net.Conn, error) {
	d := net.Dialer{Control: func(_, _ string, raw syscall.RawConn) (err error) {
		outer := raw.Control(func(fd uintptr) {
			err = errors.Join(
				syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10),
				syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, 536),
			)
		})
		return cmp.Or(outer, err)
	}}
	return d.DialContext(ctx, "tcp", strings.TrimPrefix(s.URL, "http://"))
}

func askStream(ctx context.Context, conn net.Conn, s *server) (*http.Response, error) {
	text, err := json.Marshal(crowdSearch())
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/v2/people/search", bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+demoToken)
	if err := req.Write(conn); err != nil {
		return nil, err
	}
	resp, err := http.ReadResponse(bufio.NewReaderSize(conn, 1<<10), req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		answer, _ := io.ReadAll(resp.Body)
		return nil, fmt.Errorf("status %d: %s", resp.StatusCode, answer)
	}
	return resp, nil
}

// dawdler reads a little every other second while it dawdles, until the gate
// opens: often enough not to be taken for a client that has stopped.
type dawdler struct {
	io.Reader
	gate   <-chan struct{}
	dawdle bool
}

func (d *dawdler) Read(p []byte) (int, error) {
	if d.dawdle {
		select {
		case <-d.gate:
			d.dawdle = false
		case <-time.After(2 * time.Second):
			p = p[:min(len(p), 4<<10)]
		}
	}
	return d.Reader.Read(p)
}

// deafClient asks for a stream and reads nothing. The function returned fails
// the test unless the server cuts it.
func deafClient(t *testing.T, s *server) func(meter) {
	t.Helper()
	conn, err := dialNarrow(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := askStream(t.Context(), conn, s); err != nil { // the header, and what comes with it
		t.Fatal(err)
	}
	return func(m meter) {
		eventually(t, time.Minute, "the client that does not read is cut", func() bool {
			return m.value(t, "kith_http_streams_cut_total") >= 1 && m.value(t, "kith_http_streams_in_flight") == 0
		})
		rest, _ := io.ReadAll(conn)
		if bytes.Contains(rest, []byte("event: done")) {
			t.Error("the client that does not read was not cut: it got the whole stream")
		}
	}
}

// meter measures a server.
type meter struct {
	url string
	pid int
}

// value is the present value of a metric without labels.
func (m meter) value(t *testing.T, name string) float64 {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, m.url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Close = true // an idle connection would count as a goroutine
	a, err := do(req)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(a.body)) {
		if text, ok := strings.CutPrefix(line, name+" "); ok {
			v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
	}
	t.Fatalf("there is no metric %s", name)
	return 0
}

// memory is a line of the process's status, in bytes.
func (m meter) memory(t *testing.T, name string) int {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.pid))
	if err != nil {
		t.Skipf("memory is read from /proc: %v", err)
	}
	for line := range strings.Lines(string(status)) {
		if text, ok := strings.CutPrefix(line, name+":"); ok {
			kib, err := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(text), " kB"))
			if err != nil {
				t.Fatal(err)
			}
			return kib << 10
		}
	}
	t.Fatalf("there is no %s in the status of a process", name)
	return 0
}

// forgetPeak lets VmHWM begin anew.
func (m meter) forgetPeak(t *testing.T) {
	t.Helper()
	if err := os.WriteFile(fmt.Sprintf("/proc/%d/clear_refs", m.pid), []byte("5"), 0); err != nil {
		t.Fatal(err)
	}
}

// needFiles makes sure that the test and the server may open so many files.
func needFiles(t *testing.T, n uint64) {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Fatal(err)
	}
	if limit.Cur >= n {
		return
	}
	limit.Cur, limit.Max = n, max(limit.Max, n)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit); err != nil {
		t.Skipf("%d files are needed, and this user may not open so many: %v", n, err)
	}
}

// freeAddress is an address on loopback that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	return ln.Addr().String()
}
