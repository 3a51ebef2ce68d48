package outreach

import (
	"context"
	"errors"
	"net/url"
	"time"

	"kith/internal/netguard"
)

// refusedFor is how long this process leaves an unreachable (private) webhook to other processes.
const refusedFor = time.Minute

func (e Event) receiver() Receiver { return Receiver{e.App, e.Webhook.ID} }

// unreachableWebhooks returns the webhooks that this process may not reach.
func (a *Announcer) unreachableWebhooks(now time.Time) []Receiver {
	a.mu.Lock()
	defer a.mu.Unlock()
	var out []Receiver
	for r, until := range a.refused {
		if now.Before(until) {
			out = append(out, r)
		} else {
			delete(a.refused, r)
		}
	}
	return out
}

// unreachableLimit is how long a webhook may be forbidden to every process before its events are dropped.
const unreachableLimit = 24 * time.Hour

// leave returns the events of a webhook that this process may not reach: another process
// may, and these attempts should not count. It drops the events after a day of failures.
func (a *Announcer) leave(ctx context.Context, events []Event) error {
	now := a.cfg.Now()
	a.mu.Lock()
	a.refused[events[0].receiver()] = now.Add(refusedFor)
	a.mu.Unlock()
	if err := a.failing(ctx, events[0], netguard.ErrPrivate); err != nil {
		return err
	}
	if since := events[0].Webhook.FailingSince; since.IsZero() || now.Sub(since) < unreachableLimit {
		return a.cfg.Events.GiveBack(ctx, numbers(events), now)
	}
	for _, e := range events {
		if err := a.cfg.Events.GiveUp(ctx, e.ID); err != nil {
			return err
		}
	}
	a.cfg.Log.Error().Int("events", len(events)).Int64("app", events[0].App).Int64("webhook", events[0].Webhook.ID).
		Msg("no process may reach a webhook; its events were dropped")
	return nil
}

// failing records that a webhook rejects events, and logs the first failure.
func (a *Announcer) failing(ctx context.Context, e Event, why error) error {
	if unreached, ok := errors.AsType[*url.Error](why); ok {
		why = unreached.Err // without the address, which may be the receiver's only secret
	}
	began, err := a.cfg.Events.Failing(ctx, e.receiver(), why.Error(), a.cfg.Now())
	if err == nil && began {
		a.cfg.Log.Warn().Err(why).Int64("app", e.App).Int64("webhook", e.Webhook.ID).Msg("a webhook is failing")
	}
	return err
}
