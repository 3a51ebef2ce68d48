package postgres_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/rs/zerolog"
	"golang.org/x/sync/errgroup"

	"kith/internal/jobs"
	"kith/internal/pgtest"
	"kith/internal/postgres"
	"kith/internal/refresh"
)

// Whoever looks at jobs that have just ended, asks for the same people again, or
// tidies, waits for one another: none is broken off for another.
func TestTicketsAreSettledTogether(t *testing.T) {
	url := pgtest.URL(t)
	db := pgtest.Directory(t, url, postgres.Options{})
	queue, err := jobs.New(db.Pool(), jobs.Config{Schema: pgtest.Schema, Logger: zerolog.Nop()})
	check(t, err)
	user, ctx, tickets := firstUser(t, db), t.Context(), db.Tickets(queue)
	for round := range 20 {
		var profiles []refresh.Profile
		for _, i := range rand.Perm(100) {
			key := fmt.Sprintf("social.example/in/p%d-%d", round, i)
			profiles = append(profiles, refresh.Profile{Key: key, URL: "https://" + key})
		}
		ids, err := tickets.Open(ctx, user, profiles, jobs.Now)
		check(t, err)
		_, err = db.Pool().Exec(ctx, "update river_job set state = 'completed', finalized_at = now() where state = 'available'")
		check(t, err)
		var all errgroup.Group
		all.Go(func() error { _, err := tickets.Look(ctx, ids); return err })
		all.Go(func() error { return tickets.Tidy(ctx, time.Now().Add(-refresh.Lifetime)) })
		all.Go(func() error { _, err := tickets.Open(ctx, user, profiles[:50], jobs.Now); return err })
		if err := all.Wait(); err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
	}
}
