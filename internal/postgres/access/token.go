package access

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/access/auth"
	"kith/internal/postgres/conn"
)

// SaveToken implements [auth.Store]. It also deletes tokens of the user that expired more than a day ago: until then
// the caller learns that the token expired, afterwards that it is unknown.
func (a *Auth) SaveToken(ctx context.Context, by kith.Principal, app int64, id auth.Identity,
	token auth.TokenRecord, moved func(user int64),
) error {
	var changed int64
	err := a.db.InTx(ctx, "save token", func(tx pgx.Tx) error {
		// A user who shares becomes another introducer with another address. The app's row, which records that, is
		// locked before the user's, as everywhere.
		_, err := tx.Exec(ctx, `select from apps where id = $1 and exists (select from users
			where app_id = $1 and external_id = $2 and email <> $3 and sharing <> 'none')
			for no key update`, app, id.ExternalID, id.Email)
		if err != nil {
			return err
		}
		var user int64
		var disabled bool
		err = tx.QueryRow(ctx, `with other as (select id from users where app_id = $1 and external_id = $2
			and email <> $3),
			saved as (insert into users (app_id, external_id, email, created_at) values ($1, $2, $3, $4)
				on conflict (app_id, external_id) do update set email = excluded.email returning id, disabled_at)
			select s.id, coalesce(o.id, 0), s.disabled_at is not null from saved s left join other o on true`,
			app, id.ExternalID, id.Email, token.Created).Scan(&user, &changed, &disabled)
		if err != nil {
			return err
		}
		if disabled {
			return kith.Errorf(kith.Forbidden, "USER_DISABLED",
				"the operator has disabled this user; no token is issued for them")
		}
		if err := endExpired(ctx, tx, user, token.Created); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `insert into tokens (hash, user_id, created_at, expires_at, fixed, scopes, key_id)
			values ($1, $2, $3, $4, $5, $6, nullif($7::bigint, 0))
			on conflict (hash) do update set user_id = excluded.user_id, expires_at = excluded.expires_at,
			fixed = excluded.fixed, scopes = excluded.scopes`,
			token.Hash[:], user, token.Created, token.Expires, token.Fixed, token.Scopes.Names(), token.Key)
		if err != nil || token.Fixed {
			return err
		}
		return Record(ctx, a.db, tx, by, "token.issued", "user "+id.ExternalID,
			map[string]any{"scopes": token.Scopes.Names(), "expires_at": token.Expires})
	})
	if err != nil {
		return err
	}
	if changed != 0 {
		a.db.AfterCommit(func() { moved(changed) })
	}
	return nil
}

// AddToken implements [auth.Store]. It locks the user's row, like disabling the user does.
func (a *Auth) AddToken(
	ctx context.Context, by kith.Principal, user int64, token auth.TokenRecord,
) (id int64, err error) {
	err = a.db.InTx(ctx, "add token", func(tx pgx.Tx) error {
		var name string
		var disabled bool
		err := tx.QueryRow(ctx, `select external_id, disabled_at is not null from users
			where id = $1 for no key update`, user).Scan(&name, &disabled)
		if err == nil && disabled {
			return errUserDisabled()
		}
		if err != nil {
			return err
		}
		err = tx.QueryRow(ctx, `insert into tokens (hash, user_id, created_at, expires_at, scopes)
			values ($1, $2, $3, $4, $5)
			returning id`, token.Hash[:], user, token.Created, token.Expires, token.Scopes.Names()).Scan(&id)
		if err != nil {
			return err
		}
		return Record(ctx, a.db, tx, by, "token.issued", "user "+name,
			map[string]any{"scopes": token.Scopes.Names(), "expires_at": token.Expires})
	})
	return id, err
}

// endExpired deletes the tokens and sessions of a user that expired more than a day ago.
func endExpired(ctx context.Context, tx pgx.Tx, user int64, now time.Time) error {
	return conn.Exec(ctx, tx, "delete expired tokens",
		"delete from tokens where user_id = $1 and expires_at < $2::timestamptz - interval '1 day'", user, now)
}

