package access

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"kith"
	"kith/index/pgfault"
	"kith/internal/access/auth"
	"kith/internal/postgres/conn"
)

// insertKey stores a key and returns its id.
func insertKey(ctx context.Context, q conn.Querier, app int64, key auth.KeyRecord) (id int64, err error) {
	err = q.QueryRow(ctx, "insert into app_keys (hash, app_id, name, scopes, created_at, expires_at) values ($1, $2, "+
		"$3, $4, $5, $6) returning id",
		key.Hash[:], app, key.Name, key.Scopes.Names(), key.Created, zeronull.Timestamptz(key.Expires)).Scan(&id)
	if pgfault.Code(err) == pgfault.UniqueViolation {
		return 0, kith.Errorf(kith.Conflict, "KEY_EXISTS", "the app has a key named %q already; choose another name",
			key.Name)
	}
	return id, err
}

// AddKey implements [auth.Store].
func (a *Auth) AddKey(ctx context.Context, by kith.Principal, app int64, key auth.KeyRecord) (int64, error) {
	var id int64
	err := a.db.InTx(ctx, "add key", func(tx pgx.Tx) (err error) {
		if id, err = insertKey(ctx, tx, app, key); err != nil {
			return err
		}
		return recordKey(ctx, a.db, tx, by, "key.created", app, keyDetail(id, key))
	})
	return id, err
}

// keyDetail is the audit detail of a key.
func keyDetail(id int64, key auth.KeyRecord) map[string]any {
	detail := map[string]any{"name": key.Name, "scopes": key.Scopes.Names()}
	if id != 0 {
		detail["key"] = id
	}
	if !key.Expires.IsZero() {
		detail["expires_at"] = key.Expires
	}
	return detail
}

// recordKey writes an audit entry about a key of an app.
func recordKey(
	ctx context.Context, db *conn.DB, tx pgx.Tx, by kith.Principal, action string, app int64, detail map[string]any,
) error {
	name, err := conn.Value[string](ctx, tx, "app", "select name from apps where id = $1", app)
	if err != nil {
		return err
	}
	return Record(ctx, db, tx, by, action, name, detail)
}

const selectKey = `select k.id, a.id, a.name, k.name, k.scopes, k.created_at, k.expires_at, k.last_used_at
	from app_keys k join apps a on a.id = k.app_id `

func scanKey(row pgx.CollectableRow) (k auth.Key, err error) {
	var scopes []string
	err = row.Scan(&k.ID, &k.App.ID, &k.App.Name, &k.Name, &scopes, &k.Created, (*zeronull.Timestamptz)(&k.Expires),
		(*zeronull.Timestamptz)(&k.LastUsed))
	if err == nil {
		k.Scopes, err = kith.ParseScopes(scopes)
	}
	return k, err
}

// useNoted is how old the recorded last use of a key may be.
const useNoted = time.Minute

// UseKey implements [auth.Store]. It records a use at most once a minute.
func (a *Auth) UseKey(ctx context.Context, key auth.Hash, now time.Time) (auth.Key, error) {
	found, err := conn.One(ctx, a.db.Querier(), "key", noKey(), scanKey, selectKey+"where k.hash = $1", key[:])
	if err != nil || now.Sub(found.LastUsed) < useNoted {
		return found, err
	}
	return found, conn.Exec(ctx, a.db.Querier(), "use of a key",
		"update app_keys set last_used_at = $2 where id = $1", found.ID, now)
}

func noKey() error {
	return kith.Errorf(kith.NotFound, "KEY_NOT_FOUND", "the app has no key with this number; kith app show lists its "+
		"keys")
}

// KeysOf implements [auth.Store].
func (a *Auth) KeysOf(ctx context.Context, app int64) ([]auth.Key, error) {
	return conn.Collect(ctx, a.db.Querier(), "keys", scanKey, selectKey+"where k.app_id = $1 order by k.id", app)
}

// RenewKey implements [auth.Store].
func (a *Auth) RenewKey(ctx context.Context, by kith.Principal, app, old int64, key auth.KeyRecord,
	oldEnds time.Time,
) (id int64, err error) {
	err = a.db.InTx(ctx, "rotate key", func(tx pgx.Tx) error {
		found, err := conn.One(ctx, tx, "key", noKey(), scanKey,
			selectKey+"where k.app_id = $1 and k.id = $2 for update of k", app, old)
		if err != nil {
			return err
		}
		key.Name, key.Scopes = found.Name, found.Scopes
		_, err = tx.Exec(ctx, `update app_keys set name = name || ' (replaced ' || id || ')',
			expires_at = least(expires_at, $2) where id = $1`, old, oldEnds)
		if err != nil {
			return err
		}
		if id, err = insertKey(ctx, tx, app, key); err != nil {
			return err
		}
		detail := keyDetail(id, key)
		detail["replaces"], detail["old_expires_at"] = old, oldEnds
		return recordKey(ctx, a.db, tx, by, "key.rotated", app, detail)
	})
	return id, err
}

// DeleteKey implements [auth.Store].
func (a *Auth) DeleteKey(ctx context.Context, by kith.Principal, app, key int64) error {
	return a.db.InTx(ctx, "delete key", func(tx pgx.Tx) error {
		name, err := conn.One(ctx, tx, "delete key", noKey(), pgx.RowTo[string],
			"delete from app_keys where app_id = $1 and id = $2 returning name", app, key)
		if err != nil {
			return err
		}
		return recordKey(ctx, a.db, tx, by, "key.revoked", app, map[string]any{"key": key, "name": name})
	})
}
