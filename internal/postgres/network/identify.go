package network

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"kith"
	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/internal/record"
	"kith/query/analysis"
)

// Mark is a parsed identifier with the caller who looks it up.
type Mark struct {
	// At most one of these is set; none for a text that is not an identifier.
	id                             *int64
	profile, Email, social, source *string
	// Owners are the owners whose records are searched; nil is all.
	Owners access.Sight
	// User is the caller, whose own addresses of people count, too.
	User int64
}

// parseMark parses an identifier from users, apps and files. Source ids occur in exports. A number is only an id: if it
// could also be a social identifier, it would refer to another person as soon as the one with the id is deleted.
func parseMark(identifier string) Mark {
	if id, err := strconv.ParseInt(strings.TrimSpace(identifier), 10, 64); err == nil {
		return Mark{id: &id}
	}
	if source, ok := strings.CutPrefix(strings.TrimSpace(identifier), loader.SourcePrefix); ok {
		return Mark{source: &source}
	}
	switch kind, key := analysis.Identifier(identifier); kind {
	case analysis.ProfileIdentifier:
		return Mark{profile: &key}
	case analysis.EmailIdentifier:
		return Mark{Email: &key}
	case analysis.SocialIdentifier:
		return Mark{social: &key}
	}
	return Mark{}
}

// Kinds of person_identifiers.
const (
	IdentifierProfile = 1
	IdentifierEmail   = 2
	IdentifierSource  = 3
)

// MatchMarks calls each with the people that marks refer to: for each mark records of everyone first, then by rank and
// id, at most 100. If a user gives an address, the user's own records come first, because a record of everyone with
// that address must belong to somebody else. This is the only interpretation of identifiers in SQL.
func MatchMarks(ctx context.Context, on conn.Querier, marks []Mark, each func(i int, person int64)) error {
	n := len(marks)
	ids, profiles, emails, socials := make([]*int64, n), make([]*string, n), make([]*string, n), make([]*string, n)
	sources, owners, users := make([]*string, n), make([]*string, n), make([]int64, n)
	for i, m := range marks {
		ids[i], profiles[i], emails[i], socials[i], sources[i], users[i] = m.id, m.profile, m.Email, m.social, m.source,
			m.User
		if m.Owners != nil {
			text := conn.TextArray(m.Owners)
			owners[i] = &text
		}
	}
	var i int
	var id int64
	return conn.ForEach(ctx, on, "identify people", []any{&i, &id}, func() error {
		each(i-1, id)
		return nil
	}, `select k.i, m.id
		from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[])
			with ordinality as k (id, profile, email, social, source, owners, user_id, i)
		cross join lateral (
			select p.id, p.rank, (p.owner <> '') <> (k.user_id <> 0 and k.email is not null) as later from people p
			join (
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

// IdentifyForViewer returns the person each identifier refers to for a viewer, 0 if there is none; seen are the
// visible owners. Of several people with the same address, the first counts.
func IdentifyForViewer(
	ctx context.Context, q conn.Querier, v kith.Viewer, identifiers []string, seen access.Sight,
) ([]int64, error) {
	actor, _ := v.User()
	marks, ids := make([]Mark, len(identifiers)), make([]int64, len(identifiers))
	for i, identifier := range identifiers {
		marks[i] = parseMark(identifier)
		marks[i].Owners, marks[i].User = seen, actor.UserID
	}
	err := MatchMarks(ctx, q, marks, func(i int, id int64) { ids[i] = cmp.Or(ids[i], id) })
	return ids, err
}

// IdentifyPeople is Store.Identify of package record on a transaction or pool.
func IdentifyPeople(ctx context.Context, q conn.Querier, identifier string, seen access.Sight) ([]int64, error) {
	m := parseMark(identifier)
	m.Owners = seen
	var ids []int64
	err := MatchMarks(ctx, q, []Mark{m}, func(_ int, id int64) { ids = append(ids, id) })
	slices.Sort(ids)
	return ids, err
}

// identify finds the person of each relation among those its user may refer to; found[i] belongs to relation i, 0 if
// there is none. Of several people with the same address, the first counts.
func identify(ctx context.Context, on conn.Querier, wanted []relation) (found []int64, err error) {
	var users []int64
	for _, w := range wanted {
		if w.user != 0 && !slices.Contains(users, w.user) {
			users = append(users, w.user)
		}
	}
	own, err := access.OwnBy(ctx, on, users)
	if err != nil {
		return nil, err
	}
	found = make([]int64, len(wanted))
	marks := make([]Mark, len(wanted))
	for i, w := range wanted {
		if marks[i] = parseMark(w.entry.Identifier); w.source != "" {
			marks[i] = Mark{source: &w.source}
		}
		marks[i].User, marks[i].Owners = w.user, access.Sight{record.Everyone}
		if w.user != 0 {
			marks[i].Owners = own[w.user]
		}
	}
	err = MatchMarks(ctx, on, marks, func(i int, id int64) { found[i] = cmp.Or(found[i], id) })
	return found, err
}

// IdentifyFor finds the people that a user's identifiers refer to: found[i] belongs to identifiers[i], 0 if there is
// none.
func IdentifyFor(ctx context.Context, on conn.Querier, user int64, identifiers []string) (found []int64, err error) {
	wanted := make([]relation, len(identifiers))
	for i, identifier := range identifiers {
		wanted[i] = relation{user: user, entry: network.Entry{Identifier: identifier}}
	}
	return identify(ctx, on, wanted)
}
