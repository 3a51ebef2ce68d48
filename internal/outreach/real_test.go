package outreach_test

import (
	"crypto/tls"
	"strings"
	"testing"
	"time"

	"kith/internal/outreach"
	"kith/internal/outreach/mail"
	"kith/internal/outreach/mail/mailtest"
	"kith/internal/record"
	"kith/internal/test/certtest"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// The whole way from a template to a message at a real mail server, over TLS.
func TestDraftsReachTheMailbox(t *testing.T) {
	authority := certtest.NewAuthority()
	server := mailtest.Start(t, mailtest.Options{
		Security: "starttls", Certificate: authority.Certify(time.Now().Add(time.Hour), "127.0.0.1"),
		Login: "jane:p4ssw0rd",
	})
	d := newDelivery(t)
	pgtest.Load(t, d.db, record.People, `{"id":1,"full_name":"Zoë \"Zo\" Núñez","first_name":"Zoë",`+
		`"email":"p1@example.com","social_url":"https://social.example/in/p1"}`)
	d.worker = outreach.NewWorker(outreach.WorkerConfig{
		Outbox: d.outbox, Cases: d.db.Outreach(), Now: func() time.Time { return d.now }, Links: links,
		Mailer: mail.Sender{Guard: loopback(), TLS: &tls.Config{RootCAs: authority.Roots}},
	})
	svc := outreach.NewIntegrations(d.outbox, outreach.IntegrationRules{Track: true})
	integration, err := svc.Create(t.Context(), d.user, outreach.Integration{
		Host: "127.0.0.1", Port: server.Port, Security: outreach.SecuritySTARTTLS, Username: "jane",
		Password: "p4ssw0rd",
		From:     "me@acme.example", FromName: "Jürgen Müller", Policy: policy(), TrackClicks: true, TrackOpens: true,
	})
	expect.NoError(t, err)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	long := strings.Repeat("ein sehr langer Betreff über vieles ", 8)
	d.send(t, s.ID, leads[0], outreach.Draft{
		Subject: "Grüße, {first_name}: " + long,
		Body:    "Liebe {first_name},\r\n\r\nhttps://acme.example/ü?a=1&b=2\n.\nEnde", Integration: integration.ID,
	})
	d.send(t, s.ID, leads[0], outreach.Draft{
		Subject: "Re: Grüße", Body: "Noch einmal", Integration: integration.ID, InThread: true,
	})
	got := server.Messages(t)
	if len(got) != 2 {
		t.Fatalf("%d messages arrived", len(got))
	}
	first, second := got[0], got[1]
	if subject := strings.TrimSpace(first.Header("Subject")); subject != strings.TrimSpace("Grüße, Zoë: "+long) {
		t.Errorf("subject %q", subject)
	}
	expect.Values(t, "first message", []any{first.Header("From"), first.Header("To"), first.TLS, first.Login},
		"Jürgen Müller <me@acme.example>", `"Zoë \"Zo\" Núñez" <p1@example.com>`, true, "jane")
	expect.Values(t, "headers of the first message",
		[]any{first.Header("List-Unsubscribe"), first.Header("In-Reply-To")},
		"<https://kith.example/v2/unsubscribe/x>", "0 headers")
	text, html := mailText(first.Parts[0]), mailText(first.Parts[1])
	expect.Values(t, "text", []any{text}, "Liebe Zoë,\n\nhttps://acme.example/ü?a=1&b=2\n.\nEnde")
	expect.Parts(t, "HTML", html,
		`<a href="https://kith.example/v2/clicked/https%3A%2F%2Facme.example%2F%C3%BC%3Fa%3D1%26b%3D2">`+
			"https://acme.example/ü?a=1&amp;b=2</a>",
		`<img src="https://kith.example/v2/opened/`)
	if id := first.Header("Message-ID"); second.Header("In-Reply-To") != id || second.Header("References") != id ||
		second.Header("Message-ID") == id {
		t.Errorf("the follow-up to %s has the headers %+v", id, second.Headers)
	}
	if len(first.Defects)+len(second.Defects) > 0 {
		t.Errorf("defects %q %q", first.Defects, second.Defects)
	}
}

// send drafts, approves and sends an e-mail.
func (d *delivery) send(t *testing.T, sequence, lead int64, draft outreach.Draft) int64 {
	t.Helper()
	drafted, err := d.svc.Draft(t.Context(), d.user, sequence, lead, draft)
	expect.NoError(t, err)
	yes := outreach.DecisionApproved
	if _, err := d.svc.Decide(t.Context(), d.user, drafted.ID,
		outreach.ActivityChange{Decision: &yes}); err != nil {
		t.Fatal(err)
	}
	d.pass(t)
	return drafted.Email.ID
}

// mailText returns the text of a part with the line endings of this machine.
func mailText(p mailtest.Part) string {
	return strings.TrimSuffix(strings.ReplaceAll(p.Text, "\r\n", "\n"), "\n")
}
