package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"kith/index/load"
	"kith/internal/pgtest"
	"kith/internal/postgres"
	"kith/internal/privacy"
)

// As many requests at once as there are, a small pool is enough: none waits for
// a connection that another one of them holds.
func TestForgetAndExportInParallel(t *testing.T) {
	const people, conns = 24, 4
	db := openDB(t, pgtest.URL(t), postgres.Options{MaxConns: conns})
	lines := make([]string, people)
	for i := range lines {
		lines[i] = person(fmt.Sprintf("P%d", i), "")
	}
	loadLines(t, db, load.People, lines...)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var all errgroup.Group
	for i := range people {
		all.Go(func() error {
			profile := fmt.Sprintf("https://social.example/in/p%d", i)
			if _, err := db.Export(ctx, profile, "operator"); err != nil {
				return err
			}
			got, err := db.Forget(ctx, profile, "operator")
			if err == nil && got.Status != privacy.Forgotten {
				err = fmt.Errorf("%s: %+v", profile, got)
			}
			return err
		})
	}
	check(t, all.Wait())
}

// Whoever waits to write leaves connections to those who read.
func TestWaitingWritersLeaveConnections(t *testing.T) {
	const conns = 4
	db := openDB(t, pgtest.URL(t), postgres.Options{MaxConns: conns})
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var all errgroup.Group
	check(t, db.Write(ctx, func(ctx context.Context, _ load.Tx) error {
		started := make(chan struct{})
		for i := range 3 * conns {
			all.Go(func() error {
				started <- struct{}{}
				_, err := db.Forget(ctx, fmt.Sprintf("p%d@example.com", i), "operator")
				return err
			})
			<-started
		}
		for range 100 {
			if err := db.Ping(ctx); err != nil {
				return err
			}
		}
		return nil
	}))
	check(t, all.Wait())
}
