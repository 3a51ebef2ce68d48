package crash_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync/atomic"
)

// passStatements starts the proxy in front of Postgres, whose socket is in a directory, and returns its port.
func (p *process) passStatements(ctx context.Context, dir string) (port int, err error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	p.keep(listener)
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			server, err := (&net.Dialer{}).DialContext(ctx, "unix", filepath.Join(dir, ".s.PGSQL.5432"))
			if err == nil && p.keep(client, server) {
				s := &session{p: p, client: client, server: server}
				go s.forward()
				go s.answer()
			}
		}
	}()
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// session is one connection.
type session struct {
	p              *process
	client, server net.Conn
	// last is true once the statement of the cut is on its way: no answer reaches the client after that.
	last atomic.Bool
	// open is true within a transaction and while a statement is executed.
	open atomic.Bool
	// first is the number of the statement that began this.
	first atomic.Int64
}

// The messages of Postgres's protocol that the proxy knows. Each statement is one of the first three.
const (
	simpleQuery, execute, copyDone = 'Q', 'E', 'c'
	ready, copyIn, copyBoth        = 'Z', 'G', 'W'
	complete                       = 'C'
	idle                           = 'I' // the status of a session outside transactions, in ready
	lengthBytes, messageHeader     = 4, 5
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
		case simpleQuery, execute, copyDone:
			if s.reach(from) == s.p.cut.at {
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
		switch {
		case len(head) > 0 && head[0] == ready:
			if status, err := from.Peek(messageHeader + 1); err == nil {
				s.open.Store(status[messageHeader] != idle)
			}
		case len(head) > 0 && head[0] == complete:
			s.executed(from)
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

// reach notes the next statement and returns its number.
func (s *session) reach(from *bufio.Reader) int {
	statement := ""
	if head, err := from.Peek(messageHeader); err == nil && head[0] == simpleQuery { // others have no text
		length := 1 + int(binary.BigEndian.Uint32(head[1:]))
		text, _ := from.Peek(min(length, messageHeader+len("commit")))
		statement = strings.ToLower(string(text[messageHeader:]))
	}
	switch open := s.open.Swap(true); {
	case open && statement == "commit":
		return s.p.reach(commit)
	case open:
		return s.p.reach(within)
	}
	kind := reading
	if strings.HasPrefix(statement, "begin") {
		kind = begin
	}
	number := s.p.reach(kind)
	s.first.Store(int64(number))
	return number
}

// executed reads the next message, which says what a statement did, such as INSERT 0 1.
func (s *session) executed(from *bufio.Reader) {
	did, err := from.Peek(messageHeader + len("SE"))
	if err == nil && !strings.HasPrefix(string(did[messageHeader:]), "SE") { // neither SELECT nor SET
		s.p.wrote(int(s.first.Load()))
	}
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
