package outreach_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"kith/internal/outreach"
)

// A mail server that does not answer delays only e-mails through that server.
func TestSlowServersDelayNoOther(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2)
	slow, fast := d.approved(t, s.ID, leads[0], 1, false),
		d.approved(t, s.ID, leads[1], d.integrate(t, policy()).ID, false)
	arrived := make(chan struct{})
	d.worker = outreach.NewWorker(outreach.WorkerConfig{
		Outbox: d.outbox, Cases: d.db.Outreach(), Now: func() time.Time { return d.now },
		Mailer: mailer(func(m outreach.Message) error {
			if m.To == "p2@example.com" {
				close(arrived)
				return nil
			}
			select {
			case <-arrived:
				return nil
			case <-time.After(time.Minute):
				return errors.New("the other e-mail waits for this one")
			}
		}),
	})
	d.pass(t)
	for _, e := range []*outreach.Email{slow, fast} {
		if got, lead := d.state(t, s.ID, e.ID); got.Status != outreach.EmailSent {
			t.Errorf("%s: %s", got.Status, lead.LatestUpdate)
		}
	}
}

// It also does not delay e-mails that become due meanwhile.
func TestHangingServersDelayNoNewEmails(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2)
	d.approved(t, s.ID, leads[0], 1, false)
	quick := d.integrate(t, policy()).ID
	hanging, arrived := make(chan struct{}), make(chan struct{})
	d.worker = outreach.NewWorker(outreach.WorkerConfig{
		Outbox: d.outbox, Cases: d.db.Outreach(), Now: func() time.Time { return d.now }, Poll: time.Millisecond,
		Mailer: mailer(func(m outreach.Message) error {
			if m.To == "p2@example.com" {
				close(arrived)
				return nil
			}
			close(hanging)
			<-arrived
			return nil
		}),
	})
	ctx, stop := context.WithCancel(t.Context())
	ran := make(chan error, 1)
	go func() { ran <- d.worker.Run(ctx) }()
	<-hanging
	d.approved(t, s.ID, leads[1], quick, false)
	select {
	case <-arrived:
	case <-time.After(time.Minute):
		t.Error("the e-mail waits for the server of another integration")
		close(arrived)
	}
	stop()
	if err := <-ran; !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// If a mail server refuses the sender, for example after too many e-mails, the other e-mails of the integration do not
// fail with the first.
func TestRefusedSendersKeepTheirOtherEmails(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2, 3)
	emails := []*outreach.Email{
		d.approved(t, s.ID, leads[0], 1, false), d.approved(t, s.ID, leads[1], 1, false),
		d.approved(t, s.ID, leads[2], 1, false),
	}
	d.post.fail = func(outreach.Message) error {
		return &outreach.Refused{Reason: "553 not your\r\naddress", Sender: true}
	}
	d.pass(t)
	for i, want := range []outreach.EmailStatus{
		outreach.EmailFailed, outreach.EmailScheduled,
		outreach.EmailScheduled,
	} {
		got, lead := d.state(t, s.ID, emails[i].ID)
		if got.Status != want || !strings.HasSuffix(lead.LatestUpdate, ": 553 not your address") {
			t.Errorf("e-mail %d is %s: %s", i, got.Status, lead.LatestUpdate)
		}
	}
	if due, err := d.outbox.Due(t.Context(), d.now, nil, 100); err != nil || len(due) > 0 {
		t.Errorf("e-mails are due again at once: %+v, %v", due, err)
	}
	d.post.fail = nil
	d.now = d.now.Add(15 * time.Minute)
	d.pass(t)
	if len(d.post.taken) != 2 {
		t.Errorf("after the server accepts again, %d e-mails are sent", len(d.post.taken))
	}
}

// unready is a mail server that accepts connections but no e-mails.
type unready struct{ mailer }

func (u unready) Connect(context.Context, outreach.Integration) (outreach.Connection, error) {
	return u, nil
}

func (unready) Ready() error { return errors.New("451 not now") }

