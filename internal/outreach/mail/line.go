package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"net"
)

// line is the connection below a conversation. The library closes it only where
// the server ends the conversation as it should.
type line struct {
	dialer *net.Dialer
	// secure is for a server that speaks TLS from the start; nil for others.
	secure *tls.Config
	conn   net.Conn
}

// dial connects. It is called once.
func (l *line) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := l.dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	l.conn = &bounded{Conn: conn, left: mostSaid}
	if l.secure == nil {
		return l.conn, nil
	}
	secure := tls.Client(l.conn, l.secure)
	return secure, secure.HandshakeContext(ctx)
}

// cut ends the connection, if there is one.
func (l *line) cut() {
	if l.conn != nil {
		_ = l.conn.Close() // it may have ended already
	}
}

// mostSaid is how many bytes a server may say over one connection: several times as
// many as the answers about all e-mails of a turn take. Users choose their servers, and
// the library keeps a line of an answer in memory however long it is.
const mostSaid = 1 << 20

var errTalkative = errors.New("the mail server says more than answers have")

// bounded is a connection over which no more than so much is heard.
type bounded struct {
	net.Conn

	left int
}

// Read implements [net.Conn].
func (b *bounded) Read(into []byte) (int, error) {
	if b.left == 0 {
		return 0, errTalkative
	}
	n, err := b.Conn.Read(into[:min(len(into), b.left)])
	b.left -= n
	return n, err
}
