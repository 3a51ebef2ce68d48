package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"kith/internal/auth"
	"kith/internal/bench"
	"kith/internal/network"
)

// networkLimit is how many times longer a search may take in scope network than
// in scope global, at the median.
const networkLimit = 2.0

// networks measures searches in scope network, and ways into the largest
// company, for callers with networks of several sizes.
func (b *benching) networks(ctx context.Context, opts bench.Options, check bool) error {
	d := b.opened[0]
	var callers []bench.Caller
	for _, n := range []int{0, 100, 3000, 30_000} {
		token := fmt.Sprint("bench-", n)
		user := auth.Identity{ExternalID: token, Email: token + "@example.com"}
		svc := d.auth(auth.Config{})
		if err := svc.EnsureFixed(ctx, auth.Fixed{App: "bench", Key: "sk_bench", User: user, Token: token}); err != nil {
			return err
		}
		actor, err := svc.Verify(ctx, token)
		if err != nil {
			return err
		}
		if err := d.db.Acquaint(ctx, actor.UserID, n); err != nil {
			return err
		}
		callers = append(callers, bench.Caller{Relationships: n, Actor: actor})
	}
	if err := b.companyPaths(ctx, d, callers); err != nil {
		return err
	}
	rows, err := bench.Networks(ctx, opts, callers)
	if err != nil {
		return err
	}
	highest, err := bench.WriteNetworks(os.Stdout, rows)
	if err == nil && check && highest > networkLimit {
		err = fmt.Errorf("scope network takes %.2f times as long as scope global, and may %.2f", highest, networkLimit)
	}
	return err
}

// companyPaths says how long it takes to work out who is within reach, and the
// ways into the largest company.
func (b *benching) companyPaths(ctx context.Context, d *directory, callers []bench.Caller) error {
	company, people, err := d.db.LargestEmployer(ctx)
	if err != nil {
		return err
	}
	for _, c := range callers {
		began := time.Now()
		circle, err := network.NewCircles(d.db, d.db, 0, nil).Now(ctx, c.Actor, network.Filter{})
		if err != nil {
			return err
		}
		made := time.Since(began)
		began = time.Now()
		_, total, err := network.NewPathfinder(network.NewCircles(d.db, d.db, 0, nil)).AtCompany(ctx, c.Actor, company, network.MaxTargets)
		if err != nil {
			return err
		}
		fmt.Printf("%d relationships: %d people within reach, worked out in %s; ways to %d of %d people of the largest company in %s\n",
			c.Relationships, circle.Size(), made.Round(time.Millisecond), total, people, time.Since(began).Round(time.Millisecond))
	}
	return nil
}
