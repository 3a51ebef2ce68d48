package postgres_test

import (
	"fmt"
	"testing"

	"kith/internal/postgres"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// A team changes while relationships of its members are loaded. The second transaction waits, and neither fails.
func TestTeamChangesAndLoadsDoNotDeadlock(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{})
	app, ctx := pgtest.App(t, db, "acme"), t.Context()
	expect.NoError(t, db.Network().CreateTeam(ctx, app.ID, "red"))
	var members []string
	for i := range 300 {
		members = append(members, fmt.Sprint("u", i))
		pgtest.User(t, db, app, members[i], members[i]+"@acme.example")
	}
	expect.NoError(t, db.Network().AddMember(ctx, app.ID, "red", members...))
	conn := connect(t, url)
	// The first user has the last row, and Postgres reads all rows in order.
	_, err := conn.Exec(ctx, "update kith.users set name = 'First' where id = (select min(id) from kith.users); "+
		"analyze kith.users, kith.team_members")
	expect.NoError(t, err)
	tx, err := conn.Begin(ctx)
	expect.NoError(t, err)
	lock := func(order string) error {
		_, err := tx.Exec(ctx, "select from kith.users order by id "+order+" for update")
		return err
	}
	expect.NoError(t, lock("limit 1"))
	done := make(chan error, 1)
	go func() { done <- db.Network().RemoveMember(ctx, app.ID, "red", members[4]) }()
	pgtest.AwaitBlocked(t, db)
	if err := lock(""); err != nil {
		t.Errorf("the load: %v", err)
	}
	_ = tx.Commit(ctx)
	if err := <-done; err != nil {
		t.Errorf("the change of the team: %v", err)
	}
}
