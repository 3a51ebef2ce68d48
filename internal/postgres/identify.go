package postgres

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/record"
	"kith/query/analysis"
)

// mark is a parsed identifier with the caller who looks it up.
type mark struct {
	// At most one of these is set; none for a text that is not an identifier.
	id                             *int64
	profile, email, social, source *string
	// owners are the owners whose records are searched; nil is all.
	owners sight
	// user is the caller, whose own addresses of people count, too.
	user int64
}

// parseMark parses an identifier from users, apps and files. Source ids occur in exports. A number is only an id: if it
// could also be a social identifier, it would refer to another person as soon as the one with the id is deleted.
func parseMark(identifier string) mark {
	if id, err := strconv.ParseInt(strings.TrimSpace(identifier), 10, 64); err == nil {
		return mark{id: &id}
	}
	if source, ok := strings.CutPrefix(strings.TrimSpace(identifier), loader.SourcePrefix); ok {
		return mark{source: &source}
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
)

// matchMarks calls each with the people that marks refer to: for each mark records of everyone first, then by rank and
// id, at most 100. If a user gives an address, the user's own records come first, because a record of everyone with
// that address must belong to somebody else. This is the only interpretation of identifiers in SQL.
func matchMarks(ctx context.Context, on Querier, marks []mark, each func(i int, person int64)) error {
	n := len(marks)
	ids, profiles, emails, socials := make([]*int64, n), make([]*string, n), make([]*string, n), make([]*string, n)
	sources, owners, users := make([]*string, n), make([]*string, n), make([]int64, n)
	for i, m := range marks {
		ids[i], profiles[i], emails[i], socials[i], sources[i], users[i] = m.id, m.profile, m.email, m.social, m.source,
			m.user
		if m.owners != nil {
			text := textArray(m.owners)
			owners[i] = &text
		}
	}
	var i int
	var id int64
	return forEach(ctx, on, "identify people", []any{&i, &id}, func() error {
		each(i-1, id)
		return nil
	}, `select k.i, m.id
		from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
			with ordinality as k (id, profile, email, social, source, owners, user_id, i)
		cross join lateral (
			select p.id, p.rank, (p.owner <> '') <> (k.user_id <> 0 and k.email is not null) as later from people p join (
				select k.id where k.id is not null
				union select r.person_id from person_records r where r.id = k.id
				union select p.id from people p where p.social_key = k.profile
				union select a.person_id from person_identifiers a where a.kind = 1 and a.value = k.profile
				union select p.id from people p where p.email = k.email
				union select a.person_id from person_identifiers a where a.kind = 2 and a.value = k.email
				union select a.person_id from known_addresses a where a.user_id = k.user_id and a.email = k.email
				union select p.id from people p where p.social_id = k.social
				union select a.person_id from person_identifiers a where a.kind = 3 and a.value = k.source
			) found on found.id = p.id
			where k.owners is null or p.owner = any(k.owners::text[])
			order by later, p.rank desc, p.id limit 100) m
		order by k.i, m.later, m.rank desc, m.id`, ids, profiles, emails, socials, sources, owners, users)
}

// Identify returns the ids of the people that an identifier may refer to, as visible to a viewer, lowest first.
func (db *DB) Identify(ctx context.Context, v kith.Viewer, identifier string) ([]int64, error) {
	seen, err := visibleOwners(ctx, db.pool, v)
	if err != nil {
		return nil, err
	}
	return identifyPeople(ctx, db.pool, identifier, seen)
}

// identifyForViewer returns the person each identifier refers to for a viewer, 0 if there is none; seen are the
// visible owners. Of several people with the same address, the first counts.
func identifyForViewer(
	ctx context.Context, q Querier, v kith.Viewer, identifiers []string, seen sight,
) ([]int64, error) {
	actor, _ := v.User()
	marks, ids := make([]mark, len(identifiers)), make([]int64, len(identifiers))
	for i, identifier := range identifiers {
		marks[i] = parseMark(identifier)
		marks[i].owners, marks[i].user = seen, actor.UserID
	}
	err := matchMarks(ctx, q, marks, func(i int, id int64) { ids[i] = cmp.Or(ids[i], id) })
	return ids, err
}

// PeopleByAddress implements Addresses of internal/search. A user also finds people by addresses that only the user
// has.
func (db *DB) PeopleByAddress(ctx context.Context, v kith.Viewer, addresses []string) (map[string][]int64, error) {
	seen, err := visibleOwners(ctx, db.pool, v)
	if err != nil {
		return nil, err
	}
	actor, _ := v.User()
	marks := make([]mark, len(addresses))
	for i := range addresses {
		marks[i] = mark{email: &addresses[i], owners: seen, user: actor.UserID}
	}
	found := map[string][]int64{}
	err = matchMarks(ctx, db.pool, marks, func(i int, id int64) { found[addresses[i]] = append(found[addresses[i]], id) })
	return found, err
}

// identifyPeople is [DB.Identify] on a transaction or pool.
func identifyPeople(ctx context.Context, q Querier, identifier string, seen sight) ([]int64, error) {
	m := parseMark(identifier)
	m.owners = seen
	var ids []int64
	err := matchMarks(ctx, q, []mark{m}, func(_ int, id int64) { ids = append(ids, id) })
	slices.Sort(ids)
	return ids, err
}

// identify finds the person of each relation among those its user may refer to; found[i] belongs to relation i, 0 if
// there is none. Of several people with the same address, the first counts.
func identify(ctx context.Context, on Querier, wanted []relation) (found []int64, err error) {
	var users []int64
	for _, w := range wanted {
		if w.user != 0 && !slices.Contains(users, w.user) {
			users = append(users, w.user)
		}
	}
	own, err := ownBy(ctx, on, users)
	if err != nil {
		return nil, err
	}
	found = make([]int64, len(wanted))
	marks := make([]mark, len(wanted))
	for i, w := range wanted {
		if marks[i] = parseMark(w.entry.Identifier); w.source != "" {
			marks[i] = mark{source: &w.source}
		}
		marks[i].user, marks[i].owners = w.user, sight{record.Everyone}
		if w.user != 0 {
			marks[i].owners = own[w.user]
		}
	}
	err = matchMarks(ctx, on, marks, func(i int, id int64) {
		if found[i] == 0 {
			found[i] = id
		}
	})
	return found, err
}

// IdentifyFor finds the people that a user's identifiers refer to: found[i] belongs to identifiers[i], 0 if there is
// none.
func IdentifyFor(ctx context.Context, on Querier, user int64, identifiers []string) (found []int64, err error) {
	wanted := make([]relation, len(identifiers))
	for i, identifier := range identifiers {
		wanted[i] = relation{user: user, entry: network.Entry{Identifier: identifier}}
	}
	return identify(ctx, on, wanted)
}

// PersonIDs implements [record.Tx]. If both a shared and an owned record have a mark, the shared one counts.
func (w *writeTx) PersonIDs(ctx context.Context, keys record.PersonKeys) ([]record.PersonID, error) {
	return Collect(ctx, w.tx, "people by key", pgx.RowToStructByPos[record.PersonID], `
		select id, profile, email, source, social_key, social_url from (
			select p.id, f.profile, f.email, f.source, coalesce(p.social_key, '') as social_key,
			coalesce(p.record ->> 'social_url', '') as social_url,
				f.profile || f.email || f.source = '' as by_id, rank() over (partition by f.profile, f.email, f.source
				order by p.owner) as nth
			from people p join (
				select p.id, k as profile, '' as email, '' as source from unnest($1::text[]) k join people p on p.social_key = k
				union select k, '', '', '' from unnest($2::bigint[]) k
				union select a.person_id, k, '', '' from unnest($1::text[]) k join person_identifiers a on a.kind = 1
				and a.value = k
				union select p.id, '', k, '' from unnest($3::text[]) k join people p on p.email = k
				union select a.person_id, '', k, '' from unnest($3::text[]) k join person_identifiers a on a.kind = 2
				and a.value = k
				union select a.person_id, '', '', k from unnest($4::text[]) k join person_identifiers a on a.kind = 3
				and a.value = k
			) f on f.id = p.id where f.profile || f.email || f.source = '' or p.owner in ('', $5)) f
		where by_id or nth = 1`, keys.Social, keys.IDs, keys.Emails, keys.Sources, w.owner)
}

// putIdentifiers replaces the identifiers of people that have no column in their rows.
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
	if !fresh {
		if err := Exec(ctx, w.tx, "identifiers", "delete from person_identifiers where person_id = any($1)",
			ids); err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	_, err := w.tx.CopyFrom(ctx, pgx.Identifier{"person_identifiers"}, []string{"person_id", "kind", "value"},
		pgx.CopyFromRows(rows))
	return err
}
