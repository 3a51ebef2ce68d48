package bench

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"time"

	"kith/internal/search"
)

// side is one of the compared ways to run a search.
type side struct {
	name  string
	run   func(ctx context.Context) error
	times []time.Duration
}

// measure measures one shape on one engine.
func measure(ctx context.Context, opts Options, e Engine, shape Shape) (Row, error) {
	row := Row{Engine: e.Name, Shape: shape.Name, Asks: shape.Asks}
	c, err := newClient(ctx, e)
	if err != nil {
		return row, err
	}
	defer c.close()
	req, page, err := c.turnTo(ctx, shape)
	if err != nil {
		return row, err
	}
	row.Request, row.Page = req.forReport(), page
	if row.Found, row.Matches, row.Capped, err = c.extent(ctx, req); err != nil {
		return row, err
	}
	sides, err := c.sides(ctx, e, req)
	if err != nil {
		return row, err
	}
	// Garbage from earlier shapes must not count for this one.
	runtime.GC()
	if err := alternate(ctx, sides, opts.Rounds, opts.Budget); err != nil {
		return row, err
	}
	row.note(sides)
	row.FirstResult, row.Stream, err = c.streams(ctx, req, opts.Streams)
	return row, err
}

// turnTo returns the request for the shape's page, and the number of the page: the last full one if there are fewer.
func (c *client) turnTo(ctx context.Context, shape Shape) (Request, int, error) {
	req, passed, size := shape.Request, 0, search.MaxLimit
	for want := max(shape.Page-1, 0) * search.DefaultLimit; passed < want; {
		step := req
		step.Limit = min(want-passed, size)
		a, err := c.searchPage(ctx, step)
		if err != nil {
			return req, 0, fmt.Errorf("turning to page %d: %w", shape.Page, err)
		}
		if a.Pagination.Cursor == "" {
			if size == search.DefaultLimit {
				break
			}
			size = search.DefaultLimit
			continue
		}
		req.Cursor = a.Pagination.Cursor
		passed += len(a.Data)
	}
	if req.Cursor != "" && req.Limit == 0 {
		req.Limit = search.DefaultLimit
	}
	return req, passed/search.DefaultLimit + 1, nil
}

// extent returns how many people the page has, and how many match in total.
func (c *client) extent(ctx context.Context, req Request) (found, matches int, capped bool, err error) {
	a, err := c.searchPage(ctx, req)
	if err != nil {
		return 0, 0, false, err
	}
	found = len(a.Data)
	// Only first pages are counted.
	req.Cursor, req.Limit, req.IncludeCounts = "", 1, "global"
	if a, err = c.searchPage(ctx, req); err != nil {
		// Counting may exceed the time limit of a search; at least the people on the page match.
		return found, found, true, ctx.Err()
	}
	if a.Metadata.Counts != nil && a.Metadata.Counts.Global != nil {
		matches, capped = a.Metadata.Counts.Global.Value, a.Metadata.Counts.Global.IsCapped
	}
	return found, matches, capped, nil
}

// sides returns the compared sides: Kith over HTTP and its service in this process, and if the request is for close
// matches Kith without them.
func (c *client) sides(ctx context.Context, e Engine, req Request) ([]*side, error) {
	wire, err := c.encode(ctx, req)
	if err != nil {
		return nil, err
	}
	sides := []*side{
		{name: sideKith, run: func(context.Context) error { _, err := c.page(wire); return err }},
		{name: sideService, run: func(ctx context.Context) error {
			_, err := ask(ctx, e.Actor.Viewer(), e.Service, req)
			return err
		}},
	}
	if req.Closest == nil || !*req.Closest {
		return sides, nil
	}
	req.Closest = new(bool)
	plain, err := c.encode(ctx, req)
	return append(sides, &side{
		name: sideWithout, run: func(context.Context) error { _, err := c.page(plain); return err },
	}), err
}

// alternate runs the sides in turn, in random order each round, so that neither drift of
// the machine nor the cache contents left by the previous side favour one.
func alternate(ctx context.Context, sides []*side, rounds int, budget time.Duration) error {
	for range min(warmUp, rounds) {
		for _, s := range sides {
			if err := s.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
		}
	}
	end := time.Now().Add(budget)
	for round := range rounds {
		if round >= fewestRounds && time.Now().After(end) {
			return nil
		}
		order := slices.Clone(sides)
		rand.Shuffle(len(order), func(i, k int) { order[i], order[k] = order[k], order[i] })
		for _, s := range order {
			began := time.Now()
			if err := s.run(ctx); err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			s.times = append(s.times, time.Since(began))
		}
	}
	return nil
}

// streams times the first result and the end of streams.
func (c *client) streams(ctx context.Context, req Request, n int) (first, all Times, err error) {
	req.Stream = true
	wire, err := c.encode(ctx, req)
	if err != nil {
		return first, all, err
	}
	var firsts, alls []time.Duration
	for range n {
		f, a, err := c.firstResult(wire)
		if err != nil {
			return first, all, err
		}
		if f > 0 {
			firsts = append(firsts, f)
		}
		alls = append(alls, a)
	}
	return Summarise(firsts), Summarise(alls), nil
}
