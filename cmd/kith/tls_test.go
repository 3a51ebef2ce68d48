package main

import (
	"crypto/tls"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"kith/internal/test/certtest"
	"kith/internal/test/expect"
)

// writeCertificate writes a certificate of a new authority into a folder, with the time of its files.
func writeCertificate(t *testing.T, dir string, changed time.Time) (tlsFlags, *certtest.Authority) {
	t.Helper()
	authority := certtest.NewAuthority()
	c := authority.Certify(time.Now().Add(time.Hour), "127.0.0.1")
	f := tlsFlags{TLSCert: filepath.Join(dir, "cert.pem"), TLSKey: filepath.Join(dir, "key.pem")}
	for path, text := range map[string][]byte{f.TLSCert: c.PEM, f.TLSKey: c.Key} {
		expect.NoError(t, errors.Join(os.WriteFile(path, text, 0o600), os.Chtimes(path, changed, changed)))
	}
	return f, authority
}

// connect returns the error of a client that trusts only one authority.
func connect(ln net.Listener, trusted *certtest.Authority) error {
	go func() {
		conn, err := ln.Accept()
		if err == nil {
			_ = conn.(*tls.Conn).Handshake() // the client sees any error
			conn.Close()
		}
	}()
	conn, err := tls.Dial("tcp", ln.Addr().String(), &tls.Config{RootCAs: trusted.Roots})
	if err != nil {
		return err
	}
	return conn.Close()
}

// New connections get a replaced certificate, unless the new one is broken.
func TestReplacedCertificatesAreReloaded(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	flags, first := writeCertificate(t, dir, now)
	c, err := flags.certificate()
	expect.NoError(t, err)
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	ln := c.listen(plain)
	defer ln.Close()
	if err := connect(ln, first); err != nil {
		t.Error(err)
	}
	_, second := writeCertificate(t, dir, now.Add(time.Second))
	if anew, err := c.read(); !anew || err != nil || connect(ln, first) == nil || connect(ln, second) != nil {
		t.Errorf("after the replacement: %v, %v, first %v, second %v", anew, err, connect(ln, first),
			connect(ln, second))
	}
	if anew, err := c.read(); anew || err != nil {
		t.Errorf("reload of an unchanged certificate: %v, %v", anew, err)
	}
	expect.NoError(t, os.WriteFile(c.flags.TLSCert, []byte("broken"), 0o600))
	if _, err := c.read(); err == nil || connect(ln, second) != nil {
		t.Errorf("after a broken file: %v, %v", err, connect(ln, second))
	}
}

func TestCertificateNeedsItsKey(t *testing.T) {
	for _, f := range []tlsFlags{{TLSCert: "x"}, {TLSKey: "x"}, {TLSCert: "/none", TLSKey: "/none"}} {
		if _, err := f.certificate(); err == nil {
			t.Errorf("%+v is accepted", f)
		}
	}
	if c, err := (tlsFlags{}).certificate(); c != nil || err != nil {
		t.Errorf("certificate without flags: %v, %v", c, err)
	}
}
