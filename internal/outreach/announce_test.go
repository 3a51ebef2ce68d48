package outreach_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/access/netguard"
	"kith/internal/outreach"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// receiver is a webhook that records its events and answers with a status.
type receiver struct {
	mu     sync.Mutex
	status int
	got    []string
	about  []string // each event with the id of its subject and the reason
	ids    map[string]bool
	bad    error
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	body, err := io.ReadAll(req.Body)
	if err == nil {
		err = outreach.VerifySignature([]byte("s3cret"), req.Header.Get(outreach.SignatureHeader), body, time.Now())
	}
	var n struct {
		ID, Type string
		Data     struct {
			User       string `json:"external_user_id"`
			ID, Reason string
		}
	}
	if err == nil {
		err = json.Unmarshal(body, &n)
	}
	if err != nil {
		r.bad = err
	}
	if r.status == http.StatusOK {
		r.got = append(r.got, n.Type+" "+n.Data.User)
		r.about = append(r.about, n.Type+" "+n.Data.User+" "+n.Data.ID+" "+n.Data.Reason)
		r.ids[n.ID] = true
	}
	w.WriteHeader(r.status)
}

// webhook adds a webhook of the app.
func (d *delivery) webhook(t *testing.T, address string) outreach.Webhook {
	t.Helper()
	w, err := d.outbox.AddWebhook(t.Context(), outreach.Subscriber{App: d.user.AppID, By: kith.OperatorPrincipal()},
		outreach.Webhook{URL: address, Secret: "s3cret"})
	expect.NoError(t, err)
	return w
}

// announce sends the due events of all webhooks, as their tasks do, and returns how many were tried.
func (d *delivery) announce(t *testing.T, a *outreach.Announcer, now time.Time) (tried int) {
	t.Helper()
	due, err := d.outbox.DueWebhooks(t.Context(), now)
	expect.NoError(t, err)
	for _, r := range due {
		n, err := a.Deliver(t.Context(), r)
		if tried += n; err != nil && !errors.Is(err, netguard.ErrPrivate) {
			t.Fatal(err)
		}
	}
	return tried
}

func TestWebhooksGetEvents(t *testing.T) {
	d := newDelivery(t)
	r := &receiver{status: http.StatusOK, ids: map[string]bool{}}
	srv := httptest.NewServer(r)
	t.Cleanup(srv.Close)
	w := d.webhook(t, srv.URL)
	// The clock is ahead of the database, also on a slow machine, but within the tolerance of signatures.
	now := time.Now().Add(2 * time.Minute)
	a := outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: d.outbox, Client: outreach.WebhookClient(loopback()),
		Seal: func(kind string, id int64) string { return fmt.Sprint(kind, id) },
		Now:  func() time.Time { return now },
	})
	pass := func() {
		t.Helper()
		now = now.Add(time.Second)
		d.announce(t, a, now)
	}
	if err := a.Test(t.Context(), w); err != nil {
		t.Error(err)
	}
	s, leads := d.sequence(t, d.user, "Q3", 1)
	e := d.approved(t, s.ID, leads[0], 1, false)
	pass()
	pass()
	want := "webhook.test |sequence.active u1|lead.not_started u1|email.draft u1|activity.pending u1|lead.pending " +
		"u1|email.scheduled u1|lead.active u1|activity.approved u1"
	if got := strings.Join(r.got, "|"); got != want || len(r.ids) != len(r.got) || r.bad != nil {
		t.Errorf("got %s, %v", got, r.bad)
	}

	// A webhook that was down gets its events later.
	r.status, r.got = http.StatusServiceUnavailable, nil
	d.pass(t)
	pass()
	r.status = http.StatusOK
	pass()
	if len(r.got) > 0 {
		t.Errorf("sent without a delay: %v", r.got)
	}
	now = now.Add(20 * time.Second)
	pass()
	if got := strings.Join(r.got, "|"); got != "email.sending u1|email.sent u1" {
		t.Errorf("events of e-mail %d: %s", e.ID, got)
	}
	of := outreach.Subscriber{App: d.user.AppID, By: kith.OperatorPrincipal()}
	if err := d.outbox.RemoveWebhook(t.Context(), of, w.ID); err != nil {
		t.Error(err)
	}
	wantCode(t, d.outbox.RemoveWebhook(t.Context(), of, w.ID), "WEBHOOK_NOT_FOUND")
}