// Grant returns the grant of a token or session; NotFound if there is none. It records the use of a session at most
// once a minute.
func (a *Auth) Grant(ctx context.Context, token auth.Hash) (auth.Grant, error) {
	var g auth.Grant
	var scopes []string
	var unnoted bool
	err := a.db.Querier().
		QueryRow(ctx, `select u.app_id, u.id, u.external_id, u.email, u.name, u.created_at, t.expires_at,
		t.fixed, t.scopes, t.id, t.session and coalesce(t.used_at < now() - interval '1 minute', true)
		from tokens t join users u on u.id = t.user_id where t.hash = $1`, token[:]).
		Scan(&g.Actor.AppID, &g.Actor.UserID, &g.Actor.ExternalID, &g.Actor.Email, &g.Actor.Name,
			&g.Actor.CreatedAt, &g.Actor.TokenExpires, &g.Fixed, &scopes, &g.Actor.TokenID, &unnoted)
	if errors.Is(err, pgx.ErrNoRows) {
		return auth.Grant{}, kith.Errorf(kith.NotFound, "TOKEN_NOT_FOUND", "there is no such token")
	}
	if err == nil {
		g.Actor.Scopes, err = kith.ParseScopes(scopes)
	}
	if err != nil {
		return auth.Grant{}, conn.Named("token", err)
	}
	if unnoted {
		err = conn.Exec(ctx, a.db.Querier(), "use of a session", "update tokens set used_at = now() where id = $1",
			g.Actor.TokenID)
	}
	return g, err
}

// DeleteToken implements [auth.Store].
func (a *Auth) DeleteToken(ctx context.Context, by kith.Principal, token auth.Hash, ended func()) error {
	_, err := a.endTokens(ctx, by, actionTokenRevoked, "delete from tokens where hash = $1 returning user_id", token[:])
	a.db.AfterCommit(ended)
	return err
}

// DeleteTokens implements [auth.Store]. It deletes sessions and links, too.
func (a *Auth) DeleteTokens(ctx context.Context, by kith.Principal, user int64, ended func()) error {
	_, err := a.endTokens(ctx, by, actionTokenRevoked, `with links as (delete from signin_links where user_id = $1)
		delete from tokens where user_id = $1 and not fixed returning user_id`, user)
	a.db.AfterCommit(ended)
	return err
}

const actionTokenRevoked = "token.revoked"

// endTokens deletes tokens of one user and returns how many. It writes an audit entry if there were any.
func (a *Auth) endTokens(
	ctx context.Context, by kith.Principal, action, sql string, args ...any,
) (ended int, err error) {
	err = a.db.InTx(ctx, "delete tokens", func(tx pgx.Tx) error {
		users, err := conn.Collect(ctx, tx, "delete tokens", pgx.RowTo[int64], sql, args...)
		if err != nil || len(users) == 0 {
			return err
		}
		name, err := conn.Value[string](ctx, tx, "user", "select external_id from users where id = $1", users[0])
		if err != nil {
			return err
		}
		ended = len(users)
		return Record(ctx, a.db, tx, by, action, "user "+name, map[string]any{"tokens": ended})
	})
	return ended, err
}

// TokensOf implements [auth.Store].
func (a *Auth) TokensOf(ctx context.Context, app int64, user string, now time.Time) ([]auth.TokenInfo, error) {
	scan := func(row pgx.CollectableRow) (t auth.TokenInfo, err error) {
		var scopes []string
		err = row.Scan(&t.ID, &t.App, &t.User, &t.Created, &t.Expires, &scopes, &t.Key, &t.Session, &t.Fixed)
		if err == nil {
			t.Scopes, err = kith.ParseScopes(scopes)
		}
		return t, err
	}
	return conn.Collect(ctx, a.db.Querier(), "tokens", scan,
		`select t.id, a.name, u.external_id, t.created_at, t.expires_at,
		t.scopes, coalesce(k.name, ''), t.session, t.fixed
		from tokens t join users u on u.id = t.user_id join apps a on a.id = u.app_id left join app_keys k
		on k.id = t.key_id where u.app_id = $1 and ($2 = '' or u.external_id = $2) and t.expires_at > $3
		order by u.external_id, t.id`, app, user, now)
}

// EndToken implements [auth.Store].
func (a *Auth) EndToken(ctx context.Context, by kith.Principal, id int64) error {
	ended, err := a.endTokens(ctx, by, actionTokenRevoked, "delete from tokens where id = $1 returning user_id", id)
	if err == nil && ended == 0 {
		err = kith.Errorf(kith.NotFound, "TOKEN_NOT_FOUND",
			"there is no token with this number; kith token list shows the valid ones")
	}
	return err
}
