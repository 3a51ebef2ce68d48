package outreach_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"kith/internal/test/expect"
)

// wiretap records the statements between a client and Postgres: the text of plain ones, and the names of prepared
// ones, which pgx derives from their text.
type wiretap struct {
	mu  sync.Mutex
	ran []string
}

// tap returns the wiretap and the address of the database through it.
func tap(t *testing.T, dsn string) (*wiretap, string) {
	t.Helper()
	cfg, err := pgconn.ParseConfig(dsn)
	expect.NoError(t, err)
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	t.Cleanup(func() { _ = ln.Close() })
	w := &wiretap{}
	network, server := pgconn.NetworkAddress(cfg.Host, cfg.Port)
	go func() {
		for {
			client, err := ln.Accept()
			if err != nil {
				return
			}
			go w.carry(client, network, server)
		}
	}()
	return w, fmt.Sprintf("%s host=127.0.0.1 port=%d", dsn, ln.Addr().(*net.TCPAddr).Port)
}

// carry copies messages in both directions until one side ends.
func (w *wiretap) carry(client net.Conn, network, server string) {
	defer client.Close()
	to, err := (&net.Dialer{}).Dial(network, server)
	if err != nil {
		return
	}
	defer to.Close()
	go func() {
		_, _ = io.Copy(client, to) // either may end first
		_ = client.Close()
	}()
	_ = w.listen(client, to)
}

// listen records each message of a client, and then forwards it. Messages of the startup have no type.
func (w *wiretap) listen(from io.Reader, to io.Writer) error {
	const startup = 3 << 16
	for version := uint32(0); version < startup || version > startup+2; {
		received, err := message(from, nil)
		if err != nil {
			return err
		}
		version = binary.BigEndian.Uint32(received[4:])
		if _, err := to.Write(received); err != nil {
			return err
		}
	}
	for {
		kind := make([]byte, 1)
		if _, err := io.ReadFull(from, kind); err != nil {
			return err
		}
		received, err := message(from, kind)
		if err != nil {
			return err
		}
		parts := bytes.Split(received[5:], []byte{0})
		switch kind[0] {
		case 'Q':
			w.note(string(parts[0]))
		case 'B':
			w.note(string(parts[1]))
		}
		if _, err := to.Write(received); err != nil {
			return err
		}
	}
}

// message reads the length of a message and the rest, and returns it whole, with the bytes from before.
func message(r io.Reader, before []byte) ([]byte, error) {
	length := make([]byte, 4)
	if _, err := io.ReadFull(r, length); err != nil {
		return nil, err
	}
	body := make([]byte, binary.BigEndian.Uint32(length)-4)
	_, err := io.ReadFull(r, body)
	return append(append(before, length...), body...), err
}

func (w *wiretap) note(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !strings.HasPrefix(what, "--") { // a ping
		w.ran = append(w.ran, what)
	}
}

// during returns the statements that f runs.
func (w *wiretap) during(f func()) []string {
	w.mu.Lock()
	w.ran = nil
	w.mu.Unlock()
	f()
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]string(nil), w.ran...)
}