// A webhook that does not answer delays no other. It is given up after as many attempts as one that answers with
// an error.
func TestUnreachableWebhooksDelayNoOther(t *testing.T) {
	d := newDelivery(t)
	r := &receiver{status: http.StatusOK, ids: map[string]bool{}}
	srv := httptest.NewServer(r)
	t.Cleanup(srv.Close)
	down := httptest.NewServer(r)
	down.Close()
	failing := d.webhook(t, down.URL+"/hooks/only-we-know")
	d.webhook(t, srv.URL)
	now := time.Now()
	tried := 0
	var log strings.Builder
	client := outreach.WebhookClient(loopback())
	a := outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: d.outbox, Seal: func(kind string, id int64) string { return fmt.Sprint(kind, id) },
		Now: func() time.Time { return now },
		Log: zerolog.New(&log),
		Client: &http.Client{Transport: counted(func(req *http.Request) (*http.Response, error) {
			if strings.HasPrefix(down.URL, "http://"+req.URL.Host) {
				tried++
			}
			return client.Transport.RoundTrip(req)
		})},
	})
	_, _ = d.sequence(t, d.user, "Q3", 1, 2, 3, 4, 5)
	waiting := func() (n int) {
		expect.NoError(t, d.db.Pool().QueryRow(t.Context(), "select count(*) from webhook_events").Scan(&n))
		return n
	}
	for range 30 {
		now = now.Add(6 * time.Hour)
		d.announce(t, a, now)
		if len(r.got) != 6 {
			t.Fatalf("the other webhook got %d events by then", len(r.got))
		}
		if waiting() == 0 {
			break
		}
	}
	if n := waiting(); n != 0 || tried != outreach.MaxAttempts {
		t.Errorf("%d events wait after %d attempts", n, tried)
	}
	named := fmt.Sprintf(`"webhook":%d`, failing.ID)
	if text := log.String(); !strings.Contains(text, named) || strings.Contains(text, "only-we-know") {
		t.Errorf("the log lacks the webhook, or shows its address: %s", text)
	}
}

// Each event for a webhook that is down waits by its own attempts, however many others are due at the same moment.
func TestWebhookEventsWaitByTheirOwnAttempts(t *testing.T) {
	d := newDelivery(t)
	d.webhook(t, "https://down.example")
	now := time.Now().Truncate(time.Microsecond)
	a := outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: d.outbox, Seal: func(kind string, id int64) string { return fmt.Sprint(kind, id) },
		Now: func() time.Time { return now },
		Client: &http.Client{Transport: counted(func(*http.Request) (*http.Response, error) {
			return nil,
				errors.New("nobody there")
		})},
	})
	pass := func(after time.Duration) {
		t.Helper()
		now = now.Add(after)
		d.announce(t, a, now)
	}
	d.sequence(t, d.user, "first")
	pass(time.Minute)
	for wait := 10 * time.Second; wait < 320*time.Second; wait *= 2 {
		pass(wait)
	}
	for i := range 30 { // more than one turn sends, all due before the first event
		d.sequence(t, d.user, fmt.Sprint(i))
	}
	pass(320 * time.Second)
	var waits string
	err := d.db.Pool().QueryRow(t.Context(), `select string_agg(distinct
			attempts || ' times: ' || extract(epoch from next_at - $1::timestamptz)::int || ' s', ', ')
		from webhook_events`, now).Scan(&waits)
	if err != nil || waits != "1 times: 10 s, 7 times: 640 s" {
		t.Errorf("delays of the events: %s, %v", waits, err)
	}
}

// A slow webhook occupies its worker for a limited time, and its unsent events do not count as attempts.
func TestSlowWebhooksGetATurn(t *testing.T) {
	d := newDelivery(t)
	d.webhook(t, "https://slow.example")
	for i := range 50 {
		d.sequence(t, d.user, fmt.Sprint(i))
	}
	now := time.Now()
	a := outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: d.outbox, Seal: func(kind string, id int64) string { return fmt.Sprint(kind, id) },
		Now: func() time.Time { return now },
		Client: &http.Client{Transport: counted(func(*http.Request) (*http.Response, error) {
			now = now.Add(9 * time.Second)
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
		})},
	})
	if n := d.announce(t, a, now); n != 2 {
		t.Errorf("%d events were sent in a turn", n)
	}
	var waiting, due, tried int
	err := d.db.Pool().QueryRow(t.Context(),
		"select count(*), count(*) filter (where next_at <= $1), sum(attempts) from webhook_events", now).Scan(&waiting,
		&due, &tried)
	if err != nil || waiting != 48 || due != 48 || tried != 0 {
		t.Errorf("%d events wait, %d are due, after %d attempts, %v", waiting, due, tried, err)
	}
}

