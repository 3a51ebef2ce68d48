package network

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/internal/network"
	"kith/internal/postgres/conn"
)

// DemoPeople returns the ids of at most n people, by rank, as material for the demo network.
func (nw *Store) DemoPeople(ctx context.Context, n int) ([]int64, error) {
	return conn.Collect(ctx, nw.db.Querier(), "read people of the demo", pgx.RowTo[int64],
		"select id from people order by rank desc, id limit $1", n)
}

// SetDemoNetwork creates the demo network: colleagues, who are users that no one can sign in as, teams, and the initial
// relationships of new users. Existing users get them, too. Call it after [Auth.DropUsers].
func (nw *Store) SetDemoNetwork(ctx context.Context, app int64, n network.Template) error {
	return nw.db.InTx(ctx, "the demo network", func(tx pgx.Tx) error {
		for _, sql := range []string{"delete from demo_contacts", "delete from demo_teams"} {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		for i, c := range n.Colleagues {
			if err := putColleague(ctx, tx, app, i, c); err != nil {
				return fmt.Errorf("colleague %d: %w", i, err)
			}
		}
		if err := putContacts(ctx, tx, "insert into demo_contacts (person_id, score, kinds) select * from wanted",
			n.Contacts); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, `insert into demo_teams select distinct m.team_id from team_members m
			join users u on u.id = m.user_id
			where u.app_id = $1 and u.person_id is not null`, app)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, "select demo_welcome(id) from users where app_id = $1 and person_id is null", app)
		return err
	})
}

// putColleague creates a user with a team and relationships. The external id has a control character, for which no
// token can be issued.
func putColleague(ctx context.Context, tx pgx.Tx, app int64, i int, c network.Colleague) error {
	_, err := tx.Exec(ctx, "insert into teams (app_id, name) values ($1, $2) on conflict do nothing", app, c.Team)
	if err != nil {
		return err
	}
	var user int64
	err = tx.QueryRow(ctx, `insert into users (app_id, external_id, email, created_at, sharing, person_id)
		values ($1, $2, '', now(), $3, $4) returning
		id`, app, fmt.Sprintf("\x01colleague-%d", i+1), string(c.Sharing), c.Person).Scan(&user)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, "insert into team_members (team_id, user_id) select id, $1 from teams where app_id = $2 and "+
		"name = $3 and $4",
		user, app, c.Team, c.Sharing == network.ShareTeam)
	if err != nil {
		return err
	}
	return putContacts(ctx, tx, "insert into relationships (user_id, person_id, score, kinds) select $4::bigint, * "+
		"from wanted", c.Contacts, user)
}

// putContacts inserts contacts with a statement that selects from wanted, with the columns person_id, score and kinds;
// args are $4 onwards.
func putContacts(ctx context.Context, tx pgx.Tx, insert string, contacts []network.Contact, args ...any) error {
	ids, scores, kinds := make([]int64, len(contacts)), make([]float64, len(contacts)), make([]int16, len(contacts))
	for i, c := range contacts {
		ids[i], scores[i], kinds[i] = c.Person, c.Score, int16(c.Kinds)
	}
	_, err := tx.Exec(ctx, "with wanted as (select * from unnest($1::bigint[], $2::float8[], $3::smallint[])) "+insert,
		append([]any{ids, scores, kinds}, args...)...)
	return err
}
