package outreach

import (
	"context"
	"crypto/rand"
	"net/url"

	"kith"
)

// Subscriber is who has a webhook: an app, or one of its users where User is not 0.
type Subscriber struct{ App, User int64 }

// MaxWebhooks is how many webhooks a user may have.
const MaxWebhooks = 10

// WebhookStore keeps webhooks. Their secrets are sealed in it.
type WebhookStore interface {
	// AddWebhook stores a webhook and returns it with its number. A user who has [MaxWebhooks] is a Conflict.
	AddWebhook(ctx context.Context, of Subscriber, w Webhook) (Webhook, error)
	// Webhooks lists those of a user; of an app, those of its users, too.
	Webhooks(ctx context.Context, of Subscriber) ([]Webhook, error)
	// RemoveWebhook ends one of those that [WebhookStore.Webhooks] lists, and what it was yet to be told; else NotFound.
	RemoveWebhook(ctx context.Context, of Subscriber, id int64) error
}

// Webhooks lets apps and users have addresses told of what happens: a user of what is theirs, an app of what is its
// users'. It is safe for concurrent use.
type Webhooks struct {
	WebhookStore

	announcer *Announcer
	reachable func(ctx context.Context, host string) bool
}

// NewWebhooks returns the webhooks of a store. reachable tells whether events may be sent to a host.
func NewWebhooks(store WebhookStore, announcer *Announcer, reachable func(context.Context, string) bool) *Webhooks {
	return &Webhooks{store, announcer, reachable}
}

// Add makes an address a webhook, with a new secret. An address that nothing would be sent to is Invalid.
func (h *Webhooks) Add(ctx context.Context, of Subscriber, address string) (Webhook, error) {
	if err := h.Check(ctx, address); err != nil {
		return Webhook{}, err
	}
	return h.AddWebhook(ctx, of, Webhook{URL: address, Secret: "whsec_" + rand.Text() + rand.Text()})
}

// Check returns an Invalid that says what is wrong with an address.
func (h *Webhooks) Check(ctx context.Context, address string) error {
	if err := CheckWebhookURL(address); err != nil {
		return err
	}
	u, err := url.Parse(address)
	if err == nil && !h.reachable(ctx, u.Hostname()) {
		return kith.Errorf(kith.Invalid, "PRIVATE_ADDRESS", "%s is not a public address: choose a public one, or have the "+
			"operator name its network (--allow-network, of serve and of kith webhook)", u.Hostname())
	}
	return nil
}

// Test sends one of the webhooks a signed event that is about nothing. failure says why it was not taken.
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
	return nil, NoWebhook(id)
}

// NoWebhook is the NotFound of a webhook that is not there.
func NoWebhook(id int64) error {
	return kith.Errorf(kith.NotFound, "WEBHOOK_NOT_FOUND", "there is no webhook %d among those that are listed", id)
}
