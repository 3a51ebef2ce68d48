package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/rs/zerolog"

	"kith/internal/netguard"
	"kith/internal/outreach"
	"kith/internal/postgres"
	"kith/internal/publicid"
)

type webhookCmd struct {
	Add    webhookAddCmd    `cmd:"" needs:"directory" help:"Add a webhook for an app and print its signing secret."`
	List   webhookListCmd   `cmd:"" needs:"directory" help:"List the webhooks of an app."`
	Remove webhookRemoveCmd `cmd:"" needs:"directory" help:"Remove a webhook."`
	Test   webhookTestCmd   `cmd:"" needs:"directory" help:"Send each webhook of an app a signed test event."`
}

// webhookOf names an app, and the key that secrets are sealed with.
type webhookOf struct {
	App           string `required:"" help:"Name of the app."`
	CredentialKey string `help:"The secret that kith serve gets by this flag." env:"KITH_CREDENTIAL_KEY" placeholder:"SECRET"`
}

// in runs f with the store and the app.
func (c webhookOf) in(ctx context.Context, g *globals, log zerolog.Logger,
	f func(*directory, *postgres.Delivery, int64) error,
) error {
	flags := deliveryFlags{CredentialKey: c.CredentialKey}
	if err := flags.check(); err != nil {
		return misused(err)
	}
	return inApp(ctx, g, log, c.App, func(d *directory, app int64) error {
		store, err := flags.deliveryStore(d)
		if err != nil {
			return err
		}
		return f(d, store, app)
	})
}

type webhookAddCmd struct {
	webhookOf
	networkFlags
	URL string `arg:"" help:"Where to send events."`
}

// Run adds the webhook.
func (c *webhookAddCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := cmp.Or(outreach.CheckWebhookURL(c.URL), c.reachable(ctx)); err != nil {
		return misused(err)
	}
	return c.in(ctx, g, log, func(_ *directory, store *postgres.Delivery, app int64) error {
		w, err := store.AddWebhook(ctx, app, outreach.Webhook{URL: c.URL, Secret: "whsec_" + rand.Text() + rand.Text()})
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "webhook %d is told what happens from now on; this is the secret that events are signed "+
			"with:\n", w.ID)
		return g.results.secret(w.Secret, func() error { return store.RemoveWebhook(context.WithoutCancel(ctx), app, w.ID) })
	})
}

// reachable refuses an address that nothing would be sent to.
func (c *webhookAddCmd) reachable(ctx context.Context) error {
	u, err := url.Parse(c.URL)
	if err != nil || c.guard().Resolves(ctx, u.Hostname()) {
		return nil //nolint:nilerr // what is wrong with the address is said elsewhere
	}
	return fmt.Errorf("%s is not a public address: name its network with --allow-network, here and of serve, or choose "+
		"a public one", u.Hostname())
}

type webhookListCmd struct{ webhookOf }

// Run lists the webhooks.
func (c *webhookListCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return c.in(ctx, g, log, func(_ *directory, store *postgres.Delivery, app int64) error {
		list, err := store.Webhooks(ctx, app)
		for _, w := range list {
			fmt.Fprintf(g.results, "%d\t%s\t%s\n", w.ID, w.URL, stateOf(w))
		}
		return err
	})
}

// stateOf says how a webhook fares.
func stateOf(w outreach.Webhook) string {
	if w.FailingSince.IsZero() {
		return "ok"
	}
	return fmt.Sprintf("failing since %s, %d events waiting: %s", minute(w.FailingSince), w.Waiting, w.Failure)
}

type webhookRemoveCmd struct {
	webhookOf
	ID int64 `arg:"" help:"Number of the webhook, as list shows it."`
	asks
}

// Run removes the webhook.
func (c *webhookRemoveCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	if err := c.confirm(fmt.Sprintf("Remove webhook %d", c.ID)); err != nil {
		return err
	}
	return c.in(ctx, g, log, func(_ *directory, store *postgres.Delivery, app int64) error {
		return store.RemoveWebhook(ctx, app, c.ID)
	})
}

type webhookTestCmd struct {
	webhookOf
	networkFlags
}

// Run sends the events.
func (c *webhookTestCmd) Run(ctx context.Context, g *globals, log zerolog.Logger) error {
	return c.in(ctx, g, log, func(d *directory, store *postgres.Delivery, app int64) error {
		list, err := store.Webhooks(ctx, app)
		if err != nil {
			return err
		}
		failed := 0
		for _, w := range list {
			if err := d.announcer(store, c.networkFlags, log).Test(ctx, w); err != nil {
				failed++
				if errors.Is(err, netguard.ErrPrivate) {
					err = fmt.Errorf("%w; --allow-network, here and of serve, lets it be reached", err)
				}
				fmt.Fprintf(g.results, "%d\t%s\t%v\n", w.ID, w.URL, err)
				continue
			}
			fmt.Fprintf(g.results, "%d\t%s\tok\n", w.ID, w.URL)
		}
		if failed > 0 || len(list) == 0 {
			return fmt.Errorf("%d of %d webhooks accepted the event", len(list)-failed, len(list))
		}
		return nil
	})
}

// announcer tells the webhooks of the directory's apps what happens.
func (d *directory) announcer(events outreach.Events, f networkFlags, log zerolog.Logger) *outreach.Announcer {
	return outreach.NewAnnouncer(outreach.AnnouncerConfig{
		Events: events, Log: log, Client: outreach.WebhookClient(f.guard()),
		Seal: func(kind string, id int64) string { return d.ids.Seal(publicid.Kind(kind), id) },
	})
}
