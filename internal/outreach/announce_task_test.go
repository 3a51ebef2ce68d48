package outreach_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"kith/internal/expect"
	"kith/internal/outreach"
)

// A webhook whose sending panics, and one that does not answer, hold up no other.
func TestWebhooksHoldUpNoOther(t *testing.T) {
	d := newDelivery(t)
	hosts := []string{"broken.example", "slow.example", "whole.example"}
	reached := map[string]chan struct{}{}
	for _, host := range hosts {
		d.webhook(t, "https://"+host)
		reached[host] = make(chan struct{}, 100)
	}
	done := make(chan struct{})
	a := outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: d.outbox, Seal: func(kind string, id int64) string { return fmt.Sprint(kind, id) },
		Client: &http.Client{Transport: counted(func(req *http.Request) (*http.Response, error) {
			reached[req.URL.Host] <- struct{}{}
			switch req.URL.Host {
			case "broken.example":
				panic("a defect of a client")
			case "slow.example":
				<-done
			}
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
		})},
	})
	queue := d.runQueue(t, a.AddWork)
	t.Cleanup(func() { close(done) })
	for i := range 3 {
		d.sequence(t, d.user, fmt.Sprint(i))
		expect.NoError(t, d.outbox.QueueWebhooks(t.Context(), queue))
		await(t, reached["whole.example"])
	}
	for _, host := range hosts[:2] {
		await(t, reached[host])
	}
	// Only the events of the two others remain, without an attempt.
	list, err := d.outbox.Webhooks(t.Context(), outreach.Subscriber{App: d.user.AppID})
	expect.NoError(t, err)
	if list[0].Waiting != 3 || list[1].Waiting != 3 || !list[0].FailingSince.IsZero() {
		t.Errorf("webhooks: %+v", list)
	}
}

func await(t *testing.T, ready <-chan struct{}) {
	t.Helper()
	select {
	case <-ready:
	case <-time.After(time.Minute):
		t.Fatal("nothing was sent for a minute")
	}
}
