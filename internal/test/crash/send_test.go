package crash_test

import (
	"context"
	"maps"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith/internal/access/auth"
	"kith/internal/outreach"
	"kith/internal/test/expect"
)

// post is a mail server that counts the e-mails to each address.
type post struct {
	mu  sync.Mutex
	got map[string]int
}

func (p *post) Connect(context.Context, outreach.Integration) (outreach.Connection, error) {
	return p, nil
}
func (p *post) Ready() error { return nil }
func (p *post) Close() error { return nil }

func (p *post) Send(m outreach.Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.got[m.To]++
	return nil
}

// counts returns how many e-mails each address has got.
func (p *post) counts() map[string]int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return maps.Clone(p.got)
}

// send sends what is due at a time, once.
func (d *dataset) send(ctx context.Context, p *post, now time.Time) error {
	_, err := outreach.NewWorker(outreach.WorkerConfig{
		Outbox: d.DB.Delivery(d.keeper.Sealer), Cases: d.DB.Outreach(), Mailer: p,
		Log: zerolog.Nop(),
		Now: func() time.Time { return now },
	}).Pass(ctx)
	return err
}

// Each e-mail is sent at most once and ends in a true state: sent, and then it arrived; or failed, because its fate is
// unknown.
func TestCrashedSendersNeverSendTwice(t *testing.T) {
	const emails = 4
	operation{template: "crash_send", fill: filling(emails, schedule), try: func(*testing.T, int) (
		func(context.Context, servers) error, func(*testing.T, servers, bool),
	) {
		box, now := &post{got: map[string]int{}}, time.Now().Add(time.Minute)
		return doing(func(ctx context.Context, d *dataset) error { return d.send(ctx, box, now) }),
			func(t *testing.T, at servers, _ bool) {
				d := again(t, at)
				const open = "select count(*) from emails where status not in ('sent', 'failed')"
				for later := now.Add(time.Hour); d.count(t, open) > 0; later = later.Add(time.Hour) {
					expect.NoError(t, d.send(t.Context(), box, later))
				}
				got, unconfirmed := box.counts(), 0
				rows, err := d.Pool().Query(t.Context(), "select to_address, status, failure from emails")
				expect.NoError(t, err)
				defer rows.Close()
				for rows.Next() {
					var to, status, failure string
					expect.NoError(t, rows.Scan(&to, &status, &failure))
					unknown := failure == outreach.Unconfirmed
					if n := got[to]; n > 1 || status == "sent" && n != 1 || status == "failed" && !unknown {
						t.Errorf("the e-mail to %s arrived %d times and is %s: %s", to, n, status, failure)
					}
					if status == "failed" {
						unconfirmed++
					}
				}
				expect.NoError(t, rows.Err())
				if unconfirmed > 1 { // at the crash one is on its way
					t.Errorf("the fate of %d e-mails is unknown", unconfirmed)
				}
			}
	}}.onPostgres(t)
}

// schedule has a user draft and approve an e-mail to everyone.
func schedule(ctx context.Context, d *dataset) error {
	svc := auth.New(d.Auth(), auth.Config{})
	app, _, err := svc.CreateApp(ctx, "acme")
	if err != nil {
		return err
	}
	issued, err := svc.Issue(ctx, app, auth.Identity{ExternalID: "u1", Email: "u1@acme.example"})
	if err != nil {
		return err
	}
	user, err := svc.Verify(ctx, issued.Token)
	if err != nil {
		return err
	}
	cases := outreach.New(outreach.Config{Store: d.Outreach(), People: d.DB})
	name, active := "Q3", outreach.SequenceActive
	s, err := cases.Create(ctx, user, outreach.SequenceChange{Name: &name, Status: &active})
	if err != nil {
		return err
	}
	_, err = outreach.NewIntegrations(d.DB.Delivery(d.keeper.Sealer),
		outreach.IntegrationRules{}).Create(ctx, user, outreach.Integration{
		Host: "smtp.example.com", Port: 587, Security: outreach.SecuritySTARTTLS, Username: "u", Password: "p4ssw0rd",
		From:   "me@acme.example",
		Policy: outreach.Policy{PerHour: outreach.MaxPerHour, PerDay: outreach.MaxPerDay},
	})
	if err != nil {
		return err
	}
	_, err = d.Pool().Exec(ctx, `with l as (insert into leads (user_id, sequence_id, person_id, status, created_at)
			select $1, $2, id, 'active', now() from people returning id, person_id)
		insert into emails (user_id, sequence_id, lead_id, status, subject, from_address, to_address, content,
			scheduled_at, due_at, created_at, integration_id)
		select $1, $2, id, 'scheduled', 'Hi', '', 'p' || person_id || '@example.com', '{"text_body":"Hello"}',
			now(), now(), now(), 1 from l`, user.UserID, s.ID)
	return err
}
