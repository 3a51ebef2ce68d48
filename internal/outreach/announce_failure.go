package outreach

import (
	"context"
	"errors"
	"net/url"
	"time"

	"kith/internal/access/netguard"
)

// privatePause is how long the events of a webhook wait that a process may not reach. Another one may take them then.
const privatePause = 10 * time.Second

func (e Event) receiver() Receiver { return Receiver{e.App, e.Webhook.ID} }

// unreachableLimit is how long a webhook may be forbidden to every process before its events are dropped.
const unreachableLimit = 24 * time.Hour

// leave records that this process may not reach a webhook. Its events wait uncounted, because another process may
// reach it. leave drops them after a day of failures.
func (a *Announcer) leave(ctx context.Context, events []Event) error {
	if err := a.failing(ctx, events[0], netguard.ErrPrivate); err != nil {
		return err
	}
	if since := events[0].Webhook.FailingSince; since.IsZero() || a.cfg.Now().Sub(since) < unreachableLimit {
		return nil
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
