package record

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith/internal/postgres/conn"
	networksql "kith/internal/postgres/network"
	"kith/internal/record"
)

// mergeTx makes one person of several records, and several of one.
type mergeTx struct{ *WriteTx }

// absorb merges people into others: it moves what refers to them and deletes their rows. It records what it moved, so
// that the merge can be undone.
func (w mergeTx) absorb(ctx context.Context, gone map[int64]int64) error {
	if err := w.db.LockInTx(ctx, w.Tx, conn.LockPeople); err != nil {
		return err
	}
	from := slices.Sorted(maps.Keys(gone))
	if err := w.lockConnectedUsers(ctx, from); err != nil {
		return err
	}
	for _, person := range from {
		if err := w.moveReferences(ctx, person, gone[person]); err != nil {
			return err
		}
	}
	return w.deletePeople(ctx, from)
}

// moveReferences moves what refers to a person to another one, and records it.
func (w mergeTx) moveReferences(ctx context.Context, from, to int64) error {
	batch := &pgx.Batch{}
	batch.Queue("update moved_rows set to_id = $2 where to_id = $1", from, to)
	batch.Queue(`insert into moved_rows (from_id, to_id, table_name, row, existed)
		select $1, $2, 'relationships', to_jsonb(r), exists (select from relationships o where o.user_id = r.user_id
		and o.person_id = $2) or exists (select from users u where u.id = r.user_id and u.person_id = $2)
			from relationships r where r.person_id = $1
		union all
		select $1, $2, 'contacts', to_jsonb(c), exists (select from contacts o
				where (o.user_id, o.person_id, o.kind, o.month) = (c.user_id, $2, c.kind, c.month))
			from contacts c where c.person_id = $1
		union all
		select $1, $2, 'known_addresses', to_jsonb(k), exists (select from known_addresses o
				where (o.user_id, o.person_id, o.email) = (k.user_id, $2, k.email))
			from known_addresses k where k.person_id = $1
		union all
		select $1, $2, 'list_people', to_jsonb(e), exists (select from list_people o where o.list_id = e.list_id
		and o.person_id = $2)
			from list_people e where e.person_id = $1
		union all
		select $1, $2, 'leads', to_jsonb(l), false from leads l where l.person_id = $1 and not exists (
			select from leads o where o.user_id = l.user_id and o.sequence_id = l.sequence_id
			and o.person_id = $2)`, from, to)
	moveNamed(batch, from, to)
	if err := w.Tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("merge people: %w", err)
	}
	return networksql.MergeContacts(ctx, w.Tx, from, to)
}

// undoMerge undoes merges: it moves everything back to people who are separate again. It subtracts contacts that were
// added up. The link from a user account to its person stays with the merged person.
func (w mergeTx) undoMerge(ctx context.Context, people []int64) error {
	if len(people) == 0 {
		return nil
	}
	users, kept, err := w.lockFormerUsers(ctx, people)
	if err != nil {
		return err
	}
	for _, statement := range []string{
		`update relationships r set person_id = m.from_id from moved_rows m
			where m.from_id = any($1) and m.table_name = 'relationships' and not m.existed
				and r.person_id = m.to_id and r.user_id = (m.row ->> 'user_id')::bigint`,
		`insert into relationships overriding system value
			select n.* from moved_rows m, jsonb_populate_record(null::relationships, m.row) n
			where m.from_id = any($1) and m.table_name = 'relationships' and m.existed
				and exists (select from users u where u.id = n.user_id) on conflict do nothing`,
		`update contacts c
			set outgoing = greatest(0, c.outgoing - n.outgoing), incoming = greatest(0, c.incoming - n.incoming)
			from moved_rows m, jsonb_populate_record(null::contacts, m.row) n
			where m.from_id = any($1) and m.table_name = 'contacts' and m.existed
				and (c.user_id, c.person_id, c.kind, c.month) = (n.user_id, m.to_id, n.kind, n.month)`,
		`delete from contacts c using moved_rows m, jsonb_populate_record(null::contacts, m.row) n
			where m.from_id = any($1) and m.table_name = 'contacts' and not m.existed
				and (c.user_id, c.person_id, c.kind, c.month) = (n.user_id, m.to_id, n.kind, n.month)`,
		`insert into contacts select n.* from moved_rows m, jsonb_populate_record(null::contacts, m.row) n
			where m.from_id = any($1) and m.table_name = 'contacts' and exists (select from users u
			where u.id = n.user_id) on conflict do nothing`,
		`delete from known_addresses k using moved_rows m, jsonb_populate_record(null::known_addresses, m.row) n
			where m.from_id = any($1) and m.table_name = 'known_addresses' and not m.existed
				and (k.user_id, k.person_id, k.email) = (n.user_id, m.to_id, n.email)`,
		`insert into known_addresses select n.* from moved_rows m, jsonb_populate_record(null::known_addresses, m.row) n
			where m.from_id = any($1) and m.table_name = 'known_addresses' and exists (select from users u
			where u.id = n.user_id) on conflict do nothing`,
		`delete from list_people e using moved_rows m where m.from_id = any($1) and m.table_name = 'list_people'
			and not m.existed and e.list_id = (m.row ->> 'list_id')::bigint and e.person_id = m.to_id`,
		`insert into list_people overriding system value
			select n.* from moved_rows m, jsonb_populate_record(null::list_people, m.row) n
			where m.from_id = any($1) and m.table_name = 'list_people' and exists (select from lists l
			where l.id = n.list_id) on conflict do nothing`,
		`update leads l set person_id = m.from_id from moved_rows m
			where m.from_id = any($1) and m.table_name = 'leads' and l.user_id = (m.row ->> 'user_id')::bigint
			and l.id = (m.row ->> 'id')::bigint`,
		"delete from moved_rows where from_id = any($1)",
		fmt.Sprintf("delete from deleted where kind = %d and id = any($1)", record.People),
	} {
		if err := conn.Exec(ctx, w.Tx, "part people", statement, people); err != nil {
			return err
		}
	}
	for _, user := range users {
		if err := networksql.ComputeScores(ctx, w.Tx, user, slices.Concat(people, kept)); err != nil {
			return err
		}
	}
	if len(users) == 0 {
		return nil
	}
	return networksql.TouchNetworks(ctx, w.Tx, users...)
}

