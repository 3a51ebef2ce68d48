//go:build !foreign

package mailtest

import (
	"crypto/tls"
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"testing"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"kith/internal/test/expect"
)

// Start runs a server until the test ends.
func Start(t testing.TB, o Options) *Server {
	t.Helper()
	b := &backend{options: o}
	server := smtp.NewServer(b)
	server.Domain = "mail.test"
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	port := listener.Addr().(*net.TCPAddr).Port
	if o.Certificate.PEM != nil {
		pair, err := tls.X509KeyPair(o.Certificate.PEM, o.Certificate.Key)
		expect.NoError(t, err)
		config := &tls.Config{Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12}
		if o.Security == "tls" {
			listener = tls.NewListener(listener, config)
		} else {
			server.TLSConfig = config
		}
	}
	go func() { _ = server.Serve(listener) }() // until it is closed
	t.Cleanup(func() { _ = server.Close() })
	return &Server{Port: port, messages: b.all}
}

// backend keeps the messages of a server.
type backend struct {
	options  Options
	mu       sync.Mutex
	messages []Message
}

func (b *backend) all() ([]Message, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.messages), nil
}

// NewSession begins a connection.
func (b *backend) NewSession(c *smtp.Conn) (smtp.Session, error) {
	return &session{backend: b, conn: c}, nil
}

// session is a connection: see [smtp.AuthSession].
type session struct {
	backend *backend
	conn    *smtp.Conn
	login   string
	from    string
	to      []string
}

func (s *session) secure() bool {
	_, secure := s.conn.TLSConnectionState()
	return secure
}

// AuthMechanisms are the ways to sign in.
func (s *session) AuthMechanisms() []string {
	if s.backend.options.Login == "" {
		return nil
	}
	return []string{sasl.Plain}
}

// Auth checks a login.
func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if user+":"+password != s.backend.options.Login {
			return errors.New("wrong name or password")
		}
		s.login = user
		return nil
	}), nil
}

// Mail begins a message.
func (s *session) Mail(from string, _ *smtp.MailOptions) error {
	if s.backend.options.Security != "none" && !s.secure() {
		return &smtp.SMTPError{Code: 530, EnhancedCode: smtp.EnhancedCode{5, 7, 0}, Message: "STARTTLS first"}
	}
	if s.backend.options.Login != "" && s.login == "" {
		return smtp.ErrAuthRequired
	}
	s.from = from
	return nil
}

// Rcpt adds a recipient.
func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if to == s.backend.options.Refuse {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such mailbox"}
	}
	s.to = append(s.to, to)
	return nil
}

// Data keeps the message.
func (s *session) Data(r io.Reader) error {
	text, err := io.ReadAll(r)
	if err != nil {
		return err
	}
	m := read(text)
	m.From, m.To, m.TLS, m.Login = s.from, slices.Clone(s.to), s.secure(), s.login
	s.backend.mu.Lock()
	defer s.backend.mu.Unlock()
	s.backend.messages = append(s.backend.messages, m)
	return nil
}

// Reset ends a message.
func (s *session) Reset() { s.from, s.to = "", nil }

// Logout ends the connection.
func (s *session) Logout() error { return nil }
