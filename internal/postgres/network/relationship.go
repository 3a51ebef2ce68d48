// Package network stores what users know about people: relationships, contacts, scores, teams. It also finds the people
// that identifiers refer to.
package network

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"kith"
	"kith/internal/network"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
)

var _ network.Store = (*Store)(nil)

// Store stores relationships, teams, and data derived from them. It is safe for concurrent use.
type Store struct {
	Circles
	Membership

	db     *conn.DB
	people People
}

// Circles reads who is close to a user.
type Circles struct{ db *conn.DB }

// Membership stores teams.
type Membership struct{ db *conn.DB }

// People returns the stored people among ids that a viewer may see, by id.
type People func(ctx context.Context, v kith.Viewer, ids []int64) ([]kith.Person, error)

// New returns the store of networks.
func New(db *conn.DB, people People) *Store { return &Store{Circles{db}, Membership{db}, db, people} }

// Import implements [network.Store]. It serialises the imports of a user.
func (nw *Store) Import(ctx context.Context, a kith.Actor, entries []network.Entry) ([]network.Imported, error) {
	var out []network.Imported
	err := nw.db.InUsersTx(ctx, a.UserID, "import relationships", func(tx pgx.Tx) error {
		wanted := make([]relation, len(entries))
		for i, e := range entries {
			wanted[i] = relation{user: a.UserID, entry: e}
		}
		var err error
		if out, err = supplier(0).relate(ctx, tx, wanted); err != nil {
			return err
		}
		return access.Record(ctx, nw.db, tx, a.Principal(), "relationships.imported", "",
			map[string]any{"entries": len(entries)})
	})
	return out, err
}

// Unknown implements [network.Store].
func (nw *Store) Unknown(ctx context.Context, user int64, profiles []string) ([]string, error) {
	found, err := IdentifyFor(ctx, nw.db.Querier(), user, profiles)
	if err != nil {
		return nil, conn.Named("look for people", err)
	}
	var out []string
	for i, id := range found {
		if id == 0 {
			out = append(out, profiles[i])
		}
	}
	return out, nil
}

// List implements [network.Store].
func (nw *Store) List(ctx context.Context, user int64, after *network.Position,
	n int,
) ([]network.Relationship, error) {
	if after == nil {
		after = &network.Position{Score: network.MaxScore + 1}
	}
	list, err := conn.Collect(ctx, nw.db.Querier(), "list relationships",
		func(row pgx.CollectableRow) (r network.Relationship, err error) {
			err = row.Scan(&r.Person.ID, &r.Person.Name, &r.Person.SocialURL, &r.Score, &r.Given, &r.Kinds, &r.Since,
				&r.CreatedAt, &r.UpdatedAt)
			return r, err
		}, `select p.id, p.record->>'full_name', coalesce(p.record->>'social_url', ''), r.score, coalesce(r.given,
			r.score),
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
func (nw *Store) addContacts(ctx context.Context, user int64, list []network.Relationship) error {
	ids, position := make([]int64, len(list)), map[int64]int{}
	for i, r := range list {
		ids[i], position[r.Person.ID] = r.Person.ID, i
	}
	var person int64
	var kind int16
	var h network.History
	return conn.ForEach(ctx, nw.db.Querier(), "contacts of relationships",
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
func (nw *Store) Named(ctx context.Context, v kith.Viewer, identifier string) (int64, error) {
	seen, err := access.VisibleOwners(ctx, nw.db.Querier(), v)
	if err != nil {
		return 0, conn.Named("name a person", err)
	}
	ids, err := IdentifyForViewer(ctx, nw.db.Querier(), v, []string{identifier}, seen)
	return ids[0], conn.Named("name a person", err)
}

// Delete implements [network.Store].
func (nw *Store) Delete(ctx context.Context, user, person int64) error {
	return nw.db.InTx(ctx, "delete relationship", func(tx pgx.Tx) error {
		if err := conn.LockUser(ctx, tx, user); err != nil {
			return err
		}
		_, err := conn.One(ctx, tx, "delete relationship", kith.Errorf(kith.NotFound, "RELATIONSHIP_NOT_FOUND",
			"you have no relationship with this id; GET /v2/user/relationships shows yours"), pgx.RowTo[int64],
			"delete from relationships where user_id = $1 and person_id = $2 returning person_id", user, person)
		if err != nil {
			return err
		}
		for _, of := range []string{"contacts", "known_addresses"} {
			if err := conn.Exec(ctx, tx, "delete "+of, "delete from "+of+" where user_id = $1 and person_id = $2", user,
				person); err != nil {
				return err
			}
		}
		return TouchNetworks(ctx, tx, user)
	})
}

// Summary implements [network.Store].
func (nw *Store) Summary(ctx context.Context, user int64) (network.Summary, error) {
	var s network.Summary
	err := nw.db.Querier().QueryRow(ctx, `select sharing, network_updated_at,
		(select count(*) from relationships r where r.user_id = u.id) from users u where id = $1`, user).
		Scan(&s.Sharing, (*zeronull.Timestamptz)(&s.UpdatedAt), &s.Relationships)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, conn.NoUser()
	}
	return s, conn.Named("network summary", err)
}

// SetSharing implements [network.Store].
func (nw *Store) SetSharing(ctx context.Context, user int64, sharing network.Sharing) error {
	return nw.db.InTx(ctx, "set sharing", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "select from apps where id = (select app_id from users where id = $1) for no key "+
			"update", user); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `update users set sharing = $2, network_version = network_version + 1
			where id = $1 and sharing <> $2`, user, string(sharing))
		return err
	})
}
