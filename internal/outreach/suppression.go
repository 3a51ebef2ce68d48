package outreach

import (
	"context"
	"time"

	"kith"
)

// SuppressionReason is the reason why an address is suppressed.
type SuppressionReason string

// The values of [SuppressionReason].
const (
	SuppressedUnsubscribed SuppressionReason = "unsubscribed"
	SuppressedBounced      SuppressionReason = "bounced"
	SuppressedComplained   SuppressionReason = "complained"
	// SuppressedAdded marks addresses that a user added.
	SuppressedAdded SuppressionReason = "added"
)

// Suppression is an address that no user of the app may write to.
type Suppression struct {
	ID        int64
	Address   string
	Reason    SuppressionReason
	CreatedAt time.Time
}

// Lasts reports whether the recipient asked for the suppression; then no user can remove it.
func (s Suppression) Lasts() bool {
	return s.Reason == SuppressedUnsubscribed || s.Reason == SuppressedComplained
}

// Suppressions stores the addresses that must not be written to. A user sees those that
// the user's e-mails caused, and those that the user added.
type Suppressions interface {
	Suppressions(ctx context.Context, user int64, p Page) ([]Suppression, error)
	// Suppress stores an address for a user. Adding it twice changes nothing. If the address
	// is suppressed for another reason, it is a Conflict.
	Suppress(ctx context.Context, user int64, address string, now time.Time) (Suppression, error)
	// Release deletes a suppression that the user sees if release returns nil; NotFound if there is none.
	Release(ctx context.Context, user, id int64, release func(Suppression) error) error
}

// Suppressions lists the caller's suppressed addresses, oldest first.
func (s *Service) Suppressions(ctx context.Context, a kith.Actor, p Page) (list []Suppression, more bool, err error) {
	return page(p, func(p Page) ([]Suppression, error) { return s.store.Suppressions(ctx, a.UserID, p) })
}

// Suppress stops the whole app from writing to an address.
func (s *Service) Suppress(ctx context.Context, a kith.Actor, address string) (Suppression, error) {
	var c checker
	if c.address("address", address); len(c.problems) > 0 {
		return Suppression{}, kith.InvalidFields(c.problems)
	}
	return s.store.Suppress(ctx, a.UserID, address, now())
}

// Release lets the app write to an address again, unless the recipient asked for the suppression.
func (s *Service) Release(ctx context.Context, a kith.Actor, id int64) error {
	return s.store.Release(ctx, a.UserID, id, func(is Suppression) error {
		if is.Lasts() {
			return kith.Errorf(kith.Conflict, "SUPPRESSION_LASTS",
				"the recipient opted out (%s); this cannot be undone here", is.Reason)
		}
		return nil
	})
}
