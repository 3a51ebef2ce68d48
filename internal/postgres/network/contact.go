package network

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"kith/internal/network"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/query/analysis"
)

// Meet creates a relationship of a user with each person in the user's files, or adds kinds and an earlier first day to
// an existing one. It keeps a given score. It returns how many relationships had each outcome and ignores unknown
// people. Mail with their addresses becomes contacts. [Network.ComputeScores] must update the scores afterwards.
func (nw *Store) Meet(ctx context.Context, number, user int64,
	people []network.Acquaintanceship,
) (created, updated, unchanged int64, err error) {
	wanted := make([]relation, len(people))
	for i, p := range people {
		wanted[i] = relation{
			user:  user,
			entry: network.Entry{Identifier: p.Identifier, Score: network.FileScore, Kinds: p.Kinds},
		}
	}
	err = nw.db.InUsersTx(ctx, user, "relationships of an import", func(tx pgx.Tx) error {
		found, err := identifyByAll(ctx, tx, wanted, people)
		if err != nil {
			return err
		}
		kept, err := keepPeople(ctx, tx, found)
		if err != nil {
			return err
		}
		ids, emails := addressesOf(people, found, kept)
		if err := supplier(number).putAddresses(ctx, tx, user, ids, emails); err != nil {
			return err
		}
		if err := claimCorrespondence(ctx, tx, user, ids, emails); err != nil {
			return err
		}
		created, updated, unchanged, err = supplier(number).putRelationships(ctx, tx, user, merge(wanted, found, kept),
			firstDays(people, found))
		return err
	})
	return created, updated, unchanged, err
}

// identifyByAll is [identify] by each person's identifier, and failing that by addresses and sources: a record of
// everyone may have only one of these.
func identifyByAll(ctx context.Context, tx pgx.Tx, wanted []relation,
	people []network.Acquaintanceship,
) ([]int64, error) {
	found, err := identify(ctx, tx, wanted)
	for round := 0; err == nil; round++ {
		var positions []int
		var more []relation
		for i, p := range people {
			if emails := len(p.Emails); found[i] == 0 && round < emails+len(p.Sources) {
				next := relation{user: wanted[i].user}
				if round < emails {
					next.entry.Identifier = p.Emails[round]
				} else {
					next.source = p.Sources[round-emails]
				}
				positions, more = append(positions, i), append(more, next)
			}
		}
		if len(more) == 0 {
			break
		}
		var by []int64
		by, err = identify(ctx, tx, more)
		for k, id := range by {
			found[positions[k]] = id
		}
	}
	return found, err
}

// addressesOf returns the addresses of people who were found, each with the person.
func addressesOf(
	people []network.Acquaintanceship, found []int64, kept map[int64]network.Person,
) (ids []int64, emails []string) {
	for i, p := range people {
		if _, there := kept[found[i]]; !there {
			continue
		}
		for _, email := range p.Emails {
			if kind, key := analysis.Identifier(email); kind == analysis.EmailIdentifier {
				ids, emails = append(ids, found[i]), append(emails, key)
			}
		}
	}
	return ids, emails
}

// putAddresses stores a user's addresses of people whose records belong to others: the records themselves stay
// unchanged.
func (s supplier) putAddresses(ctx context.Context, tx pgx.Tx, user int64, ids []int64, emails []string) error {
	return conn.Exec(ctx, tx, "addresses of people",
		`insert into known_addresses as k (user_id, person_id, email, imports)
		select distinct $1::bigint, n.person_id, n.email, $5::bigint[]
		from unnest($2::bigint[], $3::text[]) as n (person_id, email)
		join people p on p.id = n.person_id and p.owner <> $4 and p.email is distinct from n.email
		on conflict (user_id, email, person_id) do update set imports = joint(k.imports, excluded.imports)
			where joint(k.imports, excluded.imports) is distinct from
			k.imports`, user, ids, emails, access.UserOwner(user), s.column())
}

// firstDays returns the first days of relationships, by person.
func firstDays(people []network.Acquaintanceship, found []int64) map[int64]network.Day {
	first := map[int64]network.Day{}
	for i, p := range people {
		if p.Since == nil || found[i] == 0 {
			continue
		}
		if day, there := first[found[i]]; !there || *p.Since < day {
			first[found[i]] = *p.Since
		}
	}
	return first
}

