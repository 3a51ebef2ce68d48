package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"sync/atomic"
	"time"

	"github.com/rs/zerolog"

	kithhttp "kith/http"
)

// tlsFlags enable TLS in the server itself.
type tlsFlags struct {
	TLSCert string `name:"tls-cert" env:"KITH_TLS_CERT" placeholder:"FILE"`
	TLSKey  string `name:"tls-key" env:"KITH_TLS_KEY" placeholder:"FILE"`
}

// reloadEvery is how often the files are checked for changes.
const reloadEvery = 10 * time.Second

// certificate is a certificate that is reloaded when its files change.
type certificate struct {
	flags   tlsFlags
	current atomic.Pointer[tls.Certificate]
	changed [2]time.Time // of the files at the last read
}

// certificate reads the files; nil if the flags name none.
func (f tlsFlags) certificate() (*certificate, error) {
	if f.TLSCert == "" && f.TLSKey == "" {
		return nil, nil
	}
	if f.TLSCert == "" || f.TLSKey == "" {
		return nil, errors.New("--tls-cert and --tls-key are needed together")
	}
	c := &certificate{flags: f}
	_, err := c.read()
	return c, err
}

// read reads the files if they have changed. On failure the current certificate stays in use.
func (c *certificate) read() (anew bool, err error) {
	var changed [2]time.Time
	for i, path := range []string{c.flags.TLSCert, c.flags.TLSKey} {
		info, err := os.Stat(path)
		if err != nil {
			return false, fmt.Errorf("certificate: %w", err)
		}
		changed[i] = info.ModTime()
	}
	if changed == c.changed {
		return false, nil
	}
	pair, err := tls.LoadX509KeyPair(c.flags.TLSCert, c.flags.TLSKey)
	if err != nil {
		return false, fmt.Errorf("certificate (--tls-cert, --tls-key): %w", err)
	}
	c.current.Store(&pair)
	c.changed = changed
	return true, nil
}

// follow reloads changed files until ctx ends.
func (c *certificate) follow(ctx context.Context, log zerolog.Logger) error {
	failed := ""
	for range ticks(ctx, reloadEvery) {
		anew, err := c.read()
		switch {
		case err != nil && err.Error() != failed:
			failed = err.Error()
			log.Error().Err(err).Msg("the new certificate cannot be read; the old one stays in use")
		case anew:
			failed = ""
			log.Info().Time("not_after", c.current.Load().Leaf.NotAfter).Msg("a new certificate is in use")
		}
	}
	return ctx.Err()
}

// listen wraps a listener with TLS.
func (c *certificate) listen(ln net.Listener) net.Listener {
	return tls.NewListener(ln, &tls.Config{
		MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"},
		GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return c.current.Load(), nil },
	})
}

// gauges report when the certificate expires.
func (c *certificate) gauges() []kithhttp.Gauge {
	if c == nil {
		return nil
	}
	return []kithhttp.Gauge{{
		Name: "kith_tls_certificate_not_after_seconds", Help: "When the certificate ends, in seconds since 1970.",
		Value: func() float64 { return float64(c.current.Load().Leaf.NotAfter.Unix()) },
	}}
}
