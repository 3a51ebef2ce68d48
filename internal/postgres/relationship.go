package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/network"
)

var _ network.Store = (*Network)(nil)

// Network stores relationships, teams, and data derived from them. It is safe for concurrent use.
type Network struct{ db *DB }

// Network returns the store of networks.
func (db *DB) Network() *Network { return &Network{db: db} }

// Import implements [network.Store]. It serialises the imports of a user.
func (nw *Network) Import(ctx context.Context, a kith.Actor, entries []network.Entry) ([]network.Imported, error) {
	var out []network.Imported
	err := nw.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := nw.db.BlockDeletions(ctx, tx); err != nil {
			return err
		}
		if err := LockUser(ctx, tx, a.UserID); err != nil {
			return err
		}
		wanted := make([]relation, len(entries))
		for i, e := range entries {
			wanted[i] = relation{user: a.UserID, entry: e}
		}
		var err error
		if out, err = supplier(0).relate(ctx, tx, wanted); err != nil {
			return err
		}
		return nw.db.Record(ctx, tx, a.Principal(), "relationships.imported", "", map[string]any{"entries": len(entries)})
	})
	if err != nil {
		return nil, fmt.Errorf("import relationships: %w", err)
	}
	return out, nil
}

// Unknown implements [network.Store].
func (nw *Network) Unknown(ctx context.Context, user int64, profiles []string) ([]string, error) {
	found, err := IdentifyFor(ctx, nw.db.pool, user, profiles)
	if err != nil {
		return nil, fmt.Errorf("look for people: %w", classify(err))
	}
	var out []string
	for i, id := range found {
		if id == 0 {
			out = append(out, profiles[i])
		}
	}
	return out, nil
}

// BlockDeletions prevents deletions of people until the transaction ends. Otherwise the two would deadlock:
// transactions that refer to people lock users first and then people, deletions the other way round. Take it before all
// other locks.
func (db *DB) BlockDeletions(ctx context.Context, tx pgx.Tx) error {
	return Exec(ctx, tx, "wait for deletions", "select pg_advisory_xact_lock_shared($1, hashtext($2))", lockClass,
		db.lockName(lockPeople))
}

// LockUser serialises changes of one user's data.
func LockUser(ctx context.Context, tx pgx.Tx, user int64) error {
	var id int64
	err := tx.QueryRow(ctx, "select id from users where id = $1 for update", user).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return noUser()
	}
	return err
}

// noUser is the error for a deleted user whose token still passed.
func noUser() error {
	return kith.Errorf(kith.Unauthorized, "TOKEN_INVALID", "the user no longer exists; get a new token")
}

// List implements [network.Store].
func (nw *Network) List(ctx context.Context, user int64, after *network.Position,
	n int,
) ([]network.Relationship, error) {
	if after == nil {
		after = &network.Position{Score: network.MaxScore + 1}
	}
	list, err := Collect(ctx, nw.db.pool, "list relationships",
		func(row pgx.CollectableRow) (r network.Relationship, err error) {
			var kinds int16
			err = row.Scan(&r.Person.ID, &r.Person.Name, &r.Person.SocialURL, &r.Score, &r.Given, &kinds, &r.Since, &r.CreatedAt,
				&r.UpdatedAt)
			r.Kinds, r.CreatedAt, r.UpdatedAt = network.KindSet(kinds), r.CreatedAt.UTC(), r.UpdatedAt.UTC()
			return r, err
		}, `select p.id, p.record->>'full_name', coalesce(p.record->>'social_url', ''), r.score, coalesce(r.given, r.score),
		r.kinds, r.since,
			r.created_at, r.updated_at
		from relationships r join people p on p.id = r.person_id
		where r.user_id = $1 and r.score <= $2 and (r.score < $2 or r.person_id > $3)
		order by r.score desc, r.person_id limit $4`, user, after.Score, after.Person, n)
	if err != nil {
		return nil, err
	}
	return list, nw.addContacts(ctx, user, list)
}

// addContacts fills in the contact histories of relationships.
func (nw *Network) addContacts(ctx context.Context, user int64, list []network.Relationship) error {
	ids, position := make([]int64, len(list)), map[int64]int{}
	for i, r := range list {
		ids[i], position[r.Person.ID] = r.Person.ID, i
	}
	var person int64
	var kind int16
	var h network.History
	return forEach(ctx, nw.db.pool, "contacts of relationships",
		[]any{&person, &kind, &h.Outgoing, &h.Incoming, &h.First, &h.Last}, func() error {
			if kinds := network.ContactKinds(); int(kind) < len(kinds) {
				h.Kind = kinds[kind]
				r := &list[position[person]]
				r.Contacts = append(r.Contacts, h)
			}
			return nil
		}, `select person_id, kind, sum(outgoing)::bigint, sum(incoming)::bigint, min(first_day), max(last_day)
		from contacts where user_id = $1 and person_id = any($2) group by person_id, kind
		order by person_id, kind`, user, ids)
}

// Named implements [network.Store].
func (nw *Network) Named(ctx context.Context, v kith.Viewer, identifier string) (int64, error) {
	seen, err := visibleOwners(ctx, nw.db.pool, v)
	if err != nil {
		return 0, fmt.Errorf("name a person: %w", classify(err))
	}
	ids, err := identifyForViewer(ctx, nw.db.pool, v, []string{identifier}, seen)
	if err != nil {
		return 0, fmt.Errorf("name a person: %w", classify(err))
	}
	return ids[0], nil
}

// Delete implements [network.Store].
func (nw *Network) Delete(ctx context.Context, user, person int64) error {
	err := nw.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := LockUser(ctx, tx, user); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, "delete from relationships where user_id = $1 and person_id = $2", user, person)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return kith.Errorf(kith.NotFound, "RELATIONSHIP_NOT_FOUND",
				"you have no relationship with this id; GET /v2/user/relationships shows yours")
		}
		for _, of := range []string{"contacts", "known_addresses"} {
			if err := Exec(ctx, tx, "delete "+of, "delete from "+of+" where user_id = $1 and person_id = $2", user,
				person); err != nil {
				return err
			}
		}
		return touchNetworks(ctx, tx, map[int64]bool{user: true})
	})
	if err != nil {
		return fmt.Errorf("delete relationship: %w", err)
	}
	return nil
}

// Summary implements [network.Store].
func (nw *Network) Summary(ctx context.Context, user int64) (network.Summary, error) {
	var s network.Summary
	var updated *time.Time
	var sharing string
	err := nw.db.pool.QueryRow(ctx, `select sharing, network_updated_at,
		(select count(*) from relationships r where r.user_id = u.id) from users u where id = $1`, user).
		Scan(&sharing, &updated, &s.Relationships)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, noUser()
	}
	if err != nil {
		return s, fmt.Errorf("network summary: %w", classify(err))
	}
	if updated != nil {
		s.UpdatedAt = updated.UTC()
	}
	s.Sharing = network.Sharing(sharing)
	return s, nil
}

// SetSharing implements [network.Store].
func (nw *Network) SetSharing(ctx context.Context, user int64, sharing network.Sharing) error {
	err := nw.db.InTx(ctx, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select from apps where id = (select app_id from users where id = $1) for no key update",
			user); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `update users set sharing = $2, network_version = network_version + 1
			where id = $1 and sharing <> $2`, user, string(sharing))
		return err
	})
	if err != nil {
		return fmt.Errorf("set sharing: %w", err)
	}
	return nil
}
