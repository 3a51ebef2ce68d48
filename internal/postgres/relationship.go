package postgres

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/index/analysis"
	"kith/internal/network"
)

var _ network.Store = (*DB)(nil)

// Import implements [network.Store]. Imports of one user take turns.
func (db *DB) Import(ctx context.Context, user int64, entries []network.Entry) ([]network.Imported, error) {
	out := make([]network.Imported, len(entries))
	err := db.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := lockUser(ctx, tx, user); err != nil {
			return err
		}
		found, err := identify(ctx, tx, entries)
		if err != nil {
			return err
		}
		wanted := merge(entries, found)
		people, err := keepPeople(ctx, tx, wanted.people)
		if err != nil {
			return err
		}
		status, err := putRelationships(ctx, tx, user, wanted.without(people))
		if err != nil {
			return err
		}
		for i, id := range found {
			if p, ok := people[id]; ok {
				out[i] = network.Imported{Status: status[id], Person: &p}
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("import relationships: %w", err)
	}
	return out, nil
}

// lockUser makes changes of one user's network take turns.
func lockUser(ctx context.Context, tx pgx.Tx, user int64) error {
	var id int64
	err := tx.QueryRow(ctx, "select id from users where id = $1 for update", user).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		return kith.Errorf(kith.NotFound, "USER_NOT_FOUND", "there is no such user any more; get a new token")
	}
	return err
}

// identify finds the person of each entry; entry i's is found[i], 0 where
// there is none. Of several who share an address the first by rank is meant.
func identify(ctx context.Context, tx pgx.Tx, entries []network.Entry) (found []int64, err error) {
	found = make([]int64, len(entries))
	keys, emails, ids := make([]*string, len(entries)), make([]*string, len(entries)), make([]*string, len(entries))
	for i, e := range entries {
		switch {
		case strings.Contains(e.Identifier, "/"):
			if key, ok := analysis.URLKey(e.Identifier); ok {
				keys[i] = &key
			}
		case strings.Contains(e.Identifier, "@"):
			emails[i] = orNull(strings.ToLower(e.Identifier))
		default:
			ids[i] = orNull(analysis.SocialID(e.Identifier))
		}
	}
	rows, err := tx.Query(ctx, `select k.i, m.id
		from unnest($1::text[], $2::text[], $3::text[]) with ordinality as k (social_key, email, social_id, i)
		cross join lateral (
			select p.id, p.rank from people p where p.social_key = k.social_key
			union all select p.id, p.rank from people p where p.email = k.email
			union all select p.id, p.rank from people p where p.social_id = k.social_id
			order by rank desc, id limit 1) m`, keys, emails, ids)
	if err != nil {
		return nil, err
	}
	var i int
	var id int64
	_, err = pgx.ForEachRow(rows, []any{&i, &id}, func() error {
		found[i-1] = id
		return nil
	})
	return found, err
}

// relationships are rows to be, by person.
type relationships struct {
	people []int64
	scores []float64
	kinds  []int16
}

// merge makes one relationship of the entries of each person; the last score
// wins.
func merge(entries []network.Entry, found []int64) relationships {
	var r relationships
	place := map[int64]int{}
	for i, id := range found {
		if id == 0 {
			continue
		}
		at, known := place[id]
		if !known {
			at = len(r.people)
			place[id] = at
			r.people, r.scores, r.kinds = append(r.people, id), append(r.scores, 0), append(r.kinds, 0)
		}
		r.scores[at] = entries[i].Score
		r.kinds[at] |= int16(entries[i].Kinds)
	}
	return r
}

// without leaves out whoever was deleted meanwhile.
func (r relationships) without(people map[int64]network.Person) relationships {
	var kept relationships
	for i, id := range r.people {
		if _, ok := people[id]; ok {
			kept.people = append(kept.people, id)
			kept.scores, kept.kinds = append(kept.scores, r.scores[i]), append(kept.kinds, r.kinds[i])
		}
	}
	return kept
}

// keepPeople reads the people and keeps them from being deleted until the
// transaction ends.
func keepPeople(ctx context.Context, tx pgx.Tx, ids []int64) (map[int64]network.Person, error) {
	rows, err := tx.Query(ctx, `select id, record->>'full_name', record->>'social_url' from people
		where id = any($1) order by id for key share`, ids)
	if err != nil {
		return nil, err
	}
	people := map[int64]network.Person{}
	var p network.Person
	_, err = pgx.ForEachRow(rows, []any{&p.ID, &p.Name, &p.SocialURL}, func() error {
		people[p.ID] = p
		return nil
	})
	return people, err
}

