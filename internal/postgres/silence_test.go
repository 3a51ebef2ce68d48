package postgres_test

import (
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/test/certtest"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// way is one of several addresses of a server, which may become silent: it then accepts and keeps connections, and
// passes nothing on.
type way struct {
	port int
	// tls is nil if the way has no TLS.
	tls    *tls.Config
	passes sync.RWMutex // locked while it is silent
}

func newWay(t *testing.T, url string, over *tls.Config) *way {
	t.Helper()
	cfg, err := pgx.ParseConfig(url)
	expect.NoError(t, err)
	socket := filepath.Join(cfg.Host, fmt.Sprintf(".s.PGSQL.%d", cfg.Port))
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	w := &way{port: l.Addr().(*net.TCPAddr).Port, tls: over}
	var open sync.WaitGroup
	t.Cleanup(func() { l.Close(); open.Wait() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := new(net.Dialer).Dial("unix", socket)
			if err != nil {
				client.Close()
				continue
			}
			open.Go(func() {
				client := w.accept(client)
				open.Go(func() { w.pass(server, client) })
				w.pass(client, server)
			})
		}
	}()
	return w
}

// accept answers the request for TLS with which a client begins.
func (w *way) accept(client net.Conn) net.Conn {
	if w.tls == nil {
		return client
	}
	_, _ = io.ReadFull(client, make([]byte, 8)) // its failure is that of the handshake
	_, _ = client.Write([]byte{'S'})
	return tls.Server(client, w.tls)
}

func (w *way) pass(to, from net.Conn) {
	defer to.Close()
	buf := make([]byte, 1<<16)
	for {
		n, err := from.Read(buf)
		w.passes.RLock()
		_, failed := to.Write(buf[:n])
		w.passes.RUnlock()
		if err != nil || failed != nil {
			return
		}
	}
}

// Reads that wait for a server that hangs, and later ones, are answered by the next server of the address.
func TestReadsLeaveASilentServer(t *testing.T) {
	cert := certtest.NewAuthority().Certify(time.Now().Add(time.Hour), "127.0.0.1")
	pair, err := tls.X509KeyPair(cert.PEM, cert.Key)
	expect.NoError(t, err)
	for mode, over := range map[string]*tls.Config{
		"disable": nil, "require": {Certificates: []tls.Certificate{pair}},
	} {
		t.Run("sslmode="+mode, func(t *testing.T) {
			url := pgtest.MigratedURL(t)
			first, second := newWay(t, url, over), newWay(t, url, over)
			cfg, err := pgx.ParseConfig(url)
			expect.NoError(t, err)
			several := strings.NewReplacer("host="+cfg.Host, fmt.Sprintf("host=127.0.0.1,127.0.0.1 port=%d,%d",
				first.port, second.port), "sslmode=disable", "sslmode="+mode).Replace(url)
			db := pgtest.Dataset(t, several, postgres.Options{})
			pgtest.Load(t, db, record.People, person("P1", ""))
			first.passes.Lock()
			defer first.passes.Unlock()
			for range 3 {
				if n, err := db.Count(t.Context(), record.People); err != nil || n != 1 {
					t.Fatalf("%d people, %v", n, err)
				}
			}
		})
	}
}
