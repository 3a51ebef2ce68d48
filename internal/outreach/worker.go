package outreach

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"kith"
)

// Due is a scheduled e-mail whose time has come.
type Due struct {
	User, Sequence, Lead, Email int64
	// Integration is 0 where the e-mail names none.
	Integration int64
}

// Outbox is what delivery needs of the store.
type Outbox interface {
	// Due lists e-mails to look at now, the longest due first, at most n, without
	// those of some senders.
	Due(ctx context.Context, now time.Time, without []Sender, n int) ([]Due, error)
	// Account returns an integration with its password, and what it sent of late.
	// One that is not there is NotFound, and where its password cannot be read the
	// error is a [Refused], in words for the user.
	Account(ctx context.Context, user, id int64, now time.Time) (Account, Usage, error)
	// Claim runs claim on the case of an e-mail, with the integration locked, so
	// that what it sent of late is right, and stores what it did.
	Claim(ctx context.Context, d Due, now time.Time, claim func(*Case, Claiming) error) error
	// Later makes delivery look at everything due of an integration at a later
	// time.
	Later(ctx context.Context, d Due, now, until time.Time) error
	// Stale lists e-mails that are being sent since before a time, at most n.
	Stale(ctx context.Context, before time.Time, n int) ([]Due, error)
}

// Mailer connects to mail servers.
type Mailer interface {
	// Connect connects and signs in; an error says that nothing was sent, and a
	// [Refused] why, in words for the user.
	Connect(ctx context.Context, a Account) (Connection, error)
}

// Connection is a connection to a mail server.
type Connection interface {
	// Send returns nil once the server has taken the message, a [Refused] where
	// it certainly did not, and any other error where nobody can tell.
	Send(m Message) error
	// Ready returns nil while the server still answers.
	Ready() error
	Close() error
}

// Refused is the error of a message that was certainly not taken, or of an
// integration that cannot be used.
type Refused struct {
	Reason string
	// Temporary is true where the server did not take the message for now, and may
	// later.
	Temporary bool
	// Sender is true where the server takes nothing from the account at the moment,
	// whoever it is to: other messages would fare no better.
	Sender bool
}

// Error returns the reason.
func (e *Refused) Error() string { return e.Reason }

// WorkerConfig configures a [Worker]; zero values take the defaults named.
type WorkerConfig struct {
	Outbox Outbox
	Cases  Cases
	Mailer Mailer
	// Links returns the addresses that an e-mail to an address may have; nil where
	// there are none to give.
	Links func(user, email int64, to string) Links
	Log   zerolog.Logger
	// Poll is how long to wait when nothing was due: 2 s.
	Poll time.Duration
	// Lease is how long an e-mail may be on its way before nothing more is
	// expected of whoever took it: 10 min. It must be longer than a message takes.
	Lease time.Duration
	// Now is the clock: time.Now.
	Now func() time.Time
}

// Worker sends what is due. Any number of them, in any number of processes,
// may work on one store: an e-mail is claimed, and the claim stored, before a
// mail server hears of it, and what was claimed is claimed again only where the server
// has said that it did not take it. So a crash can leave an e-mail unsent, which is
// then said, but cannot send it twice.
type Worker struct{ cfg WorkerConfig }

