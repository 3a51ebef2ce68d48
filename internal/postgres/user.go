package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"kith/internal/auth"
)

// UsersNamed returns the users whom apps know by an external id, by the name of
// the app; app is the only one that counts, unless it is empty.
func (a *Auth) UsersNamed(ctx context.Context, app, externalID string) ([]auth.User, error) {
	return collect(ctx, a.db.pool, "read users", func(row pgx.CollectableRow) (u auth.User, err error) {
		err = row.Scan(&u.App, &u.AppID, &u.UserID, &u.ExternalID, &u.Email, &u.Name, &u.CreatedAt)
		u.CreatedAt = u.CreatedAt.UTC()
		return u, err
	}, `select a.name, u.app_id, u.id, u.external_id, u.email, u.name, u.created_at from users u join apps a on a.id = u.app_id
		where u.external_id = $1 and $2 in ('', a.name) order by a.name`, externalID, app)
}
