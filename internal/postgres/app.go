package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/access/auth"
)

var _ auth.Store = (*Auth)(nil)

// Auth stores apps, users and their tokens. It is safe for concurrent use.
type Auth struct{ db *DB }

// Auth returns the store of apps and users.
func (db *DB) Auth() *Auth { return &Auth{db: db} }

// CreateApp implements [auth.Store].
func (a *Auth) CreateApp(ctx context.Context, by kith.Principal, name string, key auth.KeyRecord) (auth.App, error) {
	app := auth.App{Name: name}
	err := a.db.InTx(ctx, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, "insert into apps (name) values ($1) on conflict (name) do nothing returning id",
			name).Scan(&app.ID)
		if errors.Is(err, pgx.ErrNoRows) {
			return kith.Errorf(kith.Conflict, "APP_EXISTS", "there is an app named %q already; choose another name", name)
		}
		if err != nil {
			return err
		}
		if _, err := insertKey(ctx, tx, app.ID, key); err != nil {
			return err
		}
		return a.db.Record(ctx, tx, by, "app.created", name, keyDetail(0, key))
	})
	if err != nil {
		return auth.App{}, fmt.Errorf("create app: %w", err)
	}
	return app, nil
}

// DeleteApp implements [auth.Store].
func (a *Auth) DeleteApp(ctx context.Context, by kith.Principal, id int64) error {
	return a.db.InTx(ctx, func(tx pgx.Tx) error {
		name, err := Value[string](ctx, tx, "delete app", "delete from apps where id = $1 returning name", id)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		return a.db.Record(ctx, tx, by, "app.deleted", name, nil)
	})
}

// Apps implements [auth.Store].
func (a *Auth) Apps(ctx context.Context) ([]auth.App, error) {
	return Collect(ctx, a.db.pool, "apps", pgx.RowToStructByPos[auth.App], "select id, name from apps order by name")
}

// AppByID implements [auth.Store].
func (a *Auth) AppByID(ctx context.Context, id int64) (auth.App, error) {
	return a.app(ctx, "select id, name from apps where id = $1", id)
}

// AppPage implements [auth.Store].
func (a *Auth) AppPage(ctx context.Context, above int64, n int) ([]auth.AppInfo, error) {
	return Collect(ctx, a.db.pool, "apps", func(row pgx.CollectableRow) (app auth.AppInfo, err error) {
		err = row.Scan(&app.ID, &app.Name, &app.Created, &app.Keys, &app.Users)
		app.Created = app.Created.UTC()
		return app, err
	}, `select id, name, created_at, (select count(*) from app_keys k where k.app_id = a.id),
			(select count(*) from users u where u.app_id = a.id)
		from apps a where id > $1 order by id limit $2`, above, n)
}

// AppByName returns an app by name; NotFound if there is none.
func (a *Auth) AppByName(ctx context.Context, name string) (auth.App, error) {
	return a.app(ctx, "select id, name from apps where name = $1", name)
}

func (a *Auth) app(ctx context.Context, sql string, arg any) (auth.App, error) {
	var app auth.App
	err := a.db.pool.QueryRow(ctx, sql, arg).Scan(&app.ID, &app.Name)
	if errors.Is(err, pgx.ErrNoRows) {
		return auth.App{}, kith.Errorf(kith.NotFound, "APP_NOT_FOUND",
			"there is no such app; create it with kith app create NAME")
	}
	if err != nil {
		return auth.App{}, fmt.Errorf("app: %w", classify(err))
	}
	return app, nil
}
