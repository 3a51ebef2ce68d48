package outreach

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"github.com/riverqueue/river"
	"github.com/rs/zerolog"

	"kith"
	"kith/internal/access/netguard"
)

// Webhook is an address at which an app or a user receives events.
type Webhook struct {
	ID int64
	// User is the external id of the owner; "" if the app owns the webhook.
	User string
	URL  string
	// Secret signs events; see [Sign]. It is "" if it can no longer be decrypted; nothing can be sent then.
	Secret    string
	CreatedAt time.Time
	// FailingSince is the time of the first failed delivery; zero while deliveries succeed.
	// Failure is the reason, and Waiting the number of undelivered events.
	FailingSince time.Time
	Failure      string
	Waiting      int64
}

// Event is a history entry, or the end of a refresh job, on its way to a webhook.
type Event struct {
	ID       int64
	Attempts int
	App      int64
	Webhook  Webhook
	// ExternalID is the app's id for the user.
	ExternalID     string
	Sequence, Lead int64 // Lead is 0 for an entry about a sequence
	// Ticket is the id of the refresh job that ended; "" for a history entry. For a refresh job, Entry has only
	// To, At and, after a failure, the error code as Reason.
	Ticket string
	// News is a change of a list or a saved search; zero for other events.
	News News
	Entry
}

// News says that a person on a list has changed jobs, or that a saved search has new matches.
type News struct {
	List, Search int64
	// Person is the id of the person on the list.
	Person int64
	// Detail is a JSON object that the event carries unchanged.
	Detail *string
}

// Events stores events until webhooks have received them. Taking an event does not claim it: tasks keep processes from
// sending it at the same time, except in rare cases that repeat it.
type Events interface {
	// Take returns the n events of a webhook that have been due for longest.
	Take(ctx context.Context, r Receiver, now time.Time, n int) ([]Event, error)
	// Accepted removes an event that the webhook accepted; GiveUp removes an undeliverable one.
	Accepted(ctx context.Context, id int64) error
	GiveUp(ctx context.Context, id int64) error
	// RetryAt counts a failed attempt and makes an event due at a later time.
	RetryAt(ctx context.Context, id int64, at time.Time) error
	// Failing records why a webhook rejects events. began is true if this is its first failure since a success.
	Failing(ctx context.Context, r Receiver, why string, now time.Time) (began bool, err error)
	// PutOff counts a failed attempt for every due event of a webhook and makes each due again after [Wait]. It drops
	// events after [MaxAttempts] attempts and returns their number.
	PutOff(ctx context.Context, r Receiver, now time.Time) (ended int64, err error)
}

// Receiver identifies a webhook of an app.
type Receiver struct {
	App     int64 `json:"app"`
	Webhook int64 `json:"webhook"`
}

// notice is the body of a webhook request.
type notice struct {
	ID        string     `json:"id"`
	Type      string     `json:"type"`
	CreatedAt time.Time  `json:"created_at"`
	Data      noticeData `json:"data"`
}

type noticeData struct {
	ExternalUserID string `json:"external_user_id,omitempty"`
	ID             string `json:"id,omitempty"`
	SequenceID     string `json:"sequence_id,omitempty"`
	LeadID         string `json:"sequence_lead_id,omitempty"`
	From           string `json:"from,omitempty"`
	To             string `json:"to,omitempty"`
	Reason         string `json:"reason,omitempty"`
	By             string `json:"by,omitempty"`
	PersonID       int64  `json:"person_id,omitempty"`
	// Detail describes the change of job, or the number of new matches.
	Detail json.RawMessage `json:"detail,omitempty"`
}

// AnnouncerConfig configures an [Announcer].
type AnnouncerConfig struct {
	// Events stores the events to deliver.
	Events Events
	// Seal encrypts the public id of a row of a kind.
	Seal func(kind string, id int64) string
	Log  zerolog.Logger
	// Client sends requests: see [WebhookClient].
	Client *http.Client
	// Now is the clock; nil is time.Now.
	Now func() time.Time
}

// Announcer delivers events to webhooks, each at least once: a receiver recognises repeats
// by the id. It is safe for concurrent use, and several processes may serve one store.
type Announcer struct{ cfg AnnouncerConfig }

// NewAnnouncer returns an announcer.
func NewAnnouncer(cfg AnnouncerConfig) *Announcer {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	return &Announcer{cfg}
}

