package outreach_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"kith/internal/access/netguard"
	"kith/internal/operation/tasks"
	"kith/internal/outreach"
	"kith/internal/test/expect"
)

// sending runs the tasks of webhooks.
type sending struct {
	*delivery

	t     *testing.T
	queue *tasks.Queue
}

func newSending(t *testing.T, client *http.Client) sending {
	t.Helper()
	d := newDelivery(t)
	a := outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: d.outbox, Client: client, Seal: func(kind string, id int64) string { return fmt.Sprint(kind, id) },
	})
	return sending{d, t, d.runQueue(t, a.AddWork)}
}

// until queues what is due until the webhooks and their tasks are as wanted.
func (s sending) until(wanted func(webhooks []outreach.Webhook, open []tasks.Info) bool) {
	s.t.Helper()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(time.Minute); ; {
		expect.NoError(s.t, s.outbox.QueueWebhooks(s.t.Context(), s.queue))
		list, err := s.outbox.Webhooks(s.t.Context(), outreach.Subscriber{App: s.user.AppID})
		expect.NoError(s.t, err)
		all, err := s.queue.List(s.t.Context(), tasks.Filter{Kind: outreach.AnnounceArgs{}.Kind(), Limit: 100})
		expect.NoError(s.t, err)
		if wanted(list, all) {
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			s.t.Fatalf("webhooks %+v with tasks %+v", list, all)
		}
	}
}

// Each webhook has a task of its own. One whose sending panics, and one that does not answer, hold up no other.
func TestWebhooksHoldUpNoOther(t *testing.T) {
	done := make(chan struct{})
	s := newSending(t, &http.Client{Transport: counted(func(req *http.Request) (*http.Response, error) {
		switch req.URL.Host {
		case "broken.example":
			panic("a defect of a client")
		case "slow.example":
			<-done
		}
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	})})
	t.Cleanup(func() { close(done) })
	broken := s.webhook(t, "https://broken.example")
	s.webhook(t, "https://slow.example")
	s.webhook(t, "https://whole.example")
	for i := range 3 {
		s.sequence(t, s.user, fmt.Sprint(i))
	}
	attempts := 0
	s.until(func(list []outreach.Webhook, _ []tasks.Info) bool {
		expect.NoError(t, s.db.Pool().QueryRow(t.Context(),
			"select sum(attempts) from webhook_events where webhook_id = $1", broken.ID).Scan(&attempts))
		return attempts >= 3 && list[2].Waiting == 0 && list[2].Failure == "" &&
			list[1].Waiting == 3 && list[1].Failure == "" &&
			list[0].Waiting == 3 && strings.Contains(list[0].Failure, "inside of Kith")
	})
	if attempts != 3 {
		t.Errorf("%d attempts of three events that panic", attempts)
	}
}

// The task of a webhook that this process may not reach waits for another process. The webhook is listed with the
// reason.
func TestWebhooksOfOtherProcessesWait(t *testing.T) {
	s := newSending(t, outreach.WebhookClient(netguard.Guard{}))
	s.webhook(t, "http://127.0.0.1:1/")
	s.sequence(t, s.user, "Q3")
	s.until(func(list []outreach.Webhook, all []tasks.Info) bool {
		return strings.Contains(list[0].Failure, "not public") && list[0].Waiting == 1 &&
			len(all) == 1 && all[0].State == tasks.Waiting && all[0].Next.After(time.Now().Add(5*time.Second))
	})
}

// Tasks that have succeeded are forgotten as soon as another one is queued.
func TestWebhookTasksPileUpNowhere(t *testing.T) {
	s := newSending(t, &http.Client{Transport: counted(func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
	})})
	s.webhook(t, "https://whole.example")
	for i := range 3 {
		s.sequence(t, s.user, fmt.Sprint(i))
		s.until(func(list []outreach.Webhook, all []tasks.Info) bool {
			return list[0].Waiting == 0 && len(all) == 1 && all[0].State == tasks.Succeeded
		})
	}
}
