package network

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/jackc/pgx/v5"

	"kith/internal/imports/loader"
	"kith/internal/network"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
	"kith/internal/record"
)

var _ loader.Relations = (*Store)(nil)

// PutRelations implements [loader.Relations].
func (nw *Store) PutRelations(
	ctx context.Context,
	number int64,
	relations []loader.Relation,
) ([]loader.Related, error) {
	var out []loader.Related
	err := nw.db.InTx(ctx, "load relationships", func(tx pgx.Tx) error {
		if err := nw.db.BlockDeletions(ctx, tx); err != nil {
			return err
		}
		users, err := ensureUsers(ctx, tx, relations)
		if err != nil {
			return err
		}
		if out, err = supplier(number).relateLoaded(ctx, tx, relations, users); err != nil {
			return err
		}
		return nw.markForgotten(ctx, tx, relations, out)
	})
	return out, conn.Refused(err)
}

// relateLoaded stores relations of users; if several are about the same pair, the last one gets the outcome.
func (s supplier) relateLoaded(ctx context.Context, tx pgx.Tx, relations []loader.Relation,
	users map[userKey]int64,
) ([]loader.Related, error) {
	out := make([]loader.Related, len(relations))
	var wanted []relation
	var positions []int
	var days []string
	for i, r := range relations {
		w, reason := wantedRelation(r, users)
		if reason != "" {
			out[i].Reason = reason
			continue
		}
		wanted, positions, days = append(wanted, w), append(positions, i), append(days, r.ConnectedOn)
	}
	stored, err := s.relate(ctx, tx, wanted)
	if err == nil {
		err = connectedSince(ctx, tx, wanted, stored, days)
	}
	if err != nil {
		return nil, err
	}
	last := map[edge]int{}
	for k, s := range stored {
		out[positions[k]] = newRelated(s)
		if s.Person == nil {
			continue
		}
		pair := edge{user: wanted[k].user, person: s.Person.ID}
		if before, repeated := last[pair]; repeated {
			out[before].Outcome = record.Repeated
		}
		last[pair] = positions[k]
	}
	return out, nil
}

// markForgotten distinguishes relations to erased people from those to unknown people.
func (nw *Store) markForgotten(
	ctx context.Context,
	tx pgx.Tx,
	relations []loader.Relation,
	out []loader.Related,
) error {
	var missing []int
	var identifiers []string
	for i, r := range out {
		if r.Reason == notFoundReason {
			missing, identifiers = append(missing, i), append(identifiers, relations[i].Identifier)
		}
	}
	gone, err := access.ForgottenAmong(ctx, nw.db, tx, identifiers)
	if err != nil {
		return err
	}
	for k, i := range missing {
		if gone[k] {
			out[i] = loader.Related{Outcome: record.Suppressed}
		}
	}
	return nil
}

// userKey identifies a user in a load file.
type userKey struct{ app, externalID string }

// ensureUsers creates missing users of existing apps, locks all of them in a fixed order, and returns their ids.
func ensureUsers(ctx context.Context, tx pgx.Tx, relations []loader.Relation) (map[userKey]int64, error) {
	var apps, ids []string
	seen := map[userKey]bool{}
	for _, r := range relations {
		if key := (userKey{r.App, r.ExternalUserID}); !seen[key] {
			seen[key] = true
			apps, ids = append(apps, key.app), append(ids, key.externalID)
		}
	}
	_, err := tx.Exec(ctx, `insert into users (app_id, external_id, email, created_at)
		select a.id, k.external_id, '', now() from unnest($1::text[], $2::text[]) as k (app, external_id)
		join apps a on a.name = k.app
		order by a.id, k.external_id on conflict (app_id, external_id) do nothing`, apps, ids)
	if err != nil {
		return nil, err
	}
	users := map[userKey]int64{}
	var key userKey
	var id int64
	err = conn.ForEach(ctx, tx, "lock users", []any{&key.app, &key.externalID, &id}, func() error {
		users[key] = id
		return nil
	}, `select a.name, u.external_id, u.id from unnest($1::text[], $2::text[]) as k (app, external_id)
		join apps a on a.name = k.app join users u on u.app_id = a.id and u.external_id = k.external_id
		order by u.id for update of u`, apps, ids)
	return users, err
}