// NewWorker returns a worker.
func NewWorker(cfg WorkerConfig) *Worker {
	if cfg.Poll <= 0 {
		cfg.Poll = 2 * time.Second
	}
	if cfg.Lease <= 0 {
		cfg.Lease = 10 * time.Minute
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Links == nil {
		cfg.Links = func(int64, int64, string) Links { return Links{} }
	}
	return &Worker{cfg: cfg}
}

const (
	// batch is how many e-mails are looked at at a time.
	batch = 100
	// turn bounds how long one integration sends before the others that have
	// something due are looked at.
	turn = time.Minute
)

// Run sends until ctx ends, and returns its error. A message that is on its way
// then is waited for. A panic is logged, and ends only what it came in: the turn of
// one integration, or a look at what is due.
func (w *Worker) Run(ctx context.Context) error {
	turns := newTurns()
	defer turns.all.Wait()
	for {
		found := 0
		err := kith.Safely(func() (err error) {
			found, err = w.look(ctx, turns, func(err error) { w.heldUp(ctx, err) })
			return err
		})
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			w.cfg.Log.Warn().Err(err).Msg("delivery was held up")
		}
		if found == batch && err == nil {
			continue
		}
		select {
		case <-turns.ended:
		case <-time.After(w.cfg.Poll):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// heldUp tells of a turn that failed, and prolongs it for a while: what is due of it
// still would be looked at again at once.
func (w *Worker) heldUp(ctx context.Context, err error) {
	w.cfg.Log.Warn().Err(err).Msg("delivery was held up")
	select {
	case <-time.After(w.cfg.Poll):
	case <-ctx.Done():
	}
}

// Pass looks once at what is due, waits until it is done with, and returns how many
// e-mails that were.
func (w *Worker) Pass(ctx context.Context) (int, error) {
	turns := newTurns()
	var mu sync.Mutex
	var errs []error
	n, err := w.look(ctx, turns, func(err error) {
		mu.Lock()
		defer mu.Unlock()
		errs = append(errs, err)
	})
	turns.all.Wait()
	return n, errors.Join(append(errs, err)...)
}

// look gives a turn to every sender who has e-mails due and no turn yet, and returns
// how many e-mails are due. failed is told why a turn failed.
func (w *Worker) look(ctx context.Context, turns *turns, failed func(error)) (int, error) {
	if err := w.settleStale(ctx); err != nil {
		return 0, err
	}
	due, err := w.cfg.Outbox.Due(ctx, w.now(), turns.senders(), batch)
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
		turns.give(ctx, key, func() {
			if err := kith.Safely(func() error { return w.deliver(ctx, groups[key]) }); err != nil {
				failed(err)
			}
		})
	}
	return len(due), nil
}

func (w *Worker) now() time.Time { return w.cfg.Now().UTC().Truncate(time.Millisecond) }

// settleStale gives up on e-mails whose sender has not been heard of.
func (w *Worker) settleStale(ctx context.Context) error {
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

// change changes the case of an e-mail on behalf of delivery.
func (w *Worker) change(ctx context.Context, d Due, f func(*Case) error) error {
	return w.cfg.Cases.ChangeLead(ctx, d.User, d.Sequence, d.Lead, func(c *Case) error {
		c.By, c.Now = ByDelivery, w.now()
		return f(c)
	})
}

// deliver sends what is due through one integration, one after the other.
func (w *Worker) deliver(ctx context.Context, due []Due) error {
	account, usable, err := w.usable(ctx, due)
	if !usable {
		return err
	}
	conn, err := w.cfg.Mailer.Connect(ctx, account)
	if err != nil {
		return w.unreachable(ctx, due, err)
	}
	defer conn.Close() //nolint:errcheck // what was sent was answered already
	return w.sendAll(ctx, conn, due)
}

// usable returns the integration of what is due where it may send now; otherwise what
// is due is left alone for as long as it may not.
func (w *Worker) usable(ctx context.Context, due []Due) (a Account, usable bool, err error) {
	a, next, obstacle, err := w.account(ctx, due[0])
	switch {
	case err != nil:
		return a, false, err
	case obstacle != "":
		return a, false, w.postpone(ctx, due, obstacle)
	case next.After(w.now()):
		return a, false, w.cfg.Outbox.Later(ctx, due[0], w.now(), next)
	}
	return a, true, nil
}

// account returns the integration of an e-mail, and when it may send next;
// obstacle is why it cannot be used, in words for the user.
func (w *Worker) account(ctx context.Context, d Due) (a Account, next time.Time, obstacle string, err error) {
	if d.Integration == 0 {
		return a, next, "it has no integration to be sent through", nil
	}
	a, usage, err := w.cfg.Outbox.Account(ctx, d.User, d.Integration, w.now())
	if isNotFound(err) {
		return a, next, fmt.Sprintf("there is no integration %d", d.Integration), nil
	}
	if refused, told := errors.AsType[*Refused](err); told {
		w.warn(d, err, "an integration cannot be used")
		return a, next, refused.Reason, nil
	}
	if err != nil {
		return a, next, "", err
	}
	if next, err = a.Policy.Next(w.now(), usage); err != nil {
		w.warn(d, err, "an integration cannot be used")
		return a, next, fmt.Sprintf("the time zone %q of the integration is not known here", a.Policy.Zone), nil
	}
	return a, next, "", nil
}

// sendAll sends e-mails over one connection, for as long as a turn lasts.
func (w *Worker) sendAll(ctx context.Context, conn Connection, due []Due) error {
	began := time.Now()
	for i, d := range due {
		// What is not claimed, also over a connection that broke, is looked at again.
		if ctx.Err() != nil || time.Since(began) > turn {
			return nil
		}
		if i > 0 { // the one before may be all that may be sent for now
			if _, usable, err := w.usable(ctx, due[i:]); !usable {
				return err
			}
		}
		err := conn.Ready()
		switch {
		case err != nil && i == 0: // to look again at once would be without end
			return w.unreachable(ctx, due, err)
		case err != nil:
			return nil
		}
		err = w.send(ctx, conn, d)
		if refused, told := errors.AsType[*Refused](err); told {
			return w.spare(ctx, due[i+1:], d, refused.Reason)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// spare leaves alone for a while what is due through an integration of which the mail
// server takes nothing.
func (w *Worker) spare(ctx context.Context, rest []Due, d Due, reason string) error {
	if err := w.postpone(ctx, rest, "the mail server takes no e-mails at the moment: "+line(reason)); err != nil {
		return err
	}
	return w.cfg.Outbox.Later(ctx, d, w.now(), w.now().Add(waitIntegration))
}

// unreachable leaves what is due alone for a while, because the mail server cannot
// be spoken to.
func (w *Worker) unreachable(ctx context.Context, due []Due, err error) error {
	w.warn(due[0], err, "mail server cannot be reached")
	reason := "the mail server of the integration cannot be reached, or does not let it in"
	if refused, told := errors.AsType[*Refused](err); told {
		reason = refused.Reason
	}
	return w.postpone(ctx, due, reason)
}

// warn tells the operator of an integration through which nothing is sent.
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

// send claims one e-mail, sends it, and notes what became of it. Once it is
// claimed, neither the end of ctx nor anything else keeps it from being settled
// but the end of the process. A [Refused] is one for what else the sender has.
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
