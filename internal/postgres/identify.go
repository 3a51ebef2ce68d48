package postgres

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith/index/analysis"
	"kith/index/load"
)

// mark is an identifier as people are looked up by it; one member is set.
type mark struct {
	id                     *int64
	profile, email, social *string
}

// markOf reads an identifier as users, apps and files give it. A number is an id and
// nothing else: were it a social identifier, too, another person would be meant as soon as
// the one with the id is gone.
func markOf(identifier string) mark {
	if id, err := strconv.ParseInt(strings.TrimSpace(identifier), 10, 64); err == nil {
		return mark{id: &id}
	}
	switch kind, key := analysis.Identifier(identifier); kind {
	case analysis.ProfileIdentifier:
		return mark{profile: &key}
	case analysis.EmailIdentifier:
		return mark{email: &key}
	case analysis.SocialIdentifier:
		return mark{social: &key}
	}
	return mark{}
}

// Kinds of person_identifiers.
const (
	identifierProfile = 1
	identifierEmail   = 2
	identifierSource  = 3
	identifierName    = 4 // a namesake key
)

// meantBy calls each with the people that marks mean, those of a mark by rank, then
// id, and at most a hundred of them. It is the one reading of identifiers in SQL.
func meantBy(ctx context.Context, on querier, marks []mark, each func(i int, person int64)) error {
	ids, profiles, emails, socials := make([]*int64, len(marks)), make([]*string, len(marks)), make([]*string, len(marks)), make([]*string, len(marks))
	for i, m := range marks {
		ids[i], profiles[i], emails[i], socials[i] = m.id, m.profile, m.email, m.social
	}
	var i int
	var id int64
	return forEach(ctx, on, "identify people", []any{&i, &id}, func() error {
		each(i-1, id)
		return nil
	}, `select k.i, m.id
		from unnest($1::bigint[], $2::text[], $3::text[], $4::text[]) with ordinality as k (id, profile, email, social, i)
		cross join lateral (
			select p.id, p.rank from people p join (
				select k.id where k.id is not null
				union select r.person_id from person_records r where r.id = k.id
				union select p.id from people p where p.social_key = k.profile
				union select a.person_id from person_identifiers a where a.kind = 1 and a.value = k.profile
				union select p.id from people p where p.email = k.email
				union select a.person_id from person_identifiers a where a.kind = 2 and a.value = k.email
				union select p.id from people p where p.social_id = k.social
			) found on found.id = p.id
			order by p.rank desc, p.id limit 100) m
		order by k.i, m.rank desc, m.id`, ids, profiles, emails, socials)
}

// Identify returns the ids of the people that an identifier may mean, lowest first.
func (db *DB) Identify(ctx context.Context, identifier string) ([]int64, error) {
	return peopleMeant(ctx, db.pool, identifier)
}

// peopleMeant is [DB.Identify] in a transaction or out of one.
func peopleMeant(ctx context.Context, q querier, identifier string) ([]int64, error) {
	var ids []int64
	err := meantBy(ctx, q, []mark{markOf(identifier)}, func(_ int, id int64) { ids = append(ids, id) })
	slices.Sort(ids)
	return ids, err
}

// identify finds the person of each relation; relation i's is found[i], 0
// where there is none. Of several who share an address the first by rank is
// meant.
func identify(ctx context.Context, on querier, wanted []relation) (found []int64, err error) {
	found = make([]int64, len(wanted))
	marks := make([]mark, len(wanted))
	for i, w := range wanted {
		marks[i] = markOf(w.entry.Identifier)
	}
	err = meantBy(ctx, on, marks, func(i int, id int64) {
		if found[i] == 0 {
			found[i] = id
		}
	})
	return found, err
}

// PersonIDs implements [load.Tx].
func (w *writeTx) PersonIDs(ctx context.Context, keys load.PersonKeys) ([]load.PersonID, error) {
	return collect(ctx, w.tx, "people by key", pgx.RowToStructByPos[load.PersonID], `
		select p.id, f.profile, f.email, f.source, coalesce(p.social_key, ''), coalesce(p.record ->> 'social_url', '') from people p join (
			select p.id, k as profile, '' as email, '' as source from unnest($1::text[]) k join people p on p.social_key = k
			union select k, '', '', '' from unnest($2::bigint[]) k
			union select a.person_id, k, '', '' from unnest($1::text[]) k join person_identifiers a on a.kind = 1 and a.value = k
			union select p.id, '', k, '' from unnest($3::text[]) k join people p on p.email = k
			union select a.person_id, '', k, '' from unnest($3::text[]) k join person_identifiers a on a.kind = 2 and a.value = k
			union select a.person_id, '', '', k from unnest($4::text[]) k join person_identifiers a on a.kind = 3 and a.value = k
		) f on f.id = p.id`, keys.Social, keys.IDs, keys.Emails, keys.Sources)
}

// putIdentifiers replaces the marks of people that their rows do not have as columns.
func (w *writeTx) putIdentifiers(ctx context.Context, values []personValues, fresh bool) error {
	var ids []int64
	var rows [][]any
	for _, v := range values {
		p := &v.row.Person
		ids = append(ids, p.ID)
		for _, address := range p.Addresses() {
			if address != v.row.Email {
				rows = append(rows, []any{p.ID, int16(identifierEmail), address})
			}
		}
		for _, source := range p.Sources {
			rows = append(rows, []any{p.ID, int16(identifierSource), source})
		}
		for _, profile := range v.row.Profiles {
			if profile != v.row.SocialKey {
				rows = append(rows, []any{p.ID, int16(identifierProfile), profile})
			}
		}
	}
	for _, v := range values {
		for _, name := range v.row.Names {
			if name != analysis.NamesakeKey(v.row.Person) {
				rows = append(rows, []any{v.row.Person.ID, int16(identifierName), name})
			}
		}
	}
	if !fresh {
		if err := exec(ctx, w.tx, "identifiers", "delete from person_identifiers where person_id = any($1)", ids); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	_, err := w.tx.CopyFrom(ctx, pgx.Identifier{"person_identifiers"}, []string{"person_id", "kind", "value"}, pgx.CopyFromRows(rows))
	return err
}