const (
	announceTimeout = 10 * time.Second
	announceBatch   = 20
	// announceTurn limits the time that a webhook occupies a worker. With a timeout of the last request, it is below
	// that of a task.
	announceTurn = 10 * time.Second
	// announcers is the number of webhooks that a process sends to at once. Nearly all their time is waiting.
	announcers = 200
	// announceRetry is the delay after a failure that is not the webhook's, such as an outage of Postgres.
	announceRetry = 10 * time.Second
	// QueueEvery is the interval at which webhooks with due events are queued.
	QueueEvery = 2 * time.Second
	// MaxAttempts is how often an event is sent, over about a day, before it is dropped.
	MaxAttempts = 14
	firstRetry  = 10 * time.Second
	longestWait = 6 * time.Hour
)

// Wait returns the delay before the next attempt; attempts is the number of failed ones, at least 1.
func Wait(attempts int) time.Duration { return min(firstRetry<<(attempts-1), longestWait) }

// SignatureHeader carries the signature of a webhook.
const SignatureHeader = "X-Kith-Signature"

// AnnounceArgs are the arguments of the task that sends the due events of a webhook.
type AnnounceArgs struct {
	// Key names the webhook in lists of tasks, as app/webhook.
	Key string `json:"key"`
	Receiver
}

// NewAnnounceArgs returns the arguments of the task for a webhook.
func NewAnnounceArgs(r Receiver) AnnounceArgs {
	return AnnounceArgs{fmt.Sprintf("%d/%d", r.App, r.Webhook), r}
}

// Kind is the kind of the task, and the name of its queue.
func (AnnounceArgs) Kind() string { return "webhook" }

// AddWork adds the task to the work of a process.
func (a *Announcer) AddWork(c *river.Config) {
	river.AddWorker(c.Workers, &announceWorker{a: a})
	c.Queues[AnnounceArgs{}.Kind()] = river.QueueConfig{MaxWorkers: announcers}
}

// announceWorker sends the due events of a webhook.
type announceWorker struct {
	river.WorkerDefaults[AnnounceArgs]

	a *Announcer
}

// Work keeps the task while there are events.
func (w *announceWorker) Work(ctx context.Context, task *river.Job[AnnounceArgs]) error {
	r := task.Args.Receiver
	tried, err := w.a.Deliver(ctx, r)
	switch {
	case errors.Is(err, netguard.ErrPrivate):
		return river.JobSnooze(privatePause)
	case err != nil && ctx.Err() == nil:
		w.a.cfg.Log.Warn().Err(err).Int64("app", r.App).Int64("webhook", r.Webhook).
			Msg("sending to a webhook failed; it will be retried")
	case err == nil && tried > 0:
		return river.JobSnooze(QueueEvery)
	}
	return err
}

// NextRetry returns the time of the next attempt. It does not grow with failures, which a task gathers over days.
func (*announceWorker) NextRetry(*river.Job[AnnounceArgs]) time.Time {
	return time.Now().Add(announceRetry)
}

// Deliver sends the due events of a webhook, one by one, and returns how many it tried. It stops after 10 s, so that a
// slow webhook does not hold up others. If the webhook does not answer, all its due events count as tried. The error is
// [netguard.ErrPrivate] if this process may not reach the webhook.
func (a *Announcer) Deliver(ctx context.Context, r Receiver) (tried int, err error) {
	for end := a.cfg.Now().Add(announceTurn); ; {
		events, err := a.cfg.Events.Take(ctx, r, a.cfg.Now(), announceBatch)
		if err != nil || len(events) == 0 {
			return tried, err
		}
		for i, e := range events {
			if tried > 0 && a.cfg.Now().After(end) {
				return tried, nil
			}
			tried++
			answered, err := a.announce(ctx, e)
			if errors.Is(err, netguard.ErrPrivate) {
				return tried, cmp.Or(a.leave(ctx, events[i:]), err)
			}
			if err != nil || !answered {
				return tried, err
			}
		}
	}
}

