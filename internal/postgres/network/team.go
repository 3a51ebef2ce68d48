package network

import (
	"context"

	"github.com/jackc/pgx/v5"

	"kith"
	"kith/internal/network"
	"kith/internal/postgres/conn"
)

// CreateTeam creates a team; Conflict if the app has one with that name.
func (nw Membership) CreateTeam(ctx context.Context, app int64, name string) error {
	_, err := conn.One(ctx, nw.db.Querier(), "create team",
		kith.Errorf(kith.Conflict, "TEAM_EXISTS", "the app has a team named %q already", name), pgx.RowTo[int64],
		"insert into teams (app_id, name) values ($1, $2) on conflict do nothing returning id", app, name)
	return err
}

// Teams lists the teams of an app by name.
func (nw Membership) Teams(ctx context.Context, app int64) ([]network.TeamInfo, error) {
	return conn.Collect(ctx, nw.db.Querier(), "list teams", pgx.RowToStructByPos[network.TeamInfo], `select t.name,
			coalesce(array_agg(u.external_id order by u.external_id) filter (where u.id is not null), '{}')
		from teams t left join team_members m on m.team_id = t.id left join users u on u.id = m.user_id
		where t.app_id = $1 group by t.id order by t.name`, app)
}

// DeleteTeam deletes a team; NotFound if the app has no such team.
func (nw Membership) DeleteTeam(ctx context.Context, app int64, name string) error {
	return nw.changeTeam(ctx, app, name, func(tx pgx.Tx, team int64) error {
		_, err := tx.Exec(ctx, "delete from teams where id = $1", team)
		return err
	})
}

// AddMember adds users to a team, all or none; NotFound if the app has no such team or user. It is idempotent.
func (nw Membership) AddMember(ctx context.Context, app int64, team string, users ...string) error {
	return nw.changeMembers(ctx, app, team, users,
		"insert into team_members (team_id, user_id) values ($1, $2) on conflict do nothing")
}

// RemoveMember removes users from a team in the same way.
func (nw Membership) RemoveMember(ctx context.Context, app int64, team string, users ...string) error {
	return nw.changeMembers(ctx, app, team, users, "delete from team_members where team_id = $1 and user_id = $2")
}

// changeMembers runs a statement for each user, all or none.
func (nw Membership) changeMembers(ctx context.Context, app int64, team string, users []string, sql string) error {
	return nw.changeTeam(ctx, app, team, func(tx pgx.Tx, team int64) error {
		for _, user := range users {
			id, err := userNamed(ctx, tx, app, user)
			if err == nil {
				_, err = tx.Exec(ctx, sql, team, id)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// changeTeam finds and locks a team, and increments the network version of its members before and after the change,
// because their reach may change.
func (nw Membership) changeTeam(ctx context.Context, app int64, name string, change func(pgx.Tx, int64) error) error {
	return nw.db.InTx(ctx, "change team", func(tx pgx.Tx) error {
		// Lock the app's row first: changes of sharing update its version while they hold users.
		if _, err := tx.Exec(ctx, "select from apps where id = $1 for no key update", app); err != nil {
			return err
		}
		id, err := conn.One(ctx, tx, "team", kith.Errorf(kith.NotFound, "TEAM_NOT_FOUND",
			"the app has no team named %q; kith team list shows its teams", name), pgx.RowTo[int64],
			"select id from teams where app_id = $1 and name = $2 for update", app, name)
		if err != nil {
			return err
		}
		if err := touchMembers(ctx, tx, id); err != nil {
			return err
		}
		if err := change(tx, id); err != nil {
			return err
		}
		return touchMembers(ctx, tx, id)
	})
}

// touchMembers records that the reach of a team's members may have changed. It locks them in the same order as a load
// of relationships locks users.
func touchMembers(ctx context.Context, tx pgx.Tx, team int64) error {
	_, err := tx.Exec(ctx, `update users set network_version = network_version + 1 where id in (
		select id from users where id in (select user_id from team_members where team_id = $1) order by id
		for no key update)`, team)
	return err
}

func userNamed(ctx context.Context, tx pgx.Tx, app int64, externalID string) (int64, error) {
	return conn.One(ctx, tx, "user", kith.Errorf(kith.NotFound, "USER_NOT_FOUND",
		"the app has no user %q; a user is created with the first token", externalID), pgx.RowTo[int64],
		"select id from users where app_id = $1 and external_id = $2", app, externalID)
}