// putRelationships writes the rows and says what became of each. Kinds are
// added; a new row without any is a social contact.
func putRelationships(ctx context.Context, tx pgx.Tx, user int64, r relationships) (map[int64]network.Status, error) {
	rows, err := tx.Query(ctx, `with wanted as (
			select * from unnest($2::bigint[], $3::float8[], $4::smallint[]) as w (person_id, score, kinds)
		), changed as (
			update relationships r set score = w.score, kinds = r.kinds | w.kinds, updated_at = now()
			from wanted w where r.user_id = $1 and r.person_id = w.person_id
				and (r.score <> w.score or r.kinds | w.kinds <> r.kinds)
			returning r.person_id
		), created as (
			insert into relationships (user_id, person_id, score, kinds)
			select $1, w.person_id, w.score, case w.kinds when 0 then $5 else w.kinds end from wanted w
			on conflict (user_id, person_id) do nothing
			returning person_id
		)
		select w.person_id, case when c.person_id is not null then $6 when n.person_id is not null then $7 else $8 end
		from wanted w left join changed c using (person_id) left join created n using (person_id)`,
		user, r.people, r.scores, r.kinds, int16(network.KindsOf(network.SocialContact)),
		string(network.Updated), string(network.Created), string(network.Unchanged))
	if err != nil {
		return nil, err
	}
	status := map[int64]network.Status{}
	var id int64
	var s string
	touched := false
	_, err = pgx.ForEachRow(rows, []any{&id, &s}, func() error {
		status[id] = network.Status(s)
		touched = touched || status[id] != network.Unchanged
		return nil
	})
	if err != nil || !touched {
		return status, err
	}
	return status, touchNetwork(ctx, tx, user)
}

// touchNetwork notes that a user's relationships changed.
func touchNetwork(ctx context.Context, tx pgx.Tx, user int64) error {
	_, err := tx.Exec(ctx, "update users set network_version = network_version + 1, network_updated_at = now() where id = $1", user)
	return err
}

// List implements [network.Store].
func (db *DB) List(ctx context.Context, user int64, after *network.Position, n int) ([]network.Relationship, error) {
	if after == nil {
		after = &network.Position{Score: network.MaxScore + 1}
	}
	rows, err := db.pool.Query(ctx, `select r.id, p.id, p.record->>'full_name', p.record->>'social_url', r.score, r.kinds, r.created_at, r.updated_at
		from relationships r join people p on p.id = r.person_id
		where r.user_id = $1 and r.score <= $2 and (r.score < $2 or r.id > $3)
		order by r.score desc, r.id limit $4`, user, after.Score, after.ID, n)
	if err != nil {
		return nil, fmt.Errorf("list relationships: %w", away(err))
	}
	list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (r network.Relationship, err error) {
		var kinds int16
		err = row.Scan(&r.ID, &r.Person.ID, &r.Person.Name, &r.Person.SocialURL, &r.Score, &kinds, &r.CreatedAt, &r.UpdatedAt)
		r.Kinds, r.CreatedAt, r.UpdatedAt = network.KindSet(kinds), r.CreatedAt.UTC(), r.UpdatedAt.UTC()
		return r, err
	})
	if err != nil {
		return nil, fmt.Errorf("list relationships: %w", away(err))
	}
	return list, nil
}

// Delete implements [network.Store].
func (db *DB) Delete(ctx context.Context, user, id int64) error {
	err := db.inTx(ctx, pgx.TxOptions{}, func(tx pgx.Tx) error {
		if err := lockUser(ctx, tx, user); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, "delete from relationships where user_id = $1 and id = $2", user, id)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return kith.Errorf(kith.NotFound, "RELATIONSHIP_NOT_FOUND", "you have no relationship of this id; GET /v2/user/relationships lists those that you have")
		}
		return touchNetwork(ctx, tx, user)
	})
	if err != nil {
		return fmt.Errorf("delete relationship: %w", err)
	}
	return nil
}

// Summary implements [network.Store].
func (db *DB) Summary(ctx context.Context, user int64) (network.Summary, error) {
	var s network.Summary
	var updated *time.Time
	var sharing string
	err := db.pool.QueryRow(ctx, `select sharing, network_updated_at,
		(select count(*) from relationships r where r.user_id = u.id) from users u where id = $1`, user).
		Scan(&sharing, &updated, &s.Relationships)
	if errors.Is(err, pgx.ErrNoRows) {
		return s, kith.Errorf(kith.NotFound, "USER_NOT_FOUND", "there is no such user any more; get a new token")
	}
	if err != nil {
		return s, fmt.Errorf("network summary: %w", away(err))
	}
	if updated != nil {
		s.UpdatedAt = updated.UTC()
	}
	s.Sharing = network.Sharing(sharing)
	return s, nil
}

// SetSharing implements [network.Store].
func (db *DB) SetSharing(ctx context.Context, user int64, sharing network.Sharing) error {
	_, err := db.pool.Exec(ctx, `update users set sharing = $2, network_version = network_version + 1
		where id = $1 and sharing <> $2`, user, string(sharing))
	if err != nil {
		return fmt.Errorf("set sharing: %w", away(err))
	}
	return nil
}
