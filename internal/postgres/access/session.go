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

// SaveLink implements [auth.Store]. It also deletes expired links.
func (a *Auth) SaveLink(
	ctx context.Context, by kith.Principal, app int64, id auth.Identity, link auth.LinkRecord,
) error {
	return a.db.InTx(ctx, "save link", func(tx pgx.Tx) error {
		user, err := linkedUser(ctx, tx, app, id, link.Created)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "delete from signin_links where expires_at <= $1", link.Created); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "insert into signin_links (hash, user_id, created_at, expires_at) values ($1, $2, $3, "+
			"$4)", link.Hash[:], user, link.Created, link.Expires)
		if err != nil {
			return err
		}
		return Record(ctx, a.db, tx, by, "link.issued", "user "+id.ExternalID, map[string]any{
			"expires_at": link.Expires, "operator": link.Operator,
		})
	})
}

// linkedUser finds the user of a link, or creates the user if an address is given. The address of an existing user
// stays.
func linkedUser(ctx context.Context, tx pgx.Tx, app int64, id auth.Identity, now time.Time) (user int64, err error) {
	var disabled bool
	if id.Email == "" {
		err = tx.QueryRow(ctx, "select id, disabled_at is not null from users where app_id = $1 and external_id = $2",
			app, id.ExternalID).Scan(&user, &disabled)
	} else {
		err = tx.QueryRow(ctx, `insert into users (app_id, external_id, email, created_at) values ($1, $2, $3, $4)
			on conflict (app_id, external_id) do update set external_id = excluded.external_id
			returning id, disabled_at is not null`, app, id.ExternalID, id.Email, now).Scan(&user, &disabled)
	}
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return 0, kith.Errorf(kith.NotFound, "USER_NOT_FOUND",
			"the app has no user %q; give their e-mail address (--email) to create them", id.ExternalID)
	case err == nil && disabled:
		return 0, errUserDisabled()
	}
	return user, err
}

func errUserDisabled() error {
	return kith.Errorf(kith.Forbidden, "USER_DISABLED", "the operator has disabled this user, who cannot sign in")
}

// UseLink implements [auth.Store]. It locks the user's row, so that a user who is being disabled gets no session.
func (a *Auth) UseLink(ctx context.Context, link auth.Hash, s auth.SessionRecord) error {
	return a.db.InTx(ctx, "use link", func(tx pgx.Tx) error {
		var user, app int64
		var name string
		var disabled bool
		err := tx.QueryRow(ctx, `with used as (delete from signin_links where hash = $1
			and expires_at > $2 returning user_id) select u.id, u.app_id, u.external_id, u.disabled_at is not null
			from users u join used on used.user_id = u.id for no key update of u`,
			link[:], s.Created).Scan(&user, &app, &name, &disabled)
		if errors.Is(err, pgx.ErrNoRows) {
			return kith.Errorf(kith.NotFound, "LINK_NOT_FOUND", "there is no such link")
		}
		if err == nil && disabled {
			return errUserDisabled()
		}
		if err != nil {
			return err
		}
		if err := endExpired(ctx, tx, user, s.Created); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `insert into tokens (hash, user_id, created_at, expires_at, scopes, session, agent)
			values ($1, $2, $3, $4, $5, true, $6)`, s.Hash[:], user, s.Created, s.Expires, s.Scopes.Names(), s.Agent)
		if err != nil {
			return err
		}
		by := kith.Principal{Name: "user " + name, App: app}
		return Record(ctx, a.db, tx, by, "session.created", "user "+name,
			map[string]any{"agent": s.Agent, "expires_at": s.Expires})
	})
}

// shownSessions is the most sessions listed.
const shownSessions = 100

// SessionsOf implements [auth.Store].
func (a *Auth) SessionsOf(ctx context.Context, user int64, now time.Time) ([]auth.Session, error) {
	return conn.Collect(ctx, a.db.Querier(), "sessions", pgx.RowToStructByPos[auth.Session], `
		select id, agent, created_at, expires_at, coalesce(used_at, created_at)
		from tokens where user_id = $1 and session and expires_at > $2 order by id desc
		limit $3`, user, now, shownSessions)
}

// EndOwn implements [auth.Store].
func (a *Auth) EndOwn(ctx context.Context, of kith.Actor, id int64, session bool) (int, error) {
	action := actionTokenRevoked
	if session {
		action = actionSessionRevoked
	}
	return a.endTokens(ctx, of.Principal(), action, `delete from tokens where user_id = $1 and id = $2 and session = $3
		and not fixed returning user_id`, of.UserID, id, session)
}

const actionSessionRevoked = "session.revoked"

// EndSessions implements [auth.Store]. It deletes links too.
func (a *Auth) EndSessions(ctx context.Context, of kith.Actor) (int, error) {
	return a.endTokens(ctx, of.Principal(), actionSessionRevoked, `with links as (
			delete from signin_links where user_id = $1)
		delete from tokens where user_id = $1 and session returning user_id`, of.UserID)
}
