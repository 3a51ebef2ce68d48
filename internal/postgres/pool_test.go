package postgres_test

import (
	"context"
	"testing"

	"kith"
	"kith/index/fair"
	"kith/internal/access/auth"
	"kith/internal/network"
	"kith/internal/postgres"
	"kith/internal/test/expect"
	"kith/internal/test/pgtest"
)

// However many changes of one user wait for a lock, sign-in and requests of other users get a connection.
func TestOneUserCannotTakeAllConnections(t *testing.T) {
	url := pgtest.MigratedURL(t)
	db := pgtest.Dataset(t, url, postgres.Options{MaxConns: 14})
	app := pgtest.App(t, db, "acme")
	greedy, other := pgtest.User(t, db, app, "greedy", "g@example.com"), pgtest.User(t, db, app, "other", "o@example.com")
	look := connect(t, url)
	tx, err := connect(t, url).Begin(t.Context())
	expect.NoError(t, err)
	_, err = tx.Exec(t.Context(), "select from kith.users where id = $1 for update", greedy.UserID)
	expect.NoError(t, err)

	const changes = 30
	ended := make(chan error, changes)
	for range changes {
		go func() {
			_, err := db.Network().Import(fair.WithUser(t.Context(), greedy.UserID), greedy,
				[]network.Entry{{Identifier: "nobody@example.com"}})
			ended <- err
		}()
	}
	waiting := 0
	for waiting < 4 { // two thirds of the connections for users
		expect.NoError(t,
			look.QueryRow(t.Context(), "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and "+
				"datname = current_database()").Scan(&waiting))
	}
	_, err = db.Network().Summary(fair.WithUser(t.Context(), other.UserID), other.UserID)
	expect.NoError(t, err)
	_, err = auth.New(db.Auth(), auth.Config{}).Issue(t.Context(), app,
		auth.Identity{ExternalID: "new", Email: "n@example.com"})
	expect.NoError(t, err)
	expect.NoError(t,
		look.QueryRow(t.Context(), "select count(*) from pg_stat_activity where wait_event_type = 'Lock' and "+
			"datname = current_database()").Scan(&waiting))
	if waiting > 4 {
		t.Errorf("one user has %d connections", waiting)
	}
	expect.NoError(t, tx.Rollback(context.Background()))
	for range changes {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

func TestTurnsEndAfterErrorsAndUnreadRows(t *testing.T) {
	db := pgtest.Dataset(t, pgtest.MigratedURL(t), postgres.Options{MaxConns: 10})
	actor := pgtest.User(t, db, pgtest.App(t, db, "acme"), "u", "u@example.com")
	ctx := fair.WithUser(t.Context(), actor.UserID)
	gone, cancel := context.WithCancel(ctx)
	cancel()
	for range 5 { // each call takes one of two turns
		if _, err := db.Network().Contacts(gone, actor.UserID); err == nil {
			t.Error("a canceled read succeeded")
		}
		if _, err := db.Network().Import(ctx, kith.Actor{UserID: -1}, nil); kith.KindOf(err) != kith.Unauthorized {
			t.Errorf("a change by an unknown user: %v", err)
		}
		_, err := db.Network().Contacts(ctx, actor.UserID)
		expect.NoError(t, err)
		expect.NoError(t, db.Network().Employees(ctx, actor.Viewer(), []int64{1}, func(int64) bool { return true },
			func(int64) {}))
		_, err = db.Network().Summary(ctx, actor.UserID)
		expect.NoError(t, err)
		expect.NoError(t, db.Network().SetSharing(ctx, actor.UserID, network.ShareTeam))
	}
}
