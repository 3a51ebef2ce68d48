package network

import (
	"context"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/network"
	"kith/internal/postgres/access"
	"kith/internal/postgres/conn"
)

// sharing selects the sharers of user $1: other users of the app who share with the community or with a team of both,
// and whose person user $1 knows. Unless set, a user's person is the one with their e-mail address.
const sharing = `me as (select id, app_id from users where id = $1),
	sharing as (
		select u.id, p.id as introducer, u.sharing, u.network_version, u.withdrawn, exists (
			select from team_members a join team_members b using (team_id) where a.user_id = me.id
			and b.user_id = u.id) as team
		from me join users u on u.app_id = me.app_id and u.id <> me.id and u.sharing <> 'none'
		cross join lateral (
			select u.person_id as id where u.person_id is not null
			union all select id from people where u.person_id is null and email = lower(u.email)) p
		where exists (select from relationships r where r.user_id = me.id and r.person_id = p.id)
	),
	others as (select * from sharing where team or sharing = 'community')`

// Sharers implements [network.SharerStore].
func (nw *Store) Sharers(ctx context.Context, user int64) ([]network.Sharer, error) {
	return conn.Collect(ctx, nw.db.Querier(), "read sharers", pgx.RowToStructByPos[network.Sharer],
		"with "+sharing+" select id, introducer, team, network_version, withdrawn from others", user)
}

// Stamp implements [network.SharerStore].
func (nw *Store) Stamp(ctx context.Context, a kith.Actor, sharers []network.Sharer) (network.Stamp, error) {
	seen, err := access.VisibleOwners(ctx, nw.db.Querier(), a.Viewer())
	if err != nil {
		return network.Stamp{}, err
	}
	s := network.Stamp{Seen: seen.Key()}
	present := map[int64]network.Sharer{}
	var one network.Sharer
	err = conn.ForEach(ctx, nw.db.Querier(), "state of the network",
		[]any{&s.Network, &s.Records, &s.Sharing, &s.People, &one.User, &one.Version, &one.Withdrawn}, func() error {
			present[one.User] = one
			return nil
		}, `select me.network_version, greatest((select max(version) from people), (select max(version)
		from companies), 0), a.sharing_version,
			(select reltuples::bigint from pg_class where oid = 'people'::regclass),
			coalesce(u.id, 0), coalesce(u.network_version, 0), coalesce(u.withdrawn, 0)
		from users me join apps a on a.id = me.app_id left join users u on u.id = any($2)
		where me.id = $1`, a.UserID, usersOf(sharers))
	if err != nil {
		return s, err
	}
	for _, sharer := range sharers {
		if now, there := present[sharer.User]; there {
			sharer.Version, sharer.Withdrawn = now.Version, now.Withdrawn
			s.Sharers = append(s.Sharers, sharer)
		}
	}
	return s, nil
}

func usersOf(sharers []network.Sharer) []int64 {
	ids := make([]int64, len(sharers))
	for i, s := range sharers {
		ids[i] = s.User
	}
	return ids
}

// maxChangedPeople is the number of changed people from which on the sharers are determined again without checking who
// changed.
const maxChangedPeople = 5000

// SharersChanged implements [network.SharerStore]. It need not check deletions: deleting a person ends the caller's
// relationship, which changes the caller's network version.
func (nw *Store) SharersChanged(ctx context.Context, user int64, sharers []network.Sharer,
	records int64,
) (changed bool, err error) {
	introducers := make([]int64, len(sharers))
	for i, s := range sharers {
		introducers[i] = s.Introducer
	}
	err = nw.db.Querier().QueryRow(ctx, `with changed as materialized (select id, email from people where version > $2
		order by version limit $4)
		select (select count(*) from changed) = $4 or exists (select from changed where id = any($3))
			or exists (select from changed c join users me on me.id = $1
				join users u on u.app_id = me.app_id and u.sharing <> 'none' and lower(u.email) = c.email)`,
		user, records, introducers, maxChangedPeople).Scan(&changed)
	return changed, conn.Named("people who share", err)
}

// UserOwner returns the owner key of a user, registering it: see [record.OwnedBy].
func (nw *Store) UserOwner(ctx context.Context, user int64) (string, error) {
	err := conn.Exec(ctx, nw.db.Querier(), "owner of records",
		"insert into owners (key, user_id) values ($1, $2) on conflict do nothing", access.UserOwner(user), user)
	return access.UserOwner(user), err
}

// AppOwner returns the owner key of an app, registering it.
func (nw *Store) AppOwner(ctx context.Context, app int64) (string, error) {
	err := conn.Exec(ctx, nw.db.Querier(), "owner of records",
		"insert into owners (key, app_id) values ($1, $2) on conflict do nothing", access.AppOwner(app), app)
	return access.AppOwner(app), err
}
