package postgres_test

import (
	"fmt"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres"
	"kith/internal/record"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// way is one of several addresses of a server, which may become silent: it then accepts and keeps connections, and
// passes nothing on.
type way struct {
	port   int
	passes sync.RWMutex // locked while it is silent
}

func newWay(t *testing.T, url string) *way {
	t.Helper()
	cfg, err := pgx.ParseConfig(url)
	expect.NoError(t, err)
	socket := filepath.Join(cfg.Host, fmt.Sprintf(".s.PGSQL.%d", cfg.Port))
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	w := &way{port: l.Addr().(*net.TCPAddr).Port}
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
			open.Go(func() { w.pass(server, client) })
			open.Go(func() { w.pass(client, server) })
		}
	}()
	return w
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
	url := pgtest.MigratedURL(t)
	first, second := newWay(t, url), newWay(t, url)
	cfg, err := pgx.ParseConfig(url)
	expect.NoError(t, err)
	several := strings.Replace(url, "host="+cfg.Host, fmt.Sprintf("host=127.0.0.1,127.0.0.1 port=%d,%d", first.port,
		second.port), 1)
	db := pgtest.Dataset(t, several, postgres.Options{})
	pgtest.Load(t, db, record.People, person("P1", ""))
	first.passes.Lock()
	defer first.passes.Unlock()
	for range 3 {
		if n, err := db.Count(t.Context(), record.People); err != nil || n != 1 {
			t.Fatalf("%d people, %v", n, err)
		}
	}
}
