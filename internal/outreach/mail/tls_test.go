package mail_test

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http/httptest"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"kith/internal/expect"
	"kith/internal/outreach"
	"kith/internal/outreach/mail"
)

// guarded is a server that accepts only messages of one user.
type guarded struct{ server }

func (g *guarded) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &guardedSession{session: session{server: &g.server}}, nil
}

type guardedSession struct {
	session
	known bool
}

func (s *guardedSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *guardedSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if s.known = user == "jane" && password == "p4ssw0rd"; !s.known {
			return errors.New("wrong name or password")
		}
		return nil
	}), nil
}

func (s *guardedSession) Mail(string, *smtp.MailOptions) error {
	if !s.known {
		return smtp.ErrAuthRequired
	}
	return nil
}

// secure starts the server with a certificate, under TLS from the start or after STARTTLS, and returns a sender
// that trusts it.
func secure(t *testing.T, g *guarded, how outreach.Security) (outreach.Integration, mail.Sender) {
	t.Helper()
	web := httptest.NewTLSServer(nil)
	t.Cleanup(web.Close)
	certificate := web.TLS.Certificates[0]
	roots := x509.NewCertPool()
	roots.AddCert(web.Certificate())
	srv := smtp.NewServer(g)
	srv.Domain, srv.TLSConfig = "localhost", &tls.Config{Certificates: []tls.Certificate{certificate}}
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	port := ln.Addr().(*net.TCPAddr).Port
	if how == outreach.SecurityTLS {
		ln = tls.NewListener(ln, srv.TLSConfig)
	}
	go func() { _ = srv.Serve(ln) }() // until the listener closes
	t.Cleanup(func() { _ = srv.Close() })
	a := outreach.Integration{Host: "127.0.0.1", Port: port, Security: how, Username: "jane", Password: "p4ssw0rd"}
	return a, mail.Sender{Guard: loopback(), TLS: &tls.Config{RootCAs: roots}}
}

func TestSenderChecksCertificatesAndSignsIn(t *testing.T) {
	for _, how := range []outreach.Security{outreach.SecuritySTARTTLS, outreach.SecurityTLS} {
		g := &guarded{}
		integration, sender := secure(t, g, how)
		conn, err := sender.Connect(t.Context(), integration)
		if err != nil {
			t.Fatalf("%s: %v", how, err)
		}
		if err := conn.Send(message()); err != nil || len(g.messages) != 1 {
			t.Errorf("%s: %d messages, %v", how, len(g.messages), err)
		}
		_ = conn.Close()
		if _, err := (mail.Sender{Guard: loopback()}).Connect(t.Context(), integration); err == nil {
			t.Errorf("%s: an untrusted certificate was accepted", how)
		}
		integration.Password = "wrong"
		if _, err := sender.Connect(t.Context(), integration); err == nil {
			t.Errorf("%s: a wrong password returned no error", how)
		}
	}
}
