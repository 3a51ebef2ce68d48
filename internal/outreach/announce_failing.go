package outreach

import (
	"context"
	"errors"
	"net/url"
	"time"

	"kith/internal/netguard"
)

// refusedFor is how long a process leaves a webhook that it may not reach to others.
const refusedFor = time.Minute

func (e Event) receiver() Receiver { return Receiver{e.App, e.Webhook.ID} }

// without are the webhooks that this process may not reach.
func (a *Announcer) without(now time.Time) []Receiver {
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

// nobodyReaches is how long no process may reach a webhook before its events are given up.
const nobodyReaches = 24 * time.Hour

// leave gives events back whose webhook this process may not reach: another may, and the
// attempts are its. After a day in which none did they are given up.
func (a *Announcer) leave(ctx context.Context, events []Event) error {
	now := a.cfg.Now()
	a.mu.Lock()
	a.refused[events[0].receiver()] = now.Add(refusedFor)
	a.mu.Unlock()
	if err := a.failing(ctx, events[0], netguard.ErrPrivate); err != nil {
		return err
	}
	if since := events[0].Webhook.FailingSince; since.IsZero() || now.Sub(since) < nobodyReaches {
		return a.cfg.Events.GiveBack(ctx, numbers(events), now)
	}
	for _, e := range events {
		if err := a.cfg.Events.GiveUp(ctx, e.ID); err != nil {
			return err
		}
	}
	a.cfg.Log.Error().Int("events", len(events)).Int64("app", events[0].App).Int64("webhook", events[0].Webhook.ID).
		Msg("no process may reach a webhook; events are given up")
	return nil
}

// failing notes that a webhook does not take events, and logs where that begins.
func (a *Announcer) failing(ctx context.Context, e Event, why error) error {
	if unreached, ok := errors.AsType[*url.Error](why); ok {
		why = unreached.Err // without the address, which may be all that a receiver asks for
	}
	began, err := a.cfg.Events.Failing(ctx, e.receiver(), why.Error(), a.cfg.Now())
	if err == nil && began {
		a.cfg.Log.Warn().Err(why).Int64("app", e.App).Int64("webhook", e.Webhook.ID).Msg("a webhook does not take events")
	}
	return err
}
