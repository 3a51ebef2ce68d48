package mail_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"kith/internal/expect"
	"kith/internal/netguard"
	"kith/internal/outreach"
	"kith/internal/outreach/mail"
)

// server is an SMTP server that keeps its messages.
type server struct {
	mu       sync.Mutex
	messages [][]byte
	refuse   string
}

func (s *server) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{server: s}, nil }

type session struct {
	server *server
}

func (s *session) Reset()                               {}
func (s *session) Logout() error                        { return nil }
func (s *session) Mail(string, *smtp.MailOptions) error { return nil }

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	if s.server.refuse == to {
		return &smtp.SMTPError{Code: 550, EnhancedCode: smtp.EnhancedCode{5, 1, 1}, Message: "no such mailbox"}
	}
	return nil
}

func (s *session) Data(r io.Reader) error {
	b, err := io.ReadAll(r)
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.messages = append(s.server.messages, b)
	return err
}

// loopback allows servers of this machine.
func loopback() netguard.Guard {
	return netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
}

// start serves on a loopback port.
func start(t *testing.T, s *server) outreach.Integration {
	t.Helper()
	ln, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	srv := smtp.NewServer(s)
	srv.Domain = "localhost"
	go func() { _ = srv.Serve(ln) }() // until the listener closes
	t.Cleanup(func() { _ = srv.Close() })
	return outreach.Integration{Host: "127.0.0.1", Port: ln.Addr().(*net.TCPAddr).Port, Security: outreach.SecurityNone}
}

func connect(t *testing.T, a outreach.Integration) outreach.Connection {
	t.Helper()
	c, err := mail.Sender{Guard: loopback()}.Connect(t.Context(), a)
	expect.NoError(t, err)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func message() outreach.Message {
	return outreach.Message{
		FromName: "Jürgen Müller", From: "me@acme.example", ToName: "Zoë, \"the\" Núñez", To: "zoe@example.com",
		Subject: "Ünïcödé: " + strings.Repeat("a long subject that has to be folded ", 10),
		Text:    "Hallo Zoë,\n\n" + strings.Repeat("x", 2000) + "\n.\nend", HTML: "<p>Hallo Zoë</p>\n",
		Date: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), MessageID: "third@acme.example",
		References:  []string{"first@acme.example", "second@acme.example"},
		Unsubscribe: "https://kith.example/v2/unsubscribe/token",
	}
}

func TestMessagesArriveAsWritten(t *testing.T) {
	s := &server{}
	expect.NoError(t, connect(t, start(t, s)).Send(message()))
	got, err := netmail.ReadMessage(bytes.NewReader(s.messages[0]))
	expect.NoError(t, err)
	want := message()
	from, err := netmail.ParseAddress(got.Header.Get("From"))
	expect.NoError(t, err)
	to, err := netmail.ParseAddress(got.Header.Get("To"))
	expect.NoError(t, err)
	subject, err := new(mime.WordDecoder).DecodeHeader(got.Header.Get("Subject"))
	expect.NoError(t, err)
	expect.Values(t, "from, to and subject", []any{*from, *to, strings.TrimSpace(subject)},
		netmail.Address{Name: want.FromName, Address: want.From}, netmail.Address{Name: want.ToName, Address: want.To},
		strings.TrimSpace(want.Subject))
	for name, value := range map[string]string{
		"Message-ID": "<third@acme.example>", "In-Reply-To": "<second@acme.example>",
		"References":            "<first@acme.example> <second@acme.example>",
		"List-Unsubscribe":      "<https://kith.example/v2/unsubscribe/token>",
		"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
	} {
		if h := got.Header.Get(name); h != value {
			t.Errorf("%s: %q", name, h)
		}
	}
	if at, err := got.Header.Date(); err != nil || !at.Equal(want.Date) {
		t.Errorf("date %v, %v", at, err)
	}
	if got.Header.Get("User-Agent")+got.Header.Get("X-Mailer") != "" {
		t.Error("a header names the library")
	}
	parts := readParts(t, got)
	if len(parts) != 2 || parts[0] != want.Text || parts[1] != want.HTML {
		t.Errorf("parts %q", parts)
	}
	for l := range bytes.SplitSeq(s.messages[0], []byte("\n")) {
		if len(l) > 998 {
			t.Errorf("a line of %d bytes", len(l))
		}
	}
}

// readParts returns the decoded alternatives, with their original line endings.
func readParts(t *testing.T, m *netmail.Message) (parts []string) {
	t.Helper()
	kind, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/alternative" {
		t.Fatal(kind, err)
	}
	r := multipart.NewReader(m.Body, params["boundary"])
	for {
		p, err := r.NextRawPart()
		if errors.Is(err, io.EOF) {
			return parts
		}
		if err != nil || p.Header.Get("Content-Transfer-Encoding") != "quoted-printable" {
			t.Fatal(p, err)
		}
		text, err := io.ReadAll(quotedprintable.NewReader(p))
		expect.NoError(t, err)
		parts = append(parts, strings.ReplaceAll(string(text), "\r\n", "\n"))
	}
}

func TestConnectionsSurviveARefusedRecipient(t *testing.T) {
	s := &server{refuse: "zoe@example.com"}
	c := connect(t, start(t, s))
	refused, ok := errors.AsType[*outreach.Refused](c.Send(message()))
	if !ok || !strings.Contains(refused.Reason, "no such mailbox") || strings.Contains(refused.Reason, "third@") {
		t.Errorf("refusal: %v", refused)
	}
	// The connection can send the next message.
	next := message()
	next.To = "joe@example.com"
	if err := c.Ready(); err != nil {
		t.Error(err)
	}
	if err := c.Send(next); err != nil || len(s.messages) != 1 {
		t.Errorf("%d messages, %v", len(s.messages), err)
	}
}

func TestHeadersCannotBeInjected(t *testing.T) {
	s := &server{}
	c := connect(t, start(t, s))
	for _, change := range []func(*outreach.Message){
		func(m *outreach.Message) { m.Subject = "Hi\r\nBcc: all@example.com" },
		func(m *outreach.Message) { m.FromName = "Me\r\nBcc: all@example.com" },
		func(m *outreach.Message) { m.ToName = "You\r\nBcc: all@example.com" },
		func(m *outreach.Message) { m.From = "me@acme.example\r\nBcc: all@example.com" },
		func(m *outreach.Message) { m.To = "zoe@example.com\r\nBcc: all@example.com" },
	} {
		m := message()
		change(&m)
		if err := c.Send(m); err != nil {
			continue // refused
		}
	}
	for _, raw := range s.messages {
		got, err := netmail.ReadMessage(bytes.NewReader(raw))
		if err != nil || got.Header.Get("Bcc") != "" {
			t.Errorf("%v: %.600s", err, raw)
		}
	}
}

func TestConnectErrorsNameTheCause(t *testing.T) {
	plain := start(t, &server{})
	secure := plain
	secure.Security = outreach.SecuritySTARTTLS
	if _, err := (mail.Sender{}).Connect(t.Context(), plain); !errors.Is(err, netguard.ErrPrivate) {
		t.Errorf("the sender connected to a server of this machine: %v", err)
	} else if _, ok := errors.AsType[*outreach.Refused](err); !ok {
		t.Errorf("the user does not see this error, because it is not a Refused: %v", err)
	}
	nobody := plain
	nobody.Port = 1
	for name, a := range map[string]outreach.Integration{"a server without STARTTLS": secure, "no server": nobody} {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		if _, err := (mail.Sender{Guard: loopback()}).Connect(ctx, a); err == nil {
			t.Errorf("%s: no error", name)
		}
		cancel()
	}
}
