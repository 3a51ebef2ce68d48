package outreach_test

import (
	"context"
	"fmt"
	"net/netip"
	"net/url"
	"sync"
	"testing"
	"time"

	"kith"
	"kith/internal/access/netguard"
	"kith/internal/outreach"
	outreachsql "kith/internal/postgres/outreach"
	"kith/internal/test/expect"
	"kith/query/cursor"
)

// postbox is a mail server that keeps its messages; fail may refuse them.
type postbox struct {
	mu           sync.Mutex
	taken        []outreach.Message
	integrations []outreach.Integration
	down         error
	fail         func(outreach.Message) error
}

func (p *postbox) Connect(_ context.Context, a outreach.Integration) (outreach.Connection, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.integrations = append(p.integrations, a)
	return p, p.down
}

func (p *postbox) Ready() error { return nil }
func (p *postbox) Close() error { return nil }

func (p *postbox) Send(m outreach.Message) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.fail != nil {
		if err := p.fail(m); err != nil {
			return err
		}
	}
	p.taken = append(p.taken, m)
	return nil
}

func vault(t testing.TB) *cursor.Sealer {
	t.Helper()
	s, err := cursor.New(make([]byte, cursor.KeySize))
	expect.NoError(t, err)
	return s
}

// delivery is a dataset with an integration and a worker, whose clock tests set.
type delivery struct {
	*dataset
	user   kith.Actor
	outbox *outreachsql.Delivery
	post   *postbox
	worker *outreach.Worker
	now    time.Time
}

func newDelivery(t *testing.T) *delivery {
	t.Helper()
	d := &delivery{dataset: newDataset(t, 6), post: &postbox{}, now: time.Now().Add(time.Minute)}
	d.user = d.dataset.user(t, "u1")
	d.outbox = d.db.Delivery(vault(t))
	d.integrate(t, policy())
	d.worker = outreach.NewWorker(outreach.WorkerConfig{
		Outbox: d.outbox, Cases: d.db.Outreach(), Mailer: d.post, Now: func() time.Time { return d.now },
		Links: links,
	})
	return d
}

// links returns readable addresses for an e-mail.
func links(user, email int64, _ string) outreach.Links {
	return outreach.Links{
		Unsubscribe: "https://kith.example/v2/unsubscribe/x",
		Opened:      fmt.Sprintf("https://kith.example/v2/opened/%d-%d", user, email),
		Clicked:     func(target string) string { return "https://kith.example/v2/clicked/" + url.QueryEscape(target) },
	}
}

// loopback allows servers of this machine.
func loopback() netguard.Guard {
	return netguard.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
}

func (d *delivery) integrate(t *testing.T, p outreach.Policy) outreach.Integration {
	t.Helper()
	a, err := outreach.NewIntegrations(d.outbox, outreach.IntegrationRules{Track: true}).Create(t.Context(), d.user,
		outreach.Integration{
			Host: "smtp.example.com", Port: 587, Security: outreach.SecuritySTARTTLS, Username: "u",
			Password: "p4ssw0rd",
			From:     "me@acme.example", FromName: "Me", Policy: p,
		})
	expect.NoError(t, err)
	return a
}

// approved drafts and approves an e-mail through an integration.
func (d *delivery) approved(t *testing.T, sequence, lead, integration int64, inThread bool) *outreach.Email {
	t.Helper()
	draft := hello()
	draft.Integration, draft.InThread = integration, inThread
	drafted, err := d.svc.Draft(t.Context(), d.user, sequence, lead, draft)
	expect.NoError(t, err)
	yes := outreach.DecisionApproved
	a, err := d.svc.Decide(t.Context(), d.user, drafted.ID, outreach.ActivityChange{Decision: &yes})
	expect.NoError(t, err)
	return a.Email
}

func (d *delivery) pass(t *testing.T) {
	t.Helper()
	if _, err := d.worker.Pass(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// state returns the current e-mail and its lead.
func (d *delivery) state(t *testing.T, sequence, email int64) (outreach.Email, outreach.Lead) {
	t.Helper()
	list, _, err := d.svc.Emails(t.Context(), d.user, sequence, outreach.EmailQuery{Page: outreach.Page{N: 100}})
	expect.NoError(t, err)
	leads, _, err := d.svc.Leads(t.Context(), d.user, sequence, outreach.LeadQuery{Page: outreach.Page{N: 100}})
	expect.NoError(t, err)
	for _, e := range list {
		for _, l := range leads {
			if e.ID == email && l.ID == e.LeadID {
				return e.Email, l.Lead
			}
		}
	}
	t.Fatalf("there is no e-mail %d", email)
	return outreach.Email{}, outreach.Lead{}
}
