package outreach

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/outreach"
	"kith/internal/postgres/conn"
)

// selectSuppression selects the suppressions that a user caused. It leaves out the marks of erased addresses.
const selectSuppression = `select s.id, s.address, s.reason, s.created_at from suppressions s
	join users u on u.app_id = s.app_id and u.id = s.user_id where u.id = $1 and s.address like '%@%' `

// Suppressions implements [outreach.Suppressions].
func (o *Store) Suppressions(ctx context.Context, user int64, p outreach.Page) ([]outreach.Suppression, error) {
	return conn.Collect(ctx, o.pool, "suppressions", pgx.RowToStructByPos[outreach.Suppression],
		selectSuppression+"and s.id > $2 order by s.id limit $3", user, p.After, p.N)
}

// Suppress implements [outreach.Suppressions].
func (o *Store) Suppress(ctx context.Context, user int64, address string, now time.Time,
) (out outreach.Suppression, err error) {
	err = o.db.InUsersTx(ctx, user, "suppress", func(tx pgx.Tx) error {
		own, err := conn.Collect(ctx, tx, "suppression", pgx.RowToStructByPos[outreach.Suppression],
			selectSuppression+"and s.address = lower($2) order by s.id limit 1", user, address)
		if err != nil {
			return err
		}
		if len(own) > 0 {
			out = own[0]
			return nil
		}
		refused, err := o.addressRefused(ctx, tx, user, address)
		if err != nil {
			return err
		}
		if refused {
			return kith.Errorf(kith.Conflict, "ALREADY_SUPPRESSED", "the address must not be written to already")
		}
		added, err := conn.Collect(ctx, tx, "suppress", pgx.RowToStructByPos[outreach.Suppression], `
			insert into suppressions (app_id, address, reason, user_id, created_at)
			select app_id, lower($2), $3, id, $4 from users where id = $1
			returning id, address, reason, created_at`, user, address, outreach.SuppressedAdded, now)
		if err == nil && len(added) > 0 {
			out = added[0]
		}
		return err
	})
	return out, err
}

// Release implements [outreach.Suppressions].
func (o *Store) Release(ctx context.Context, user, id int64, release func(outreach.Suppression) error) error {
	return o.db.InTx(ctx, "release an address", func(tx pgx.Tx) error {
		found, err := conn.Collect(ctx, tx, "suppression", pgx.RowToStructByPos[outreach.Suppression],
			selectSuppression+"and s.id = $2 for update of s", user, id)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return kith.Errorf(kith.NotFound, "SUPPRESSION_NOT_FOUND", "you have no such suppressed address; "+
				"GET /v2/suppressions lists yours")
		}
		if err := release(found[0]); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "delete from suppressions where id = $1", id)
		return err
	})
}
