package record

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"kith/internal/outreach"
	"kith/internal/postgres/conn"
	networksql "kith/internal/postgres/network"
	"kith/internal/record"
	"kith/internal/record/identity"
)

// absorbOwned merges users' own records into just written records of everyone that are certainly of the same people,
// and deletes the former, so that nobody appears twice.
func (w mergeTx) absorbOwned(ctx context.Context, written []personValues) error {
	if w.Owner != record.Everyone || len(written) == 0 {
		return nil
	}
	owned, err := conn.Value[bool](ctx, w.Tx, "owners", "select exists (select from owners)")
	if err != nil || !owned {
		return err
	}
	ids := idsOf(written)
	others, err := recordsElsewhere(ctx, w.Tx, ids)
	if err != nil || len(others) == 0 {
		return err
	}
	var gone []int64
	to := map[int64]int64{}
	for _, o := range others { // in order of the written ids
		if _, taken := to[o.other]; !taken {
			to[o.other], gone = o.id, append(gone, o.other)
		}
	}
	slices.Sort(gone)
	// Before users, as elsewhere: what refers to people blocks deletions, then locks its user.
	if err := w.db.LockInTx(ctx, w.Tx, conn.LockPeople); err != nil {
		return err
	}
	if err := w.lockConnectedUsers(ctx, gone); err != nil {
		return err
	}
	for _, from := range gone {
		if err := w.moveOwned(ctx, from, to[from]); err != nil {
			return err
		}
	}
	if err := w.DeletePeople(ctx, gone); err != nil {
		return fmt.Errorf("shared records: %w", err)
	}
	return nil
}

// moveOwned moves what refers to an owned record to a shared one. Its addresses remain visible to the user only.
func (w mergeTx) moveOwned(ctx context.Context, from, to int64) error {
	if err := networksql.MergeContacts(ctx, w.Tx, from, to); err != nil {
		return err
	}
	err := conn.Exec(ctx, w.Tx, "addresses of a user", `insert into known_addresses (user_id, person_id, email)
		select o.user_id, $2, a.email from people p join owners o on o.key = p.owner join (
			select email from people where id = $1
			union select value from person_identifiers where person_id = $1 and kind = 2) a on a.email is not null
		where p.id = $1 and o.user_id is not null on conflict do nothing`, from, to)
	if err != nil {
		return err
	}
	batch := &pgx.Batch{}
	moveNamed(batch, from, to)
	if err := w.Tx.SendBatch(ctx, batch).Close(); err != nil {
		return fmt.Errorf("leads and lists of a person: %w", err)
	}
	return nil
}

// moveNamed moves leads and entries of lists from one record to another, unless the other is already there.
func moveNamed(batch *pgx.Batch, from, to int64) {
	moveFromLeads(batch, from, to)
	batch.Queue(`update leads l set person_id = $2 where l.person_id = $1 and not exists (
		select from leads o where o.user_id = l.user_id and o.sequence_id = l.sequence_id
		and o.person_id = $2)`, from, to)
	batch.Queue(`insert into list_people (list_id, person_id, added_at)
		select list_id, $2, added_at from list_people where person_id = $1 on conflict do nothing`, from, to)
}

// moveFromLeads moves what belongs to the leads of one record to those of another in the same sequences. Of two leads,
// it cancels what is scheduled for one, so that nobody gets the e-mails of both. A removed lead takes the state of
// another one instead.
func moveFromLeads(batch *pgx.Batch, from, to int64) {
	// Lock leads before everything attached to them, as every change does.
	batch.Queue("select from leads where person_id in ($1, $2) order by user_id, id for update", from, to)
	batch.Queue(`with pairs as (
			select l.user_id, l.sequence_id, l.id as gone, o.id as kept, l.status,
				o.status = 'deleted' and l.status <> 'deleted' as revives
			from leads l join leads o on o.user_id = l.user_id and o.sequence_id = l.sequence_id
			where l.person_id = $1 and o.person_id = $2
		), revived as (
			update leads o set status = l.status, next_followup_at = l.next_followup_at, introducers = l.introducers,
				stage = l.stage, latest_update = l.latest_update, latest_update_at = l.latest_update_at
			from pairs p join leads l on l.user_id = p.user_id and l.id = p.gone
			where p.revives and o.user_id = p.user_id and o.id = p.kept
		), moves as (
			insert into outreach_history (user_id, sequence_id, lead_id, subject, row_id, from_state, to_state, reason,
				moved_by, moved_at)
			select m.*, 'merged with another lead of the person', $3::text, now() from (
				select p.user_id, p.sequence_id, p.kept, 'email', e.id, e.status, 'canceled'
				from pairs p join emails e on e.user_id = p.user_id and e.lead_id = p.gone
				where e.status = 'scheduled' and not p.revives
				union all
				select user_id, sequence_id, kept, 'lead', kept, 'deleted', status from pairs where revives) m
		), moved_emails as (
			update emails e set lead_id = p.kept, loaded = null,
				status = case when e.status = 'scheduled' and not p.revives then 'canceled' else e.status end
			from pairs p where e.user_id = p.user_id and e.lead_id = p.gone
		), moved_activities as (
			update activities a set lead_id = p.kept from pairs p where a.user_id = p.user_id and a.lead_id = p.gone
		)
		update outreach_history h set lead_id = p.kept,
			row_id = case h.subject when 'lead' then p.kept else h.row_id end
		from pairs p where h.user_id = p.user_id and h.lead_id = p.gone`, from, to, outreach.ByMerge)
}

