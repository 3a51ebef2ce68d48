package outreach_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rs/zerolog"

	"kith/internal/access/netguard"
	"kith/internal/outreach"
)

// failingWebhook is a webhook with pending events over a delivery.
type failingWebhook struct {
	t    *testing.T
	d    *delivery
	r    *receiver
	now  time.Time
	logs strings.Builder
}

func newFailingWebhook(t *testing.T) *failingWebhook {
	t.Helper()
	f := &failingWebhook{
		t: t, d: newDelivery(t), r: &receiver{status: http.StatusOK, ids: map[string]bool{}},
		now: time.Now().Add(2 * time.Minute),
	}
	srv := httptest.NewServer(f.r)
	t.Cleanup(srv.Close)
	f.d.webhook(t, srv.URL)
	f.d.sequence(t, f.d.user, "Q3")
	return f
}

func (f *failingWebhook) announcer(g netguard.Guard) *outreach.Announcer {
	return outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: f.d.outbox, Client: outreach.WebhookClient(g),
		Seal: func(kind string, id int64) string { return fmt.Sprint(kind, id) },
		Log:  zerolog.New(&f.logs), Now: func() time.Time { return f.now },
	})
}

// pass sends what is due some time later.
func (f *failingWebhook) pass(a *outreach.Announcer, later time.Duration) {
	f.t.Helper()
	f.now = f.now.Add(later)
	f.d.announce(f.t, a, f.now)
}

// state returns the webhook as listed.
func (f *failingWebhook) state() outreach.Webhook {
	f.t.Helper()
	list, err := f.d.outbox.Webhooks(f.t.Context(), outreach.Subscriber{App: f.d.user.AppID})
	if err != nil || len(list) != 1 {
		f.t.Fatalf("webhooks: %v, %v", list, err)
	}
	return list[0]
}

// A process without access to a webhook leaves its events, and their attempts, to a process with access.
func TestProcessesWithoutAccessLeaveWebhookEvents(t *testing.T) {
	f := newFailingWebhook(t)
	closed, open := f.announcer(netguard.Guard{}), f.announcer(loopback())
	for range 2 * outreach.MaxAttempts {
		f.pass(closed, 5*time.Minute)
	}
	if w := f.state(); w.FailingSince.IsZero() || w.Waiting != 1 || !strings.Contains(w.Failure, "not public") ||
		strings.Count(f.logs.String(), "a webhook is failing") != 1 {
		t.Errorf("%+v, logged %s", w, f.logs.String())
	}
	f.pass(open, time.Second)
	if w := f.state(); len(f.r.got) != 1 || !w.FailingSince.IsZero() || w.Failure != "" || w.Waiting != 0 {
		t.Errorf("the webhook got %v; %+v", f.r.got, w)
	}
	f.d.sequence(t, f.d.user, "Q4")
	f.pass(closed, time.Minute)
	f.pass(closed, 25*time.Hour)
	if w := f.state(); w.Waiting != 0 || w.FailingSince.IsZero() {
		t.Errorf("events still wait although no process has access: %+v", w)
	}
}

// A failing webhook is listed with the reason, and logged once.
func TestFailingWebhooksAreListedAndLogged(t *testing.T) {
	f := newFailingWebhook(t)
	a := f.announcer(loopback())
	f.r.status = http.StatusServiceUnavailable
	f.pass(a, time.Second)
	f.pass(a, time.Minute)
	if w := f.state(); w.FailingSince.IsZero() || !strings.Contains(w.Failure, "503") || w.Waiting != 1 ||
		strings.Count(f.logs.String(), "a webhook is failing") != 1 {
		t.Errorf("%+v, logged %s", w, f.logs.String())
	}
	if n, err := f.d.outbox.FailingWebhooks(t.Context()); n != 1 || err != nil {
		t.Errorf("FailingWebhooks returned %d, %v", n, err)
	}
	f.r.status = http.StatusOK
	f.pass(a, time.Hour)
	if n, err := f.d.outbox.FailingWebhooks(t.Context()); n != 0 || err != nil {
		t.Errorf("FailingWebhooks returned %d, %v", n, err)
	}
}