// lockFormerUsers locks the users who get something back; kept are the people they get it from.
func (w mergeTx) lockFormerUsers(ctx context.Context, people []int64) (users, kept []int64, err error) {
	users, err = conn.Collect(ctx, w.Tx, "users with returned rows", pgx.RowTo[int64],
		`select id from users where id in (
		select (row ->> 'user_id')::bigint from moved_rows where from_id = any($1)) order by id for update`, people)
	if err != nil || len(users) == 0 {
		return nil, nil, err
	}
	kept, err = conn.Collect(ctx, w.Tx, "merged people", pgx.RowTo[int64],
		"select distinct to_id from moved_rows where from_id = any($1) order by 1", people)
	return users, kept, err
}

// giveUpProfiles removes the profiles that people no longer have, before others of the batch get them: a profile is
// that of one person after every statement. A person may be unchanged otherwise.
func (w mergeTx) giveUpProfiles(ctx context.Context, rows []record.PersonRow) error {
	ids, profiles := make([]int64, len(rows)), make([]*string, len(rows))
	for i, r := range rows {
		ids[i], profiles[i] = r.Person.ID, orNull(r.SocialKey)
	}
	if err := w.lockKeys(ctx, ids, profiles); err != nil {
		return err
	}
	return conn.Exec(ctx, w.Tx, "give up profiles", `update people p set social_key = null
		from unnest($1::bigint[], $2::text[]) as n (id, profile)
		where p.id = n.id and p.social_key <> coalesce(n.profile, '')`, ids, profiles)
}

// lockKeys blocks transactions that refer to people before the profile or owner of a stored record of everyone changes.
// The change locks its row against references, and absorbOwned may block such transactions later: they would deadlock.
func (w mergeTx) lockKeys(ctx context.Context, ids []int64, profiles []*string) error {
	if w.Owner != record.Everyone {
		return nil
	}
	changes, err := conn.Value[bool](ctx, w.Tx, "changed profiles", `select exists (select from people p
		join unnest($1::bigint[], $2::text[]) as n (id, profile) on n.id = p.id
		where p.social_key is distinct from n.profile or p.owner <> $3)`, ids, profiles, w.Owner)
	if err != nil || !changes {
		return err
	}
	return w.db.LockInTx(ctx, w.Tx, conn.LockPeople)
}

// DeletePeople implements [record.Tx]. It also removes every trace of the records merged into the people.
func (w *WriteTx) DeletePeople(ctx context.Context, ids []int64) error {
	records, err := conn.Collect(ctx, w.Tx, "records of people", pgx.RowTo[int64],
		"select id from person_records where person_id = any($1) union select unnest($1::bigint[])", ids)
	if err != nil {
		return err
	}
	for _, statement := range []string{
		"delete from duplicates where low = any($1) or high = any($1)",
		"delete from moved_rows where from_id = any($1) or to_id = any($1)",
	} {
		if err := conn.Exec(ctx, w.Tx, "records of people", statement, records); err != nil {
			return fmt.Errorf("delete people: %w", err)
		}
	}
	return w.deletePeople(ctx, ids)
}
