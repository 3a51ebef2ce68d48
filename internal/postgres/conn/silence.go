package conn

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

const (
	// silence is the time in which a server has to answer a ping, if there are others.
	silence = 3 * time.Second
	// avoidance is how long new connections avoid an address that was silent.
	avoidance = time.Minute
	pingEvery = time.Second
)

// lines are the network connections of a pool whose address names several servers. A server that hangs keeps its
// connections, and statements would wait for it until their deadlines.
type lines struct {
	mu   sync.Mutex
	open map[*line]struct{}
	// served and silent are when an address last let a client in, and when it was last found silent.
	served, silent map[string]time.Time
}

type line struct {
	net.Conn
	address string
	of      *lines
}

func newLines() *lines {
	return &lines{open: map[*line]struct{}{}, served: map[string]time.Time{}, silent: map[string]time.Time{}}
}

// Close closes the connection.
func (l *line) Close() error {
	l.of.mu.Lock()
	delete(l.of.open, l)
	l.of.mu.Unlock()
	return l.Conn.Close()
}

// dialing makes dial record its connections, and avoid addresses that were silent if another one has served since.
func (ls *lines) dialing(dial pgconn.DialFunc) pgconn.DialFunc {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		if ls.avoids(address) {
			return nil, fmt.Errorf("%s did not answer a moment ago", address)
		}
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		l := &line{conn, address, ls}
		ls.mu.Lock()
		defer ls.mu.Unlock()
		ls.open[l] = struct{}{}
		return l, nil
	}
}

func (ls *lines) avoids(address string) bool {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	since, silent := ls.silent[address]
	if !silent || time.Since(since) > avoidance || ls.served[address].After(since) {
		return false
	}
	for _, at := range ls.served {
		if at.After(since) {
			return true
		}
	}
	return false
}

// lineOf returns the line of a connection, which is below TLS.
func lineOf(conn *pgx.Conn) (l *line, tracked bool) {
	c := conn.PgConn().Conn()
	if over, ok := c.(*tls.Conn); ok {
		c = over.NetConn()
	}
	l, tracked = c.(*line)
	return l, tracked
}

// serves notes that a server let a client in.
func (ls *lines) serves(conn *pgx.Conn) {
	if l, tracked := lineOf(conn); tracked {
		ls.mu.Lock()
		defer ls.mu.Unlock()
		ls.served[l.address] = time.Now()
	}
}

// cut breaks all connections to the address of one that was silent: waiting statements end, and reads are repeated.
func (ls *lines) cut(address string) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	ls.silent[address] = time.Now()
	for l := range ls.open {
		if l.address == address {
			_ = l.Conn.Close() // its users notice
		}
	}
}

// watchSeveral watches for silent servers if an address names several, until the result is called.
func watchSeveral(cfg *pgxpool.Config) (stop func()) {
	if !isSeveral(cfg) {
		return func() {}
	}
	ls := newLines()
	cfg.ConnConfig.DialFunc = ls.dialing(cfg.ConnConfig.DialFunc)
	prepare := cfg.AfterConnect
	cfg.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		ls.serves(conn)
		return prepare(ctx, conn)
	}
	cfg.PingTimeout = silence
	ctx, cancel := context.WithCancel(context.Background())
	go ls.watch(ctx, cfg.ConnConfig.Copy())
	return cancel
}

// isSeveral reports whether an address names several servers, not one with and without TLS.
func isSeveral(cfg *pgxpool.Config) bool {
	return slices.ContainsFunc(cfg.ConnConfig.Fallbacks, func(f *pgconn.FallbackConfig) bool {
		return f.Host != cfg.ConnConfig.Host || f.Port != cfg.ConnConfig.Port
	})
}

// watch pings over a connection of its own until ctx ends, and cuts the connections to a server that is silent.
func (ls *lines) watch(ctx context.Context, cfg *pgx.ConnConfig) {
	for ctx.Err() == nil {
		if conn, err := pgx.ConnectConfig(ctx, cfg); err == nil {
			ls.serves(conn)
			ls.listen(ctx, conn)
			_ = conn.Close(context.WithoutCancel(ctx)) // it may be broken
		}
		rest(ctx, pingEvery)
	}
}

// listen pings until there is no answer.
func (ls *lines) listen(ctx context.Context, conn *pgx.Conn) {
	for ctx.Err() == nil {
		pinging, cancel := context.WithTimeout(ctx, silence)
		err := conn.Ping(pinging)
		cancel()
		l, tracked := lineOf(conn)
		if tracked && errors.Is(err, context.DeadlineExceeded) {
			ls.cut(l.address)
		}
		if err != nil {
			return
		}
		rest(ctx, pingEvery)
	}
}

func rest(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
