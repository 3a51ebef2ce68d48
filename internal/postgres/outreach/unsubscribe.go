package outreach

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/outreach"
	recordsql "kith/internal/postgres/record"
)

// Unsubscribe suppresses the address of an e-mail for the user's app, and closes the lead. It is idempotent. address is
// the recipient, in case the e-mail is gone.
func (o *Delivery) Unsubscribe(ctx context.Context, user, email int64, address string, now time.Time) error {
	return o.db.InTx(ctx, "unsubscribe", func(tx pgx.Tx) error {
		at := caseKey{user: user}
		err := tx.QueryRow(ctx, "select sequence_id, lead_id, lower(to_address) from emails where user_id = $1 and id "+
			"= $2", user, email).
			Scan(&at.sequence, &at.lead, &address)
		if errors.Is(err, pgx.ErrNoRows) {
			return o.suppressUnlessErased(ctx, tx, user, address)
		}
		if err != nil {
			return err
		}
		if err := suppress(ctx, tx, user, address); err != nil {
			return err
		}
		return o.changeCase(ctx, tx, at, func(c *outreach.Case) error {
			c.By, c.Now = outreach.ByFeedback, now
			c.Unsubscribed("the recipient unsubscribed")
			return nil
		})
	})
}

// suppress keeps the user's app from writing to an address; NotFound if there is no such user.
func suppress(ctx context.Context, tx pgx.Tx, user int64, address string) error {
	var there bool
	err := tx.QueryRow(ctx, `with added as (
			insert into suppressions (app_id, address, reason, user_id)
			select app_id, lower($2), 'unsubscribed', id from users where id = $1
			on conflict do nothing)
		select exists (select from users where id = $1)`, user, address).Scan(&there)
	if err == nil && !there {
		return noLink()
	}
	return err
}

// suppressUnlessErased is [suppress] for an e-mail deleted with its lead: the person was deleted or erased, and an
// erased person must not be named again.
func (o *Delivery) suppressUnlessErased(ctx context.Context, tx pgx.Tx, user int64, address string) error {
	refused, err := recordsql.RefusedAddresses(ctx, o.db.DB, tx, user, []string{address})
	if err != nil || refused[address] {
		return err
	}
	return suppress(ctx, tx, user, address)
}

func noLink() error {
	return kith.Errorf(kith.NotFound, "LINK_NOT_FOUND", "the e-mail that this link is of is gone")
}
