package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/rs/zerolog"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/access/netguard"
	"kith/internal/access/publicid"
	"kith/internal/outreach"
)

type webhookCmd struct {
	Add    webhookAddCmd    `cmd:""`
	List   webhookListCmd   `cmd:""`
	Remove webhookRemoveCmd `cmd:""`
	Test   webhookTestCmd   `cmd:""`
}

// webhookTarget names an app, and the key that encrypts secrets.
type webhookTarget struct {
	App           string `required:""`
	CredentialKey string `env:"KITH_CREDENTIAL_KEY" placeholder:"SECRET"`
}

// in runs f with the store and the app.
func (c webhookTarget) in(ctx context.Context, g *globals, log zerolog.Logger,
	network networkFlags, f func(hooks *outreach.Webhooks, of outreach.Subscriber) error,
) error {
	flags := deliveryFlags{CredentialKey: c.CredentialKey}
	if err := flags.check(); err != nil {
		return usageError(err)
	}
	return inApp(ctx, g, log, c.App, func(d *dataset, app auth.App) error {
		vault, err := flags.vault(d)
		if err != nil {
			return err
		}
		store := d.db.Delivery(vault)
		hooks := outreach.NewWebhooks(store, d.announcer(store, network, log), network.guard().Resolves)
		return f(hooks, outreach.Subscriber{App: app.ID, By: kith.OperatorPrincipal()})
	})
}

type webhookAddCmd struct {
	webhookTarget
	networkFlags
	URL string `arg:""`
}

// Run adds the webhook.
func (c *webhookAddCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	reachable := outreach.NewWebhooks(nil, nil, c.guard().Resolves)
	if err := reachable.Check(ctx, c.URL); err != nil {
		return usageError(err)
	}
	return c.in(ctx, g, log, c.networkFlags, func(hooks *outreach.Webhooks, of outreach.Subscriber) error {
		w, err := hooks.Add(ctx, of, c.URL)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "webhook %d receives events from now on; this secret signs them:\n", w.ID)
		return g.results.secret(w.Secret, func() error {
			return hooks.RemoveWebhook(context.WithoutCancel(ctx), of,
				w.ID)
		})
	})
}

type webhookListCmd struct {
	webhookTarget
	listFlags
}

type webhookRow struct {
	Webhook int64  `json:"webhook"`
	URL     string `json:"url" table:"whole"`
	For     string `json:"for"`
	State   string `json:"state"`
}

// Run lists the webhooks.
func (c *webhookListCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return c.in(ctx, g, log, networkFlags{}, func(hooks *outreach.Webhooks, of outreach.Subscriber) error {
		list, err := hooks.Webhooks(ctx, of)
		if err != nil {
			return err
		}
		return printList(g.results, c.listFlags, list, func(w outreach.Webhook) webhookRow {
			subscriber := "all users"
			if w.User != "" {
				subscriber = "user " + w.User
			}
			return webhookRow{w.ID, w.URL, subscriber, describeState(w)}
		})
	})
}

// describeState describes the state of a webhook.
func describeState(w outreach.Webhook) string {
	if w.FailingSince.IsZero() {
		return "ok"
	}
	return fmt.Sprintf("failing since %s, %s waiting: %s", minute(w.FailingSince),
		kith.Counted(w.Waiting, "event", "events"), w.Failure)
}

type webhookRemoveCmd struct {
	webhookTarget
	ID int64 `arg:""`
	asks
}

// Run removes the webhook.
func (c *webhookRemoveCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := c.confirm(fmt.Sprintf("Remove webhook %d", c.ID)); err != nil {
		return err
	}
	return c.in(ctx, g, log, networkFlags{}, func(hooks *outreach.Webhooks, of outreach.Subscriber) error {
		return hooks.RemoveWebhook(ctx, of, c.ID)
	})
}

type webhookTestCmd struct {
	webhookTarget
	networkFlags
	listFlags
}

type webhookTestRow struct {
	Webhook int64  `json:"webhook"`
	URL     string `json:"url"`
	Result  string `json:"result" table:"whole"`
}

// Run sends test events.
func (c *webhookTestCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return c.in(ctx, g, log, c.networkFlags, func(hooks *outreach.Webhooks, of outreach.Subscriber) error {
		list, err := hooks.Webhooks(ctx, of)
		if err != nil {
			return err
		}
		failed, rows := 0, newListing[webhookTestRow](g.results, c.listFlags)
		for _, w := range list {
			result := "ok"
			err, away := hooks.Test(ctx, of, w.ID)
			if away != nil {
				return away
			}
			if err != nil {
				failed++
				if errors.Is(err, netguard.ErrPrivate) {
					err = fmt.Errorf("%w; --allow-network, here and of serve, lets it be reached", err)
				}
				result = err.Error()
			}
			if err := rows.add(webhookTestRow{w.ID, w.URL, result}); err != nil {
				return err
			}
		}
		if err := rows.end(); err != nil {
			return err
		}
		if failed > 0 || len(list) == 0 {
			return fmt.Errorf("%d of %d webhooks accepted the event", len(list)-failed, len(list))
		}
		return nil
	})
}

// announcer returns the sender of events to webhooks of the dataset.
func (d *dataset) announcer(events outreach.Events, f networkFlags, log zerolog.Logger) *outreach.Announcer {
	return outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: events, Log: log, Client: outreach.WebhookClient(f.guard()),
		Seal: func(kind string, id int64) string { return d.ids.Seal(publicid.Kind(kind), id) },
	})
}