func (s supplier) putRelationships(
	ctx context.Context, tx pgx.Tx, user int64, e edges, since map[int64]network.Day,
) (created, updated, unchanged int64, err error) {
	days := make([]*network.Day, len(e.people))
	for i, id := range e.people {
		if day, ok := since[id]; ok {
			days[i] = &day
		}
	}
	err = tx.QueryRow(ctx, `with wanted as (
			select * from unnest($2::bigint[], $3::float8[], $4::smallint[], $5::integer[]) as w (person_id, score,
			kinds, since) where person_id is distinct from (select person_id from users where id = $1)
		), created as (
			insert into relationships (user_id, person_id, score, given, kinds, since, imports)
			select $1, person_id, score, score, case kinds when 0 then $6 else kinds end, since, $7 from wanted
			on conflict (user_id, person_id) do nothing
			returning person_id
		), updated as (
			update relationships r set kinds = r.kinds | w.kinds, since = least(r.since, w.since), updated_at = now()
			from wanted w where r.user_id = $1 and r.person_id = w.person_id
				and (r.kinds | w.kinds <> r.kinds or least(r.since, w.since) is distinct from r.since)
			returning r.person_id
		)
		select (select count(*) from created), (select count(*) from updated), (select count(*) from wanted)`,
		user, e.people, e.scores, e.kinds, days, int16(network.KindsOf(network.SocialContact)), s.column()).
		Scan(&created, &updated, &unchanged)
	if err == nil {
		err = s.claimRelationships(ctx, tx, e.users, e.people)
	}
	if err != nil || created+updated == 0 {
		return created, updated, unchanged - created - updated, err
	}
	return created, updated, unchanged - created - updated, TouchNetworks(ctx, tx, user)
}

// PutContacts stores how often a user was in contact with people. For each month the highest numbers ever stored count,
// so files may overlap and be stored twice. Within one call, identifiers of the same person are added up. A person with
// contact in both directions becomes a relationship. Mail with unknown addresses is kept apart: see
// [Network.Correspondents]. It returns how many people there are contacts for, and how many identifiers are unknown.
func (nw *Store) PutContacts(ctx context.Context, number, user int64,
	contacts []network.PastContact,
) (people, unknown int64, err error) {
	err = nw.db.InUsersTx(ctx, user, "contacts of an import", func(tx pgx.Tx) error {
		rows, mail, missing, err := sumByMonth(ctx, tx, user, contacts)
		if err != nil {
			return err
		}
		people, unknown = rows.people(), missing
		if err := nw.putCorrespondence(ctx, tx, supplier(number), user, mail); err != nil {
			return err
		}
		return rows.put(ctx, tx, supplier(number), user)
	})
	return people, unknown, err
}

// contactMonth is the key of a user's row of contacts.
type contactMonth struct {
	person int64
	kind   int16
	month  int32
}

type contactMonths map[contactMonth]network.History

// sumByMonth adds up contacts by person, kind and month. mail is that with unknown addresses.
func sumByMonth(ctx context.Context, tx pgx.Tx, user int64,
	contacts []network.PastContact,
) (rows contactMonths, mail []network.PastContact, unknown int64, err error) {
	ids := map[string]int64{}
	var wanted []string
	for _, c := range contacts {
		if _, seen := ids[c.Identifier]; !seen {
			ids[c.Identifier] = 0
			wanted = append(wanted, c.Identifier)
		}
	}
	found, err := IdentifyFor(ctx, tx, user, wanted)
	if err != nil {
		return nil, nil, 0, err
	}
	kept, err := keepPeople(ctx, tx, found)
	if err != nil {
		return nil, nil, 0, err
	}
	for i, id := range found {
		if _, there := kept[id]; there {
			ids[wanted[i]] = id
		} else {
			unknown++
		}
	}
	rows = contactMonths{}
	for _, c := range contacts {
		if id := ids[c.Identifier]; id != 0 {
			rows.add(id, c.History)
		} else if c.IsPersonalMail() {
			mail = append(mail, c)
		}
	}
	return rows, mail, unknown, nil
}

func (rows contactMonths) add(person int64, h network.History) {
	key := contactMonth{person, KindNumber(h.Kind), monthOf(h.First)}
	if before, there := rows[key]; there {
		h, _ = network.Total([]network.History{before, h})
	}
	rows[key] = h
}

