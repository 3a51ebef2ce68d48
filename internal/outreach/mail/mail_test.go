package mail_test

import (
	"context"
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"kith/internal/access/netguard"
	"kith/internal/outreach"
	"kith/internal/outreach/mail"
	"kith/internal/outreach/mail/mailtest"
	"kith/internal/test/expect"
)

// loopback allows servers of this machine.
func loopback() netguard.Guard {
	return netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
}

// start runs a server without TLS that refuses an address.
func start(t *testing.T, refuse string) (*mailtest.Server, outreach.Integration) {
	t.Helper()
	s := mailtest.Start(t, mailtest.Options{Security: string(outreach.SecurityNone), Refuse: refuse})
	return s, outreach.Integration{Host: "127.0.0.1", Port: s.Port, Security: outreach.SecurityNone}
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

func TestHeadersCannotBeInjected(t *testing.T) {
	s, integration := start(t, "")
	c := connect(t, integration)
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
	for _, got := range s.Messages(t) {
		if bcc := got.Header("Bcc"); bcc != "0 headers" || len(got.Defects) > 0 {
			t.Errorf("Bcc %q, defects %q", bcc, got.Defects)
		}
	}
}

func TestConnectErrorsNameTheCause(t *testing.T) {
	_, plain := start(t, "")
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
