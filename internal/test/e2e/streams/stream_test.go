package streams_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"kith/internal/test/e2e"
	"kith/internal/test/effort"
	"kith/internal/test/expect"
)

const (
	// manyStreams are open at once. Each may add memoryOfStream bytes to the memory of the idle process.
	manyStreams    = 5000
	memoryOfStream = 64 << 10
	// readOn of them are read to their end.
	readOn = 500
	// streamLimit people exceed the buffers between server and client.
	streamLimit = 100
	// spareFiles are the open files of the test process besides its streams.
	spareFiles = 500
)

// The test holds 5,000 streams open whose clients have stopped reading, and measures the memory of the process.
// Some clients then read to the end, the others disconnect.
func TestManyStreams(t *testing.T) {
	effort.OnlyLong(t)
	needFiles(t, manyStreams+spareFiles)
	for _, e := range e2e.AnEngine(t) { // one after the other: together they need too many files
		t.Run(e.Name, func(t *testing.T) { holdStreams(t, e2e.New(t, e)) })
	}
}

func holdStreams(t *testing.T, k e2e.Kith) {
	g := e2e.Generate(t)
	k.Run(t, "load", g.Companies, k.Write(t, "people.ndjson", g.People[:1000]))
	s := k.Serve(t, append(e2e.Unlimited(), "--metrics-listen", "127.0.0.1:0", "--stream-write-timeout", "10m")...)
	m := meterOf(t, s)
	token := k.LiveToken(t)
	body := func(name string, value any) map[string]any {
		return map[string]any{"filters": e2e.Everyone(), "scope": "global", "limit": streamLimit, name: value}
	}
	for range 200 { // the idle process has the caches of a search
		s.Search(t, token, body("limit", 100))
	}
	idle := m.read(t)

	streams := openMany(t, s, token, body("stream", true))
	e2e.Eventually(t, "all streams are open", func() bool {
		return m.read(t)["kith_http_streams_in_flight"] == manyStreams
	})
	// Search beside the streams until the collector has freed earlier garbage.
	collections := m.read(t)["go_gc_duration_seconds_count"]
	e2e.Eventually(t, "the collector has run", func() bool {
		if p := s.Search(t, token, body("limit", 5)); len(p.Data) != 5 {
			t.Errorf("a search beside the streams finds %d people", len(p.Data))
		}
		s.Search(t, token, body("limit", 100))
		return m.read(t)["go_gc_duration_seconds_count"] >= collections+2
	})
	open := m.read(t)
	if n := open["kith_http_streams_in_flight"]; n != manyStreams {
		t.Fatalf("%v streams are open, not %d", n, manyStreams)
	}
	if each := perStream(t, idle, open); each > memoryOfStream {
		t.Errorf("a stream takes %.0f bytes, more than %d", each, memoryOfStream)
	}

	began := time.Now()
	readAll(t, streams[:readOn])
	t.Logf("%d streams read to their end in %v", readOn, time.Since(began).Round(time.Millisecond))
	for _, c := range streams[readOn:] {
		c.Close()
	}
	// Connections to Elasticsearch stay open for a while, with goroutines of their own.
	e2e.Eventually(t, "the goroutines of the streams are gone", func() bool {
		return m.read(t)["go_goroutines"] <= idle["go_goroutines"]+manyStreams/10
	})
}

// perStream returns the bytes in use, on heap and stacks, that each stream adds to an idle process.
func perStream(t *testing.T, idle, open map[string]float64) float64 {
	t.Helper()
	const kib = 1 << 10
	more := func(name string) float64 { return (open[name] - idle[name]) / manyStreams }
	heap, stacks := more("go_gc_heap_live_bytes"), more("go_memstats_stack_inuse_bytes")
	t.Logf("a stream of %d takes %.1f KiB of heap and %.1f KiB of stacks; with what the collector leaves uncollected "+
		"%.1f KiB resident",
		manyStreams, heap/kib, stacks/kib, more("process_resident_memory_bytes")/kib)
	if open["go_gc_heap_live_bytes"] == 0 || idle["go_memstats_stack_inuse_bytes"] == 0 {
		t.Error("the metrics lack the memory in use")
	}
	return heap + stacks
}

// needFiles skips a test that needs more open files than the limit of the process.
func needFiles(t *testing.T, n uint64) {
	t.Helper()
	var limit syscall.Rlimit
	expect.NoError(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit))
	if limit.Cur >= n {
		return
	}
	if limit.Max < n {
		t.Skipf("this needs %d open files, and the limit is %d: raise it with ulimit -Hn", n, limit.Max)
	}
	limit.Cur = limit.Max
	expect.NoError(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &limit))
}

// meter reads the metrics of a server.
type meter struct{ url string }

