package outreach

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/outreach"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	recordsql "kith/internal/postgres/record"
)

// Unsubscribe suppresses the address of an e-mail for the user's app, and closes the lead. It is idempotent. address is
// the recipient, in case the e-mail is gone.
func (o *Delivery) Unsubscribe(ctx context.Context, user, email int64, address string, now time.Time) error {
	return o.db.InTx(ctx, "unsubscribe", func(tx pgx.Tx) error {
		if err := o.db.BlockDeletions(ctx, tx); err != nil { // see suppress
			return err
		}
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
		err = o.changeCase(ctx, tx, at, func(c *outreach.Case) error {
			c.By, c.Now = outreach.ByFeedback, now
			c.Unsubscribed("the recipient unsubscribed")
			return nil
		})
		if err != nil {
			return err
		}
		_, err = suppress(ctx, tx, user, address, outreach.SuppressedUnsubscribed)
		return err
	})
}

// suppress keeps the user's app from writing to an address, and reports whether it changed anything. A reason that
// lasts replaces one that does not: see [outreach.Suppression.Lasts]. It is NotFound if there is no such user. Lock the
// lead before, as erasures do. Block deletions before reading the address: an erasure that commits in between would
// leave the address readable.
func suppress(ctx context.Context, tx pgx.Tx, user int64, address string, reason outreach.SuppressionReason,
) (changed bool, err error) {
	var there bool
	err = tx.QueryRow(ctx, `with changed as (
			insert into suppressions as s (app_id, address, reason, user_id)
			select app_id, lower($2), $3, id from users where id = $1
			on conflict (app_id, address, user_id) do update set reason = excluded.reason
				where s.reason in ('added', 'bounced') and excluded.reason in ('unsubscribed', 'complained')
			returning s.id)
		select exists (select from users where id = $1), exists (select from changed)`, user, address, string(reason)).
		Scan(&there, &changed)
	if err == nil && !there {
		err = noLink()
	}
	return changed, err
}

// suppressUnlessErased is [suppress] for an e-mail deleted with its lead: the person was deleted or erased, and an
// erased person must not be named again. The app refuses an erased address without a readable suppression; while
// the erasure can be canceled, an unreadable one keeps the opt-out.
func (o *Delivery) suppressUnlessErased(ctx context.Context, tx pgx.Tx, user int64, address string) error {
	refused, err := recordsql.RefusedAddresses(ctx, o.db.DB, tx, user, []string{address})
	if err != nil {
		return err
	}
	readable, err := conn.Value[bool](ctx, tx, "suppression", `select exists (select from suppressions s
		join users u on u.app_id = s.app_id where u.id = $1 and s.address = any($2))`, user,
		kith.EmailSpellings(address))
	if err == nil && refused[address] && !readable {
		if address, err = o.markErased(ctx, tx, user, address); address == "" {
			return err
		}
	}
	if err != nil {
		return err
	}
	_, err = suppress(ctx, tx, user, address, outreach.SuppressedUnsubscribed)
	return err
}

// markErased returns the unreadable form of an erased address, or "" if no cancellation of an erasure changes what the
// user's app refuses: it lifts the refusal of a person's addresses, and makes the app's suppressions readable again.
func (o *Delivery) markErased(ctx context.Context, tx pgx.Tx, user int64, address string) (string, error) {
	keep, err := access.ReadSuppression(ctx, o.db.DB, tx)
	if err != nil {
		return "", err
	}
	var hashes [][]byte
	for _, spelling := range kith.EmailSpellings(address) {
		hashes = append(hashes, keep.Email(spelling))
	}
	mark := recordsql.ForgottenAddress(keep, address)
	matters, err := conn.Value[bool](ctx, tx, "erasures of an address", `select exists (select from erasures
			where marks && $1::bytea[] and archive is not null)
		or exists (select from suppressions s join users u on u.app_id = s.app_id where u.id = $2 and s.address = $3)`,
		hashes, user, mark)
	if err != nil || !matters {
		return "", err
	}
	return mark, nil
}

func noLink() error {
	return kith.Errorf(kith.NotFound, "LINK_NOT_FOUND", "the e-mail that this link is of is gone")
}
