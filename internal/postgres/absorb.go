package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/index/load"
)

// absorb lets people become part of others: what hangs on them goes over, and their rows
// go. What went over is noted, so that it can go back.
func (w *writeTx) absorb(ctx context.Context, gone map[int64]int64) error {
	if err := w.db.lockInTx(ctx, w.tx, lockPeople); err != nil {
		return err
	}
	from, to := make([]int64, 0, len(gone)), make([]int64, 0, len(gone))
	for a, b := range gone {
		from, to = append(from, a), append(to, b)
	}
	if err := w.lockWhoKnows(ctx, from); err != nil {
		return err
	}
	for _, statement := range []string{
		"update moved_rows o set to_id = m.b from unnest($1::bigint[], $2::bigint[]) m (a, b) where o.to_id = m.a",
		`insert into moved_rows (from_id, to_id, table_name, row, existed)
			select m.a, m.b, 'relationships', to_jsonb(r), exists (select from relationships o where o.user_id = r.user_id and o.person_id = m.b)
			from unnest($1::bigint[], $2::bigint[]) m (a, b) join relationships r on r.person_id = m.a`,
		`update relationships o set score = greatest(o.score, r.score), kinds = o.kinds | r.kinds, updated_at = now()
			from unnest($1::bigint[], $2::bigint[]) m (a, b) join relationships r on r.person_id = m.a
			where o.person_id = m.b and o.user_id = r.user_id`,
		`update relationships r set person_id = m.b from unnest($1::bigint[], $2::bigint[]) m (a, b)
			where r.person_id = m.a and not exists (select from relationships o where o.user_id = r.user_id and o.person_id = m.b)
				and not exists (select from unnest($1::bigint[], $2::bigint[]) n (a, b) join relationships o on o.person_id = n.a
					where n.b = m.b and n.a < m.a and o.user_id = r.user_id)`,
		`insert into moved_rows (from_id, to_id, table_name, row, existed)
			select m.a, m.b, 'leads', to_jsonb(l), false
			from unnest($1::bigint[], $2::bigint[]) m (a, b) join leads l on l.person_id = m.a
			where not exists (select from leads o where o.user_id = l.user_id and o.sequence_id = l.sequence_id and o.person_id = m.b)`,
		`update leads l set person_id = m.b from unnest($1::bigint[], $2::bigint[]) m (a, b)
			where l.person_id = m.a and not exists (select from leads o where o.user_id = l.user_id and o.sequence_id = l.sequence_id and o.person_id = m.b)
				and not exists (select from unnest($1::bigint[], $2::bigint[]) n (a, b) join leads o on o.person_id = n.a
					where n.b = m.b and n.a < m.a and o.user_id = l.user_id and o.sequence_id = l.sequence_id)`,
		`update users u set person_id = m.b from unnest($1::bigint[], $2::bigint[]) m (a, b) where u.person_id = m.a`,
		`update users set network_version = network_version + 1, network_updated_at = now()
			where id in (select user_id from relationships where person_id = any($1) or person_id = any($2))`,
	} {
		if err := exec(ctx, w.tx, "merge people", statement, from, to); err != nil {
			return err
		}
	}
	return w.deletePeople(ctx, from)
}

// giveBack returns what went over to people who are back.
func (w *writeTx) giveBack(ctx context.Context, people []int64) error {
	if len(people) == 0 {
		return nil
	}
	if err := w.lockWhoKnows(ctx, people); err != nil {
		return err
	}
	for _, statement := range []string{
		`update relationships r set person_id = m.from_id from moved_rows m
			where m.from_id = any($1) and m.table_name = 'relationships' and not m.existed
				and r.person_id = m.to_id and r.user_id = (m.row ->> 'user_id')::bigint`,
		`insert into relationships overriding system value select n.* from moved_rows m, jsonb_populate_record(null::relationships, m.row) n
			where m.from_id = any($1) and m.table_name = 'relationships' and m.existed
				and exists (select from users u where u.id = (m.row ->> 'user_id')::bigint) on conflict do nothing`,
		`update leads l set person_id = m.from_id from moved_rows m
			where m.from_id = any($1) and m.table_name = 'leads' and l.user_id = (m.row ->> 'user_id')::bigint and l.id = (m.row ->> 'id')::bigint`,
		"update users set network_version = network_version + 1, network_updated_at = now() where id in (select user_id from relationships where person_id = any($1))",
		"delete from moved_rows where from_id = any($1)",
	} {
		if err := exec(ctx, w.tx, "part people", statement, people); err != nil {
			return err
		}
	}
	return exec(ctx, w.tx, "part people", "delete from deleted where kind = $1 and id = any($2)", int16(load.People), people)
}

// DeletePeople implements [load.Tx]. Nothing of what they were merged of is left.
func (w *writeTx) DeletePeople(ctx context.Context, ids []int64) error {
	records, err := collect(ctx, w.tx, "records of people", pgx.RowTo[int64], "select id from person_records where person_id = any($1) union select unnest($1::bigint[])", ids)
	if err != nil {
		return err
	}
	for _, statement := range []string{
		"delete from duplicates where low = any($1) or high = any($1)",
		"delete from moved_rows where from_id = any($1) or to_id = any($1)",
	} {
		if err := exec(ctx, w.tx, "records of people", statement, records); err != nil {
			return fmt.Errorf("delete people: %w", err)
		}
	}
	return w.deletePeople(ctx, ids)
}
