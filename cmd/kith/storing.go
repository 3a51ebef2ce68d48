package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"kith/index/load"
)

// storing stores records and then brings the index level, unless that is left to others. An index that was never
// built takes new records while they are stored; into is nil where the queue brings them.
func (d *directory) storing(ctx context.Context, noIndex bool, store func(ctx context.Context, into *load.Build) error,
) error {
	if noIndex {
		return store(ctx, nil)
	}
	defer collectLess()()
	var failed error
	bar := newProgress("index", -1)
	err := load.NewReindexer(d.drainer).Fill(ctx, bar.follow, func(ctx context.Context, into *load.Build) error {
		bar.finish()
		failed = store(ctx, into)
		return ctx.Err() // what was stored before something failed is to be found, too
	})
	bar.finish()
	if errors.Is(err, load.ErrBuilt) || errors.Is(err, load.ErrReindexRuns) {
		return d.level(ctx, store(ctx, nil))
	}
	if err == nil {
		err = cmp.Or(d.drainer.Drain(ctx), d.engine.Refresh(ctx))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, stored)
	}
	return cmp.Or(failed, err)
}

// stored is said of a load that could not bring the index level.
const stored = "what was changed waits for the index: kith serve, or the next load, brings it level"

// Loads make much garbage and keep little: the collector runs at five times what is in use, or near the limit.
const (
	loadGrowth = 400
	loadMemory = 320 << 20
)

// collectLess has the garbage collector run less often until it is undone.
func collectLess() (undo func()) {
	growth, limit := debug.SetGCPercent(loadGrowth), debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, loadMemory))
	return func() {
		debug.SetGCPercent(growth)
		debug.SetMemoryLimit(limit)
	}
}
