package pgtest

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"kith/internal/effort"
)

// Crash is an operation that a crash interrupts at each of its statements.
type Crash struct {
	// Template names the template of the databases, which Fill fills; see [CopyURL].
	Template string
	Fill     func(url string) error
	// Try returns the operation and what checks it. For all that Postgres sees, the process of do dies at a statement:
	// its connections close, no new one opens, and ctx ends. check starts anew, repeats the operation if it may be
	// repeated, and checks that nothing is lost or done twice; acknowledged says that do returned without an error.
	Try func(t *testing.T) (do func(ctx context.Context, url string) error, check func(url string, acknowledged bool))
}

// Run runs the operation to its end once, counting its statements. It then crashes it, each time on a copy of the
// database, before the server receives a statement, and after the server has executed it but before the answer arrives.
// Only the long part does so everywhere. The short part does it at each commit, and at each statement that is a
// transaction of its own in the one way that the seed chooses. A crash within a transaction leaves the same state as
// one before its commit.
func (c Crash) Run(t *testing.T) {
	server, err := shared()
	if err != nil {
		t.Fatalf("no Postgres for tests: %v", err)
	}
	seed := effort.Seed(t)
	var sent []place
	t.Run("no crash", func(t *testing.T) { sent = c.at(t, server, cut{}) })
	crashes := 0
	for i, at := range sent {
		for _, executed := range []bool{false, true} {
			chosen := at == commits || at == alone && executed == ((seed+uint64(i))%2 == 0)
			if !chosen && !effort.Long() {
				continue
			}
			crashes++
			t.Run(fmt.Sprintf("statement %d, executed %v", i+1, executed), func(t *testing.T) {
				t.Parallel()
				c.at(t, server, cut{int64(i + 1), executed})
			})
		}
	}
	t.Logf("%d crashes at %d statements", crashes, len(sent))
}

// at runs the operation on a database of its own, with a cut, and returns the statements it had sent.
func (c Crash) at(t *testing.T, server *Server, where cut) []place {
	t.Helper()
	url := copied(t, server, c.Template, c.Fill)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p := &proxy{to: filepath.Join(server.dir, ".s.PGSQL.5432"), cut: where, cancel: cancel}
	port, err := p.listen(ctx)
	if err != nil {
		t.Fatal(err)
	}
	do, check := c.Try(t)
	err = do(ctx, strings.Replace(url, "host="+server.dir, fmt.Sprint("host=127.0.0.1 port=", port), 1))
	p.end()
	if err != nil && !p.crashed.Load() {
		t.Fatalf("the operation failed before the crash: %v", err)
	}
	check(url, err == nil)
	return p.sent
}

// place is where a statement is.
type place int

const (
	alone place = iota // it is a transaction of its own, or the first statement of a batch that is one
	begins
	within
	commits
)

// cut is a statement at which all connections end; 0 is none.
type cut struct {
	statement int64
	// executed is true if the server receives and executes the statement.
	executed bool
}

// proxy passes connections to a server and counts the statements of all of them.
type proxy struct {
	to       string
	cut      cut
	cancel   context.CancelFunc
	crashed  atomic.Bool
	listener net.Listener

	mu    sync.Mutex
	ended bool
	open  []net.Conn
	sent  []place
}

func (p *proxy) listen(ctx context.Context) (port int, err error) {
	if p.listener, err = (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0"); err != nil {
		return 0, err
	}
	go func() {
		for {
			client, err := p.listener.Accept()
			if err != nil {
				return
			}
			if server, err := (&net.Dialer{}).DialContext(ctx, "unix", p.to); err == nil && p.opened(client, server) {
				s := &session{p: p, client: client, server: server}
				go s.forward()
				go s.answer()
			}
		}
	}()
	return p.listener.Addr().(*net.TCPAddr).Port, nil
}

// opened notes two ends of a connection; after the end it closes them and returns false.
func (p *proxy) opened(ends ...net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open = append(p.open, ends...)
	if p.ended {
		p.close()
	}
	return !p.ended
}

// end closes all connections and opens no more.
func (p *proxy) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	p.listener.Close()
	p.close()
}

func (p *proxy) close() {
	for _, c := range p.open {
		_ = c.Close()
	}
}

// send notes a statement and returns its number, from 1.
func (p *proxy) send(at place) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent = append(p.sent, at)
	return int64(len(p.sent))
}

// crash ends everything at the cut.
func (p *proxy) crash() {
	p.crashed.Store(true)
	p.end()
	p.cancel()
}

// session is one connection.
type session struct {
	p              *proxy
	client, server net.Conn
	// last is true once the statement of the cut is on its way: no answer reaches the client after that.
	last atomic.Bool
	// open is true within a transaction and while a statement is executed.
	open atomic.Bool
}

// The messages of Postgres's protocol that the proxy knows. Each statement is one of the first three.
const (
	query, execute, copyDone   = 'Q', 'E', 'c'
	ready, copyIn, copyBoth    = 'Z', 'G', 'W'
	idle                       = 'I' // the status of a session outside transactions, in ready
	lengthBytes, messageHeader = 4, 5
)

// forward passes what the client sends. The first message has no type.
func (s *session) forward() {
	defer s.server.Close()
	from := bufio.NewReader(s.client)
	if _, err := pass(s.server, from, lengthBytes); err != nil {
		return
	}
	for {
		head, err := from.Peek(1)
		if err != nil {
			return
		}
		switch head[0] {
		case query, execute, copyDone:
			if s.p.send(s.place(from)) == s.p.cut.statement {
				if !s.p.cut.executed {
					s.p.crash()
					return
				}
				s.last.Store(true)
			}
		}
		if _, err := pass(s.server, from, messageHeader); err != nil {
			return
		}
	}
}

// answer passes what the server sends, until it has executed the statement of the cut.
func (s *session) answer() {
	defer s.client.Close()
	from := bufio.NewReader(s.server)
	for {
		head, _ := from.Peek(1) // pass has the error
		if len(head) > 0 && head[0] == ready {
			if status, err := from.Peek(messageHeader + 1); err == nil {
				s.open.Store(status[messageHeader] != idle)
			}
		}
		to, last := io.Writer(s.client), s.last.Load()
		if last {
			to = io.Discard
		}
		kind, err := pass(to, from, messageHeader)
		if last && (err != nil || kind == ready || kind == copyIn || kind == copyBoth) {
			s.p.crash()
		}
		if err != nil {
			return
		}
	}
}

// place returns where the next statement is.
func (s *session) place(from *bufio.Reader) place {
	statement := ""
	if head, err := from.Peek(messageHeader); err == nil && head[0] == query { // others have no text
		length := 1 + int(binary.BigEndian.Uint32(head[1:]))
		text, _ := from.Peek(min(length, messageHeader+len("commit")))
		statement = strings.ToLower(string(text[messageHeader:]))
	}
	switch open := s.open.Swap(true); {
	case open && statement == "commit":
		return commits
	case open:
		return within
	case strings.HasPrefix(statement, "begin"):
		return begins
	}
	return alone
}

// pass copies one message whose header ends with its length, and returns the first byte.
func pass(to io.Writer, from *bufio.Reader, header int) (kind byte, err error) {
	head, err := from.Peek(header)
	if err != nil {
		return 0, err
	}
	kind = head[0]
	length := int64(binary.BigEndian.Uint32(head[header-lengthBytes:])) + int64(header-lengthBytes)
	if length < int64(header) {
		return 0, errors.New("a message is shorter than its header")
	}
	_, err = io.CopyN(to, from, length)
	return kind, err
}
