// Package access stores who may use a dataset and what they did: apps, keys, users, tokens, sealing keys, the audit,
// first answers and rate limits. It decides whose records a viewer sees, and which people must not come back.
package access

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/postgres/conn"
)

var _ auth.Store = (*Auth)(nil)

// Auth stores apps, users and their tokens. It is safe for concurrent use.
type Auth struct{ db *conn.DB }

// NewAuth returns the store of apps and users.
func NewAuth(db *conn.DB) *Auth { return &Auth{db: db} }

// CreateApp implements [auth.Store].
func (a *Auth) CreateApp(ctx context.Context, by kith.Principal, name string, key auth.KeyRecord) (auth.App, error) {
	app := auth.App{Name: name}
	err := a.db.InTx(ctx, "create app", func(tx pgx.Tx) error {
		var err error
		app.ID, err = conn.One(ctx, tx, "create app",
			kith.Errorf(kith.Conflict, "APP_EXISTS", "there is an app named %q already; choose another name", name),
			pgx.RowTo[int64], "insert into apps (name) values ($1) on conflict (name) do nothing returning id", name)
		if err != nil {
			return err
		}
		if _, err := insertKey(ctx, tx, app.ID, key); err != nil {
			return err
		}
		return Record(ctx, a.db, tx, by, "app.created", name, keyDetail(0, key))
	})
	return app, err
}

// DeleteApp implements [auth.Store].
func (a *Auth) DeleteApp(ctx context.Context, by kith.Principal, id int64) error {
	return a.db.InTx(ctx, "delete app", func(tx pgx.Tx) error {
		name, err := conn.Value[string](ctx, tx, "delete app", "delete from apps where id = $1 returning name", id)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return Record(ctx, a.db, tx, by, "app.deleted", name, nil)
	})
}

// Apps implements [auth.Store].
func (a *Auth) Apps(ctx context.Context) ([]auth.App, error) {
	return conn.Collect(ctx, a.db.Querier(), "apps", pgx.RowToStructByPos[auth.App],
		"select id, name from apps order by name")
}

// AppByID implements [auth.Store].
func (a *Auth) AppByID(ctx context.Context, id int64) (auth.App, error) {
	return a.app(ctx, "select id, name from apps where id = $1", id)
}

// AppPage implements [auth.Store].
func (a *Auth) AppPage(ctx context.Context, above int64, n int) ([]auth.AppInfo, error) {
	return conn.Collect(ctx, a.db.Querier(), "apps", pgx.RowToStructByPos[auth.AppInfo],
		`select id, name, (select count(*) from app_keys k where k.app_id = a.id),
			(select count(*) from users u where u.app_id = a.id), created_at
		from apps a where id > $1 order by id limit $2`, above, n)
}

// AppByName returns an app by name; NotFound if there is none.
func (a *Auth) AppByName(ctx context.Context, name string) (auth.App, error) {
	return a.app(ctx, "select id, name from apps where name = $1", name)
}

func (a *Auth) app(ctx context.Context, sql string, arg any) (auth.App, error) {
	return conn.One(ctx, a.db.Querier(), "app", kith.Errorf(kith.NotFound, "APP_NOT_FOUND",
		"there is no such app; create it with kith app create NAME"), pgx.RowToStructByPos[auth.App], sql, arg)
}