// A mail server that accepts connections but no e-mails gets a pause, like an unreachable one.
func TestServersThatAcceptNothingGetAPause(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1)
	e := d.approved(t, s.ID, leads[0], 1, false)
	d.worker = outreach.NewWorker(outreach.WorkerConfig{
		Outbox: d.outbox, Cases: d.db.Outreach(), Now: func() time.Time { return d.now },
		Mailer: unready{func(outreach.Message) error { return errors.New("it was sent") }},
	})
	d.pass(t)
	if due, err := d.outbox.Due(t.Context(), d.now, nil, 100); err != nil || len(due) > 0 {
		t.Errorf("e-mails are due again at once: %+v, %v", due, err)
	}
	if got, lead := d.state(t, s.ID, e.ID); got.Status != outreach.EmailScheduled ||
		!strings.Contains(lead.LatestUpdate, "cannot be reached") {
		t.Errorf("%s: %s", got.Status, lead.LatestUpdate)
	}
}

// faultyOutbox panics at its first call.
type faultyOutbox struct {
	outreach.Outbox

	once sync.Once
}

func (o *faultyOutbox) Due(ctx context.Context, now time.Time, without []outreach.Sender,
	n int,
) ([]outreach.Due, error) {
	o.once.Do(func() { panic("a defect of Due") })
	return o.Outbox.Due(ctx, now, without, n)
}

// A panic over one integration, or in one pass, stops neither the process nor other senders.
func TestDeliverySurvivesPanics(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2)
	broken, whole := d.approved(t, s.ID, leads[0], 1, false),
		d.approved(t, s.ID, leads[1], d.integrate(t, policy()).ID, false)
	ctx, stop := context.WithCancel(t.Context())
	panicking := make(chan struct{})
	d.worker = outreach.NewWorker(outreach.WorkerConfig{
		Outbox: &faultyOutbox{Outbox: d.outbox}, Cases: d.db.Outreach(), Now: func() time.Time { return d.now },
		Poll: time.Millisecond,
		Mailer: mailer(func(m outreach.Message) error {
			if m.To == "p1@example.com" {
				close(panicking)
				panic("a defect of Send")
			}
			<-panicking
			stop()
			return nil
		}),
	})
	if err := d.worker.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Run ended with %v", err)
	}
	for e, want := range map[*outreach.Email]outreach.EmailStatus{
		broken: outreach.EmailSending,
		whole:  outreach.EmailSent,
	} {
		if got, _ := d.state(t, s.ID, e.ID); got.Status != want {
			t.Errorf("%s, want %s", got.Status, want)
		}
	}
}

// asked is a mail server that counts its connection checks.
type asked struct {
	mailer
	times *int
}

func (a asked) Connect(context.Context, outreach.Integration) (outreach.Connection, error) {
	return a, nil
}

func (a asked) Ready() error {
	*a.times++
	return nil
}

// Once an integration has reached its limit, its mail server is not contacted for the rest, and all of the rest
// waits as long.
func TestServersAreNotContactedBeyondTheLimit(t *testing.T) {
	d := newDelivery(t)
	s, leads := d.sequence(t, d.user, "Q3", 1, 2, 3)
	slow := policy()
	slow.Gap = time.Hour
	integration := d.integrate(t, slow).ID
	var emails []*outreach.Email
	for _, lead := range leads {
		emails = append(emails, d.approved(t, s.ID, lead, integration, false))
	}
	sent, times := 0, 0
	d.worker = outreach.NewWorker(outreach.WorkerConfig{
		Outbox: d.outbox, Cases: d.db.Outreach(), Now: func() time.Time { return d.now },
		Mailer: asked{func(outreach.Message) error { sent++; return nil }, &times},
	})
	d.pass(t)
	if sent != 1 || times != 1 {
		t.Errorf("%d e-mails were sent, and the server was contacted %d times", sent, times)
	}
	until := d.now.Truncate(time.Millisecond).Add(time.Hour)
	for _, e := range emails[1:] {
		if got, _ := d.state(t, s.ID, e.ID); got.DueAt == nil || !got.DueAt.Equal(until) {
			t.Errorf("due %v, want %v", got.DueAt, until)
		}
	}
}
