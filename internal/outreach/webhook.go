package outreach

import (
	"context"
	"crypto/rand"
	"net/url"

	"kith"
)

// Subscriber owns webhooks: an app, or one of its users if User is not 0.
type Subscriber struct {
	App, User int64
	// By is the author of changes, for the audit.
	By kith.Principal
}

// MaxWebhooks limits the webhooks of a user.
const MaxWebhooks = 10

// WebhookStore stores webhooks. It encrypts their secrets.
type WebhookStore interface {
	// AddWebhook stores a webhook and returns it with its id. It is a Conflict if the user already has [MaxWebhooks].
	AddWebhook(ctx context.Context, of Subscriber, w Webhook) (Webhook, error)
	// Webhooks lists the webhooks of a user, or of an app and all its users.
	Webhooks(ctx context.Context, of Subscriber) ([]Webhook, error)
	// RemoveWebhook deletes a webhook that [WebhookStore.Webhooks] lists, with its undelivered events; else NotFound.
	RemoveWebhook(ctx context.Context, of Subscriber, id int64) error
}

// Webhooks manages the addresses that receive events: a user's webhook receives the user's
// events, an app's webhook those of all its users. It is safe for concurrent use.
type Webhooks struct {
	WebhookStore

	announcer *Announcer
	reachable func(ctx context.Context, host string) bool
}

// NewWebhooks returns a service for the webhooks of a store. reachable reports whether Kith may send events to a host.
func NewWebhooks(store WebhookStore, announcer *Announcer, reachable func(context.Context, string) bool) *Webhooks {
	return &Webhooks{store, announcer, reachable}
}

// Add creates a webhook with a new secret. An address that Kith may not send to is Invalid.
func (h *Webhooks) Add(ctx context.Context, of Subscriber, address string) (Webhook, error) {
	if err := h.Check(ctx, address); err != nil {
		return Webhook{}, err
	}
	return h.AddWebhook(ctx, of, Webhook{URL: address, Secret: "whsec_" + rand.Text() + rand.Text()})
}

// Check returns Invalid if an address cannot be a webhook.
func (h *Webhooks) Check(ctx context.Context, address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || u.Fragment != "" {
		return kith.Errorf(kith.Invalid, "INVALID_URL",
			"the address of a webhook must be an https or http address without a user, such as "+
				"https://app.example.com/hooks/kith")
	}
	if !h.reachable(ctx, u.Hostname()) {
		return kith.Errorf(kith.Invalid, "PRIVATE_ADDRESS", "%s is not a public address: choose a public one, or have "+
			"the "+"operator name its network (--allow-network, of serve and of kith webhook)", u.Hostname())
	}
	return nil
}

// Test sends a signed test event to a webhook. failure is the reason why the webhook did not accept it.
func (h *Webhooks) Test(ctx context.Context, of Subscriber, id int64) (failure error, err error) {
	all, err := h.Webhooks(ctx, of)
	if err != nil {
		return nil, err
	}
	for _, w := range all {
		if w.ID == id {
			return h.announcer.Test(ctx, w), nil
		}
	}
	return nil, WebhookNotFound(id)
}

// WebhookNotFound returns the NotFound error for an unknown webhook.
func WebhookNotFound(id int64) error {
	return kith.Errorf(kith.NotFound, "WEBHOOK_NOT_FOUND", "there is no webhook %d; list yours first", id)
}
