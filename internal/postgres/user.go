package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/access/auth"
)

// UsersOf implements [auth.Store].
func (a *Auth) UsersOf(ctx context.Context, app int64, now time.Time) ([]auth.UserInfo, error) {
	return Collect(ctx, a.db.pool, "users", scanUser, selectUser+"where u.app_id = $1 order by u.external_id", app, now)
}

// UserPage implements [auth.Store].
func (a *Auth) UserPage(ctx context.Context, app, above int64, n int, now time.Time) ([]auth.UserInfo, error) {
	return Collect(ctx, a.db.pool, "users", scanUser,
		selectUser+"where u.app_id = $1 and u.id > $3 order by u.id limit $4", app, now, above, n)
}

const selectUser = `select u.id, a.name, u.external_id, u.email, u.created_at, u.disabled_at,
		(select count(*) from tokens t where t.user_id = u.id and t.expires_at > $2)
	from users u join apps a on a.id = u.app_id `

func scanUser(row pgx.CollectableRow) (u auth.UserInfo, err error) {
	var disabled *time.Time
	err = row.Scan(&u.ID, &u.App, &u.ExternalID, &u.Email, &u.Created, &disabled, &u.Tokens)
	u.Created, u.Disabled = u.Created.UTC(), timeOrZero(disabled)
	return u, err
}

// SetDisabled implements [auth.Store]. Other users' jobs for the same people continue.
func (a *Auth) SetDisabled(
	ctx context.Context, by kith.Principal, app int64, user string, disabled bool, now time.Time,
) error {
	err := a.db.InTx(ctx, func(tx pgx.Tx) error {
		id, err := Value[int64](ctx, tx, "user", `update users set disabled_at = case
			when $3 then coalesce(disabled_at, $4) end
			where app_id = $1 and external_id = $2 returning id`, app, user, disabled, now)
		if errors.Is(err, pgx.ErrNoRows) {
			return kith.Errorf(kith.NotFound, "USER_NOT_FOUND", "the app has no user %q; kith user list shows its users", user)
		}
		if err != nil {
			return err
		}
		if !disabled {
			return a.db.Record(ctx, tx, by, "user.enabled", "user "+user, nil)
		}
		for _, table := range []string{"tokens", "signin_links"} {
			if err := Exec(ctx, tx, "end tokens", "delete from "+table+" where user_id = $1", id); err != nil {
				return err
			}
		}
		err = Exec(ctx, tx, "end jobs", "update jobs set finished_at = $2, status = 'canceled' where user_id = $1 and "+
			"finished_at is null", id, now)
		if err != nil {
			return err
		}
		return a.db.Record(ctx, tx, by, "user.disabled", "user "+user, nil)
	})
	if err != nil {
		return fmt.Errorf("disable user: %w", err)
	}
	return nil
}

// DropUsers deletes every user with their tokens, and the kept answers, which may be about them.
func (a *Auth) DropUsers(ctx context.Context) error {
	err := a.db.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "delete from users"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "delete from idempotency_keys")
		return err
	})
	if err != nil {
		return fmt.Errorf("drop users: %w", err)
	}
	return nil
}

// UsersNamed returns the users with an external id, by the name of the app; app, unless empty, restricts them to one
// app.
func (a *Auth) UsersNamed(ctx context.Context, app, externalID string) ([]auth.User, error) {
	return Collect(ctx, a.db.pool, "read users", func(row pgx.CollectableRow) (u auth.User, err error) {
		err = row.Scan(&u.App, &u.AppID, &u.UserID, &u.ExternalID, &u.Email, &u.Name, &u.CreatedAt)
		u.CreatedAt = u.CreatedAt.UTC()
		return u, err
	}, `select a.name, u.app_id, u.id, u.external_id, u.email, u.name, u.created_at from users u
		join apps a on a.id = u.app_id
		where u.external_id = $1 and $2 in ('', a.name) order by a.name`, externalID, app)
}
