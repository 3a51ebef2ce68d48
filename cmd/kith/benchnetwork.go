package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kith/internal/auth"
	"kith/internal/devtools/bench"
	"kith/internal/network"
)

// networkLimit limits the ratio of median times in scope network and scope global.
const networkLimit = 2.0

// networks measures searches in scope network, and paths to a company with many employees,
// for callers with networks of several sizes.
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
		if err := d.db.Network().AddRelationships(ctx, actor.UserID, n); err != nil {
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
	highest, err := bench.WriteNetworks(b.flags.results, rows)
	if err == nil && check && highest > networkLimit {
		err = fmt.Errorf("scope network takes %.2f times as long as scope global, and may %.2f", highest, networkLimit)
	}
	return err
}

// mostEmployees limits the employees of the measured company. A smaller dataset has fewer.
const mostEmployees = 200_000

// companyPaths prints how long it takes to compute each caller's circle (the people within
// reach), and then the paths to a company with many employees: the median of five runs.
func (b *benching) companyPaths(ctx context.Context, d *dataset, callers []bench.Caller) (err error) {
	company, people, err := d.db.Network().AddEmployer(ctx, mostEmployees)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.db.Network().RemoveEmployer(context.WithoutCancel(ctx))) }()
	for _, c := range callers {
		circles := network.NewCircles(d.db.Network(), nil)
		began := time.Now()
		circle, err := circles.Now(ctx, c.Actor, network.Filter{})
		if err != nil {
			return err
		}
		made := time.Since(began)
		finder, total := network.NewPathfinder(circles), 0
		var took []time.Duration
		for range 5 {
			began = time.Now()
			if _, total, err = finder.AtCompany(ctx, c.Actor, []int64{company}, network.MaxTargets); err != nil {
				return err
			}
			took = append(took, time.Since(began))
		}
		slices.Sort(took)
		fmt.Fprintf(b.flags.results, "%d relationships: %d people within reach, found in %s, kept in %.1f MiB; ways to %d "+
			"of %d people of one company in %s\n",
			c.Relationships, circle.Size(), made.Round(time.Millisecond), float64(circles.Bytes())/(1<<20), total, people,
			took[len(took)/2].Round(time.Millisecond))
	}
	return nil
}
