package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"kith/internal/network"
)

// DemoPeople returns the ids of at most n people, by rank, as material for the demo network.
func (nw *Network) DemoPeople(ctx context.Context, n int) ([]int64, error) {
	return Collect(ctx, nw.db.pool, "read people of the demo", pgx.RowTo[int64],
		"select id from people order by rank desc, id limit $1", n)
}

// SetDemoNetwork creates the demo network: colleagues, who are users that no one can sign in as, teams, and the initial
// relationships of new users. Existing users get them, too. Call it after [Auth.DropUsers].
func (nw *Network) SetDemoNetwork(ctx context.Context, app int64, n network.Template) error {
	err := nw.db.InTx(ctx, func(tx pgx.Tx) error {
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
	if err != nil {
		return fmt.Errorf("the demo network: %w", err)
	}
	return nil
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

// AddRelationships gives a user relationships to n people, spread evenly over the dataset and over the scores. It is
// for benchmarks.
func (nw *Network) AddRelationships(ctx context.Context, user int64, n int) error {
	err := nw.db.InTx(ctx, func(tx pgx.Tx) error {
		if err := LockUser(ctx, tx, user); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `insert into relationships (user_id, person_id, score, kinds)
			select $1, id, (row_number() over (order by id) % 21) / 2.0, 1 from (select id from people order by md5(id::text)
			limit $2) p
			on conflict do nothing`, user, n)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return touchNetworks(ctx, tx, map[int64]bool{user: true})
	})
	if err != nil {
		return fmt.Errorf("acquaint: %w", err)
	}
	return nil
}

// AddEmployer creates a company where the first n people work today, each since a different day, and returns how many
// there are. It is for benchmarks, and does not update the index. [Network.RemoveEmployer] reverts it.
func (nw *Network) AddEmployer(ctx context.Context, n int) (company int64, people int, err error) {
	if err := nw.RemoveEmployer(ctx); err != nil {
		return 0, 0, err
	}
	err = nw.db.InTx(ctx, func(tx pgx.Tx) error {
		err := tx.QueryRow(ctx, `insert into companies (id, name_key, record, hash, rank, version)
			select coalesce(max(id), 0) + 1, $1, jsonb_build_object('name', $1::text, 'employee_count', $2::int), '', 0, 0
			from companies
			returning id`, employer, n).Scan(&company)
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `insert into tenures (person_id, company_id, from_day, to_day)
			select id, $1, 15000 + id % 4000, null from (select id from people order by id limit $2) p`, company, n)
		people = int(tag.RowsAffected())
		return err
	})
	if err != nil {
		return 0, 0, fmt.Errorf("employ: %w", err)
	}
	return company, people, Exec(ctx, nw.db.pool, "employ", "vacuum analyze tenures")
}

// employer is the name of the company created by [Network.AddEmployer].
const employer = "an employer of many"

// RemoveEmployer deletes what [Network.AddEmployer] created.
func (nw *Network) RemoveEmployer(ctx context.Context) error {
	return Exec(ctx, nw.db.pool, "dismiss", `with gone as (delete from companies where name_key = $1 returning id)
		delete from tenures where company_id in (select id from gone)`, employer)
}
