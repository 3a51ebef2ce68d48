package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// writeCertificate writes a certificate with a serial number into a folder.
func writeCertificate(t *testing.T, dir string, serial int64) tlsFlags {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotBefore: now.Add(-time.Hour),
		NotAfter: now.Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	f := tlsFlags{TLSCert: filepath.Join(dir, "cert.pem"), TLSKey: filepath.Join(dir, "key.pem")}
	for path, block := range map[string]*pem.Block{
		f.TLSCert: {Type: "CERTIFICATE", Bytes: cert},
		f.TLSKey:  {Type: "PRIVATE KEY", Bytes: secret},
	} {
		err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600)
		if err := errors.Join(err, os.Chtimes(path, now, now.Add(time.Duration(serial)*time.Second))); err != nil {
			t.Fatal(err)
		}
	}
	return f
}

// serial returns the serial number of the certificate that a listener presents.
func serial(t *testing.T, ln net.Listener) int64 {
	t.Helper()
	go func() {
		conn, err := ln.Accept()
		if err == nil {
			_ = conn.(*tls.Conn).Handshake() // the client sees any error
			conn.Close()
		}
	}()
	conn, err := tls.Dial("tcp", ln.Addr().String(), &tls.Config{InsecureSkipVerify: true})
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close() //nolint:errcheck // the certificate is known by then
	return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
}

// New connections get a replaced certificate, unless the new one is broken.
func TestReplacedCertificatesAreReloaded(t *testing.T) {
	dir := t.TempDir()
	c, err := writeCertificate(t, dir, 1).certificate()
	if err != nil {
		t.Fatal(err)
	}
	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ln := c.listen(plain)
	defer ln.Close()
	if n := serial(t, ln); n != 1 {
		t.Errorf("the listener presents certificate %d", n)
	}
	writeCertificate(t, dir, 2)
	if anew, err := c.read(); !anew || err != nil || serial(t, ln) != 2 {
		t.Errorf("%v, %v, certificate %d", anew, err, serial(t, ln))
	}
	if anew, err := c.read(); anew || err != nil {
		t.Errorf("reload of an unchanged certificate: %v, %v", anew, err)
	}
	if err := os.WriteFile(c.flags.TLSCert, []byte("broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := c.read(); err == nil || serial(t, ln) != 2 {
		t.Errorf("%v, certificate %d", err, serial(t, ln))
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
