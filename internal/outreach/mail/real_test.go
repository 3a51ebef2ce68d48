package mail_test

import (
	"crypto/tls"
	"errors"
	"strings"
	"testing"
	"time"

	"kith/internal/outreach"
	"kith/internal/outreach/mail"
	"kith/internal/outreach/mail/mailtest"
	"kith/internal/test/certtest"
	"kith/internal/test/expect"
)

// A server and a parser of other authors receive the message as sent. With the build tag foreign, both are Python's.
func TestRealServerReceivesMessagesAsSent(t *testing.T) {
	authority := certtest.NewAuthority()
	sender := mail.Sender{Guard: loopback(), TLS: &tls.Config{RootCAs: authority.Roots}}
	for _, how := range outreach.Securities() {
		t.Run(string(how), func(t *testing.T) {
			o := mailtest.Options{Security: string(how)}
			integration := outreach.Integration{Host: "127.0.0.1", Security: how}
			if how != outreach.SecurityNone {
				o.Certificate = authority.Certify(time.Now().Add(time.Hour), "127.0.0.1")
				o.Login, integration.Username, integration.Password = "jane:p4ss:w0rd", "jane", "p4ss:w0rd"
			}
			server := mailtest.Start(t, o)
			integration.Port = server.Port
			conn, err := sender.Connect(t.Context(), integration)
			expect.NoError(t, err)
			for range 2 {
				expect.NoError(t, errors.Join(conn.Ready(), conn.Send(message())))
			}
			if err := conn.Close(); err != nil {
				t.Error(err)
			}
			got := server.Messages(t)
			if len(got) != 2 {
				t.Fatalf("%d messages arrived", len(got))
			}
			for _, m := range got {
				arrived(t, m)
				if m.TLS != (how != outreach.SecurityNone) || m.Login != integration.Username {
					t.Errorf("TLS %t, signed in as %q", m.TLS, m.Login)
				}
			}
		})
	}
}

// arrived compares the received message with the sent one.
func arrived(t *testing.T, got mailtest.Message) {
	t.Helper()
	want := message()
	if got.From != want.From || len(got.To) != 1 || got.To[0] != want.To || got.Kind != "multipart/alternative" {
		t.Errorf("%s to %v as %s", got.From, got.To, got.Kind)
	}
	for name, value := range map[string]string{
		"From": `Jürgen Müller <me@acme.example>`, "To": `"Zoë, \"the\" Núñez" <zoe@example.com>`,
		"Subject":    strings.TrimSpace(want.Subject),
		"Message-ID": "<third@acme.example>", "In-Reply-To": "<second@acme.example>",
		"References":            "<first@acme.example> <second@acme.example>",
		"List-Unsubscribe":      "<https://kith.example/v2/unsubscribe/token>",
		"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
		"Date":                  "Sat, 21 Nov 2026 12:00:00 +0000", "MIME-Version": "1.0",
		"User-Agent": "0 headers", "X-Mailer": "0 headers", // no header names the library
	} {
		if h := strings.TrimSpace(got.Header(name)); h != value {
			t.Errorf("%s: %q, want %q", name, h, value)
		}
	}
	wanted := []mailtest.Part{{Kind: "text/plain", Text: want.Text}, {Kind: "text/html", Text: want.HTML}}
	for i, part := range got.Parts {
		part.Text = strings.TrimSuffix(strings.ReplaceAll(part.Text, "\r\n", "\n"), "\n")
		if len(got.Parts) != 2 || part.Kind != wanted[i].Kind || part.Text != strings.TrimSuffix(wanted[i].Text, "\n") {
			t.Errorf("part %d is %s: %q", i, part.Kind, part.Text)
		}
	}
	if len(got.Defects) > 0 || got.Longest > 78 || !got.ASCII || got.BareEnds > 0 {
		t.Errorf("defects %q, a line of %d, ASCII %t, %d bare line ends", got.Defects, got.Longest, got.ASCII,
			got.BareEnds)
	}
}

func TestRealServerNeedsAValidCertificate(t *testing.T) {
	trusted, stranger := certtest.NewAuthority(), certtest.NewAuthority()
	later := time.Now().Add(time.Hour)
	for name, certificate := range map[string]certtest.Certificate{
		"of an unknown authority": stranger.Certify(later, "127.0.0.1"),
		"for another host":        trusted.Certify(later, "mail.example.com"),
		"for a time that is over": trusted.Certify(time.Now().Add(-time.Minute), "127.0.0.1"),
	} {
		for _, how := range []outreach.Security{outreach.SecuritySTARTTLS, outreach.SecurityTLS} {
			server := mailtest.Start(t, mailtest.Options{
				Security: string(how), Certificate: certificate, Login: "jane:p4ssw0rd",
			})
			sender := mail.Sender{Guard: loopback(), TLS: &tls.Config{RootCAs: trusted.Roots}}
			integration := outreach.Integration{
				Host: "127.0.0.1", Port: server.Port, Security: how, Username: "jane", Password: "p4ssw0rd",
			}
			if _, err := sender.Connect(t.Context(), integration); err == nil || !strings.Contains(err.Error(),
				"certificate") {
				t.Errorf("a certificate %s, %s: %v", name, how, err)
			}
		}
	}
}

func TestRealServerRefusalsAreReported(t *testing.T) {
	authority := certtest.NewAuthority()
	sender := mail.Sender{Guard: loopback(), TLS: &tls.Config{RootCAs: authority.Roots}}
	server := mailtest.Start(t, mailtest.Options{
		Security: "starttls", Certificate: authority.Certify(time.Now().Add(time.Hour), "127.0.0.1"),
		Login: "jane:p4ssw0rd", Refuse: "zoe@example.com",
	})
	integration := outreach.Integration{
		Host: "127.0.0.1", Port: server.Port, Security: outreach.SecuritySTARTTLS,
		Username: "jane", Password: "wrong",
	}
	if _, err := sender.Connect(t.Context(), integration); err == nil {
		t.Error("a wrong password returned no error")
	}
	integration.Password = "p4ssw0rd"
	conn, err := sender.Connect(t.Context(), integration)
	expect.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	refused, ok := errors.AsType[*outreach.Refused](conn.Send(message()))
	if !ok || !strings.Contains(refused.Reason, "no such mailbox") || strings.Contains(refused.Reason, "third@") {
		t.Errorf("refusal: %v", refused)
	}
	next := message()
	next.To = "joe@example.com"
	if err := errors.Join(conn.Ready(), conn.Send(next)); err != nil || len(server.Messages(t)) != 1 {
		t.Errorf("%d messages, %v", len(server.Messages(t)), err)
	}
}
