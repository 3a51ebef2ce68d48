package faults_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/emersion/go-smtp"

	"kith/client"
	"kith/internal/test/expect"
)

// sending drafts and approves e-mails, each of one of a thousand leads, and waits until it is sent or failed. One fails
// only if its fate is unknown: it has arrived, or not.
func (s *site) sending() *operation {
	var leads []string // the paths of leads
	var account int64
	failed, c, o := map[int]bool{}, s.as("send"), &operation{name: "send", pause: 3 * seldom}
	o.try = func(ctx context.Context, n int) (err error) {
		if leads == nil {
			if account, leads, err = s.startSequence(ctx, c); err != nil {
				return err
			}
		}
		var drafted struct{ Data client.Drafted }
		err = c.Do(ctx, http.MethodPost, leads[n]+"/emails",
			client.EmailDraft{Subject: "Hi", Body: "Hello", IntegrationID: account}, &drafted)
		if err == nil {
			err = c.Do(ctx, http.MethodPatch, "/v2/sequences/activities/"+drafted.Data.Activity.ID,
				map[string]string{"decision": "approved"}, nil)
		}
		for err == nil {
			var history struct {
				Data []struct{ Subject, To string }
			}
			err = c.Do(ctx, http.MethodGet, leads[n]+"/history", nil, &history)
			for _, change := range history.Data {
				if change.Subject == "email" && (change.To == "sent" || change.To == "failed") {
					failed[n] = change.To == "failed"
					return nil
				}
			}
			<-time.After(often)
		}
		return err
	}
	o.check = func(context.Context) (lost, doubled int, err error) {
		for n := range o.acknowledged {
			arrived := s.world.count(mailOf(n))
			if failed[n] {
				s.t.Logf("the fate of e-mail %d is unknown; it arrived %d times", n, arrived)
			} else if arrived == 0 {
				lost++
			}
			doubled += max(0, arrived-1)
		}
		return lost, doubled, nil
	}
	return o
}

// startSequence adds a mail account, and a sequence with leads, of which it returns the paths.
func (s *site) startSequence(ctx context.Context, c *client.Client) (account int64, leads []string, err error) {
	var added struct{ Data struct{ ID int64 } }
	var made struct{ Data struct{ ID string } }
	err = errors.Join(
		c.Do(ctx, http.MethodPost, "/v2/user/integrations", map[string]any{
			"host": "127.0.0.1", "port": s.world.mailPort, "security": "none", "from_email": "me@example.com",
			"hourly_cap": 10000, "daily_cap": 100000, "min_gap_seconds": 0,
		}, &added),
		c.Do(ctx, http.MethodPost, "/v2/sequences", map[string]string{"name": "Faults", "status": "active"}, &made))
	if err != nil {
		return 0, nil, err
	}
	people := make([]string, refreshed)
	for i := range people {
		people[i] = mailOf(i)
	}
	all, err := c.AddLeads(ctx, made.Data.ID, people)
	for _, r := range all.Results {
		leads = append(leads, "/v2/sequences/"+made.Data.ID+"/leads/"+r.LeadID)
	}
	return added.Data.ID, leads, err
}

// serveMail starts the mail server.
func (w *world) serveMail(t *testing.T) {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	expect.NoError(t, err)
	w.mailPort = listener.Addr().(*net.TCPAddr).Port
	mail := smtp.NewServer(smtp.BackendFunc(func(*smtp.Conn) (smtp.Session, error) {
		return &session{world: w}, nil
	}))
	go func() { _ = mail.Serve(listener) }() // until it is closed
	t.Cleanup(func() { _ = mail.Close() })
}

type session struct {
	world *world
	to    []string
}

func (s *session) Reset()                               { s.to = nil }
func (s *session) Logout() error                        { return nil }
func (s *session) Mail(string, *smtp.MailOptions) error { return nil }

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	s.to = append(s.to, to)
	return nil
}

func (s *session) Data(r io.Reader) error {
	if _, err := io.Copy(io.Discard, r); err != nil {
		return err
	}
	s.world.mu.Lock()
	defer s.world.mu.Unlock()
	for _, to := range s.to {
		s.world.arrived[to]++
	}
	return nil
}
