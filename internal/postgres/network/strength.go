package network

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"kith/internal/network"
	"kith/internal/postgres/conn"
)

// SetOwner sets the person of a user, by profile URL, e-mail address or source id. It changes nothing if the person is
// already set, or if the identifier is unknown.
func (nw *Store) SetOwner(ctx context.Context, user int64, identifier string) error {
	return nw.db.InUsersTx(ctx, user, "person of a user", func(tx pgx.Tx) error {
		found, err := IdentifyFor(ctx, tx, user, []string{identifier})
		if err != nil || found[0] == 0 {
			return err
		}
		// Nobody has a relationship with themselves, although many are in their own address book.
		return conn.Exec(ctx, tx, "owner", `with owner as (
				update users set person_id = coalesce(person_id, $2) where id = $1 returning person_id)
			delete from relationships r using owner o where r.user_id = $1
			and r.person_id = o.person_id`, user, found[0])
	})
}

// ComputeScores computes the scores of all relationships of a user again, including time worked or studied together
// with the user: see [network.MixedScore].
func (nw *Store) ComputeScores(ctx context.Context, user int64) error {
	return nw.db.InUsersTx(ctx, user, "scores of relationships", func(tx pgx.Tx) error {
		return ComputeScores(ctx, tx, user, nil)
	})
}

// known is the data that a score depends on.
type known struct {
	person             int64
	score, given       float64
	kinds              int16
	since, last        *network.Day
	outgoing, incoming int64
}

// ComputeScores computes scores of a locked user: for some people, or for all if people is nil. Ages count from the
// user's newest contact, so that scores change only when stored data changes.
func ComputeScores(ctx context.Context, tx pgx.Tx, user int64, people []int64) error {
	owner, today, err := readOwner(ctx, tx, user)
	if err != nil {
		return err
	}
	rows, err := readKnown(ctx, tx, user, people)
	if err != nil {
		return err
	}
	bonds, err := readBonds(ctx, tx, user, owner, today)
	if err != nil {
		return err
	}
	var ids []int64
	var scores, given []float64
	var kinds []int16
	for _, k := range rows {
		score, set := k.mixScore(bonds[k.person], today)
		if score != k.score || set != k.kinds {
			ids, scores, given, kinds = append(ids, k.person), append(scores, score), append(given, k.given),
				append(kinds, set)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	err = conn.Exec(ctx, tx, "scores of relationships", `update relationships r
		set score = w.score, given = w.given, kinds = w.kinds, updated_at = now()
		from unnest($2::bigint[], $3::float8[], $4::float8[], $5::smallint[]) as w (person_id, score, given, kinds)
		where r.user_id = $1 and r.person_id = w.person_id`, user, ids, scores, given, kinds)
	if err != nil {
		return err
	}
	return TouchNetworks(ctx, tx, user)
}

// mixScore returns the score and the kinds of a relationship.
func (k known) mixScore(bonds []network.Bond, today network.Day) (score float64, kinds int16) {
	outgoing, incoming, last := k.outgoing, k.incoming, k.last
	if k.since != nil {
		outgoing, incoming = outgoing+1, incoming+1
		if last == nil || *last < *k.since {
			last = k.since
		}
	}
	var contact, bond float64
	if last != nil {
		contact = network.ContactScore(outgoing, incoming, int(today-*last))
	}
	kinds = k.kinds
	for _, b := range bonds {
		bond = max(bond, b.Score)
		kinds |= int16(network.KindsOf(b.Kind))
	}
	return network.MixedScore(k.given, contact, bond), kinds
}

// readOwner returns the person of a user, 0 if unknown, and the day from which ages of the user's contacts count.
func readOwner(ctx context.Context, tx pgx.Tx, user int64) (owner int64, today network.Day, err error) {
	err = tx.QueryRow(ctx, `select coalesce(person_id, 0), coalesce(greatest(
			(select max(last_day) from contacts where user_id = u.id), (select max(since) from relationships
			where user_id = u.id)),
			(now()::date - date '1970-01-01'))
		from users u where id = $1`, user).Scan(&owner, &today)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, 0, conn.NoUser()
	}
	return owner, today, err
}

func readKnown(ctx context.Context, tx pgx.Tx, user int64, people []int64) ([]known, error) {
	return conn.Collect(ctx, tx, "parts of scores", func(row pgx.CollectableRow) (k known, err error) {
		err = row.Scan(&k.person, &k.score, &k.given, &k.kinds, &k.since, &k.outgoing, &k.incoming, &k.last)
		return k, err
	}, `select r.person_id, r.score, coalesce(r.given, r.score), r.kinds, r.since, coalesce(c.outgoing, 0),
		coalesce(c.incoming, 0), c.last_day
		from relationships r left join (
			select person_id, sum(outgoing)::bigint as outgoing, sum(incoming)::bigint as incoming,
			max(last_day) as last_day from contacts where user_id = $1 and ($2::bigint[] is null or person_id = any($2))
			group by person_id) c using (person_id)
		where r.user_id = $1 and ($2::bigint[] is null or r.person_id = any($2))`, user, people)
}

// readBonds returns the bonds between a user's person and the people the user knows.
func readBonds(ctx context.Context, tx pgx.Tx, user, owner int64, today network.Day) (map[int64][]network.Bond, error) {
	if owner == 0 {
		return nil, nil
	}
	own, err := timesOf(ctx, tx, []int64{owner})
	if err != nil || len(own) == 0 {
		return nil, err
	}
	theirs, err := conn.Collect(ctx, tx, "times with a user", scanTime,
		`select t.person_id, t.company_id, '', t.from_day,
		coalesce(t.to_day, $3)
			from relationships r join tenures t using (person_id)
			where r.user_id = $1 and t.company_id in (select company_id from tenures where person_id = $2)
		union all select t.person_id, 0, t.school, t.from_day, coalesce(t.to_day, $3)
			from relationships r join studies t using (person_id)
			where r.user_id = $1 and t.school in (select school from studies
			where person_id = $2)`, user, owner, network.Open)
	if err != nil {
		return nil, err
	}
	var companies []int64
	for _, t := range own {
		companies = append(companies, t.Org.Company)
	}
	sizes, err := companySizes(ctx, tx, companies)
	if err != nil {
		return nil, err
	}
	return network.Together(own, theirs, func(id int64) int { return sizes[id] }, today), nil
}
