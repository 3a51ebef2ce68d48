package network

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/conn"
)

// MergeContacts moves the users' relationships and contacts from one person to another, when the two turn out to be the
// same. It adds up contacts. Of two relationships of a user, it keeps the higher given score, the kinds of both and the
// earlier first day. It deletes the relationships of the first person, and those that users then have with themselves.
func MergeContacts(ctx context.Context, tx pgx.Tx, from, to int64) error {
	users, err := conn.Collect(ctx, tx, "lock the users who know them", pgx.RowTo[int64],
		`select id from users where id in (
			select user_id from relationships where person_id = $1 union select user_id from contacts
			where person_id = $1 union select user_id from known_addresses where person_id = $1)
		or person_id = $1 order by id for update`, from)
	if err != nil || len(users) == 0 {
		return err
	}
	batch := &pgx.Batch{}
	batch.Queue(`with gone as (
			delete from contacts where person_id = $1 returning user_id, kind, month, outgoing, incoming, first_day,
			last_day, imports)
		insert into contacts as c (user_id, person_id, kind, month, outgoing, incoming, first_day, last_day, imports)
		select user_id, $2, kind, month, outgoing, incoming, first_day, last_day, imports from gone
		on conflict (user_id, person_id, kind, month) do update set
			outgoing = c.outgoing + excluded.outgoing, incoming = c.incoming + excluded.incoming,
			first_day = least(c.first_day, excluded.first_day), last_day = greatest(c.last_day, excluded.last_day),
			imports = joint(c.imports, excluded.imports)`, from, to)
	batch.Queue(`with gone as (
			delete from relationships where person_id = $1 returning user_id, coalesce(given, score) as given, kinds,
			since, created_at, imports)
		insert into relationships as r (user_id, person_id, score, given, kinds, since, created_at, imports)
		select user_id, $2, given, given, kinds, since, created_at, imports from gone
		on conflict (user_id, person_id) do update set score = greatest(coalesce(r.given, r.score), excluded.given),
			given = greatest(coalesce(r.given, r.score), excluded.given), kinds = r.kinds | excluded.kinds,
			since = least(r.since, excluded.since), created_at = least(r.created_at, excluded.created_at),
			updated_at = now(), imports = joint(r.imports, excluded.imports)`, from, to)
	batch.Queue(`with gone as (delete from known_addresses where person_id = $1 returning user_id, email, imports)
		insert into known_addresses as k (user_id, person_id, email, imports) select user_id, $2, email, imports
		from gone
		on conflict (user_id, email, person_id) do update set imports = joint(k.imports, excluded.imports)`, from, to)
	batch.Queue("update users set person_id = $2 where person_id = $1", from, to)
	batch.Queue(`delete from relationships r using users u
		where u.id = any($1) and r.user_id = u.id and r.person_id = u.person_id`, users)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("merge contacts: %w", err)
	}
	for _, user := range users {
		if err := ComputeScores(ctx, tx, user, []int64{to}); err != nil {
			return err
		}
	}
	return TouchNetworks(ctx, tx, users...)
}
