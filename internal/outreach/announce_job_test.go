package outreach_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/riverqueue/river"
	"github.com/rs/zerolog"

	"kith/internal/operation/tasks"
	"kith/internal/outreach"
	recordsql "kith/internal/postgres/record"
	"kith/internal/record/refresh"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// working runs a queue whose refresh of "gone" fails, of "broken" has a defect, and of "later" is postponed.
// Others succeed.
func working(t *testing.T, d *dataset) *recordsql.Tickets {
	t.Helper()
	work := func(_ context.Context, task *river.Job[refresh.Args]) error {
		switch task.Args.Key {
		case "gone":
			return river.JobCancel(&tasks.Failure{Code: "PERSON_NOT_FOUND", Message: "nobody there"})
		case "broken":
			return errors.New("a secret of ours")
		case "later":
			return river.JobSnooze(time.Hour)
		}
		return nil
	}
	return d.db.Tickets(d.runQueue(t, func(c *river.Config) {
		river.AddWorker(c.Workers, river.WorkFunc(work))
		c.Queues[river.QueueDefault], c.MaxAttempts = river.QueueConfig{MaxWorkers: 8}, 1
	}))
}

// runQueue works on tasks until the test ends.
func (d *dataset) runQueue(t *testing.T, work func(*river.Config)) *tasks.Queue {
	t.Helper()
	queue, err := tasks.New(d.db.Pool(), tasks.Config{
		Schema: pgtest.Schema, Logger: zerolog.Nop(), Work: []func(*river.Config){work},
	})
	expect.NoError(t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	done := make(chan error, 1)
	go func() { done <- queue.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-done; !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	})
	return queue
}

func TestWebhooksGetJobEvents(t *testing.T) {
	d := newDelivery(t)
	r := &receiver{status: http.StatusOK, ids: map[string]bool{}}
	srv := httptest.NewServer(r)
	t.Cleanup(srv.Close)
	d.webhook(t, srv.URL)
	a := outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: d.outbox, Client: outreach.WebhookClient(loopback()),
		Seal: func(kind string, id int64) string { return fmt.Sprint(kind, id) },
		Now:  func() time.Time { return time.Now().Add(time.Second) },
	})
	tickets := working(t, d.dataset)
	ids, err := tickets.Open(t.Context(), d.user.UserID,
		[]refresh.Profile{
			{Key: "ok", URL: "ok"},
			{Key: "gone", URL: "gone"},
			{Key: "broken", URL: "broken"},
			{Key: "later", URL: "later"},
		}, tasks.Now)
	expect.NoError(t, err)
	if _, err := tickets.Cancel(t.Context(), d.user.UserID, ids[3]); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"job.canceled u1 " + ids[3], "job.failed u1 " + ids[1] + " PERSON_NOT_FOUND",
		"job.failed u1 " + ids[2] + " INTERNAL_ERROR", "job.succeeded u1 " + ids[0],
	}
	slices.Sort(want)
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(time.Minute); len(r.jobs()) < len(want); {
		d.announce(t, a, time.Now().Add(time.Second))
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("the webhook got %q", r.jobs())
		}
	}
	if got := r.jobs(); !slices.Equal(got, want) || r.bad != nil {
		t.Errorf("the webhook got %q, %v", got, r.bad)
	}
	if n := d.announce(t, a, time.Now().Add(time.Second)); n != 0 {
		t.Errorf("%d further events were sent", n)
	}
}

// jobs returns the received events about jobs, sorted.
func (r *receiver) jobs() (out []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.about {
		if strings.HasPrefix(e, "job.") {
			out = append(out, strings.TrimSpace(e))
		}
	}
	slices.Sort(out)
	return out
}

// A new webhook gets only events from its creation on.
func TestNewWebhooksGetNoEarlierJobEvents(t *testing.T) {
	d := newDelivery(t)
	r := &receiver{status: http.StatusOK, ids: map[string]bool{}}
	srv := httptest.NewServer(r)
	t.Cleanup(srv.Close)
	tickets := working(t, d.dataset)
	before, err := tickets.Open(t.Context(), d.user.UserID, []refresh.Profile{{Key: "ok", URL: "ok"}}, tasks.Now)
	expect.NoError(t, err)
	ended := func() (all bool) { // without reading the ticket
		row := d.db.Pool().QueryRow(t.Context(),
			"select count(*) = 0 from "+pgtest.Schema+".river_job where finalized_at is null")
		expect.NoError(t, row.Scan(&all))
		return all
	}
	for deadline := time.Now().Add(time.Minute); !ended(); runtime.Gosched() {
		if time.Now().After(deadline) {
			t.Fatal("the job did not end")
		}
	}
	d.webhook(t, srv.URL)
	a := outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: d.outbox, Client: outreach.WebhookClient(loopback()),
		Seal: func(kind string, id int64) string { return fmt.Sprint(kind, id) },
		Now:  func() time.Time { return time.Now().Add(time.Second) },
	})
	d.announce(t, a, time.Now().Add(time.Second))
	if got := r.jobs(); len(got) > 0 {
		t.Errorf("the webhook got %q", got)
	}
	if job, err := tickets.Get(t.Context(), d.user.UserID, before[0]); err != nil || job.State != tasks.Succeeded {
		t.Errorf("the job is %q, %v", job.State, err)
	}
}
