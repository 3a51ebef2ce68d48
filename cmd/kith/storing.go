package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"kith/internal/record/indexer"
)

// storing stores records and then updates the index, unless noIndex is set. If the index was never built, it is filled
// while records are stored; otherwise into is nil and the queue updates the index.
func (d *dataset) storing(ctx context.Context, noIndex bool, store func(ctx context.Context, into *indexer.Build) error,
) error {
	if noIndex {
		return store(ctx, nil)
	}
	defer relaxGC()()
	var failed error
	bar := newProgress("index", -1)
	err := indexer.NewReindexer(d.drainer).Fill(ctx, bar.follow, func(ctx context.Context, into *indexer.Build) error {
		bar.finish()
		failed = store(ctx, into)
		return ctx.Err() // whatever was stored before a failure must be found too
	})
	bar.finish()
	if errors.Is(err, indexer.ErrBuilt) || errors.Is(err, indexer.ErrReindexRuns) {
		return d.updateIndex(ctx, store(ctx, nil))
	}
	if err == nil {
		err = cmp.Or(d.drainer.Drain(ctx), d.engine.Refresh(ctx))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, stored)
	}
	return cmp.Or(failed, err)
}

// stored is the message after a load that could not update the index.
const stored = "changes wait for the index: kith serve, or the next load, applies them"

// Loads produce much garbage and keep little. The collector runs when the heap has grown
// to five times the live data, or near the memory limit.
const (
	loadGrowth = 400
	loadMemory = 320 << 20
)

// relaxGC makes the garbage collector run less often until undo is called.
func relaxGC() (undo func()) {
	growth, limit := debug.SetGCPercent(loadGrowth), debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(limit, loadMemory))
	return func() {
		debug.SetGCPercent(growth)
		debug.SetMemoryLimit(limit)
	}
}
