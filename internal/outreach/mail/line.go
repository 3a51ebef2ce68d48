package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
)

// line is the network connection of an SMTP session. The library closes it only if the
// server ends the session properly.
type line struct {
	dialer *net.Dialer
	// secure is set for a server that uses TLS from the start; otherwise nil.
	secure *tls.Config
	conn   net.Conn
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

// bounded is a connection with a limit on the bytes read.
type bounded struct {
	net.Conn

	left int
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