// meterOf finds the address of the metrics in the server's log.
func meterOf(t *testing.T, s *e2e.Server) (m meter) {
	t.Helper()
	e2e.Eventually(t, "metrics are served", func() bool {
		for text := range strings.Lines(s.Output()) {
			var line struct{ Message, URL string }
			if json.Unmarshal([]byte(text), &line) == nil && line.Message == "serving metrics" {
				m.url = line.URL
			}
		}
		return m.url != ""
	})
	return m
}

// read returns the metrics without labels.
func (m meter) read(t *testing.T) map[string]float64 {
	t.Helper()
	text, err := e2e.Ask(http.MethodGet, m.url)
	expect.NoError(t, err)
	values := map[string]float64{}
	for line := range strings.Lines(text) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if v, err := strconv.ParseFloat(value, 64); err == nil {
			values[name] = v
		}
	}
	return values
}

// openMany opens streams and reads each up to its first person.
func openMany(t *testing.T, s *e2e.Server, token string, body map[string]any) []*narrow {
	t.Helper()
	text, err := json.Marshal(body)
	expect.NoError(t, err)
	streams := make([]*narrow, manyStreams)
	t.Cleanup(func() {
		for _, c := range streams {
			if c != nil {
				c.Close()
			}
		}
	})
	var group errgroup.Group
	group.SetLimit(8)
	for i := range streams {
		group.Go(func() error {
			for {
				c, err := openNarrow(t.Context(), s, token, text)
				if err != nil {
					return err
				}
				effort.Deadline(t) // refused ones wait their turn
				if err = c.begin(); !errors.Is(err, errTooMany) {
					streams[i] = c
					return err
				}
				c.Close()
			}
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatalf("opening streams: %v\n%s", err, s.Output())
	}
	return streams
}

// readAll reads streams to their end, some at a time, because each needs the engine.
func readAll(t *testing.T, streams []*narrow) {
	t.Helper()
	var group errgroup.Group
	group.SetLimit(100)
	for _, c := range streams {
		group.Go(func() error { return c.finish() })
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}

// narrow is a connection with tiny buffers, so a client that stops reading blocks the server.
type narrow struct {
	net.Conn
	in, body *bufio.Reader
}

const (
	narrowSegment = 256  // bytes of one packet: the sender's buffer holds few
	narrowBuffer  = 2048 // bytes of the receiver's buffer
)

// openNarrow sends a search over a new connection.
func openNarrow(ctx context.Context, s *e2e.Server, token string, body []byte) (*narrow, error) {
	dialer := net.Dialer{Control: func(_, _ string, raw syscall.RawConn) (err error) {
		return errors.Join(raw.Control(func(fd uintptr) {
			err = errors.Join(
				syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_MAXSEG, narrowSegment),
				syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, narrowBuffer),
			)
		}), err)
	}}
	conn, err := dialer.DialContext(ctx, "tcp", strings.TrimPrefix(s.URL, "http://"))
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(conn, "POST /v2/people/search HTTP/1.1\r\nHost: kith\r\nConnection: close\r\nContent-Type: "+
		"application/json\r\nAuthorization: Bearer %s\r\nContent-Length: %d\r\n\r\n%s",
		token, len(body), body)
	return &narrow{Conn: conn, in: bufio.NewReaderSize(conn, 512)}, err
}

// errTooMany is the refusal of one stream too many at once: try again.
var errTooMany = errors.New("429")

// begin reads up to the first person.
func (c *narrow) begin() error {
	resp, err := http.ReadResponse(c.in, nil) //nolint:bodyclose // the connection is closed
	if err != nil {
		return fmt.Errorf("a stream without an answer: %w", err)
	}
	c.body = bufio.NewReaderSize(resp.Body, 512)
	if resp.StatusCode == http.StatusTooManyRequests {
		return errTooMany
	}
	if resp.StatusCode != http.StatusOK {
		text, _ := c.body.ReadString('\n')
		return fmt.Errorf("a stream is answered with %s: %s", resp.Status, text)
	}
	for line := ""; line != "event: result\n"; {
		if line, err = c.body.ReadString('\n'); err != nil {
			return fmt.Errorf("a stream before its first person: %w", err)
		}
	}
	return nil
}

// finish reads the rest and checks that it is complete.
func (c *narrow) finish() error {
	rest, err := io.ReadAll(c.body)
	if err != nil {
		return fmt.Errorf("a stream: %w", err)
	}
	n := 1 + bytes.Count(rest, []byte("event: result\n"))
	if n != streamLimit || !bytes.Contains(rest, []byte("event: done\ndata: {\"complete\":true")) {
		return fmt.Errorf("a stream of %d people, not %d, ends with %q", n, streamLimit, rest[max(0, len(rest)-500):])
	}
	return nil
}