// monthOf returns the month of a day, counted from year 0.
func monthOf(d network.Day) int32 {
	at := time.Unix(int64(d)*24*60*60, 0).UTC()
	return int32(at.Year()*12 + int(at.Month()) - 1)
}

// KindNumber returns the stored number of a kind.
func KindNumber(k network.ContactKind) int16 {
	return int16(max(0, slices.Index(network.ContactKinds(), k)))
}

func (rows contactMonths) people() int64 {
	people := map[int64]bool{}
	for key := range rows {
		people[key.person] = true
	}
	return int64(len(people))
}

func (rows contactMonths) put(ctx context.Context, tx pgx.Tx, s supplier, user int64) error {
	n := len(rows)
	people, kinds, months := make([]int64, 0, n), make([]int16, 0, n), make([]int32, 0, n)
	outgoing, incoming := make([]int64, 0, n), make([]int64, 0, n)
	first, last := make([]int32, 0, n), make([]int32, 0, n)
	for key, h := range rows {
		people, kinds, months = append(people, key.person), append(kinds, key.kind), append(months, key.month)
		outgoing, incoming = append(outgoing, h.Outgoing), append(incoming, h.Incoming)
		first, last = append(first, h.First), append(last, h.Last)
	}
	var changed int64
	err := tx.QueryRow(ctx, `with wanted as (
			select * from unnest($2::bigint[], $3::smallint[], $4::integer[], $5::bigint[], $6::bigint[], $7::integer[],
			$8::integer[])
				as w (person_id, kind, month, outgoing, incoming, first_day, last_day)
			where person_id is distinct from (select person_id from users where id = $1)
		), put as (
			insert into contacts as c (user_id, person_id, kind, month, outgoing, incoming, first_day, last_day,
			imports) select $1, w.*, $9::bigint[] from wanted w
			on conflict (user_id, person_id, kind, month) do update set
				outgoing = greatest(c.outgoing, excluded.outgoing), incoming = greatest(c.incoming, excluded.incoming),
				first_day = least(c.first_day, excluded.first_day), last_day = greatest(c.last_day, excluded.last_day),
				imports = joint(c.imports, excluded.imports)
			where c.outgoing < excluded.outgoing or c.incoming < excluded.incoming
				or c.first_day > excluded.first_day or c.last_day < excluded.last_day
				or joint(c.imports, excluded.imports) is distinct from c.imports
			returning 1
		)
		select count(*) from put`,
		user, people, kinds, months, outgoing, incoming, first, last, s.column()).Scan(&changed)
	if err != nil {
		return err
	}
	met, err := s.meetInBothDirections(ctx, tx, user, people)
	if err != nil || changed+met == 0 {
		return err
	}
	return TouchNetworks(ctx, tx, user)
}

// meetInBothDirections adds a relationship with each of some people with whom the user was in contact in both
// directions, in whichever files, but not with the user's own person. It returns how many changed.
func (s supplier) meetInBothDirections(ctx context.Context, tx pgx.Tx, user int64, people []int64) (int64, error) {
	tag, err := tx.Exec(ctx, `insert into relationships as r (user_id, person_id, score, given, kinds, imports)
		select $1, person_id, $3::float8, $3::float8, $4::smallint, $5::bigint[] from contacts
		where user_id = $1 and person_id = any($2)
			and person_id is distinct from (select person_id from users where id = $1)
		group by person_id having sum(outgoing) > 0 and sum(incoming) > 0
		on conflict (user_id, person_id) do update set imports = joint(r.imports, excluded.imports)
			where joint(r.imports, excluded.imports) is distinct from r.imports`,
		user, people, float64(network.FileScore),
		int16(network.KindsOf(network.SocialContact)), s.column())
	return tag.RowsAffected(), err
}

// LastContacts implements [network.GraphStore].
func (nw *Store) LastContacts(ctx context.Context, user int64,
	kind network.ContactKind,
) (map[int64]network.Day, error) {
	last := map[int64]network.Day{}
	var person int64
	var day network.Day
	err := conn.ForEach(ctx, nw.db.Querier(), "last contacts", []any{&person, &day}, func() error {
		last[person] = day
		return nil
	}, "select person_id, max(last_day) from contacts where user_id = $1 and ($2 or kind = $3) group by person_id",
		user, kind == "", KindNumber(kind))
	return last, err
}
