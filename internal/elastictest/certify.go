package elastictest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"path/filepath"
	"time"
)

// certify creates a certificate authority and a certificate for loopback. It does not keep
// the authority's key.
func (n *Node) certify() error {
	authority := template("kith test authority")
	authority.IsCA, authority.BasicConstraintsValid = true, true
	authority.KeyUsage = x509.KeyUsageCertSign
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	caDER, err := x509.CreateCertificate(rand.Reader, authority, authority, authorityKey.Public(), authorityKey)
	if err != nil {
		return err
	}
	server := template("localhost")
	server.DNSNames, server.IPAddresses = []string{"localhost"}, []net.IP{net.IPv4(127, 0, 0, 1)}
	server.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return err
	}
	der, err := x509.CreateCertificate(rand.Reader, server, authority, key.Public(), authorityKey)
	if err != nil {
		return err
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return err
	}
	n.CA, n.CAFile = block("CERTIFICATE", caDER), filepath.Join(n.dir, "config", "ca.crt")
	if err := n.write("ca.crt", string(n.CA)); err != nil {
		return err
	}
	if err := n.write("node.crt", string(block("CERTIFICATE", der))); err != nil {
		return err
	}
	return n.write("node.key", string(block("PRIVATE KEY", keyDER)))
}

func template(name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes([]byte(rand.Text())),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(365 * 24 * time.Hour),
		KeyUsage:     x509.KeyUsageDigitalSignature,
	}
}

func block(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}