// A webhook with an unreadable secret delays no other and gets nothing. Its events are given up in the end.
func TestWebhooksWithoutSecretGetNothing(t *testing.T) {
	d := newDelivery(t)
	good, bad := &receiver{status: http.StatusOK, ids: map[string]bool{}},
		&receiver{status: http.StatusOK, ids: map[string]bool{}}
	var unreadable outreach.Webhook
	for _, r := range []*receiver{good, bad} {
		srv := httptest.NewServer(r)
		t.Cleanup(srv.Close)
		unreadable = d.webhook(t, srv.URL)
	}
	pgtest.Exec(t, d.db, "update webhooks set secret = 'sealed with another key' where id = $1", unreadable.ID)
	now := time.Now()
	a := outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: d.outbox, Client: outreach.WebhookClient(loopback()),
		Seal: func(kind string, id int64) string { return fmt.Sprint(kind, id) },
		Now:  func() time.Time { return now },
	})
	_, _ = d.sequence(t, d.user, "Q3", 1, 2)
	for range outreach.MaxAttempts {
		now = now.Add(6 * time.Hour)
		d.announce(t, a, now)
		if len(good.got) != 3 || len(bad.got) > 0 || bad.bad != nil {
			t.Fatalf("the good webhook got %v, the bad one %v, %v", good.got, bad.got, bad.bad)
		}
	}
	if list, err := d.outbox.Webhooks(t.Context(), outreach.Subscriber{App: d.user.AppID}); err != nil ||
		len(list) != 2 || list[0].Secret != "s3cret" || list[1].Secret != "" {
		t.Errorf("webhooks: %+v, %v", list, err)
	}
	var waiting int
	if err := d.db.Pool().QueryRow(t.Context(), "select count(*) from webhook_events").Scan(&waiting); err != nil ||
		waiting > 0 {
		t.Errorf("%d events wait, %v", waiting, err)
	}
}

type counted func(*http.Request) (*http.Response, error)

func (f counted) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// No webhook address reaches this machine or its network.
func TestWebhooksCannotReachPrivateAddresses(t *testing.T) {
	asked := false
	srv := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked = true }))
	t.Cleanup(srv.Close)
	a := outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Seal:   func(string, int64) string { return "" },
		Client: outreach.WebhookClient(netguard.Guard{}),
	})
	for _, address := range []string{srv.URL, strings.Replace(srv.URL, "127.0.0.1", "localhost", 1)} {
		if err := a.Test(t.Context(), outreach.Webhook{URL: address, Secret: "s3cret"}); !errors.Is(err,
			netguard.ErrPrivate) || asked {
			t.Errorf("%s: %v", address, err)
		}
	}
	away := httptest.NewServer(http.RedirectHandler(srv.URL, http.StatusTemporaryRedirect))
	t.Cleanup(away.Close)
	a = outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Seal:   func(string, int64) string { return "" },
		Client: outreach.WebhookClient(loopback()),
	})
	if err := a.Test(t.Context(), outreach.Webhook{URL: away.URL, Secret: "s3cret"}); err == nil || asked {
		t.Errorf("a redirect was followed, or accepted as an answer: %v", err)
	}
}

func TestWebhookAddressesAreChecked(t *testing.T) {
	hooks := outreach.NewWebhooks(nil, nil, func(context.Context, string) bool { return true })
	for _, bad := range []string{
		"", "app.example.com", "ftp://app.example.com", "https://", "https://u:p@app.example.com",
		"https://app.example.com/#x",
	} {
		if hooks.Check(t.Context(), bad) == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	if err := hooks.Check(t.Context(), "https://app.example.com/hooks/kith"); err != nil {
		t.Error(err)
	}
}
