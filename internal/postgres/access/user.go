package access

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/postgres/conn"
)

// UsersOf implements [auth.Store].
func (a *Auth) UsersOf(ctx context.Context, app int64, now time.Time) ([]auth.UserInfo, error) {
	return conn.Collect(ctx, a.db.Querier(), "users", conn.Into(userFields),
		selectUser+"where u.app_id = $1 order by u.external_id", app, now)
}

// UserPage implements [auth.Store].
func (a *Auth) UserPage(ctx context.Context, app, above int64, n int, now time.Time) ([]auth.UserInfo, error) {
	return conn.Collect(ctx, a.db.Querier(), "users", conn.Into(userFields),
		selectUser+"where u.app_id = $1 and u.id > $3 order by u.id limit $4", app, now, above, n)
}

const selectUser = `select u.id, a.name, u.external_id, u.email, u.created_at, u.disabled_at,
		(select count(*) from tokens t where t.user_id = u.id and t.expires_at > $2)
	from users u join apps a on a.id = u.app_id `

func userFields(u *auth.UserInfo) []any {
	return []any{
		&u.ID, &u.App, &u.ExternalID, &u.Email, &u.Created, (*zeronull.Timestamptz)(&u.Disabled), &u.Tokens,
	}
}

// SetDisabled implements [auth.Store]. Other users' jobs for the same people continue.
func (a *Auth) SetDisabled(
	ctx context.Context, by kith.Principal, app int64, user string, disabled bool, now time.Time,
) error {
	return a.db.InTx(ctx, "disable user", func(tx pgx.Tx) error {
		id, err := conn.One(ctx, tx, "user", kith.Errorf(kith.NotFound, "USER_NOT_FOUND",
			"the app has no user %q; kith user list shows its users", user), pgx.RowTo[int64],
			`update users set disabled_at = case when $3 then coalesce(disabled_at, $4) end
			where app_id = $1 and external_id = $2 returning id`, app, user, disabled, now)
		if err != nil {
			return err
		}
		if !disabled {
			return Record(ctx, a.db, tx, by, "user.enabled", "user "+user, nil)
		}
		for _, table := range []string{"tokens", "signin_links"} {
			if err := conn.Exec(ctx, tx, "end tokens", "delete from "+table+" where user_id = $1", id); err != nil {
				return err
			}
		}
		err = conn.Exec(
			ctx,
			tx,
			"end jobs",
			"update jobs set finished_at = $2, status = 'canceled' where user_id = $1 and "+
				"finished_at is null",
			id,
			now,
		)
		if err != nil {
			return err
		}
		return Record(ctx, a.db, tx, by, "user.disabled", "user "+user, nil)
	})
}

// DropUsers deletes every user with their tokens, and the kept answers, which may be about them.
func (a *Auth) DropUsers(ctx context.Context) error {
	return a.db.InTx(ctx, "drop users", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "delete from users"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "delete from idempotency_keys")
		return err
	})
}

// UsersNamed returns the users with an external id, by the name of the app; app, unless empty, restricts them to one
// app.
func (a *Auth) UsersNamed(ctx context.Context, app, externalID string) ([]auth.User, error) {
	return conn.Collect(ctx, a.db.Querier(), "read users", conn.Into(func(u *auth.User) []any {
		return []any{&u.App, &u.AppID, &u.UserID, &u.ExternalID, &u.Email, &u.Name, &u.CreatedAt}
	}), `select a.name, u.app_id, u.id, u.external_id, u.email, u.name, u.created_at from users u
		join apps a on a.id = u.app_id
		where u.external_id = $1 and $2 in ('', a.name) order by a.name`, externalID, app)
}
