package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
	"time"
)

// line is the network connection of an SMTP session. The library closes it only if the
// server ends the session properly.
type line struct {
	dialer *net.Dialer
	// secure is set for a server that uses TLS from the start; otherwise nil.
	secure *tls.Config
	conn   *bounded
}

// dial connects. Call it once.
func (l *line) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := l.dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l.conn = &bounded{Conn: conn, left: maxReplies}
	if l.secure == nil {
		return l.conn, nil
	}
	secure := tls.Client(l.conn, l.secure)
	return secure, secure.HandshakeContext(ctx)
}

// cut closes the connection, if any.
func (l *line) cut() {
	if l.conn != nil {
		_ = l.conn.Close() // it may be closed already
	}
}

// maxReplies limits the bytes that a server may send over one connection, to several times what the answers of a turn
// need. Users choose their servers, and the library buffers response lines of any length.
const maxReplies = 1 << 20

var errLongReply = errors.New("the mail server sent an overlong reply")

// bounded is a connection with limits on the bytes read and on deadlines.
type bounded struct {
	net.Conn

	left int
	// until is the last deadline that may be set; the zero time is no limit. The library sets a new deadline several
	// times during one message.
	until time.Time
}

// SetDeadline implements [net.Conn].
func (b *bounded) SetDeadline(t time.Time) error {
	if !b.until.IsZero() && t.After(b.until) {
		t = b.until
	}
	return b.Conn.SetDeadline(t)
}

// Read implements [net.Conn].
func (b *bounded) Read(into []byte) (int, error) {
	if b.left == 0 {
		return 0, errLongReply
	}
	n, err := b.Conn.Read(into[:min(len(into), b.left)])
	b.left -= n
	return n, err
}