// announce sends an event and records the outcome. answered reports whether the webhook answered.
func (a *Announcer) announce(ctx context.Context, e Event) (answered bool, err error) {
	failed := a.sendEvent(ctx, e)
	if failed == nil {
		return true, a.cfg.Events.Accepted(ctx, e.ID)
	}
	if errors.Is(failed, netguard.ErrPrivate) {
		return false, failed
	}
	if err := a.failing(ctx, e, failed); err != nil {
		return false, err
	}
	if _, unanswered := errors.AsType[*url.Error](failed); unanswered {
		return false, a.putOff(ctx, e.receiver())
	}
	if errors.Is(failed, errNoSecret) {
		a.cfg.Log.Warn().Err(failed).Int64("app", e.App).Int64("webhook",
			e.Webhook.ID).Msg("a webhook cannot be signed")
	}
	if e.Attempts+1 >= MaxAttempts {
		a.cfg.Log.Error().Err(failed).Int64("event", e.ID).Int64("app", e.App).Int64("webhook",
			e.Webhook.ID).Msg("a webhook rejected an event; the event was dropped")
		return true, a.cfg.Events.GiveUp(ctx, e.ID)
	}
	return true, a.cfg.Events.RetryAt(ctx, e.ID, a.cfg.Now().Add(Wait(e.Attempts+1)))
}

// sendEvent sends an event. A panic counts as a failed attempt, so that it does not hold up the events after it.
func (a *Announcer) sendEvent(ctx context.Context, e Event) (failed error) {
	err := kith.Safely(func() error {
		failed = a.Send(ctx, e.Webhook, a.notice(e))
		return nil
	})
	if err != nil {
		a.cfg.Log.Error().Err(err).Int64("event", e.ID).Int64("app", e.App).Int64("webhook",
			e.Webhook.ID).Msg("sending an event panicked")
		return errPanicked
	}
	return failed
}

func (a *Announcer) putOff(ctx context.Context, r Receiver) error {
	ended, err := a.cfg.Events.PutOff(ctx, r, a.cfg.Now())
	if ended > 0 {
		a.cfg.Log.Error().Int64("events", ended).Int64("app", r.App).Int64("webhook",
			r.Webhook).Msg("a webhook does not respond; its events were dropped")
	}
	return err
}

func (a *Announcer) notice(e Event) any {
	if e.News.List != 0 || e.News.Search != 0 {
		return a.newsNotice(e)
	}
	n := notice{
		ID: a.cfg.Seal("event", e.ID), Type: string(e.Subject) + "." + e.To, CreatedAt: e.At,
		Data: noticeData{
			ExternalUserID: e.ExternalID, ID: e.Ticket, From: e.From, To: e.To, Reason: e.Reason,
			By: e.By,
		},
	}
	if e.Ticket != "" {
		return n
	}
	n.Data.ID, n.Data.SequenceID = a.cfg.Seal(string(e.Subject), e.Row), a.cfg.Seal(string(OfSequence), e.Sequence)
	if e.Lead != 0 {
		n.Data.LeadID = a.cfg.Seal(string(OfLead), e.Lead)
	}
	if e.From == e.To {
		n.Type = string(e.Subject) + ".edited"
	}
	return n
}

// newsNotice builds the notice for a change of a list or a saved search.
func (a *Announcer) newsNotice(e Event) notice {
	n := notice{
		ID: a.cfg.Seal("event", e.ID), Type: "search.matched", CreatedAt: e.At,
		Data: noticeData{ExternalUserID: e.ExternalID},
	}
	if e.News.Detail != nil {
		n.Data.Detail = json.RawMessage(*e.News.Detail)
	}
	if e.News.List != 0 {
		n.Type, n.Data.ID, n.Data.PersonID = "list.job_changed", a.cfg.Seal("list", e.News.List), e.News.Person
		return n
	}
	n.Data.ID = a.cfg.Seal("search", e.News.Search)
	return n
}

// WebhookClient returns a client that reaches what the guard allows, times out after 10 s and follows no redirects.
func WebhookClient(g netguard.Guard) *http.Client { return g.Client(announceTimeout) }

// Test sends a test event to a webhook.
func (a *Announcer) Test(ctx context.Context, w Webhook) error {
	return a.Send(ctx, w, notice{
		ID: a.cfg.Seal("event", 0), Type: "webhook.test", CreatedAt: a.cfg.Now().UTC().Truncate(time.Millisecond),
	})
}

var errPanicked = errors.New("sending the event failed inside of Kith")

var errNoSecret = errors.New("the secret of the webhook was sealed with another key; remove it and add it again")

// Send posts a signed body and returns nil if the answer is 200 to 299.
func (a *Announcer) Send(ctx context.Context, w Webhook, what any) error {
	if w.Secret == "" {
		return errNoSecret
	}
	body, err := json.Marshal(what)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, announceTimeout)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.URL, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "kith-webhook")
	req.Header.Set(SignatureHeader, Sign([]byte(w.Secret), body, a.cfg.Now()))
	res, err := a.cfg.Client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return fmt.Errorf("the webhook answered %s", res.Status)
	}
	return nil
}
