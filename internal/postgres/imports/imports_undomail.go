package imports

import (
	"context"

	"github.com/jackc/pgx/v5"

	"kith/internal/network"
	"kith/internal/postgres/conn"
	networksql "kith/internal/postgres/network"
	recordsql "kith/internal/postgres/record"
	"kith/internal/record/identity"
)

// correspondents removes the records of people who were stored because of mail in both directions, if the remaining
// mail is in one direction only. The mail stays for the next import. Leads, relationships of other origin and records
// that somebody decided about keep their people. It looks at some records with ids above after, and returns the last of
// them; 0 if there are no more.
func (u undoing) correspondents(ctx context.Context, w *recordsql.WriteTx, after int64) (last int64, err error) {
	if err := u.db.LockInTx(ctx, w.Tx, conn.LockPeople); err != nil { // before the user: see deletePeople
		return 0, err
	}
	if err := conn.LockUser(ctx, w.Tx, u.user); err != nil {
		return 0, err
	}
	var records, alone []int64
	var id, person int64
	var only bool
	err = conn.ForEach(ctx, w.Tx, "people of mail", []any{&id, &person, &only}, func() error {
		if records = append(records, id); only {
			alone = append(alone, person)
		}
		return nil
	}, `with made as (
			select p.id as person, coalesce(r.id, p.id) as id,
				(select count(*) from person_records o where o.person_id = p.id) < 2 as only
			from people p join person_identifiers i on i.person_id = p.id and i.kind = $3 and i.value like $4 || ':%'
			left join person_records r on r.person_id = p.id and r.record -> 'sources' ? i.value
			where p.owner = $2 and coalesce(r.id, p.id) > $7)
		select distinct on (m.id) m.id, m.person, m.only from made m
		where not exists (select from contacts c where c.user_id = $1 and c.person_id = m.person and c.kind = $5
				having sum(c.outgoing) > 0 and sum(c.incoming) > 0)
			and not exists (select from relationships k where k.person_id = m.person and k.imports is null and m.only)
			and not exists (select from leads l where l.person_id = m.person and m.only)
			and not exists (select from duplicates d where d.together is not null and m.id in (d.low, d.high))
		order by m.id limit $6`, u.user, w.Owner, int16(networksql.IdentifierSource), identity.MailSource,
		networksql.KindNumber(network.ContactEmail), undoneAtOnce, after)
	if err != nil || len(records) == 0 {
		return 0, err
	}
	if err := u.returnMail(ctx, w.Tx, alone); err != nil {
		return 0, err
	}
	return id, identity.Without(ctx, w, records)
}

// returnMail makes contacts with people who are removed mail with unknown people again.
func (u undoing) returnMail(ctx context.Context, tx pgx.Tx, people []int64) error {
	err := conn.Exec(ctx, tx, "mail with removed people", `with gone as (
			delete from contacts where user_id = $1 and person_id = any($2) and kind = $3 returning *),
		known as (delete from relationships where user_id = $1 and person_id = any($2))
		insert into correspondence (user_id, email, month, name, outgoing, incoming, first_day, last_day, imports)
		select $1, p.email, g.month, p.record ->> 'full_name', g.outgoing, g.incoming, g.first_day, g.last_day,
		g.imports from gone g join people p on p.id = g.person_id where p.email is not null
		on conflict do nothing`, u.user, people, networksql.KindNumber(network.ContactEmail))
	if err != nil {
		return err
	}
	return networksql.TouchNetworks(ctx, tx, u.user)
}
