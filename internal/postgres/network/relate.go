package network

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"kith/internal/network"
	"kith/internal/postgres/conn"
)

// relation is a user's relationship to be stored.
type relation struct {
	user  int64
	entry network.Entry
	// source, if set, identifies the person instead of the identifier.
	source string
}

// relate stores relations of locked users. Entry i of the answer belongs to relation i.
func (s supplier) relate(ctx context.Context, tx pgx.Tx, wanted []relation) ([]network.Imported, error) {
	found, err := identify(ctx, tx, wanted)
	if err != nil {
		return nil, err
	}
	people, err := keepPeople(ctx, tx, found)
	if err != nil {
		return nil, err
	}
	status, err := merge(wanted, found, people).put(ctx, tx, s)
	if err != nil {
		return nil, err
	}
	out := make([]network.Imported, len(wanted))
	for i, id := range found {
		if p, ok := people[id]; ok {
			out[i] = network.Imported{Status: status[edge{wanted[i].user, id}], Person: &p}
		}
	}
	return out, nil
}

// FindPeople finds people among those the user may refer to, by id or, where that is 0, by identifier; found[i] is 0 if
// there is no such person. It prevents their deletion until the transaction ends.
func FindPeople(ctx context.Context, tx pgx.Tx, user int64, ids []int64, identifiers []string) ([]int64, error) {
	identifiers = slices.Clone(identifiers)
	for i, id := range ids {
		if id != 0 {
			identifiers[i] = strconv.FormatInt(id, 10)
		}
	}
	found, err := IdentifyFor(ctx, tx, user, identifiers)
	if err != nil {
		return nil, err
	}
	people, err := keepPeople(ctx, tx, found)
	if err != nil {
		return nil, err
	}
	for i, id := range found {
		if _, there := people[id]; !there {
			found[i] = 0
		}
	}
	return found, nil
}

// keepPeople reads people and prevents their deletion until the transaction ends.
func keepPeople(ctx context.Context, tx pgx.Tx, ids []int64) (map[int64]network.Person, error) {
	people := map[int64]network.Person{}
	var p network.Person
	err := conn.ForEach(ctx, tx, "keep people", []any{&p.ID, &p.Name, &p.SocialURL}, func() error {
		people[p.ID] = p
		return nil
	}, `select id, record->>'full_name', coalesce(record->>'social_url', '') from people
		where id = any($1) order by id for key share`, ids)
	return people, err
}

// edge is the key of a relationship.
type edge struct{ user, person int64 }

// edges are the rows to write, each pair of user and person once.
type edges struct {
	users, people []int64
	scores        []float64
	kinds         []int16
}

// merge combines the relations of each user to each person into one row; the last score wins. It leaves out people
// deleted meanwhile.
func merge(wanted []relation, found []int64, people map[int64]network.Person) edges {
	var e edges
	position := map[edge]int{}
	for i, id := range found {
		if _, there := people[id]; !there {
			continue
		}
		key := edge{wanted[i].user, id}
		at, known := position[key]
		if !known {
			at = len(e.people)
			position[key] = at
			e.users, e.people = append(e.users, key.user), append(e.people, id)
			e.scores, e.kinds = append(e.scores, 0), append(e.kinds, 0)
		}
		e.scores[at] = wanted[i].entry.Score
		e.kinds[at] |= int16(wanted[i].entry.Kinds)
	}
	return e
}

// put writes the rows and returns the status of each. It adds kinds; a new row without any is a social contact. Nobody
// has a relationship with themselves: such a row stays unwritten, and is unchanged.
func (e edges) put(ctx context.Context, tx pgx.Tx, from supplier) (map[edge]network.Status, error) {
	status, touched := map[edge]network.Status{}, map[int64]bool{}
	var key edge
	var s string
	err := conn.ForEach(ctx, tx, "put relationships", []any{&key.user, &key.person, &s}, func() error {
		status[key] = network.Status(s)
		if status[key] != network.Unchanged {
			touched[key.user] = true
		}
		return nil
	}, `with wanted as (
			select * from unnest($1::bigint[], $2::bigint[], $3::float8[], $4::smallint[]) as w (user_id, person_id,
			score, kinds)
		), changed as (
			update relationships r set score = w.score, given = w.score, kinds = r.kinds | w.kinds, updated_at = now()
			from wanted w where r.user_id = w.user_id and r.person_id = w.person_id
				and (coalesce(r.given, r.score) <> w.score or r.kinds | w.kinds <> r.kinds)
			returning r.user_id, r.person_id
		), created as (
			insert into relationships (user_id, person_id, score, given, kinds, imports)
			select w.user_id, w.person_id, w.score, w.score, case w.kinds when 0 then $5 else w.kinds end, $9
			from wanted w join users u on u.id = w.user_id where w.person_id is distinct from u.person_id
			on conflict (user_id, person_id) do nothing returning user_id, person_id
		)
		select w.user_id, w.person_id, case when c.person_id is not null then $6
		when n.person_id is not null then $7 else $8 end
		from wanted w left join changed c using (user_id, person_id) left join created n using (user_id, person_id)`,
		e.users, e.people, e.scores, e.kinds, int16(network.KindsOf(network.SocialContact)),
		string(network.Updated), string(network.Created), string(network.Unchanged), from.column())
	if err == nil {
		err = from.claimRelationships(ctx, tx, e.users, e.people)
	}
	if err != nil || len(touched) == 0 {
		return status, err
	}
	if err := e.computeScores(ctx, tx, touched); err != nil {
		return status, err
	}
	return status, TouchNetworks(ctx, tx, slices.Collect(maps.Keys(touched))...)
}

// computeScores computes the scores of users who have contacts, first days or a known person. Scores of others are as
// given.
func (e edges) computeScores(ctx context.Context, tx pgx.Tx, touched map[int64]bool) error {
	of := map[int64][]int64{}
	for i, user := range e.users {
		if touched[user] {
			of[user] = append(of[user], e.people[i])
		}
	}
	users, err := conn.Collect(ctx, tx, "users with contacts", pgx.RowTo[int64],
		`select id from users u where id = any($1)
		and (person_id is not null or exists (select from contacts c where c.user_id = u.id)
			or exists (select from relationships r where r.user_id = u.id and r.since is not null)) order by id`,
		slices.Collect(maps.Keys(of)))
	for _, user := range users {
		if err := ComputeScores(ctx, tx, user, of[user]); err != nil {
			return err
		}
	}
	return err
}

// TouchNetworks records that relationships of users changed.
func TouchNetworks(ctx context.Context, tx pgx.Tx, users ...int64) error {
	_, err := tx.Exec(ctx, "update users set network_version = network_version + 1, network_updated_at = now() where "+
		"id = any($1)", users)
	return err
}