// EnsureUser returns a user of an app, locked, creating the user if missing; 0 if there is no such app.
func EnsureUser(ctx context.Context, tx pgx.Tx, app, externalID string) (int64, error) {
	users, err := ensureUsers(ctx, tx, []loader.Relation{{App: app, ExternalUserID: externalID}})
	return users[userKey{app, externalID}], err
}

// EnsureUser returns a user of an app, creating the user if missing.
func (nw *Store) EnsureUser(ctx context.Context, app, externalID string) (id int64, err error) {
	err = nw.db.InTx(ctx, "user of an app", func(tx pgx.Tx) error {
		id, err = EnsureUser(ctx, tx, app, externalID)
		return err
	})
	if err != nil {
		return 0, err
	}
	if id == 0 {
		return 0, fmt.Errorf("there is no app %q; create it with kith app create %s", app, app)
	}
	return id, nil
}

const notFoundReason = "identifier: " + network.NotFoundMessage

// wantedRelation parses a relation, or says why it cannot be stored.
func wantedRelation(r loader.Relation, users map[userKey]int64) (relation, string) {
	user, ok := users[userKey{r.App, r.ExternalUserID}]
	if !ok {
		return relation{}, fmt.Sprintf("app: there is no app %q; create it with kith app create", r.App)
	}
	var kinds []network.Kind
	for i, t := range r.Types {
		kind, err := network.ParseKind(t)
		if err != nil {
			return relation{}, fmt.Sprintf("types[%d]: %v", i, err)
		}
		kinds = append(kinds, kind)
	}
	if r.ConnectedOn != "" {
		if _, err := network.ParseDate(r.ConnectedOn); err != nil {
			return relation{}, fmt.Sprintf("connected_on: %v", err)
		}
	}
	entry, problem := network.Element{
		Identifier: r.Identifier, Score: r.Score, Kinds: network.KindsOf(kinds...),
	}.Check(network.DefaultScore)
	return relation{user: user, entry: entry}, problem
}

// connectedSince stores the first days of relations; "" is none.
func connectedSince(ctx context.Context, tx pgx.Tx, wanted []relation, stored []network.Imported, days []string) error {
	var users, people []int64
	var first []network.Day
	of := map[int64][]int64{}
	for k, w := range wanted {
		day, err := network.ParseDate(days[k])
		if p := stored[k].Person; err == nil && p != nil {
			users, people, first = append(users, w.user), append(people, p.ID), append(first, day)
			of[w.user] = append(of[w.user], p.ID)
		}
	}
	if len(users) == 0 {
		return nil
	}
	err := conn.Exec(ctx, tx, "first days of relationships", `update relationships r
		set since = least(r.since, w.since), updated_at = now()
		from (select user_id, person_id, min(since) as since from unnest($1::bigint[], $2::bigint[], $3::integer[])
			as w (user_id, person_id, since) group by 1, 2) w
		where r.user_id = w.user_id and r.person_id = w.person_id and least(r.since, w.since) is distinct
		from r.since`, users, people, first)
	for _, user := range slices.Sorted(maps.Keys(of)) {
		if err == nil {
			err = ComputeScores(ctx, tx, user, of[user])
		}
	}
	return err
}

func newRelated(s network.Imported) loader.Related {
	if s.Person == nil {
		return loader.Related{Reason: notFoundReason}
	}
	outcome := map[network.Status]record.Outcome{
		network.Created: record.Created, network.Updated: record.Changed, network.Unchanged: record.Unchanged,
	}
	return loader.Related{Outcome: outcome[s.Status]}
}
