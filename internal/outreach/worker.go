package outreach

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"kith"
)

// Due is a scheduled e-mail that is due.
type Due struct {
	User, Sequence, Lead, Email int64
	// Integration is 0 if the e-mail has none.
	Integration int64
}

// Outbox is the part of the store that delivery uses.
type Outbox interface {
	// Due lists at most n due e-mails, longest due first, without those of the senders in without.
	Due(ctx context.Context, now time.Time, without []Sender, n int) ([]Due, error)
	// Integration returns an integration with its password and recent usage. It is NotFound if there is none. If the
	// password cannot be decrypted, the error is a [Refused] with a reason for the user.
	Integration(ctx context.Context, user, id int64, now time.Time) (Integration, Usage, error)
	// Claim runs claim on the case of an e-mail and stores the changes. It locks the
	// integration, so that its recent usage is correct.
	Claim(ctx context.Context, d Due, now time.Time, claim func(*Case, Claiming) error) error
	// Later postpones all due e-mails of an integration.
	Later(ctx context.Context, d Due, now, until time.Time) error
	// Stale lists at most n e-mails that have been in state sending since before a given time.
	Stale(ctx context.Context, before time.Time, n int) ([]Due, error)
}

// Mailer connects to mail servers.
type Mailer interface {
	// Connect connects and signs in. After an error nothing was sent. A [Refused] has a reason for the user.
	Connect(ctx context.Context, in Integration) (Connection, error)
}

// Connection is a connection to a mail server.
type Connection interface {
	// Send returns nil once the server has accepted the message, a [Refused] if the server
	// certainly did not accept it, and any other error if the outcome is unknown.
	Send(m Message) error
	// Ready returns nil while the server still answers.
	Ready() error
	Close() error
}

// Refused is the error for a message that was certainly not accepted, or for an integration that cannot be used.
type Refused struct {
	Reason string
	// Temporary is true if the server may accept the message later.
	Temporary bool
	// Sender is true if the server currently accepts nothing from the integration, for any recipient.
	Sender bool
}

// Error returns the reason.
func (e *Refused) Error() string { return e.Reason }

// WorkerConfig configures a [Worker]; zero values take the defaults given below.
type WorkerConfig struct {
	Outbox Outbox
	Cases  Cases
	Mailer Mailer
	// Links returns the addresses that an e-mail to an address may contain; nil for none.
	Links func(user, email int64, to string) Links
	Log   zerolog.Logger
	// Poll is the wait when nothing was due: 2 s.
	Poll time.Duration
	// Lease is how long an e-mail may be in state sending before it counts as lost: 45 s. It
	// must be longer than sending one message takes.
	Lease time.Duration
	// Now is the clock: time.Now.
	Now func() time.Time
}

// Worker sends due e-mails. Any number of workers and processes may share one store. A worker stores its claim of an
// e-mail before it contacts the mail server. The e-mail is claimed again only if the server said that it did not accept
// it. A crash can therefore leave an e-mail unsent, which is recorded, but cannot send it twice.
type Worker struct{ cfg WorkerConfig }

// NewWorker returns a worker.
func NewWorker(cfg WorkerConfig) *Worker {
	cfg.Poll, cfg.Lease = cmp.Or(cfg.Poll, 2*time.Second), cmp.Or(cfg.Lease, 45*time.Second)
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Links == nil {
		cfg.Links = func(int64, int64, string) Links { return Links{} }
	}
	return &Worker{cfg: cfg}
}

const (
	// batch limits the e-mails per look.
	batch = 100
	// turn limits how long one integration sends before the worker looks for other due e-mails.
	turn = time.Minute
)

