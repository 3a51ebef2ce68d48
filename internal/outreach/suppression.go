package outreach

import (
	"context"
	"time"

	"kith"
)

// SuppressionReason is why an address must not be written to.
type SuppressionReason string

// The reasons.
const (
	SuppressedUnsubscribed SuppressionReason = "unsubscribed"
	SuppressedBounced      SuppressionReason = "bounced"
	SuppressedComplained   SuppressionReason = "complained"
	// SuppressedAdded is what a user added.
	SuppressedAdded SuppressionReason = "added"
)

// Suppression is an address that a user and all others of the app must not write to.
type Suppression struct {
	ID        int64
	Address   string
	Reason    SuppressionReason
	CreatedAt time.Time
}

// Lasts reports whether the recipient asked for it: then no user takes it back.
func (s Suppression) Lasts() bool {
	return s.Reason == SuppressedUnsubscribed || s.Reason == SuppressedComplained
}

// Suppressions keeps the addresses that must not be written to. A user sees those that came about through them: by
// their e-mails, or because they added them.
type Suppressions interface {
	Suppressions(ctx context.Context, user int64, p Page) ([]Suppression, error)
	// Suppress stores an address that a user adds. One that the user has already stays as it is; one that must not be
	// written to for another reason is a Conflict.
	Suppress(ctx context.Context, user int64, address string, now time.Time) (Suppression, error)
	// Release ends a suppression that the user sees, if release lets it; else NotFound.
	Release(ctx context.Context, user, id int64, release func(Suppression) error) error
}

// Suppressions lists the addresses that came about through the caller, oldest first.
func (s *Service) Suppressions(ctx context.Context, a kith.Actor, p Page) (list []Suppression, more bool, err error) {
	return page(p, func(p Page) ([]Suppression, error) { return s.store.Suppressions(ctx, a.UserID, p) })
}

// Suppress keeps the whole app from writing to an address.
func (s *Service) Suppress(ctx context.Context, a kith.Actor, address string) (Suppression, error) {
	if !kith.ValidEmail(address) {
		return Suppression{}, kith.InvalidFields([]kith.FieldError{{
			Field: "address", Code: "INVALID_EMAIL", Message: "must be a valid e-mail address, such as jane@example.com",
		}})
	}
	return s.store.Suppress(ctx, a.UserID, address, s.time())
}

// Release lets the app write to an address again, unless its recipient asked not to be written to.
func (s *Service) Release(ctx context.Context, a kith.Actor, id int64) error {
	return s.store.Release(ctx, a.UserID, id, func(is Suppression) error {
		if is.Lasts() {
			return kith.Errorf(kith.Conflict, "SUPPRESSION_LASTS",
				"the recipient asked not to be written to (%s), which cannot be taken back here", is.Reason)
		}
		return nil
	})
}
