package imports

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith/internal/imports"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	networksql "kith/internal/postgres/network"
	recordsql "kith/internal/postgres/record"
	"kith/internal/record"
	"kith/internal/record/identity"
)

// undoneAtOnce is how many records one transaction removes.
const undoneAtOnce = 500

// Undo implements [imports.Desk]. Each step is idempotent, so the next attempt completes an interrupted one.
func (m *Store) Undo(ctx context.Context, b imports.Begun) error {
	u := undoing{m.db, b.Number, b.Actor.UserID}
	if err := u.forgetKnown(ctx); err != nil {
		return fmt.Errorf("undo import %s: %w", b.ID, err)
	}
	for at := int64(-1); at != 0; {
		err := u.inWriteTx(ctx, func(ctx context.Context, w *recordsql.WriteTx) (err error) {
			at, err = u.correspondents(ctx, w, at)
			return err
		})
		if err != nil {
			return fmt.Errorf("undo import %s: %w", b.ID, err)
		}
	}
	for _, kind := range []record.Kind{record.People, record.Companies} {
		for more := true; more; {
			err := u.inWriteTx(ctx, func(ctx context.Context, w *recordsql.WriteTx) (err error) {
				more, err = u.records(ctx, w, kind)
				return err
			})
			if err != nil {
				return fmt.Errorf("undo import %s: %w", b.ID, err)
			}
		}
	}
	// Last, because scores depend on the jobs of the records.
	if err := networksql.New(m.db.DB, m.db.People).ComputeScores(ctx, u.user); err != nil {
		return fmt.Errorf("undo import %s: %w", b.ID, err)
	}
	return conn.Exec(ctx, m.db.Querier(), "undo an import", "delete from imports where number = $1", u.number)
}

// undoing reverts an import.
type undoing struct {
	db           *recordsql.Store
	number, user int64
}

func (u undoing) inWriteTx(ctx context.Context, f func(context.Context, *recordsql.WriteTx) error) error {
	return u.db.InWriteTx(ctx, record.OwnedBy(access.UserOwner(u.user)), f)
}

// forgetKnown deletes what the user knows about people from this import alone. As everywhere, deleting a relationship
// also deletes contacts and addresses that no other import has.
func (u undoing) forgetKnown(ctx context.Context) error {
	return u.db.InUsersTx(ctx, u.user, "forget what an import knew", func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "set local statement_timeout = 0"); err != nil {
			return err
		}
		for _, table := range []string{"relationships", "contacts", "known_addresses", "correspondence"} {
			err := conn.Exec(ctx, tx, "forget "+table, "delete from "+table+" where user_id = $1 and imports = "+
				"array[$2::bigint]", u.user, u.number)
			if err != nil {
				return err
			}
			err = conn.Exec(ctx, tx, "forget "+table,
				"update "+table+" set imports = array_remove(imports, $2) where user_id = $1 and imports @> "+
					"array[$2::bigint]", u.user, u.number)
			if err != nil {
				return err
			}
		}
		return networksql.TouchNetworks(ctx, tx, u.user)
	})
}

// records removes the next records of a kind that come from this import only.
func (u undoing) records(ctx context.Context, w *recordsql.WriteTx, kind record.Kind) (more bool, err error) {
	all, err := conn.Collect(ctx, w.Tx, "records of an import", pgx.RowTo[int64],
		"select record_id from import_records where import_id = $1 and kind = $2 order by record_id limit $3", u.number,
		int16(kind), undoneAtOnce)
	if err != nil || len(all) == 0 {
		return false, err
	}
	if kind == record.People {
		err = u.people(ctx, w, all)
	} else {
		err = u.companies(ctx, w, all)
	}
	if err != nil {
		return false, err
	}
	return true, conn.Exec(ctx, w.Tx, "records of an import",
		"delete from import_records where import_id = $1 and kind = $2 and record_id = any($3)",
		u.number, int16(kind), all)
}

// people removes records of people. If it is a person's only record, it stays if the user still knows the person or has
// them as a lead. A record that somebody decided about stays, too.
func (u undoing) people(ctx context.Context, w *recordsql.WriteTx, records []int64) error {
	alone, err := conn.Collect(ctx, w.Tx, "records of an import", pgx.RowTo[int64], `with recorded as (
			select c.record_id as id, p.id as person from import_records c
			join people p on p.id = coalesce((select r.person_id from person_records r
			where r.id = c.record_id), c.record_id)
			where c.import_id = $1 and c.kind = $2 and c.record_id = any($3) and p.owner = $4
				and not exists (select from import_records o where o.kind = c.kind and o.record_id = c.record_id
					and o.import_id <> $1)
				and not exists (select from duplicates d where d.together is not null
				and c.record_id in (d.low, d.high)))
		select id from recorded t
		where exists (select from person_records r where r.person_id = t.person and r.id not in (select id
		from recorded))
			or not exists (select from relationships k where k.person_id = t.person)
			and not exists (select from contacts k where k.person_id = t.person)
			and not exists (select from known_addresses k where k.person_id = t.person)
			and not exists (select from leads l
			where l.person_id = t.person)`, u.number, int16(record.People), records, w.Owner)
	if err != nil {
		return err
	}
	kept := slices.DeleteFunc(slices.Clone(records), func(id int64) bool { return slices.Contains(alone, id) })
	if err := u.reassign(ctx, w, kept); err != nil || len(alone) == 0 {
		return err
	}
	return identity.Without(ctx, w, alone)
}

// reassign assigns remaining records without another import to the imports through which the user knows their people.
func (u undoing) reassign(ctx context.Context, w *recordsql.WriteTx, records []int64) error {
	return conn.Exec(ctx, w.Tx, "records that stay", `insert into import_records (import_id, kind, record_id)
		select distinct m.number, c.kind, c.record_id from import_records c
		join people p on p.id = coalesce((select r.person_id from person_records r
		where r.id = c.record_id), c.record_id) cross join lateral (
			select unnest(k.imports) from relationships k where k.person_id = p.id
			union select unnest(k.imports) from contacts k where k.person_id = p.id
			union select unnest(k.imports) from known_addresses k where k.person_id = p.id) k (number)
		join imports m on m.number = k.number
		where c.import_id = $1 and c.kind = $2 and c.record_id = any($3)
			and not exists (select from import_records o where o.kind = c.kind and o.record_id = c.record_id
				and o.import_id <> $1)`, u.number, int16(record.People), records)
}

// companies deletes companies that appear in nobody's jobs.
func (u undoing) companies(ctx context.Context, w *recordsql.WriteTx, ids []int64) error {
	gone, err := conn.Collect(ctx, w.Tx, "companies of an import", pgx.RowTo[int64], `delete from companies c
		where c.id = any($3) and c.owner = $4
			and not exists (select from import_records o where o.kind = $2 and o.record_id = c.id and o.import_id <> $1)
			and not exists (select from people p where p.company_ids && array[c.id])
		returning id`, u.number, int16(record.Companies), ids, w.Owner)
	if err != nil || len(gone) == 0 {
		return err
	}
	return w.NoteDeleted(ctx, record.Companies, gone)
}