// Run sends due e-mails until ctx ends, and returns its error. It waits for messages that are being sent. It logs
// panics; a panic ends only the turn of one integration, or one look.
func (w *Worker) Run(ctx context.Context) error {
	slots := newSlots()
	defer slots.all.Wait()
	for {
		found := 0
		err := kith.Safely(func() (err error) {
			found, err = w.look(ctx, slots, func(err error) { w.pauseTurn(ctx, err) })
			return err
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			w.cfg.Log.Warn().Err(err).Msg("delivery failed; retrying")
		}
		if found == batch && err == nil {
			continue
		}
		select {
		case <-slots.ended:
		case <-time.After(w.cfg.Poll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// pauseTurn logs a failed turn and prolongs it by the poll interval, so that its e-mails are not tried again at once.
func (w *Worker) pauseTurn(ctx context.Context, err error) {
	w.cfg.Log.Warn().Err(err).Msg("delivery failed; retrying")
	select {
	case <-time.After(w.cfg.Poll):
	case <-ctx.Done():
	}
}

// Pass looks for due e-mails once, waits until they are processed, and returns their number.
func (w *Worker) Pass(ctx context.Context) (int, error) {
	slots := newSlots()
	var mu sync.Mutex
	var errs []error
	n, err := w.look(ctx, slots, func(err error) {
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
	})
	slots.all.Wait()
	return n, errors.Join(append(errs, err)...)
}

// look starts a turn for every idle sender with due e-mails, and returns the number of due
// e-mails. It calls failed with the error of a failed turn.
func (w *Worker) look(ctx context.Context, slots *slots, failed func(error)) (int, error) {
	if err := w.failStale(ctx); err != nil {
		return 0, err
	}
	due, err := w.cfg.Outbox.Due(ctx, w.now(), slots.senders(), batch)
	if err != nil {
		return 0, err
	}
	groups, order := map[Sender][]Due{}, []Sender{}
	for _, d := range due {
		key := Sender{d.User, d.Integration}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], d)
	}
	for _, key := range order {
		slots.start(ctx, key, func() {
			if err := kith.Safely(func() error { return w.deliver(ctx, groups[key]) }); err != nil {
				failed(err)
			}
		})
	}
	return len(due), nil
}

func (w *Worker) now() time.Time { return w.cfg.Now().UTC().Truncate(time.Millisecond) }

// failStale fails e-mails that have been in state sending for longer than the lease.
func (w *Worker) failStale(ctx context.Context) error {
	stale, err := w.cfg.Outbox.Stale(ctx, w.now().Add(-w.cfg.Lease), batch)
	if err != nil {
		return err
	}
	for _, d := range stale {
		if err := w.change(ctx, d, func(c *Case) error { return c.Failed(d.Email, Unconfirmed) }); err != nil {
			return err
		}
	}
	return nil
}

// change changes the case of an e-mail, with delivery as the actor.
func (w *Worker) change(ctx context.Context, d Due, f func(*Case) error) error {
	return w.cfg.Cases.ChangeLead(ctx, d.User, d.Sequence, d.Lead, func(c *Case) error {
		c.By, c.Now = ByDelivery, w.now()
		return f(c)
	})
}

// deliver sends the due e-mails of one integration, one by one.
func (w *Worker) deliver(ctx context.Context, due []Due) error {
	integration, usable, err := w.usableIntegration(ctx, due)
	if !usable {
		return err
	}
	conn, err := w.cfg.Mailer.Connect(ctx, integration)
	if err != nil {
		return w.unreachable(ctx, due, err)
	}
	defer func() { _ = conn.Close() }() // the server has already answered for every e-mail
	return w.sendAll(ctx, conn, due)
}

// usableIntegration returns the integration of the due e-mails if it may send now. Otherwise it postpones them.
func (w *Worker) usableIntegration(ctx context.Context, due []Due) (in Integration, usable bool, err error) {
	in, next, obstacle, err := w.readIntegration(ctx, due[0])
	switch {
	case err != nil:
		return in, false, err
	case obstacle != "":
		return in, false, w.postpone(ctx, due, obstacle)
	case next.After(w.now()):
		return in, false, w.cfg.Outbox.Later(ctx, due[0], w.now(), next)
	}
	return in, true, nil
}

// readIntegration returns the integration of an e-mail and when it may send next. obstacle is why
// it cannot be used, in words for the user.
func (w *Worker) readIntegration(ctx context.Context, d Due,
) (in Integration, next time.Time, obstacle string, err error) {
	if d.Integration == 0 {
		return in, next, "the e-mail has no integration", nil
	}
	in, usage, err := w.cfg.Outbox.Integration(ctx, d.User, d.Integration, w.now())
	if isNotFound(err) {
		return in, next, fmt.Sprintf("there is no integration %d", d.Integration), nil
	}
	if refused, ok := errors.AsType[*Refused](err); ok {
		w.warn(d, err, "an integration cannot be used")
		return in, next, refused.Reason, nil
	}
	if err != nil {
		return in, next, "", err
	}
	if next, err = in.Policy.Next(w.now(), usage); err != nil {
		w.warn(d, err, "an integration cannot be used")
		return in, next, fmt.Sprintf("the time zone %q of the integration is unknown on this server", in.Policy.Zone),
			nil
	}
	return in, next, "", nil
}

// sendAll sends e-mails over one connection until the turn ends.
func (w *Worker) sendAll(ctx context.Context, conn Connection, due []Due) error {
	began := time.Now()
	for i, d := range due {
		// Unclaimed e-mails, including those after a broken connection, are due again at the next look.
		if ctx.Err() != nil || time.Since(began) > turn {
			return nil
		}
		if i > 0 { // the previous e-mail may have used up the limit
			if _, usable, err := w.usableIntegration(ctx, due[i:]); !usable {
				return err
			}
		}
		err := conn.Ready()
		switch {
		case err != nil && i == 0: // leaving them due would retry forever without a pause
			return w.unreachable(ctx, due, err)
		case err != nil:
			return nil
		}
		err = w.send(ctx, conn, d)
		if refused, ok := errors.AsType[*Refused](err); ok {
			return w.postponeRest(ctx, due[i+1:], d, refused.Reason)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// postponeRest postpones the due e-mails of an integration whose mail server accepts nothing at the moment.
func (w *Worker) postponeRest(ctx context.Context, rest []Due, d Due, reason string) error {
	if err := w.postpone(ctx, rest, "the mail server accepts no e-mail at the moment: "+line(reason)); err != nil {
		return err
	}
	return w.cfg.Outbox.Later(ctx, d, w.now(), w.now().Add(waitIntegration))
}

// unreachable postpones due e-mails because the mail server cannot be reached.
func (w *Worker) unreachable(ctx context.Context, due []Due, err error) error {
	w.warn(due[0], err, "mail server cannot be reached")
	reason := "the mail server of the integration cannot be reached or rejected the credentials"
	if refused, ok := errors.AsType[*Refused](err); ok {
		reason = refused.Reason
	}
	return w.postpone(ctx, due, reason)
}

// warn logs that an integration cannot send.
func (w *Worker) warn(d Due, err error, what string) {
	w.cfg.Log.Warn().Err(err).Int64("user", d.User).Int64("integration", d.Integration).Msg(what)
}

func (w *Worker) postpone(ctx context.Context, due []Due, reason string) error {
	for _, d := range due {
		err := w.change(ctx, d, func(c *Case) error {
			c.Postpone(d.Email, reason)
			return nil
		})
		if err != nil && !isNotFound(err) {
			return err
		}
	}
	return nil
}

// send claims one e-mail, sends it and records the outcome. After the claim it ignores the end of ctx, so that only the
// end of the process can prevent the record. It returns a [Refused] if the server refuses everything from the sender.
func (w *Worker) send(ctx context.Context, conn Connection, d Due) error {
	var message *Message
	err := w.cfg.Outbox.Claim(ctx, d, w.now(), func(c *Case, k Claiming) (err error) {
		c.By, c.Now = ByDelivery, w.now()
		if e := c.email(d.Email); e != nil {
			k.Links = w.cfg.Links(d.User, d.Email, e.To)
		}
		message, err = c.Claim(d.Email, k)
		return err
	})
	if isNotFound(err) {
		return nil
	}
	if err != nil || message == nil {
		return err
	}
	sent := conn.Send(*message)
	refused, certain := errors.AsType[*Refused](sent)
	err = w.change(context.WithoutCancel(ctx), d, func(c *Case) error {
		switch {
		case sent == nil:
			return c.Sent(d.Email)
		case certain && refused.Temporary:
			return c.Deferred(d.Email, refused.Reason)
		case certain:
			return c.Failed(d.Email, refused.Reason)
		}
		return c.Failed(d.Email, Unconfirmed)
	})
	if err == nil && certain && refused.Sender {
		return refused
	}
	return err
}
