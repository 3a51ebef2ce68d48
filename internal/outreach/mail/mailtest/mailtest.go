// Package mailtest runs a real mail server for tests. It is go-smtp, in the process of the test; with the build tag
// foreign it is aiosmtpd, in its own process, and Python's e-mail parser reads the messages.
package mailtest

import (
	"fmt"
	"net/textproto"
	"testing"

	"kith/internal/test/certtest"
	"kith/internal/test/expect"
)

// Options configure a server.
type Options struct {
	// Security is none, starttls or tls, as in an integration.
	Security string
	// Certificate is the server's certificate; empty without TLS.
	Certificate certtest.Certificate
	// Login is the required name and password, joined by a colon; "" for none.
	Login string
	// Refuse is an address that the server rejects.
	Refuse string
}

// Server is a mail server on a local port.
type Server struct {
	Port     int
	messages func() ([]Message, error)
}

// Message is a received message, decoded.
type Message struct {
	From     string
	To       []string
	TLS      bool
	Login    string
	Kind     string
	Headers  [][2]string
	Parts    []Part
	Defects  []string
	Longest  int `json:"longest_line"`
	ASCII    bool
	BareEnds int `json:"bare_line_ends"`
}

// Part is one form of the text of a message.
type Part struct{ Kind, Text string }

// Header returns the value of a header that occurs once; otherwise it returns the number of headers.
func (m Message) Header(name string) string {
	var found []string
	for _, h := range m.Headers {
		if textproto.CanonicalMIMEHeaderKey(h[0]) == textproto.CanonicalMIMEHeaderKey(name) {
			found = append(found, h[1])
		}
	}
	if len(found) != 1 {
		return fmt.Sprintf("%d headers", len(found))
	}
	return found[0]
}

// Messages returns the messages received so far, in order.
func (s *Server) Messages(t testing.TB) []Message {
	t.Helper()
	all, err := s.messages()
	expect.NoError(t, err)
	return all
}
