// Package certtest makes certificates for the servers of tests. An [Authority] signs them, and is known only to the
// test. It panics on failure: random numbers never run out, and its templates are valid.
package certtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"time"
)

// Authority is a certificate authority.
type Authority struct {
	// PEM is its certificate.
	PEM []byte
	// Roots contains its certificate.
	Roots *x509.CertPool
	cert  *x509.Certificate
	key   *ecdsa.PrivateKey
}

// Certificate is a certificate with its key, both in PEM form.
type Certificate struct{ PEM, Key []byte }

// NewAuthority returns a new authority.
func NewAuthority() *Authority {
	template := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: "kith test authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	a := &Authority{Roots: x509.NewCertPool(), key: newKey()}
	der := must(x509.CreateCertificate(rand.Reader, template, template, a.key.Public(), a.key))
	a.PEM, a.cert = block("CERTIFICATE", der), must(x509.ParseCertificate(der))
	a.Roots.AddCert(a.cert)
	return a
}

// Certify returns a certificate for addresses and names that expires at a given time.
func (a *Authority) Certify(until time.Time, hosts ...string) Certificate {
	template := &x509.Certificate{
		SerialNumber: serial(), Subject: pkix.Name{CommonName: hosts[0]},
		NotBefore: time.Now().Add(-2 * time.Hour), NotAfter: until,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, host := range hosts {
		if ip := net.ParseIP(host); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, host)
		}
	}
	key := newKey()
	return Certificate{
		PEM: block("CERTIFICATE", must(x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key))),
		Key: block("PRIVATE KEY", must(x509.MarshalPKCS8PrivateKey(key))),
	}
}

func serial() *big.Int { return new(big.Int).SetBytes([]byte(rand.Text()[:16])) }

func newKey() *ecdsa.PrivateKey { return must(ecdsa.GenerateKey(elliptic.P256(), rand.Reader)) }

func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
