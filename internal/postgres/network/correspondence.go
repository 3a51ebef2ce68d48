package network

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith/internal/network"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
)

// putCorrespondence stores mail with addresses of nobody the user knows: for each month the highest numbers count, as
// in contacts. It leaves out people who were erased.
func (nw *Store) putCorrespondence(ctx context.Context, tx pgx.Tx, s supplier, user int64,
	mail []network.PastContact,
) error {
	mail, err := nw.withoutSuppressed(ctx, tx, mail)
	if err != nil || len(mail) == 0 {
		return err
	}
	n := len(mail)
	emails, names, months := make([]string, n), make([]string, n), make([]int32, n)
	outgoing, incoming, first, last := make([]int64, n), make([]int64, n), make([]int32, n), make([]int32, n)
	for i, m := range mail {
		emails[i], names[i], months[i] = m.Identifier, m.Name, monthOf(m.First)
		outgoing[i], incoming[i], first[i], last[i] = m.Outgoing, m.Incoming, m.First, m.Last
	}
	return conn.Exec(ctx, tx, "mail with unknown people", `insert into correspondence as c
			(user_id, email, month, name, outgoing, incoming, first_day, last_day, imports)
		select $1::bigint, w.*, $9::bigint[] from unnest($2::text[], $3::integer[], $4::text[], $5::bigint[],
		$6::bigint[],
			$7::integer[], $8::integer[]) as w
		on conflict (user_id, email, month) do update set
			name = case c.name when '' then excluded.name else c.name end,
			outgoing = greatest(c.outgoing, excluded.outgoing), incoming = greatest(c.incoming, excluded.incoming),
			first_day = least(c.first_day, excluded.first_day), last_day = greatest(c.last_day, excluded.last_day),
			imports = joint(c.imports, excluded.imports)`,
		user, emails, months, names, outgoing, incoming, first, last, s.column())
}

// withoutSuppressed removes mail with people who were erased.
func (nw *Store) withoutSuppressed(
	ctx context.Context, tx pgx.Tx, mail []network.PastContact,
) ([]network.PastContact, error) {
	s, err := access.ReadSuppression(ctx, nw.db, tx)
	if err != nil || !s.Anyone {
		return mail, err
	}
	hashes := make([][]byte, len(mail))
	for i, m := range mail {
		hashes[i] = s.Email(m.Identifier)
	}
	stored, err := access.StoredHashes(ctx, tx, hashes)
	i := -1
	return slices.DeleteFunc(mail, func(network.PastContact) bool {
		i++
		return stored[string(hashes[i])]
	}), err
}

// Correspondents returns at most n addresses after one, in their order, with which a user exchanged mail in both
// directions although nobody known has them; each with the name in most mails.
func (nw *Store) Correspondents(
	ctx context.Context, user int64, after string, n int,
) ([]network.Correspondent, error) {
	return conn.Collect(ctx, nw.db.Querier(), "correspondents", pgx.RowToStructByPos[network.Correspondent],
		`select email, (array_agg(name order by name = '', outgoing + incoming desc, name))[1] from correspondence
		where user_id = $1 and email > $2
		group by email having sum(outgoing) > 0 and sum(incoming) > 0 order by email limit $3`, user, after, n)
}

// claimCorrespondence turns a user's mail with the addresses of people into contacts with them. The numbers of several
// addresses add up.
func claimCorrespondence(ctx context.Context, tx pgx.Tx, user int64, people []int64, emails []string) error {
	return conn.Exec(ctx, tx, "mail with known people", `with gone as (
			delete from correspondence c using (
				select n.email, min(n.person_id) as person_id from unnest($2::bigint[], $3::text[]) as n (person_id,
				email)
				where n.person_id is distinct from (select person_id from users where id = $1) group by n.email) n
			where c.user_id = $1 and c.email = n.email returning n.person_id, c.*)
		insert into contacts as c (user_id, person_id, kind, month, outgoing, incoming, first_day, last_day, imports)
		select $1, person_id, $4, month, sum(outgoing), sum(incoming), min(first_day), max(last_day), jointly(imports)
		from gone group by person_id, month
		on conflict (user_id, person_id, kind, month) do update set
			outgoing = c.outgoing + excluded.outgoing, incoming = c.incoming + excluded.incoming,
			first_day = least(c.first_day, excluded.first_day), last_day = greatest(c.last_day, excluded.last_day),
			imports = joint(c.imports, excluded.imports)`, user, people, emails, KindNumber(network.ContactEmail))
}