// twin is a record with one of another owner that is certainly of the same person.
type twin struct{ id, other int64 }

// recordsElsewhere returns the records of other owners that are certainly of the same people, in order of ids.
func recordsElsewhere(ctx context.Context, q conn.Querier, ids []int64) ([]twin, error) {
	var found []twin
	byProfile := map[twin]bool{}
	var t twin
	var profile bool
	err := conn.ForEach(ctx, q, "records of other owners", []any{&t.id, &t.other, &profile}, func() error {
		found, byProfile[t] = append(found, t), profile
		return nil
	}, `with marks as (
			select id, 1 as kind, social_key as value from people where id = any($1) and social_key is not null
			union select id, 2, email from people where id = any($1) and email is not null
			union select person_id, kind, value from person_identifiers where person_id = any($1) and kind in (1, 2, 3))
		select m.id, o.id, bool_or(m.kind = 1) from marks m cross join lateral (
			select p.id from people p where m.kind = 1 and p.social_key = m.value
			union select p.id from people p where m.kind = 2 and p.email = m.value
			union select i.person_id from person_identifiers i where i.kind = m.kind and i.value = m.value) o
		join people a on a.id = m.id join people b on b.id = o.id where a.owner <> b.owner
		group by 1, 2 order by 1, 2`, ids)
	if err != nil || len(found) == 0 {
		return nil, err
	}
	var doubted []int64
	for _, t := range found {
		if !byProfile[t] {
			doubted = append(doubted, t.id, t.other)
		}
	}
	people, err := markedPeople(ctx, q, doubted)
	return slices.DeleteFunc(found, func(t twin) bool {
		return !byProfile[t] && !people[t.id].Same(people[t.other])
	}), err
}

// markedPeople returns people with all their profiles.
func markedPeople(ctx context.Context, q conn.Querier, ids []int64) (map[int64]identity.Marked, error) {
	out := make(map[int64]identity.Marked, len(ids))
	if len(ids) == 0 {
		return out, nil
	}
	var id int64
	var record []byte
	var profiles []string
	err := conn.ForEach(
		ctx,
		q,
		"people with their profiles",
		[]any{&id, (*pgtype.DriverBytes)(&record), &profiles},
		func() error {
			p, err := decodePerson(id, record)
			out[id] = identity.Marked{Person: p, Profiles: profiles}
			profiles = nil
			return err
		},
		`select p.id, `+wholeRecord("p")+`, array(select p.social_key where p.social_key is not null
			union select i.value from person_identifiers i where i.person_id = p.id and i.kind = 1)
		from people p where p.id = any($1)`,
		ids,
	)
	return out, err
}

// furtherRecords returns the further records of an erasure's subject, of every owner: records with the profile, and
// records certainly of the same person as one found.
func furtherRecords(ctx context.Context, tx pgx.Tx, s subject, lock string) ([]int64, error) {
	found := []int64{s.id}
	if s.socialKey != "" {
		same, err := conn.Collect(ctx, tx, "records of a profile", pgx.RowTo[int64],
			"select id from people where social_key = $1 and id <> $2", s.socialKey, s.id)
		if err != nil {
			return nil, err
		}
		found = append(found, same...)
	}
	for asked := found; len(asked) > 0; {
		twins, err := recordsElsewhere(ctx, tx, asked)
		if err != nil {
			return nil, err
		}
		asked = nil
		for _, t := range twins {
			if !slices.Contains(found, t.other) {
				found, asked = append(found, t.other), append(asked, t.other)
			}
		}
	}
	return conn.Collect(ctx, tx, "records of other owners", pgx.RowTo[int64],
		"select id from people where id = any($1) order by id"+lock, found[1:])
}

// firstOfEach keeps one record of each person, preferring shared ones.
func firstOfEach(ctx context.Context, tx pgx.Tx, ids []int64) ([]int64, error) {
	ids, err := conn.Collect(ctx, tx, "records of people", pgx.RowTo[int64],
		"select id from people where id = any($1) order by owner, id", ids)
	if err != nil {
		return nil, err
	}
	var first []int64
	known := map[int64]bool{}
	for _, id := range ids {
		if known[id] {
			continue
		}
		first = append(first, id)
		also, err := furtherRecords(ctx, tx, subject{id: id}, "")
		if err != nil {
			return nil, err
		}
		for _, other := range also {
			known[other] = true
		}
	}
	return first, nil
}
